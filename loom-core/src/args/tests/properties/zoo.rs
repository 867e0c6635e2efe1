//! Parameters of many types: what is valid is read to the same value however it is sent, what is changed is valid for
//! the schema or refused.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::num::{NonZeroI64, NonZeroU8};
use std::path::PathBuf;

use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::animal::{Order, check};

/// A test of one type: its values, sent as the one parameter of a tool.
macro_rules! zoo {
    ($($name:ident: $ty:ty = $values:expr, $order:ident;)*) => {$(
        #[test]
        fn $name() {
            /// Gives back what it was given.
            #[crate::tool(blocking = false)]
            fn echo(v: $ty) -> String {
                serde_json::to_string(&v).unwrap()
            }
            let values = $values.prop_map(|value: $ty| serde_json::to_string(&value).unwrap());
            check(&echo::tool(), values.boxed(), Order::$order);
        }
    )*};
}

/// A number that every float holds exactly.
fn float() -> impl Strategy<Value = f64> {
    prop_oneof![(-40_000_i32..40_000).prop_map(|n| f64::from(n) / 64.0), Just(0.0), Just(1e20)]
}

fn single() -> impl Strategy<Value = f32> {
    (-4096_i16..4096).prop_map(|n| f32::from(n) / 8.0)
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Zé\u{1F600}\"\\\\\n~/ ]{0,6}",
        "-?[0-9]{1,3}",
        prop::sample::select(vec!["null", "true", "[1]", "{}", "1.0", " "]).prop_map(str::to_owned),
    ]
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Metres(f64);

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
struct UserId {
    id: u64,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Pair(i16, String);

fn yes() -> bool {
    true
}

/// Fields with defaults and other names. Aliases are missing; see the known faults.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Options {
    max_items: u16,
    #[serde(default = "yes")]
    dry_run: bool,
    #[serde(rename = "sort-by")]
    sort: Option<Unit>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Unit {
    DegC,
    DegF,
    Kelvin,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Flat {
    id: u32,
    #[serde(flatten)]
    options: Options,
}

/// What is not declared is kept.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Open {
    id: u32,
    #[serde(flatten)]
    more: BTreeMap<String, i32>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
enum External {
    Stop,
    Wait(u8),
    Move(i8, i8),
    Say { text: String, loud: Option<bool> },
    With(Options),
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "op", rename_all = "snake_case")]
enum Internal {
    Stop,
    MoveTo { x: i32, y: Option<i32> },
    With(Options),
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Nothing,
    Number(i32),
    Text(String),
    Fields { a: bool },
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Untagged {
    Flag(bool),
    Number(i64),
    Many(Vec<Unit>),
    Options(Options),
}

/// A tree, by itself and through lists.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Tree {
    name: String,
    #[serde(default)]
    children: Vec<Tree>,
    link: Option<Box<Tree>>,
}

fn unit() -> impl Strategy<Value = Unit> + Clone {
    prop::sample::select(vec![Unit::DegC, Unit::DegF, Unit::Kelvin])
}

fn options() -> impl Strategy<Value = Options> {
    let tags = prop::collection::vec(text(), 0..3);
    (any::<u16>(), any::<bool>(), prop::option::of(unit()), tags, prop::option::of(text()))
        .prop_map(|(max_items, dry_run, sort, tags, note)| Options { max_items, dry_run, sort, tags, note })
}

fn external() -> impl Strategy<Value = External> {
    prop_oneof![
        Just(External::Stop),
        any::<u8>().prop_map(External::Wait),
        any::<(i8, i8)>().prop_map(|(x, y)| External::Move(x, y)),
        (text(), any::<Option<bool>>()).prop_map(|(text, loud)| External::Say { text, loud }),
        options().prop_map(External::With),
    ]
}

fn internal() -> impl Strategy<Value = Internal> {
    prop_oneof![
        Just(Internal::Stop),
        any::<(i32, Option<i32>)>().prop_map(|(x, y)| Internal::MoveTo { x, y }),
        options().prop_map(Internal::With),
    ]
}

fn adjacent() -> impl Strategy<Value = Adjacent> {
    prop_oneof![
        Just(Adjacent::Nothing),
        any::<i32>().prop_map(Adjacent::Number),
        text().prop_map(Adjacent::Text),
        any::<bool>().prop_map(|a| Adjacent::Fields { a }),
    ]
}

fn untagged() -> impl Strategy<Value = Untagged> {
    prop_oneof![
        any::<bool>().prop_map(Untagged::Flag),
        any::<i64>().prop_map(Untagged::Number),
        prop::collection::vec(unit(), 0..3).prop_map(Untagged::Many),
        options().prop_map(Untagged::Options),
    ]
}

fn tree() -> BoxedStrategy<Tree> {
    let leaf = text().prop_map(|name| Tree { name, children: Vec::new(), link: None });
    leaf.prop_recursive(3, 12, 3, |inner| {
        let link = prop::option::of(inner.clone().prop_map(Box::new));
        (text(), prop::collection::vec(inner, 0..3), link).prop_map(|(name, children, link)| Tree {
            name,
            children,
            link,
        })
    })
    .boxed()
}

fn any_value() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        text().prop_map(Value::from),
        float().prop_map(|n| json!(n)),
        any::<i64>().prop_map(Value::from)
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map(text(), inner, 0..3).prop_map(|map| json!(map)),
        ]
    })
    .boxed()
}

zoo! {
    i8_: i8 = any::<i8>(), Kept;
    i16_: i16 = any::<i16>(), Kept;
    i32_: i32 = any::<i32>(), Kept;
    i64_: i64 = any::<i64>(), Kept;
    i128_: i128 = any::<i128>(), Kept;
    isize_: isize = any::<isize>(), Kept;
    u8_: u8 = any::<u8>(), Kept;
    u16_: u16 = any::<u16>(), Kept;
    u32_: u32 = any::<u32>(), Kept;
    u64_: u64 = any::<u64>(), Kept;
    u128_: u128 = any::<u128>(), Kept;
    usize_: usize = any::<usize>(), Kept;
    nonzero_u8: NonZeroU8 = any::<NonZeroU8>(), Kept;
    nonzero_i64: NonZeroI64 = any::<NonZeroI64>(), Kept;
    f32_: f32 = single(), Kept;
    f64_: f64 = float(), Kept;
    bool_: bool = any::<bool>(), Kept;
    char_: char = any::<char>(), Kept;
    string: String = text(), Kept;
    path: PathBuf = text().prop_map(PathBuf::from), Kept;
    optional: Option<u32> = any::<Option<u32>>(), Kept;
    optional_text: Option<String> = prop::option::of(text()), Kept;
    list: Vec<i32> = prop::collection::vec(any::<i32>(), 0..4), Kept;
    list_of_options: Vec<Option<Unit>> = prop::collection::vec(prop::option::of(unit()), 0..4), Kept;
    array: [u8; 3] = any::<[u8; 3]>(), Kept;
    tuple: (bool, String, Option<i8>) = (any::<bool>(), text(), any::<Option<i8>>()), Kept;
    sorted_set: BTreeSet<i16> = prop::collection::btree_set(any::<i16>(), 0..4), Kept;
    set: HashSet<Unit> = prop::collection::hash_set(unit(), 0..3), Lost;
    text_keys: BTreeMap<String, f64> = prop::collection::btree_map(text(), float(), 0..4), Kept;
    integer_keys: BTreeMap<u16, bool> = prop::collection::btree_map(any::<u16>(), any::<bool>(), 0..4), Kept;
    signed_keys: HashMap<i64, String> = prop::collection::hash_map(any::<i64>(), text(), 0..4), Lost;
    name_keys: BTreeMap<Unit, Vec<u8>> =
        prop::collection::btree_map(unit(), prop::collection::vec(any::<u8>(), 0..3), 0..3), Kept;
    boxed: Box<u32> = any::<u32>().prop_map(Box::new), Kept;
    newtype: Metres = float().prop_map(Metres), Kept;
    transparent: UserId = any::<u64>().prop_map(|id| UserId { id }), Kept;
    tuple_struct: Pair = (any::<i16>(), text()).prop_map(|(n, text)| Pair(n, text)), Kept;
    names: Unit = unit(), Kept;
    structs: Options = options(), Kept;
    nested: Vec<Step> = prop::collection::vec((options(), external()).prop_map(|(a, b)| Step { options: a, then: b }), 0..3), Kept;
    flat: Flat = (any::<u32>(), options()).prop_map(|(id, options)| Flat { id, options }), Kept;
    open: Open = (any::<u32>(), prop::collection::btree_map("[a-c]{1,2}", any::<i32>(), 0..3))
        .prop_map(|(id, more)| Open { id, more }), Kept;
    externally_tagged: External = external(), Kept;
    internally_tagged: Internal = internal(), Kept;
    adjacently_tagged: Adjacent = adjacent(), Kept;
    untagged_: Untagged = untagged(), Kept;
    optional_tagged: Option<Internal> = prop::option::of(internal()), Kept;
    recursive: Tree = tree(), Kept;
    anything: Value = any_value(), Kept;
}

/// Structs and enums inside one another.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Step {
    options: Options,
    then: External,
}
