//! What serde refuses although the schema takes it, in words for a model and with its place.

use super::json::Json;
use super::path::pointer_to;
use super::problem::{Problem, ProblemKind};

/// The problem that serde's `message` tells of, about `value`, which was read from its compact text.
pub(super) fn refusal(value: &Json<'_>, pointer: &str, message: &str) -> Problem {
    let (reason, column) = without_position(message);
    // The column counts the bytes that were read: the last of them belongs to what was refused.
    let place = column.and_then(|column| find(value, &mut 0, column.checked_sub(1)?, pointer));
    let reason = in_plain_words(reason);
    match place {
        // What serde_json quotes of a key may lack its start.
        Some(Place::Key(place)) => {
            let expected = reason.rsplit_once("expected ").map(|(_, expected)| format!(", expected {expected}"));
            let reason = format!("its key does not fit{}", expected.unwrap_or_default());
            Problem::new(place, ProblemKind::Refused { reason })
        }
        Some(Place::Value(place)) => Problem::new(place, ProblemKind::Refused { reason }),
        None => Problem::new(pointer, ProblemKind::Refused { reason }),
    }
}

/// The message without `serde_json`'s line and column, which mean nothing to whoever sent the arguments.
fn without_position(message: &str) -> (&str, Option<usize>) {
    let split = message.rsplit_once(" at line 1 column ");
    split.and_then(|(reason, column)| Some((reason, Some(column.parse().ok()?)))).unwrap_or((message, None))
}

/// Where a byte stands: in a value, or in its key.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    Key(String),
    Value(String),
}

/// The pointer to the innermost value in whose text the byte at `target` stands. `at` is where the value begins, and
/// afterwards where it ends.
fn find(value: &Json<'_>, at: &mut usize, target: usize, pointer: &str) -> Option<Place> {
    // A list or an object that is refused as such was not read: the byte is the one before it.
    if target <= *at {
        return Some(Place::Value(pointer.to_owned()));
    }
    match value {
        Json::Array(items) => {
            *at += 1;
            for (index, item) in items.iter().enumerate() {
                if let Some(found) = find(item, at, target, &format!("{pointer}/{index}")) {
                    return Some(found);
                }
                *at += 1;
            }
            *at += usize::from(items.is_empty());
        }
        Json::Object(entries) => {
            *at += 1;
            for (key, item) in entries {
                let place = pointer_to(pointer, key);
                // The key, with its quotes and the colon.
                *at += length(&Json::String(key.as_ref().into())) + 1;
                if target + 1 < *at {
                    return Some(Place::Key(place));
                }
                if let Some(found) = find(item, at, target, &place) {
                    return Some(found);
                }
                *at += 1;
            }
            *at += usize::from(entries.is_empty());
        }
        scalar => *at += length(scalar),
    }
    (target < *at).then(|| Place::Value(pointer.to_owned()))
}

fn length(value: &Json<'_>) -> usize {
    let mut text = String::new();
    value.write(&mut text);
    text.len()
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
    fn the_place_is_the_innermost_value_around_the_byte() {
        let text = r#"{"a":[10,{"b/c":"xé"},[],{}],"d":null}"#;
        let value = Json::parse(text).unwrap();
        let pointer = |target: usize| find(&value, &mut 0, target, "/p");
        let places = [
            ("{\"a", 0, "/p"),
            ("\"a\"", 1, "key /p/a"),
            (":[10", 0, "/p/a"),
            ("[10", 0, "/p/a"),
            ("10", 1, "/p/a/0"),
            (",{", 0, "/p/a/1"),
            ("b/c", 0, "key /p/a/1/b~1c"),
            ("x", 0, "/p/a/1/b~1c"),
            ("},[", 0, "/p/a/1"),
            ("[],", 1, "/p/a/2"),
            ("{}]", 1, "/p/a/3"),
            ("],\"d", 0, "/p/a"),
            ("null", 0, "/p/d"),
            ("l}", 1, "/p"),
        ];
        for (part, offset, expected) in places {
            let target = text.find(part).unwrap() + offset;
            let place = match expected.strip_prefix("key ") {
                Some(key) => Place::Key(key.to_owned()),
                None => Place::Value(expected.to_owned()),
            };
            assert_eq!(pointer(target), Some(place), "{part} {offset}");
        }
        assert_eq!(pointer(text.len()), None);
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
        assert_eq!(without_position("bad at line 1 column 7"), ("bad", Some(7)));
        assert_eq!(without_position("bad at line 1 column x"), ("bad at line 1 column x", None));
        assert_eq!(without_position("bad"), ("bad", None));
    }
}
