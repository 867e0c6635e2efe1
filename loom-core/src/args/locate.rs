//! What serde refuses although the schema takes it, in words for a model and with its place.

use super::coerce::shortened;
use super::json::Json;
use super::path::pointer_to;
use super::problem::{Problem, ProblemKind};
use super::strict::{Refusal, Step};

/// The problem that serde tells of, about `value`, which stands at `pointer`.
pub(super) fn refusal(value: &Json<'_>, pointer: &str, refusal: &Refusal) -> Problem {
    let message = refusal.message();
    let reason = in_plain_words(without_position(&message));
    match follow(value, pointer, refusal.trail()) {
        Place::Name(place, name) => Problem::new(place, misnamed(name, &reason)),
        Place::Value(place, value) => {
            let told = ["invalid type: ", "invalid value: ", "invalid length ", "unknown variant "];
            let got = if told.iter().any(|start| reason.starts_with(start)) { None } else { Some(shortened(value)) };
            Problem::new(place, ProblemKind::Refused { reason, got })
        }
    }
}

/// What is wrong with a name that its type does not take.
fn misnamed(name: &str, reason: &str) -> ProblemKind {
    let got = shortened(&Json::String(name.into()));
    // What `serde_json` quotes of a name may lack its start.
    match reason.rsplit_once("expected ").map(|(_, expected)| expected) {
        Some("an integer") if is_integer(name.strip_prefix('-').unwrap_or(name)) => {
            ProblemKind::Mismatch { expected: "an integer within the range of its type as key".to_owned(), got }
        }
        Some("a boolean") => ProblemKind::Mismatch { expected: "true or false as key".to_owned(), got },
        Some(expected) => ProblemKind::Mismatch { expected: format!("{expected} as key"), got },
        None => ProblemKind::Refused { reason: format!("its key does not fit: {reason}"), got: Some(got) },
    }
}

fn is_integer(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The message without `serde_json`'s line and column, which mean nothing to whoever sent the arguments, and are those
/// of the next comma.
fn without_position(message: &str) -> &str {
    match message.rsplit_once(" at line 1 column ") {
        Some((reason, column)) if is_integer(column) => reason,
        _ => message,
    }
}

/// What was refused: a value, or the name of a property.
#[derive(Debug, PartialEq)]
enum Place<'v, 't> {
    Name(String, &'v str),
    Value(String, &'v Json<'t>),
}

/// Goes the trail, which is from the inside out, as far as it leads: what is read of a number may have steps too.
fn follow<'v, 't>(value: &'v Json<'t>, pointer: &str, trail: &[Step]) -> Place<'v, 't> {
    let (mut value, mut place) = (value, pointer.to_owned());
    for step in trail.iter().rev() {
        let inner = match (*step, value) {
            (Step::Value(index), Json::Array(items)) => items.get(index).map(|item| (format!("{place}/{index}"), item)),
            (Step::Value(index), Json::Object(entries)) => {
                entries.get(index).map(|(name, item)| (pointer_to(&place, name), item))
            }
            (Step::Name(index), Json::Object(entries)) => match entries.get(index) {
                Some((name, _)) => return Place::Name(pointer_to(&place, name), name),
                None => None,
            },
            _ => None,
        };
        let Some(inner) = inner else { break };
        (place, value) = inner;
    }
    Place::Value(place, value)
}

/// Names of Rust types, as serde and the standard library give them where they say what they expected.
const TYPES: [(&str, &str); 14] = [
    ("struct ", "an object"),
    ("internally tagged enum ", "an object"),
    ("adjacently tagged enum ", "an object"),
    ("enum ", "one of its variants"),
    ("tuple struct ", "a list"),
    ("tuple variant ", "a list"),
    ("struct variant ", "an object"),
    ("unit struct ", "null"),
    ("unit variant ", "null"),
    ("newtype struct ", "another value"),
    ("newtype variant ", "another value"),
    ("variant identifier", "the name of a variant"),
    ("field identifier", "the name of a property"),
    ("unit value", "null"),
];

/// The message without the names of Rust types.
fn in_plain_words(message: &str) -> String {
    if message.starts_with("data did not match any variant of untagged enum ") {
        return "it fits none of the alternatives".to_owned();
    }
    let Some((before, expected)) = message.rsplit_once("expected ") else { return message.to_owned() };
    let integer = |name: &str| {
        let bits = name.strip_prefix(['i', 'u']);
        bits.is_some_and(|bits| matches!(bits, "8" | "16" | "32" | "64" | "128" | "size"))
    };
    let plain = match expected.strip_prefix("a nonzero ") {
        Some(name) if integer(name) => Some("an integer other than 0"),
        _ if integer(expected) => Some("an integer"),
        _ if matches!(expected, "f32" | "f64") => Some("a number"),
        _ => TYPES.iter().find(|(name, _)| expected.starts_with(name)).map(|(_, plain)| *plain),
    };
    plain.map_or_else(|| message.to_owned(), |plain| format!("{before}expected {plain}"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn the_trail_is_followed_as_far_as_it_leads() {
        let value = Json::parse(r#"{"a":[10,{"b/c":"x"}],"d":null}"#).unwrap();
        let place = |trail: &[Step]| match follow(&value, "/p", trail) {
            Place::Name(place, name) => format!("{place} {name}"),
            Place::Value(place, value) => format!("{place} = {}", shortened(value)),
        };
        let (v, n) = (Step::Value, Step::Name);
        let places: [(&[Step], &str); 9] = [
            (&[], r#"/p = {"a":[10,{"b/c":"x"}],"d":null}"#),
            (&[v(1)], "/p/d = null"),
            (&[n(1)], "/p/d d"),
            (&[v(0), v(0)], "/p/a/0 = 10"),
            (&[v(0), v(1), v(0)], r#"/p/a/1/b~1c = "x""#),
            (&[n(0), v(1), v(0)], "/p/a/1/b~1c b/c"),
            // Further than there is.
            (&[v(2)], r#"/p = {"a":[10,{"b/c":"x"}],"d":null}"#),
            (&[n(0), v(1)], "/p/d = null"),
            (&[v(7), v(0)], r#"/p/a = [10,{"b/c":"x"}]"#),
        ];
        for (trail, expected) in places {
            assert_eq!(place(trail), expected, "{trail:?}");
        }
    }

    #[test]
    fn messages_name_no_rust_types() {
        let cases = [
            ("invalid type: integer `1`, expected struct Inner", "invalid type: integer `1`, expected an object"),
            (
                "invalid value: integer `0`, expected a nonzero u8",
                "invalid value: integer `0`, expected an integer other than 0",
            ),
            ("invalid value: integer `300`, expected u8", "invalid value: integer `300`, expected an integer"),
            ("data did not match any variant of untagged enum Either", "it fits none of the alternatives"),
            ("invalid type: map, expected unit variant Choice::None", "invalid type: map, expected null"),
            ("invalid IP address syntax", "invalid IP address syntax"),
            ("expected unicorns", "expected unicorns"),
        ];
        for (message, expected) in cases {
            assert_eq!(in_plain_words(message), expected);
        }
    }

    #[test]
    fn the_position_is_taken_off_the_message() {
        assert_eq!(without_position("bad at line 1 column 7"), "bad");
        assert_eq!(without_position("bad at line 1 column x"), "bad at line 1 column x");
        assert_eq!(without_position("bad"), "bad");
    }
}
