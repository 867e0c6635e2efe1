//! What is sent: parameters of many types, arguments that fit them, and what becomes of those on the way.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use proptest::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::private::{Params, arg};

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "printed")]
struct Inner {
    id: u64,
    note: Option<String>,
    #[serde(default)]
    flags: Vec<bool>,
    unit: Option<Unit>,
}

#[derive(Debug, Deserialize, JsonSchema, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "kebab-case")]
enum Unit {
    DegC,
    DegF,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "printed")]
enum External {
    Unit,
    New(Inner),
    Pair(i16, String),
    Fields { a: Option<u8>, b: bool },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
#[expect(dead_code, reason = "printed")]
enum Internal {
    One { n: u8 },
    Two { n: u8, next: Option<Box<Internal>> },
    Wrapped(Inner),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
#[expect(dead_code, reason = "printed")]
enum Adjacent {
    Number(i32),
    Text(String),
    Nothing,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "printed")]
enum Untagged {
    Number(i32),
    Flags(Vec<bool>),
    Inner(Inner),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "printed")]
struct Flat {
    first: u8,
    #[serde(flatten)]
    inner: Inner,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "printed")]
struct FlatEnum {
    first: u8,
    #[serde(flatten)]
    choice: Internal,
}

/// Parameters that the fast path reads by itself.
pub(super) fn plain() -> impl Params<Values: Debug> {
    (
        arg::<i8>("small", ""),
        (
            arg::<u64>("large", ""),
            (
                arg::<f64>("float", ""),
                (
                    arg::<String>("text", "").aliases(&["txt", "a/b"]),
                    (
                        arg::<bool>("on", ""),
                        (
                            arg::<Option<u32>>("maybe", ""),
                            (
                                arg::<u16>("default", "").or(|| 7, |_| Some(json!(7))),
                                (
                                    arg::<Inner>("inner", ""),
                                    (
                                        arg::<Option<Vec<Inner>>>("list", ""),
                                        (arg::<External>("choice", ""), (arg::<(i32, String)>("pair", ""), ())),
                                    ),
                                ),
                            ),
                        ),
                    ),
                ),
            ),
        ),
    )
}

/// Parameters that need the plan.
pub(super) fn rich() -> impl Params<Values: Debug> {
    (
        arg::<Internal>("internal", ""),
        (
            arg::<Adjacent>("adjacent", ""),
            (
                arg::<Untagged>("untagged", ""),
                (
                    arg::<Flat>("flat", ""),
                    (
                        arg::<FlatEnum>("flat_enum", ""),
                        (
                            arg::<BTreeSet<Option<Unit>>>("set", ""),
                            (
                                arg::<BTreeMap<String, Vec<i64>>>("map", ""),
                                (
                                    arg::<BTreeMap<u8, f32>>("keys", ""),
                                    (
                                        arg::<Value>("any", ""),
                                        (
                                            arg::<char>("letter", ""),
                                            (arg::<u32>("bounded", "").min(1).max(50), (arg::<i128>("wide", ""), ())),
                                        ),
                                    ),
                                ),
                            ),
                        ),
                    ),
                ),
            ),
        ),
    )
}

fn text() -> impl Strategy<Value = Value> {
    prop_oneof!["[a-zé\u{1F600}\"\\\\\n ]{0,6}", "[0-9]{1,3}", Just("null".to_owned()), Just("[1]".to_owned())]
        .prop_map(Value::from)
}

fn float() -> impl Strategy<Value = Value> {
    (-4096_i32..4096).prop_map(|n| json!(f64::from(n) / 64.0))
}

/// An object of these entries, some of which may be left out, in any order.
fn object(entries: Vec<(&'static str, BoxedStrategy<Value>, bool)>) -> BoxedStrategy<Value> {
    let entries: Vec<_> = entries
        .into_iter()
        .map(|(name, value, required)| {
            let maybe =
                if required { value.prop_map(Some).boxed() } else { prop::option::weighted(0.6, value).boxed() };
            maybe.prop_map(move |value| value.map(|value| (name.to_owned(), value)))
        })
        .collect();
    entries.prop_map(|entries| Value::Object(entries.into_iter().flatten().collect())).boxed()
}

fn or_null(value: impl Strategy<Value = Value> + 'static) -> BoxedStrategy<Value> {
    prop_oneof![4 => value, 1 => Just(Value::Null)].boxed()
}

fn unit() -> BoxedStrategy<Value> {
    prop::sample::select(vec!["deg-c", "deg-f"]).prop_map(Value::from).boxed()
}

fn number<T: Arbitrary + Into<Value> + 'static>() -> BoxedStrategy<Value> {
    any::<T>().prop_map(Into::into).boxed()
}

fn inner_entries() -> Vec<(&'static str, BoxedStrategy<Value>, bool)> {
    vec![
        ("id", number::<u64>(), true),
        ("note", or_null(text()), false),
        ("flags", prop::collection::vec(any::<bool>(), 0..3).prop_map(Value::from).boxed(), false),
        ("unit", or_null(unit()), false),
    ]
}

fn inner() -> BoxedStrategy<Value> {
    object(inner_entries())
}

fn external() -> BoxedStrategy<Value> {
    let fields = object(vec![("a", or_null(number::<u8>()), false), ("b", number::<bool>(), true)]);
    prop_oneof![
        Just(json!("Unit")),
        inner().prop_map(|inner| json!({"New": inner})),
        (any::<i16>(), text()).prop_map(|(n, text)| json!({"Pair": [n, text]})),
        fields.prop_map(|fields| json!({"Fields": fields})),
    ]
    .boxed()
}

fn internal_entries() -> Vec<Vec<(&'static str, BoxedStrategy<Value>, bool)>> {
    let tag = |name: &'static str| ("kind", Just(json!(name)).boxed(), true);
    let one = || vec![tag("One"), ("n", number::<u8>(), true)];
    let mut wrapped = inner_entries();
    wrapped.push(tag("Wrapped"));
    let two = vec![tag("Two"), ("n", number::<u8>(), true), ("next", or_null(object(one())), false)];
    vec![one(), two, wrapped]
}

fn internal(more: &[(&'static str, BoxedStrategy<Value>, bool)]) -> BoxedStrategy<Value> {
    let variants = internal_entries().into_iter().map(|mut entries| {
        entries.extend(more.iter().cloned());
        object(entries)
    });
    prop::strategy::Union::new(variants).boxed()
}

pub(super) fn plain_arguments() -> BoxedStrategy<Value> {
    object(vec![
        ("small", number::<i8>(), true),
        ("large", number::<u64>(), true),
        ("float", float().boxed(), true),
        ("text", text().boxed(), true),
        ("on", number::<bool>(), true),
        ("maybe", or_null(number::<u32>()), false),
        ("default", number::<u16>(), false),
        ("inner", inner(), true),
        ("list", or_null(prop::collection::vec(inner(), 0..3).prop_map(Value::from)), false),
        ("choice", external(), true),
        ("pair", (any::<i32>(), text()).prop_map(|(n, text)| json!([n, text])).boxed(), true),
    ])
}

pub(super) fn rich_arguments() -> BoxedStrategy<Value> {
    let first = ("first", number::<u8>(), true);
    let mut flat = inner_entries();
    flat.push(first.clone());
    let adjacent = prop_oneof![
        any::<i32>().prop_map(|n| json!({"t": "Number", "c": n})),
        text().prop_map(|text| json!({"c": text, "t": "Text"})),
        Just(json!({"t": "Nothing"})),
    ];
    let untagged =
        prop_oneof![number::<i32>(), prop::collection::vec(any::<bool>(), 0..3).prop_map(Value::from), inner(),];
    let set = prop::collection::btree_set(prop::sample::select(vec![None, Some("deg-c"), Some("deg-f")]), 0..=3);
    let map = prop::collection::btree_map("[a-z~/]{0,3}", prop::collection::vec(any::<i64>(), 0..3), 0..3);
    let keys = prop::collection::btree_map(any::<u8>(), float(), 0..3);
    let any_value = prop_oneof![text(), float(), inner(), external(), Just(Value::Null)];
    object(vec![
        ("internal", internal(&[]), true),
        ("adjacent", adjacent.boxed(), true),
        ("untagged", untagged.boxed(), true),
        ("flat", object(flat), true),
        ("flat_enum", internal(&[first]), true),
        ("set", set.prop_map(|set| json!(set)).boxed(), true),
        ("map", map.prop_map(|map| json!(map)).boxed(), true),
        ("keys", keys.prop_map(|keys| json!(keys)).boxed(), true),
        ("any", any_value.boxed(), true),
        ("letter", any::<char>().prop_map(|c| json!(c)).boxed(), true),
        ("bounded", (1_u32..=50).prop_map(Value::from).boxed(), true),
        ("wide", number::<i64>(), true),
    ])
}

/// Changes some of the values inside in a way that models do.
pub(super) fn perturbed(value: Value, seeds: &[u8], at: &mut usize) -> Value {
    *at += 1;
    let seed = seeds.get(*at % seeds.len().max(1)).copied().unwrap_or_default();
    let value = match value {
        Value::Array(items) => items.into_iter().map(|item| perturbed(item, seeds, at)).collect(),
        Value::Object(map) => map
            .into_iter()
            .map(|(name, value)| (name, perturbed(value, seeds, at)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        other => other,
    };
    match (seed, &value) {
        (0..=19, Value::Number(_) | Value::Bool(_) | Value::Null) | (20..=39, Value::Array(_) | Value::Object(_)) => {
            Value::String(value.to_string())
        }
        (0..=19, Value::String(text)) => Value::String(text.to_uppercase()),
        (40..=49, _) => Value::Null,
        (50..=54, Value::Object(map)) => {
            let mut map = map.clone();
            map.insert("nte".to_owned(), json!(1));
            map.into()
        }
        (55..=59, Value::Object(map)) => map.values().cloned().collect(),
        (60..=64, Value::Array(items)) => items.iter().chain(items).cloned().collect(),
        (65..=69, Value::Number(number)) => {
            serde_json::from_str(&format!("{}e0", number.as_f64().unwrap_or_default())).unwrap()
        }
        (70..=72, _) => json!([value]),
        _ => value,
    }
}

/// Changes the text itself.
pub(super) fn mutated(text: &str, mutations: &[(usize, u8, char)]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for (at, how, with) in mutations {
        let at = at % (chars.len() + 1);
        match how % 5 {
            0 => chars.truncate(at),
            1 if at < chars.len() => drop(chars.remove(at)),
            2 if at < chars.len() => chars[at] = *with,
            3 => chars.extend_from_within(..at),
            _ => chars.insert(at, *with),
        }
    }
    chars.into_iter().collect()
}

pub(super) fn mutations() -> impl Strategy<Value = Vec<(usize, u8, char)>> {
    let chars: Vec<char> = "{}[]\",:\\ 0e.-ntaé\n".chars().collect();
    prop::collection::vec((any::<usize>(), any::<u8>(), prop::sample::select(chars)), 1..4)
}
