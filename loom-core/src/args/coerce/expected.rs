//! What would fit, and what came instead, in words.

use std::collections::HashMap;

use serde_json::Value;

use super::super::json::{Json, excerpt, hint};
use super::super::number::compare;
use super::super::plan::{Additional, Id, Kind, Node, NumberBounds, Plan, Size};
use super::super::problem::listed;

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

/// What came, in words, where a list or an object was expected: of one that was meant to be in a string, where its text
/// breaks.
pub(super) fn came_for_json(value: &Json<'_>) -> String {
    if let Json::String(text) = value
        && text.trim_start().starts_with(['[', '{'])
        && let Err(error) = Json::parse(text)
    {
        let hint = hint(text, &error).map(|hint| format!("; {hint}")).unwrap_or_default();
        return format!("a string with broken JSON: {} near `{}`{hint}", error.kind, excerpt(text, error.offset));
    }
    shortened(value)
}

/// What fits, in words, for each schema once: unions inside unions are tried, and fail, very often.
#[derive(Debug, Default)]
pub(super) struct Words(HashMap<(Id, bool, bool), String>);

impl Words {
    /// What the schema takes: kinds, choices and bounds. A bound that is too long to be worth a word is told where the
    /// value is beyond it.
    pub(super) fn expected(&mut self, plan: &Plan, id: Id, value: &Json<'_>) -> String {
        let node = plan.node(id);
        if matches!(value, Json::Number(_)) && (node.number.hides_minimum || node.number.hides_maximum) {
            return describe(plan, node, value, 0);
        }
        let words = self.0.entry((id, false, is_several(value)));
        words.or_insert_with(|| describe(plan, node, value, 0)).clone()
    }

    /// What the alternatives of a node take.
    pub(super) fn expected_of(&mut self, plan: &Plan, node: &Node, alternatives: &[Id], value: &Json<'_>) -> String {
        // No two unions share a schema.
        let first = alternatives.first().copied().unwrap_or_default();
        let words = self.0.entry((first, true, is_several(value)));
        words.or_insert_with(|| expected_of(plan, node, alternatives, value)).clone()
    }
}

/// Whether the value is an object with more than one property.
fn is_several(value: &Json<'_>) -> bool {
    matches!(value, Json::Object(entries) if entries.len() > 1)
}

/// What the alternatives of a node take, in words.
fn expected_of(plan: &Plan, node: &Node, alternatives: &[Id], value: &Json<'_>) -> String {
    alternatives_words(plan, node, &leaves(plan, alternatives), value)
}

/// References inside references are followed this far; a message has no use for more.
const DEPTH: usize = 8;

/// How many lists inside one another are described.
const INSIDE: usize = 2;

/// How many names of an object, and how many words that a text may be, are named on the way to something else.
const NAMED: usize = 6;

/// What the alternatives come to where some are only references to others, or alternatives themselves.
pub(super) fn leaves(plan: &Plan, alternatives: &[Id]) -> Vec<Id> {
    let mut leaves = Vec::new();
    let mut open: Vec<_> = alternatives.iter().rev().map(|&id| (id, 0)).collect();
    while let Some((id, depth)) = open.pop() {
        let node = plan.node(id);
        let bare = node.kinds.is_none() && node.choices.is_none() && node.properties.is_empty() && depth < DEPTH;
        match (node.all.as_slice(), node.unions.as_slice()) {
            ([only], []) if bare => open.push((*only, depth + 1)),
            ([], [union]) if bare => open.extend(union.iter().rev().map(|&id| (id, depth + 1))),
            _ => leaves.push(id),
        }
    }
    leaves
}

fn describe(plan: &Plan, node: &Node, value: &Json<'_>, depth: usize) -> String {
    if let Some(choices) = &node.choices {
        let choices = choices.iter().filter(|choice| !node.optional || !choice.is_null());
        return one_of(&choices.map(ToString::to_string).collect::<Vec<_>>());
    }
    if let Some(kinds) = &node.kinds {
        let kinds = kinds.iter().filter(|kind| kinds.len() == 1 || !node.optional || **kind != Kind::Null);
        let words: Vec<_> = kinds.map(|kind| kind_words(plan, *kind, node, Some(value))).collect();
        return words.join(" or ");
    }
    match (node.unions.first(), node.all.first()) {
        (Some(alternatives), _) => expected_of(plan, node, alternatives, value),
        (None, Some(&id)) if depth < DEPTH => describe(plan, plan.node(id), value, depth + 1),
        _ if !node.properties.is_empty() || !node.required.is_empty() => {
            with_article(&object_words(plan, node, "object", 0))
        }
        _ => "another value".to_owned(),
    }
}

/// `a`, or `one of a, b, c`.
pub(super) fn one_of(words: &[String]) -> String {
    match words {
        [only] => only.clone(),
        several => format!("one of {}", several.join(", ")),
    }
}

fn alternatives_words(plan: &Plan, node: &Node, leaves: &[Id], value: &Json<'_>) -> String {
    let is_null = |id: Id| plan.node(id).kinds.as_deref() == Some(&[Kind::Null]);
    let leaves: Vec<_> =
        leaves.iter().copied().filter(|&id| leaves.len() == 1 || !node.optional || !is_null(id)).collect();
    let names: Vec<_> = leaves.iter().filter_map(|&id| variant(plan, id)).collect();
    let choices: Vec<_> = leaves.iter().filter_map(|&id| plan.node(id).choices.as_deref()).collect();
    let texts = choices.iter().copied().flatten().any(Value::is_string);
    let by_name = names.len() > 1 || (texts && !names.is_empty());
    let chosen: Vec<_> = choices.iter().copied().flatten().map(ToString::to_string).collect();
    let tag = tag(plan, &leaves);

    let mut words: Vec<String> = Vec::new();
    let mut tagged = false;
    for &id in &leaves {
        let leaf = plan.node(id);
        match (&leaf.choices, variant(plan, id), plan.as_object(id)) {
            (Some(choices), ..) if by_name => words.extend(choices.iter().map(ToString::to_string)),
            (Some(_), ..) => words.push(one_of(&chosen)),
            (None, Some((name, inside)), _) if by_name => words.push(format!("{{{name:?}: {}}}", short(plan, inside))),
            (None, _, Some(object)) if tag.is_some_and(|tag| tag_value(plan, object, tag).is_some()) => {
                if !std::mem::replace(&mut tagged, true) {
                    words.push(with_article(&tagged_words(plan, &leaves, tag.unwrap_or_default(), "object")));
                }
            }
            _ => words.push(such_words(plan, leaf, &words).unwrap_or_else(|| kinds_words(plan, leaf))),
        }
    }
    let mut told: Vec<String> = Vec::with_capacity(words.len());
    for word in words {
        if !told.contains(&word) {
            told.push(word);
        }
    }
    let all_variants = by_name && choices.len() + names.len() == leaves.len();
    match value {
        value if all_variants && is_several(value) => format!("exactly one of: {}", told.join(", ")),
        _ if all_variants => format!("one of: {}", told.join(", ")),
        _ => told.join(" or "),
    }
}

/// A list of what another alternative is, where that takes many words.
fn such_words(plan: &Plan, node: &Node, words: &[String]) -> Option<String> {
    const LONG: usize = 24;
    let (Some([Kind::Array]), Some(items)) = (node.kinds.as_deref(), node.items) else { return None };
    let one = with_article(&noun(plan, items, 0)?.one);
    if one.len() < LONG || !words.contains(&one) {
        return None;
    }
    let different = if node.unique { ", all different" } else { "" };
    let count = size_words(node.item_count, "of those", "of those");
    Some(format!("a list{}{different}", if count.is_empty() { " of those" } else { &count }))
}

/// The name of a variant that is an object with one property, and what stands in it.
fn variant(plan: &Plan, id: Id) -> Option<(&str, Id)> {
    let node = plan.as_object(id).filter(|node| node.additional == Additional::None)?;
    let name = node.only_name()?;
    // A property with one value is a tag rather than a variant.
    let inside = node.property(name)?;
    plan.node(inside).choices.is_none().then_some((name, inside))
}

/// The name whose value tells the objects among the alternatives apart: all of them require it, each with one text.
pub(super) fn tag<'p>(plan: &'p Plan, alternatives: &[Id]) -> Option<&'p str> {
    let mut objects = alternatives.iter().filter_map(|&id| plan.as_object(id));
    let (first, others) = (objects.next()?, objects.collect::<Vec<_>>());
    if others.is_empty() {
        return None;
    }
    let mut names = first.properties.iter().map(|(name, _)| name.as_str());
    names.find(|name| {
        tag_value(plan, first, name).is_some() && others.iter().all(|node| tag_value(plan, node, name).is_some())
    })
}

/// The one text that the node takes under the name `tag`, which it requires.
pub(super) fn tag_value<'p>(plan: &'p Plan, node: &Node, tag: &str) -> Option<&'p str> {
    match plan.node(node.property(tag)?).choices.as_deref() {
        Some([Value::String(only)]) if node.required.iter().any(|name| name == tag) => Some(only),
        _ => None,
    }
}

/// The objects among the alternatives by their tag.
fn tagged_words(plan: &Plan, alternatives: &[Id], tag: &str, noun: &str) -> String {
    format!("{noun} whose `{tag}` is {}", tag_words(plan, alternatives, tag))
}

/// What the tag may be.
pub(super) fn tag_words(plan: &Plan, alternatives: &[Id], tag: &str) -> String {
    let objects = alternatives.iter().filter_map(|&id| plan.as_object(id));
    let values: Vec<_> =
        objects.filter_map(|node| tag_value(plan, node, tag)).map(|value| format!("{value:?}")).collect();
    one_of(&values)
}

/// What a value inside another one is, in few words.
fn short(plan: &Plan, id: Id) -> String {
    let leaves = leaves(plan, &[id]);
    match leaves.as_slice() {
        [only] => kinds_words(plan, plan.node(*only)),
        several => noun(plan, id, 0).map_or_else(
            || {
                let chosen: Option<Vec<_>> = several.iter().map(|&id| plan.node(id).choices.as_deref()).collect();
                let chosen = chosen.unwrap_or_default();
                let chosen: Vec<_> = chosen.into_iter().flatten().map(ToString::to_string).collect();
                if chosen.is_empty() { "a value".to_owned() } else { one_of(&chosen) }
            },
            |noun| with_article(&noun.one),
        ),
    }
}

/// A node that is no union by its choices or kinds.
fn kinds_words(plan: &Plan, node: &Node) -> String {
    match (&node.choices, &node.kinds) {
        (Some(choices), _) => one_of(&choices.iter().map(ToString::to_string).collect::<Vec<_>>()),
        (None, Some(kinds)) => {
            kinds.iter().map(|kind| kind_words(plan, *kind, node, None)).collect::<Vec<_>>().join(" or ")
        }
        (None, None) if !node.properties.is_empty() || !node.required.is_empty() => {
            with_article(&object_words(plan, node, "object", 0))
        }
        (None, None) => "another value".to_owned(),
    }
}

fn kind_words(plan: &Plan, kind: Kind, node: &Node, value: Option<&Json<'_>>) -> String {
    match kind {
        Kind::Null => "null".to_owned(),
        Kind::Boolean => "true or false".to_owned(),
        Kind::Integer => format!("an integer{}{}", bounds_words(&node.number, value), but_not(plan, node)),
        Kind::Number => format!("a number{}{}", bounds_words(&node.number, value), but_not(plan, node)),
        Kind::String => with_article(&text_words(node, false)),
        Kind::Array => format!("a list{}", items_words(plan, node, 0)),
        Kind::Object => with_article(&object_words(plan, node, "object", 0)),
    }
}

fn with_article(noun: &str) -> String {
    if noun.starts_with("base64 ") {
        return noun.to_owned();
    }
    let article = if noun.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// What the items of a list are called, one of them and many.
struct Noun {
    one: String,
    many: String,
    /// What is said of each of them after everything else.
    tail: String,
}

impl Noun {
    fn plain(one: &str, many: &str, words: &str) -> Self {
        Self { one: format!("{one}{words}"), many: format!("{many}{words}"), tail: String::new() }
    }
}

/// What a value inside a list or a map is called, where that is said in a word or two.
fn noun(plan: &Plan, id: Id, depth: usize) -> Option<Noun> {
    let leaves = leaves(plan, &[id]);
    let node = match leaves.as_slice() {
        [only] => plan.node(*only),
        several => {
            let chosen: Option<Vec<_>> = several.iter().map(|&id| plan.node(id).choices.as_deref()).collect();
            if let Some(chosen) = chosen {
                return chosen_noun(&chosen.into_iter().flatten().collect::<Vec<_>>());
            }
            let tag = tag(plan, several)?;
            let all_tagged = several.iter().all(|&id| plan.as_object(id).is_some());
            let words = tagged_words(plan, several, tag, "");
            return all_tagged.then(|| Noun::plain("object", "objects", &words));
        }
    };
    if let Some(choices) = &node.choices {
        return chosen_noun(&choices.iter().collect::<Vec<_>>());
    }
    let bounds = || format!("{}{}", bounds_words(&node.number, None), but_not(plan, node));
    Some(match node.kinds.as_deref()? {
        [Kind::Boolean] => Noun::plain("boolean", "booleans", ""),
        [Kind::Integer] => Noun::plain("integer", "integers", &bounds()),
        [Kind::Number] => Noun::plain("number", "numbers", &bounds()),
        [Kind::String] => Noun { one: text_words(node, false), many: text_words(node, true), tail: String::new() },
        [Kind::Array] => Noun::plain("list", "lists", &items_words(plan, node, depth + 1)),
        [Kind::Object] => Noun {
            one: object_words(plan, node, "object", depth + 1),
            many: object_words(plan, node, "objects", depth + 1),
            tail: String::new(),
        },
        _ => return None,
    })
}

fn chosen_noun(choices: &[&Value]) -> Option<Noun> {
    if !choices.iter().all(|choice| choice.is_string()) {
        return None;
    }
    let words: Vec<_> = choices.iter().map(ToString::to_string).collect();
    let tail = if words.len() > 2 * NAMED { String::new() } else { format!(", each {}", one_of(&words)) };
    Some(Noun { tail, ..Noun::plain("string", "strings", "") })
}

fn text_words(node: &Node, many: bool) -> String {
    let length = size_words(node.text_length, "character", "characters");
    let pattern = node.pattern.as_ref().map(|(pattern, _)| format!(" matching `{pattern}`")).unwrap_or_default();
    let example = node.example.as_ref().map(|example| format!(", such as {example}")).unwrap_or_default();
    let text = match (&node.encoding, many) {
        (Some(encoding), false) => format!("{encoding} text"),
        (Some(encoding), true) => format!("{encoding} texts"),
        (None, false) => "string".to_owned(),
        (None, true) => "strings".to_owned(),
    };
    format!("{text}{length}{pattern}{example}")
}

/// What is in a list, with how many of them there may be.
fn items_words(plan: &Plan, node: &Node, depth: usize) -> String {
    let different = if node.unique { ", all different" } else { "" };
    let count = size_words(node.item_count, "item", "items");
    // After the items of a tuple comes nothing.
    let tuple = !node.prefix.is_empty() && node.item_count.max == u64::try_from(node.prefix.len()).ok();
    let rest = node.items.filter(|&id| !tuple && !plan.node(id).never);
    let items = node.prefix.iter().chain(&rest);
    let nouns: Option<Vec<_>> = if depth < INSIDE { items.map(|&id| noun(plan, id, depth)).collect() } else { None };
    let mut nouns = nouns.unwrap_or_default();
    let Some(last) = nouns.pop() else { return format!("{count}{different}") };
    if nouns.iter().all(|noun| noun.one == last.one && noun.tail == last.tail) {
        let Noun { one, many, tail } = last;
        let count = size_words(node.item_count, &one, &many);
        let of = if count.is_empty() { format!(" of {many}") } else { count };
        return format!("{of}{different}{tail}");
    }
    // Each item is something else; a long list of them would be no help.
    if nouns.len() >= NAMED || rest.is_some() {
        return format!("{count}{different}");
    }
    let items: Vec<_> = nouns.iter().map(|noun| with_article(&noun.one)).collect();
    format!("{count}{different}: {} and {}", items.join(", "), with_article(&last.one))
}

/// An object by what tells it from other objects: its tag, the names it requires, else those it has, or what is in it.
fn object_words(plan: &Plan, node: &Node, noun: &str, depth: usize) -> String {
    let count = size_words(node.property_count, "property", "properties");
    let tag = node.properties.iter().find_map(|(name, _)| Some((name, tag_value(plan, node, name)?)));
    if let Some((name, only)) = tag {
        return format!("{noun}{count} whose `{name}` is {only:?}");
    }
    if !node.required.is_empty() {
        let names: Vec<_> = node.required.iter().map(String::as_str).collect();
        return format!("{noun}{count} with {}", listed(&names, NAMED, "and"));
    }
    let mut names: Vec<_> = node.properties.iter().map(|(name, _)| name.as_str()).collect();
    if !names.is_empty() {
        // Whether they come in the order of the schema is for the features of `serde_json` to say.
        names.sort_unstable();
        return format!("{noun}{count} with any of {}", listed(&names, NAMED, "and"));
    }
    let values = match (node.additional, node.patterns.as_slice()) {
        (Additional::Schema(id), _) if depth < INSIDE => self::noun(plan, id, depth),
        (_, [(_, id)]) if depth < INSIDE => self::noun(plan, *id, depth),
        _ => None,
    };
    let keys = match (node.additional, node.patterns.as_slice()) {
        (Additional::None, [(Some(regex), _)]) => keys_words(regex.as_str(), true),
        _ => None,
    };
    let comma = if count.is_empty() { "" } else { "," };
    match (keys, values) {
        (Some(keys), Some(Noun { many, tail, .. })) => {
            format!("{noun}{count}{comma} whose keys are {keys} and whose values are {many}{tail}")
        }
        (Some(keys), None) => format!("{noun}{count}{comma} whose keys are {keys}"),
        (None, Some(Noun { many, tail, .. })) => format!("{noun}{count}{comma} whose values are {many}{tail}"),
        (None, None) => format!("{noun}{count}"),
    }
}

/// What the keys of a map are, where they are not any text.
pub(super) fn key_words(node: &Node) -> Option<String> {
    let is_map = node.properties.is_empty() && node.additional == Additional::None;
    match node.patterns.as_slice() {
        [(Some(regex), _)] if is_map => {
            let pattern = regex.as_str();
            Some(keys_words(pattern, false).unwrap_or_else(|| format!("text matching `{pattern}`")))
        }
        _ => None,
    }
}

/// The keys that types other than text have.
fn keys_words(pattern: &str, many: bool) -> Option<String> {
    let words = match (pattern, many) {
        (r"^\d+$", false) => "an integer of at least 0",
        (r"^\d+$", true) => "integers of at least 0",
        (r"^-?\d+$", false) => "an integer",
        (r"^-?\d+$", true) => "integers",
        _ => return None,
    };
    Some(words.to_owned())
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

fn size_words(size: Size, one: &str, many: &str) -> String {
    let count = |n: u64| format!("{n} {}", if n == 1 { one } else { many });
    match (size.min, size.max) {
        (Some(min), Some(max)) if min == max => format!(" of {}", count(min)),
        (Some(min), Some(max)) => format!(" of {min} to {}", count(max)),
        (Some(min), None) => format!(" of at least {}", count(min)),
        (None, Some(max)) => format!(" of at most {}", count(max)),
        (None, None) => String::new(),
    }
}
