//! What would fit, and what came instead, in words.

use super::super::json::Json;
use super::super::plan::{Id, Kind, Node, NumberBounds, Plan, Size};

/// How many characters of a value a message shows.
const SHOWN: usize = 60;

/// The value as JSON, shortened on a character boundary.
pub(super) fn shortened(value: &Json<'_>) -> String {
    let mut text = String::new();
    value.write(&mut text);
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => {
            text.truncate(at);
            text.push('…');
            text
        }
        None => text,
    }
}

/// What the schema takes, in words: kinds, choices and bounds.
pub(super) fn expected(plan: &Plan, id: Id) -> String {
    describe(plan, plan.node(id), 0)
}

/// References inside references are followed this far; a message has no use for more.
const DEPTH: usize = 8;

fn describe(plan: &Plan, node: &Node, depth: usize) -> String {
    if let Some(choices) = &node.choices {
        let choices: Vec<_> = choices.iter().map(ToString::to_string).collect();
        return match choices.as_slice() {
            [only] => only.clone(),
            several => format!("one of {}", several.join(", ")),
        };
    }
    let Some(kinds) = &node.kinds else {
        let inner = node.all.first().or_else(|| node.unions.first().and_then(|union| union.first()));
        return match inner {
            Some(&id) if depth < DEPTH => describe(plan, plan.node(id), depth + 1),
            _ => "another value".to_owned(),
        };
    };
    let words: Vec<_> = kinds.iter().map(|kind| kind_words(*kind, node)).collect();
    words.join(" or ")
}

fn kind_words(kind: Kind, node: &Node) -> String {
    match kind {
        Kind::Null => "null".to_owned(),
        Kind::Boolean => "true or false".to_owned(),
        Kind::Integer => format!("an integer{}", bounds_words(&node.number)),
        Kind::Number => format!("a number{}", bounds_words(&node.number)),
        Kind::String => {
            let length = size_words(node.text_length, "character");
            let pattern =
                node.pattern.as_ref().map(|(pattern, _)| format!(" matching `{pattern}`")).unwrap_or_default();
            format!("a string{length}{pattern}")
        }
        Kind::Array => {
            let different = if node.unique { ", all different" } else { "" };
            format!("a list{}{different}", size_words(node.item_count, "item"))
        }
        Kind::Object => format!("an object{}", size_words(node.property_count, "property")),
    }
}

fn bounds_words(bounds: &NumberBounds) -> String {
    let mut words = match (&bounds.minimum, &bounds.maximum) {
        (Some(min), Some(max)) => format!(" from {min} to {max}"),
        (Some(min), None) => format!(" of at least {min}"),
        (None, Some(max)) => format!(" of at most {max}"),
        (None, None) => String::new(),
    };
    let others = [
        ("above", &bounds.exclusive_minimum),
        ("below", &bounds.exclusive_maximum),
        ("a multiple of", &bounds.multiple_of),
    ];
    for (word, bound) in others {
        if let Some(bound) = bound {
            let comma = if words.is_empty() { " " } else { ", " };
            words.push_str(&format!("{comma}{word} {bound}"));
        }
    }
    words
}

fn size_words(size: Size, unit: &str) -> String {
    let count = |n: u64| {
        let unit = match (n, unit) {
            (1, unit) => unit.to_owned(),
            (_, "property") => "properties".to_owned(),
            (_, unit) => format!("{unit}s"),
        };
        format!("{n} {unit}")
    };
    match (size.min, size.max) {
        (Some(min), Some(max)) if min == max => format!(" of {}", count(min)),
        (Some(min), Some(max)) => format!(" of {min} to {}", count(max)),
        (Some(min), None) => format!(" of at least {}", count(min)),
        (None, Some(max)) => format!(" of at most {}", count(max)),
        (None, None) => String::new(),
    }
}
