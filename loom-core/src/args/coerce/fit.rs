//! Whether a single value has the kind, the choice and the bounds that are declared, and the one reading it may have
//! as something that does.

use std::borrow::Cow;
use std::cmp::Ordering::{Equal, Greater, Less};
use std::collections::HashSet;

use serde_json::Value;

use super::super::json::Json;
use super::super::number;
use super::super::path::Path;
use super::super::plan::{Kind, Node};
use super::expected::shortened;
use super::{CoercionRule, Findings};

/// How often a value may be a JSON document within a string.
pub(super) const MAX_QUOTING: usize = 2;

pub(super) enum Fit {
    /// The value has a kind that is taken; it came out of this many levels of quoting.
    Fits(usize),
    Misfit,
}

/// Makes the value one of the kinds that the node takes, where one reading is left.
pub(super) fn fit_kind(
    node: &Node,
    value: &mut Json<'_>,
    path: &Path<'_>,
    quoting: usize,
    found: &mut Findings,
) -> Fit {
    if node.takes(kind_of(value)) {
        return Fit::Fits(quoting);
    }
    let (rule, new, quoting) = match value {
        Json::Number(text) if node.takes(Kind::Integer) => match number::integral(text) {
            Some(integer) => (CoercionRule::NumberToInteger, Json::Number(integer.into()), quoting),
            None => return Fit::Misfit,
        },
        Json::String(text) => {
            let read = match text {
                Cow::Borrowed(text) => reading(node, text, quoting),
                Cow::Owned(text) => {
                    reading(node, text, quoting).map(|(rule, new, quoting)| (rule, new.into_owned(), quoting))
                }
            };
            match read {
                Some(reading) => reading,
                None => return Fit::Misfit,
            }
        }
        _ => return Fit::Misfit,
    };
    found.coerced(path, rule, shortened(value), shortened(&new));
    *value = new;
    Fit::Fits(quoting)
}

/// The one reading of a string as something that the node takes; text it does not take.
pub(in super::super) fn reading<'t>(
    node: &Node,
    text: &'t str,
    quoting: usize,
) -> Option<(CoercionRule, Json<'t>, usize)> {
    let kinds = node.kinds.as_deref()?;
    let number = |text: &'t str| Json::Number(Cow::Borrowed(text));
    let mut readings = kinds.iter().filter_map(|kind| match kind {
        Kind::Null => (text == "null").then_some((CoercionRule::TextToNull, Json::Null, quoting)),
        Kind::Boolean => match text {
            "true" | "True" | "TRUE" => Some((CoercionRule::TextToBoolean, Json::Bool(true), quoting)),
            "false" | "False" | "FALSE" => Some((CoercionRule::TextToBoolean, Json::Bool(false), quoting)),
            _ => None,
        },
        Kind::Integer => {
            number::integer_text(text).map(|integer| (CoercionRule::TextToInteger, number(integer), quoting))
        }
        Kind::Number => number::number_text(text).map(|text| (CoercionRule::TextToNumber, number(text), quoting)),
        Kind::Array | Kind::Object if quoting < MAX_QUOTING && text.starts_with(['[', '{']) => {
            let parsed = Json::parse(text).ok()?;
            let wanted =
                if *kind == Kind::Array { matches!(parsed, Json::Array(_)) } else { matches!(parsed, Json::Object(_)) };
            wanted.then_some((CoercionRule::TextToJson, parsed, quoting + 1))
        }
        Kind::String | Kind::Array | Kind::Object => None,
    });
    let first = readings.next()?;
    readings.next().is_none().then_some(first)
}

/// Whether the value is one of the node's choices, or becomes one by letter case and outer blanks.
pub(super) fn fit_choice(node: &Node, value: &mut Json<'_>, path: &Path<'_>, found: &mut Findings) -> bool {
    let Some(choices) = &node.choices else { return true };
    if choices.iter().any(|choice| same(choice, value)) {
        return true;
    }
    let Json::String(text) = value else { return false };
    let (rule, new) = match named(choices, text) {
        Some(choice) => (CoercionRule::NameCase, Json::String(choice.to_owned().into())),
        None if text == "null" && choices.contains(&Value::Null) => (CoercionRule::TextToNull, Json::Null),
        None => return false,
    };
    found.coerced(path, rule, shortened(value), shortened(&new));
    *value = new;
    true
}

/// The one name among the choices that the text is, but for letter case and outer blanks.
pub(super) fn named<'c>(choices: &'c [Value], text: &str) -> Option<&'c str> {
    let trimmed = text.trim();
    let mut alike = choices.iter().filter_map(Value::as_str).filter(|choice| choice.eq_ignore_ascii_case(trimmed));
    let first = alike.next()?;
    alike.next().is_none().then_some(first)
}

/// The kind of a value.
pub(super) fn kind_of(value: &Json<'_>) -> Kind {
    match value {
        Json::Null => Kind::Null,
        Json::Bool(_) => Kind::Boolean,
        Json::Number(text) if number::is_integer(text) => Kind::Integer,
        Json::Number(_) => Kind::Number,
        Json::String(_) => Kind::String,
        Json::Array(_) => Kind::Array,
        Json::Object(_) => Kind::Object,
    }
}

/// Whether a value of the schema and one that was sent are equal.
pub(super) fn same(choice: &Value, sent: &Json<'_>) -> bool {
    match (choice, sent) {
        (Value::Null, Json::Null) => true,
        (Value::Bool(a), Json::Bool(b)) => a == b,
        (Value::String(a), Json::String(b)) => a == b,
        (Value::Number(a), Json::Number(b)) => number::compare(&a.to_string(), b) == Some(std::cmp::Ordering::Equal),
        (Value::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Json::Object(b)) => {
            a.len() == b.len() && b.iter().all(|(key, b)| a.get(key.as_ref()).is_some_and(|a| same(a, b)))
        }
        _ => false,
    }
}

/// Whether the value is within the node's bounds.
pub(in super::super) fn fits_bounds(node: &Node, value: &Json<'_>) -> bool {
    let bounds = &node.number;
    match value {
        Json::Number(text) => {
            if let Some((least, greatest)) = bounds.integers
                && let Ok(integer) = text.parse::<i128>()
            {
                return (least..=greatest).contains(&integer);
            }
            let holds = |bound: &Option<String>, allowed: &[std::cmp::Ordering]| {
                bound.as_deref().is_none_or(|bound| {
                    number::compare(text, bound).is_some_and(|ordering| allowed.contains(&ordering))
                })
            };
            holds(&bounds.minimum, &[Greater, Equal])
                && holds(&bounds.maximum, &[Less, Equal])
                && holds(&bounds.exclusive_minimum, &[Greater])
                && holds(&bounds.exclusive_maximum, &[Less])
                && bounds.multiple_of.as_deref().is_none_or(|step| number::is_multiple(text, step))
        }
        Json::String(text) => {
            node.text_length.takes(text.chars().count())
                && node.pattern.as_ref().is_none_or(|(_, regex)| regex.as_ref().is_some_and(|r| r.is_match(text)))
        }
        Json::Array(items) => node.item_count.takes(items.len()),
        Json::Object(entries) => node.property_count.takes(entries.len()),
        Json::Null | Json::Bool(_) => true,
    }
}

/// A text that is the same for all values that are equal, however they are written.
pub(super) fn canonical(value: &Json<'_>) -> String {
    match value {
        Json::Number(text) => number::canonical(text),
        Json::Array(items) => format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(",")),
        Json::Object(entries) => {
            let mut entries: Vec<_> =
                entries.iter().map(|(key, value)| format!("{key:?}:{}", canonical(value))).collect();
            entries.sort_unstable();
            format!("{{{}}}", entries.join(","))
        }
        other => {
            let mut text = String::new();
            other.write(&mut text);
            text
        }
    }
}

/// Whether anything inside cannot be taken by any type: a key twice, or a number beyond every float.
pub(super) fn is_broken(value: &Json<'_>) -> bool {
    match value {
        Json::Number(text) => !number::is_finite(text),
        Json::Array(items) => items.iter().any(is_broken),
        Json::Object(entries) => !repeated(entries).is_empty() || entries.iter().any(|(_, value)| is_broken(value)),
        Json::Null | Json::Bool(_) | Json::String(_) => false,
    }
}

/// The entries whose key an earlier one has as well, by their indices.
pub(super) fn repeated(entries: &[(Cow<'_, str>, Json<'_>)]) -> Vec<usize> {
    // Of few keys, comparing each with those before it is quicker than keeping a set of them.
    const FEW: usize = 16;
    let keys = entries.iter().map(|(key, _)| key.as_ref());
    if entries.len() <= FEW {
        let before = |at: usize, key: &str| entries.iter().take(at).any(|(other, _)| other == key);
        return keys.enumerate().filter(|(at, key)| before(*at, key)).map(|(at, _)| at).collect();
    }
    let mut seen = HashSet::with_capacity(entries.len());
    keys.enumerate().filter(|(_, key)| !seen.insert(*key)).map(|(at, _)| at).collect()
}
