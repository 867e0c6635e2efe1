//! The tools that arguments are read for: between them, every kind of type that a parameter may have.
//!
//! Each answers with all that it was given. Names are short, so that few bytes reach far.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU8;

use loom_core::types::{Base64, DurationText, OneOrMany};
use loom_core::{Tool, tool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// All tools, in the order in which the first byte of an input chooses them.
pub(crate) fn all() -> [Tool; 5] {
    [scalars::tool(), nested::tool(), choices::tool(), values::tool(), foreign()]
}

/// Takes scalars and bounds.
#[tool(blocking = false)]
fn scalars(
    #[arg(min = 1, max = 50)]
    #[serde(alias = "l")]
    limit: u8,
    a: Option<i8>,
    b: Option<u16>,
    c: Option<i32>,
    d: Option<u64>,
    e: Option<i64>,
    f: Option<i128>,
    g: Option<u128>,
    h: Option<f32>,
    #[arg(min = -1.5, max = 1e3)] i: Option<f64>,
    j: Option<bool>,
    k: Option<char>,
    #[arg(pattern = "^[a-z]+[0-9]*$", max_length = 6)] m: Option<String>,
    #[arg(min_length = 1, max_length = 3)] n: Option<String>,
    #[arg(default = NonZeroU8::MIN)] o: NonZeroU8,
    #[arg(default = "x")] p: String,
    q: Option<Option<u8>>,
) -> String {
    format!("{limit} {a:?} {b:?} {c:?} {d:?} {e:?} {f:?} {g:?} {h:?} {i:?} {j:?} {k:?} {m:?} {n:?} {o} {p:?} {q:?}")
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "printed")]
struct Item {
    id: u32,
    #[serde(alias = "qty")]
    count: Option<u8>,
    #[serde(default)]
    tags: Vec<String>,
    set: Option<BTreeSet<i16>>,
    map: Option<BTreeMap<i8, Vec<bool>>>,
    #[serde(rename = "a/b~c")]
    odd: Option<f64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "printed")]
struct Tree {
    n: i8,
    #[serde(default)]
    of: Vec<Tree>,
    up: Option<Box<Tree>>,
    by: Option<BTreeMap<String, Tree>>,
}

/// Takes structs in structs.
#[tool(blocking = false)]
fn nested(
    #[arg(default)] items: Vec<Item>,
    item: Option<Item>,
    #[arg(default)] by: BTreeMap<u16, Item>,
    tree: Option<Tree>,
    #[arg(min_length = 1, max_length = 3)] few: Option<Vec<u8>>,
    #[arg(default)] set: BTreeSet<String>,
) -> String {
    format!("{items:?} {item:?} {by:?} {tree:?} {few:?} {set:?}")
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Unit {
    DegC,
    DegF,
    Kelvin,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "printed")]
struct Options {
    n: u8,
    unit: Option<Unit>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "printed")]
enum External {
    Stop,
    Wait(u8),
    Move(i8, i8),
    Say { text: String, loud: Option<bool> },
    With(Options),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "op", rename_all = "snake_case")]
#[expect(dead_code, reason = "printed")]
enum Internal {
    Stop,
    MoveTo { x: i32, y: Option<i32> },
    With(Options),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
#[expect(dead_code, reason = "printed")]
enum Adjacent {
    Nothing,
    Number(i32),
    Text(String),
    Fields { a: bool },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "printed")]
enum Untagged {
    Flag(bool),
    Number(i64),
    Many(Vec<Unit>),
    Options(Options),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "printed")]
struct Flat {
    id: u32,
    #[serde(flatten)]
    options: Options,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "printed")]
struct Open {
    id: u32,
    #[serde(flatten)]
    more: BTreeMap<String, i32>,
}

/// Takes enums, and structs that are flattened into others.
#[tool(blocking = false)]
fn choices(
    unit: Option<Unit>,
    ext: Option<External>,
    int: Option<Internal>,
    adj: Option<Adjacent>,
    any: Option<Untagged>,
    flat: Option<Flat>,
    open: Option<Open>,
    #[arg(default)] units: BTreeMap<Unit, Vec<Option<Unit>>>,
    #[arg(default)] all: Vec<External>,
) -> String {
    format!("{unit:?} {ext:?} {int:?} {adj:?} {any:?} {flat:?} {open:?} {units:?} {all:?}")
}

/// Takes values of any kind, loom's own types, and lists of fixed length.
#[tool(blocking = false)]
fn values(
    v: Option<Value>,
    #[arg(default)] vs: Vec<Value>,
    #[arg(default)] map: BTreeMap<String, Value>,
    many: Option<OneOrMany<u16>>,
    #[arg(one_or_many, default, max_length = 3)] names: Vec<String>,
    pairs: Option<OneOrMany<(i8, String)>>,
    wait: Option<DurationText>,
    bytes: Option<Base64>,
    pair: Option<(bool, String, Option<i8>)>,
    three: Option<[u8; 3]>,
    unit: Option<()>,
) -> String {
    let v = v.as_ref().map(ordered);
    let vs: Vec<_> = vs.iter().map(ordered).collect();
    let map: BTreeMap<_, _> = map.iter().map(|(key, value)| (key, ordered(value))).collect();
    format!("{v:?} {vs:?} {map:?} {many:?} {names:?} {pairs:?} {wait:?} {bytes:?} {pair:?} {three:?} {unit:?}")
}

/// A tool whose schema is known only at run time, with keywords that the plan leaves to the validator.
fn foreign() -> Tool {
    let schema = json!({
        "type": "object",
        "properties": {
            "id": {"type": "integer", "minimum": 1},
            "mode": {"enum": ["fast", "slow", 3, null]},
            "tags": {"type": "array", "items": {"type": "string"}, "contains": {"const": "x"}, "uniqueItems": true},
            "code": {"type": "string", "pattern": "^[A-Z]{2}", "maxLength": 4},
            "size": {"oneOf": [{"type": "integer", "multipleOf": 3}, {"type": "number", "multipleOf": 0.5}]},
            "pick": {"anyOf": [
                {"type": "object", "properties": {"k": {"const": "a"}, "n": {"type": "integer"}}, "required": ["k"]},
                {"type": "object", "properties": {"k": {"const": "b"}, "s": {"type": "string"}}, "required": ["k", "s"]},
                {"type": ["boolean", "null"]}
            ]},
            "tree": {"$ref": "#/$defs/tree"},
            "map": {
                "type": "object",
                "propertyNames": {"maxLength": 2},
                "patternProperties": {"^i": {"type": "integer"}},
                "additionalProperties": {"type": "boolean"},
                "minProperties": 1
            },
            "pair": {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "items": false},
            "not": {"not": {"type": "string"}},
            "extra": {}
        },
        "required": ["id"],
        "dependentRequired": {"code": ["mode"]},
        "if": {"properties": {"mode": {"const": "slow"}}, "required": ["mode"]},
        "then": {"required": ["tags"]},
        "$defs": {
            "tree": {
                "type": "object",
                "properties": {
                    "n": {"type": "integer", "exclusiveMaximum": 10},
                    "of": {"type": "array", "items": {"$ref": "#/$defs/tree"}, "maxItems": 3}
                },
                "required": ["n"],
                "additionalProperties": false
            }
        }
    });
    let tool = Tool::builder("foreign").description("Takes what its schema says.").input_schema(schema);
    tool.build(async |arguments: Value| ordered(&arguments)).unwrap()
}

/// The value as text with its keys in order, which another crate of the build may have switched off.
fn ordered(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(ordered).collect::<Vec<_>>().join(",")),
        Value::Object(entries) => {
            let entries: BTreeMap<_, _> = entries.iter().map(|(key, value)| (key, ordered(value))).collect();
            format!("{entries:?}")
        }
        other => other.to_string(),
    }
}
