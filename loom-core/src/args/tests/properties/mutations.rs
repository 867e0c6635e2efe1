//! What becomes of a valid value on its way from a model: each value inside may be changed, the text as a whole too.

use std::fmt::Write as _;

use proptest::prelude::*;
use serde_json::Value;

use super::super::super::json::Json;

/// How a value is changed: one seed for each value inside.
#[derive(Debug, Clone)]
pub(super) struct Changes(Vec<u8>);

/// Few changes or many.
pub(super) fn changes() -> impl Strategy<Value = Changes> {
    let rarely = prop_oneof![7 => Just(u8::MAX), 1 => any::<u8>()];
    let often = prop_oneof![1 => Just(u8::MAX), 1 => any::<u8>()];
    prop_oneof![prop::collection::vec(rarely, 8..40), prop::collection::vec(often, 8..40)].prop_map(Changes)
}

impl Changes {
    /// The text of the value with its changes; it is JSON still.
    pub(super) fn write(&self, value: &Value) -> String {
        self.write_text(&value.to_string())
    }

    /// The same of a value whose numbers may be larger than a parsed one holds.
    pub(super) fn write_text(&self, text: &str) -> String {
        let mut out = String::new();
        self.value(&Json::parse(text).unwrap(), &mut 0, &mut out);
        out
    }

    fn seed(&self, at: &mut usize) -> u8 {
        *at += 1;
        self.0.get(*at % self.0.len()).copied().unwrap_or(u8::MAX)
    }

    fn value(&self, value: &Json<'_>, at: &mut usize, out: &mut String) {
        match (self.seed(at), value) {
            (0..=15, _) => out.push_str(["null", "\"null\"", "0", "\"\"", "[]", "{}", "true", "1e400"][*at % 8]),
            (16..=31, Json::Number(number)) => {
                let larger = ["300", "-129", "1e300", "9223372036854775808", "1.5", "-0", "1e3", "5.0"];
                let larger = larger[*at % 8];
                out.push_str(if number.contains('.') { "3.5e38" } else { larger });
            }
            (16..=47, Json::Number(number)) => quote(&format!("{number}{}", ["", ".0", " ", "e0"][*at % 4]), out),
            (16..=31, Json::Bool(value)) => quote(&value.to_string(), out),
            (32..=47, Json::Bool(value)) => quote(if *value { "TRUE" } else { "False" }, out),
            (16..=31, Json::String(text)) => quote(&format!(" {} ", text.to_uppercase()), out),
            (32..=40, Json::String(text)) => quote(&text.to_lowercase(), out),
            (41..=47, Json::String(text)) => quote(&text.chars().rev().chain("xyz".chars()).collect::<String>(), out),
            (16..=40, Json::Array(_) | Json::Object(_)) => {
                let mut inner = String::new();
                self.inside(value, at, &mut inner);
                quote(&inner, out);
            }
            (48..=52, value) => {
                out.push('[');
                self.inside(value, at, out);
                out.push(']');
            }
            (53..=57, value) => {
                out.push_str("{\"value\":");
                self.inside(value, at, out);
                out.push('}');
            }
            (_, value) => self.inside(value, at, out),
        }
    }

    fn inside(&self, value: &Json<'_>, at: &mut usize, out: &mut String) {
        match value {
            Json::Array(items) => {
                out.push('[');
                let mut first = true;
                for item in items {
                    let times = match self.seed(at) {
                        0..=9 => 0,
                        10..=19 => 2,
                        _ => 1,
                    };
                    for _ in 0..times {
                        separate(&mut first, out);
                        self.value(item, at, out);
                    }
                }
                out.push(']');
            }
            Json::Object(entries) => {
                out.push('{');
                let mut first = true;
                for (key, value) in entries {
                    let keys = match self.seed(at) {
                        0..=9 => vec![],
                        10..=19 => vec![key.to_string(), key.to_string()],
                        20..=29 => vec![key.to_string(), "unknown".to_owned()],
                        30..=39 => vec![key.to_uppercase()],
                        40..=49 => vec![key.chars().skip(1).collect()],
                        50..=54 => vec![format!("{key}s"), key.to_string()],
                        _ => vec![key.to_string()],
                    };
                    let escaped = self.seed(at) < 20;
                    for key in keys {
                        separate(&mut first, out);
                        if escaped {
                            escape(&key, out);
                        } else {
                            quote(&key, out);
                        }
                        out.push(':');
                        self.value(value, at, out);
                    }
                }
                out.push('}');
            }
            other => other.write(out),
        }
    }
}

fn separate(first: &mut bool, out: &mut String) {
    if !std::mem::take(first) {
        out.push(',');
    }
}

/// The text with every character escaped.
fn escape(text: &str, out: &mut String) {
    out.push('"');
    for unit in text.encode_utf16() {
        write!(out, "\\u{unit:04x}").unwrap();
    }
    out.push('"');
}

fn quote(text: &str, out: &mut String) {
    out.push_str(&Value::from(text).to_string());
}

/// Changes of the text itself: cut off, characters left out, put in and repeated.
#[derive(Debug, Clone)]
pub(super) struct Damage(Vec<(prop::sample::Index, u8, char)>);

pub(super) fn damage() -> impl Strategy<Value = Damage> {
    // Of the control characters not a blank one: at the end of a name it is passed over; see the known faults.
    let with: Vec<char> = "{}[]\",:\\ 0e.-ntaé\u{1}".chars().collect();
    prop::collection::vec((any::<prop::sample::Index>(), 0_u8..5, prop::sample::select(with)), 1..4).prop_map(Damage)
}

impl Damage {
    pub(super) fn of(&self, text: &str) -> String {
        let mut chars: Vec<char> = text.chars().collect();
        for (index, how, with) in &self.0 {
            let at = index.index(chars.len() + 1);
            match how {
                0 => chars.truncate(at),
                1 if at < chars.len() => drop(chars.remove(at)),
                2 if at < chars.len() => chars[at] = *with,
                3 => chars.extend_from_within(..at),
                _ => chars.insert(at, *with),
            }
        }
        chars.into_iter().collect()
    }
}
