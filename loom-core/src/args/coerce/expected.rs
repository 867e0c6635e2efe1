//! What would fit, and what came instead, in words.

use serde_json::Value;

use super::super::json::Json;
use super::super::number::compare;
use super::super::plan::{Id, Kind, Node, NumberBounds, Plan, Size};

/// How many characters of a value a message shows.
const SHOWN: usize = 60;

/// The value as JSON, shortened on a character boundary.
pub(in super::super) fn shortened(value: &Json<'_>) -> String {
    let mut text = match value {
        Json::Number(number) => String::with_capacity(number.len()),
        Json::String(string) => String::with_capacity(string.len().min(SHOWN) + 2),
        _ => String::new(),
    };
    write_start(value, &mut text);
    if text.len() <= SHOWN {
        return text;
    }
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => {
            text.truncate(at);
            text.push('…');
            text
        }
        None => text,
    }
}

/// Writes as much of the value as a message can show, which of a long one is little.
fn write_start(value: &Json<'_>, out: &mut String) {
    // Four bytes are the longest character, and one more shows that there is more.
    const ENOUGH: usize = 4 * SHOWN + 1;
    match value {
        Json::String(text) => {
            let start = text.get(SHOWN..).and_then(|_| text.char_indices().nth(SHOWN)).map_or(text.len(), |(at, _)| at);
            Json::String(text.get(..start).unwrap_or_default().into()).write(out);
        }
        Json::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if out.len() > ENOUGH {
                    break;
                }
                if index > 0 {
                    out.push(',');
                }
                write_start(item, out);
            }
            out.push(']');
        }
        Json::Object(entries) => {
            out.push('{');
            for (index, (key, item)) in entries.iter().enumerate() {
                if out.len() > ENOUGH {
                    break;
                }
                if index > 0 {
                    out.push(',');
                }
                write_start(&Json::String(key.as_ref().into()), out);
                out.push(':');
                write_start(item, out);
            }
            out.push('}');
        }
        Json::Number(text) => out.push_str(text),
        other => other.write(out),
    }
}

/// What the schema takes, in words: kinds, choices and bounds. A bound that is too long to be worth a word is told
/// where the value is beyond it.
pub(super) fn expected(plan: &Plan, id: Id, value: &Json<'_>) -> String {
    describe(plan, plan.node(id), Some(value), 0)
}

/// What the alternatives of a node take, in words.
pub(super) fn expected_of(plan: &Plan, node: &Node, alternatives: &[Id]) -> String {
    alternatives_words(plan, node, alternatives, 0)
}

/// References inside references are followed this far; a message has no use for more.
const DEPTH: usize = 8;

fn describe(plan: &Plan, node: &Node, value: Option<&Json<'_>>, depth: usize) -> String {
    if let Some(choices) = &node.choices {
        let choices: Vec<_> =
            choices.iter().filter(|choice| !node.optional || !choice.is_null()).map(ToString::to_string).collect();
        return match choices.as_slice() {
            [only] => only.clone(),
            several => format!("one of {}", several.join(", ")),
        };
    }
    if let Some(kinds) = &node.kinds {
        let kinds = kinds.iter().filter(|kind| kinds.len() == 1 || !node.optional || **kind != Kind::Null);
        let words: Vec<_> = kinds.map(|kind| kind_words(plan, *kind, node, value)).collect();
        return words.join(" or ");
    }
    match (node.unions.first(), node.all.first()) {
        (Some(alternatives), _) if depth < DEPTH => alternatives_words(plan, node, alternatives, depth + 1),
        (None, Some(&id)) if depth < DEPTH => describe(plan, plan.node(id), value, depth + 1),
        _ if !node.properties.is_empty() || !node.required.is_empty() => "an object".to_owned(),
        _ => "another value".to_owned(),
    }
}

fn alternatives_words(plan: &Plan, node: &Node, alternatives: &[Id], depth: usize) -> String {
    let mut words = Vec::new();
    for &id in alternatives {
        let alternative = resolved(plan, plan.node(id));
        let word = match alternative.kinds.as_deref() {
            Some([Kind::Null]) if node.optional && alternatives.len() > 1 => continue,
            Some([Kind::Object]) => object_words(plan, alternative),
            _ => describe(plan, alternative, None, depth),
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words.join(" or ")
}

/// What a chain of bare references leads to.
fn resolved<'p>(plan: &'p Plan, node: &'p Node) -> &'p Node {
    let mut node = node;
    for _ in 0..DEPTH {
        match (&node.kinds, &node.choices, node.all.as_slice(), node.unions.as_slice()) {
            (None, None, [only], []) if node.properties.is_empty() => node = plan.node(*only),
            _ => break,
        }
    }
    node
}

/// An object by what tells it from other objects: its tag, or the names it requires.
fn object_words(plan: &Plan, node: &Node) -> String {
    let tag = node.properties.iter().find_map(|(name, id)| match plan.node(*id).choices.as_deref() {
        Some([only @ Value::String(_)]) if node.required.contains(name) => Some((name, only)),
        _ => None,
    });
    match (tag, node.required.as_slice()) {
        (Some((name, only)), _) => format!("an object whose `{name}` is {only}"),
        (None, []) => "an object".to_owned(),
        (None, names) => {
            let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
            format!("an object with {}", names.join(" and "))
        }
    }
}

fn kind_words(plan: &Plan, kind: Kind, node: &Node, value: Option<&Json<'_>>) -> String {
    match kind {
        Kind::Null => "null".to_owned(),
        Kind::Boolean => "true or false".to_owned(),
        Kind::Integer => format!("an integer{}{}", bounds_words(&node.number, value), but_not(plan, node)),
        Kind::Number => format!("a number{}{}", bounds_words(&node.number, value), but_not(plan, node)),
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

/// The single values that are excluded.
fn but_not(plan: &Plan, node: &Node) -> String {
    let excluded = node.not.iter().filter_map(|&id| plan.node(id).choices.as_deref()).flatten();
    let excluded: Vec<_> = excluded.map(ToString::to_string).collect();
    if excluded.is_empty() { String::new() } else { format!(", but not {}", excluded.join(" or ")) }
}

fn bounds_words(bounds: &NumberBounds, value: Option<&Json<'_>>) -> String {
    use std::cmp::Ordering::{Greater, Less};
    let beyond = |bound: &Option<String>, ordering| match (value, bound) {
        (Some(Json::Number(value)), Some(bound)) => compare(value, bound) == Some(ordering),
        _ => false,
    };
    let shown = |bound, hidden: bool, ordering| if hidden && !beyond(bound, ordering) { None } else { bound.as_ref() };
    let minimum = shown(&bounds.minimum, bounds.hides_minimum, Less);
    let maximum = shown(&bounds.maximum, bounds.hides_maximum, Greater);
    let mut words = match (minimum, maximum) {
        (Some(min), Some(max)) => format!(" from {min} to {max}"),
        (Some(min), None) => format!(" of at least {min}"),
        (None, Some(max)) => format!(" of at most {max}"),
        (None, None) => String::new(),
    };
    let others = [
        ("above", &bounds.exclusive_minimum),
        ("below", &bounds.exclusive_maximum),
        ("that is a multiple of", &bounds.multiple_of),
    ];
    for (word, bound) in others {
        if let Some(bound) = bound {
            words.push_str(if words.is_empty() { " " } else { ", " });
            words.extend([word, " ", bound]);
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
