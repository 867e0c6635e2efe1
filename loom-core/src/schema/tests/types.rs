//! What the types of parameters give.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::num::{NonZeroI8, NonZeroU16};
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{input, integer, value, value_and_definitions};
use crate::{Tool, tool};

/// The tool with one parameter `v` of this type.
macro_rules! of {
    ($ty:ty) => {{
        /// Takes a value.
        #[tool]
        fn takes(v: $ty) {
            let _ = v;
        }
        let tool: Tool = takes::tool();
        tool
    }};
}

#[test]
fn integers_have_bounds_instead_of_a_format() {
    assert_eq!(value(&of!(i8)), integer(-128, 127));
    assert_eq!(value(&of!(i16)), integer(-32_768, 32_767));
    assert_eq!(value(&of!(i32)), integer(i32::MIN, i32::MAX));
    assert_eq!(value(&of!(i64)), integer(i64::MIN, i64::MAX));
    assert_eq!(value(&of!(isize)), integer(isize::MIN as i64, isize::MAX as i64));
    assert_eq!(value(&of!(i128)), json!({"type": "integer"}));
    assert_eq!(value(&of!(u8)), integer(0, 255));
    assert_eq!(value(&of!(u16)), integer(0, 65_535));
    assert_eq!(value(&of!(u32)), integer(0, u32::MAX));
    assert_eq!(value(&of!(u64)), integer(0, u64::MAX));
    assert_eq!(value(&of!(usize)), integer(0, usize::MAX as u64));
    assert_eq!(value(&of!(u128)), json!({"type": "integer", "minimum": 0}));
    assert_eq!(value(&of!(NonZeroU16)), integer(1, 65_535));
    assert_eq!(
        value(&of!(NonZeroI8)),
        json!({"type": "integer", "minimum": -128, "maximum": 127, "not": {"const": 0}})
    );
}

#[test]
fn other_plain_types() {
    let single = json!({"type": "number", "minimum": f64::from(f32::MIN), "maximum": f64::from(f32::MAX)});
    assert_eq!(value(&of!(f32)), single);
    assert_eq!(value(&of!(f64)), json!({"type": "number"}));
    assert_eq!(value(&of!(bool)), json!({"type": "boolean"}));
    assert_eq!(value(&of!(String)), json!({"type": "string"}));
    assert_eq!(value(&of!(&str)), json!({"type": "string"}));
    assert_eq!(value(&of!(PathBuf)), json!({"type": "string"}));
    assert_eq!(value(&of!(char)), json!({"type": "string", "minLength": 1, "maxLength": 1}));
    assert_eq!(value(&of!(Value)), json!({}));
    assert_eq!(value(&of!(())), json!({"type": "null"}));
}

#[test]
fn an_optional_value_is_one_that_may_be_left_out() {
    let optional = |tool: &Tool, schema: Value| {
        assert_eq!(input(tool), json!({"type": "object", "properties": {"v": schema}, "additionalProperties": false}));
    };
    optional(&of!(Option<u32>), integer(0, u32::MAX));
    optional(&of!(Option<String>), json!({"type": "string"}));
    optional(&of!(Option<Vec<bool>>), json!({"type": "array", "items": {"type": "boolean"}}));
    optional(&of!(Option<Value>), json!({}));
}

#[test]
fn lists_sets_tuples_and_arrays() {
    let text = json!({"type": "string"});
    assert_eq!(value(&of!(Vec<String>)), json!({"type": "array", "items": text}));
    assert_eq!(value(&of!(&[String])), json!({"type": "array", "items": text}));
    assert_eq!(value(&of!(Vec<Value>)), json!({"type": "array", "items": {}}));
    assert_eq!(value(&of!(HashSet<String>)), json!({"type": "array", "items": text, "uniqueItems": true}));
    assert_eq!(value(&of!(BTreeSet<String>)), json!({"type": "array", "items": text, "uniqueItems": true}));
    assert_eq!(
        value(&of!((u8, String))),
        json!({"type": "array", "prefixItems": [integer(0, 255), text], "items": {}, "minItems": 2, "maxItems": 2})
    );
    assert_eq!(
        value(&of!([bool; 3])),
        json!({"type": "array", "items": {"type": "boolean"}, "minItems": 3, "maxItems": 3})
    );
    // An item cannot be left out: null stays.
    assert_eq!(
        value(&of!(Vec<Option<u8>>)),
        json!({"type": "array", "items": {"type": ["integer", "null"], "minimum": 0, "maximum": 255}})
    );
}

#[test]
fn maps() {
    assert_eq!(
        value(&of!(HashMap<String, bool>)),
        json!({"type": "object", "additionalProperties": {"type": "boolean"}})
    );
    assert_eq!(value(&of!(HashMap<String, Value>)), json!({"type": "object", "additionalProperties": true}));
    assert_eq!(
        value(&of!(HashMap<u32, bool>)),
        json!({"type": "object", "patternProperties": {"^\\d+$": {"type": "boolean"}}, "additionalProperties": false})
    );
    assert_eq!(
        value(&of!(BTreeMap<i64, bool>)),
        json!({
            "type": "object",
            "patternProperties": {"^-?\\d+$": {"type": "boolean"}},
            "additionalProperties": false,
        })
    );
}

/// A place.
#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema counts")]
struct Place {
    /// Where it is.
    city: String,
    zip: Option<String>,
    #[serde(default = "one")]
    floors: u8,
}

fn one() -> u8 {
    1
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema counts")]
struct Visit {
    day: u8,
    #[serde(flatten)]
    place: Place,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema counts")]
struct Odd {
    title: String,
    format: u8,
    r#type: Option<bool>,
    default: i8,
    required: Vec<String>,
    properties: Option<Place>,
}

fn place() -> Value {
    json!({
        "description": "A place.",
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "Where it is."},
            "zip": {"type": "string"},
            "floors": {"type": "integer", "minimum": 0, "maximum": 255, "default": 1},
        },
        "required": ["city"],
        "additionalProperties": false,
    })
}

#[test]
fn a_struct_is_closed_and_defined_apart() {
    assert_eq!(value_and_definitions(&of!(Place)), (json!({"$ref": "#/$defs/Place"}), json!({"Place": place()})));
    // Optional: the same without null.
    assert_eq!(
        value_and_definitions(&of!(Option<Place>)),
        (json!({"$ref": "#/$defs/Place"}), json!({"Place": place()}))
    );
    assert_eq!(
        value_and_definitions(&of!(Vec<Option<Place>>)),
        (
            json!({"type": "array", "items": {"anyOf": [{"$ref": "#/$defs/Place"}, {"type": "null"}]}}),
            json!({"Place": place()})
        )
    );
}

#[test]
fn a_flattened_struct_is_one_object() {
    assert_eq!(
        value_and_definitions(&of!(Visit)),
        (
            json!({"$ref": "#/$defs/Visit"}),
            json!({"Visit": {
                // Where the outer struct has no text, schemars gives it that of the inner one.
                "description": "A place.",
                "type": "object",
                "properties": {
                    "day": integer(0, 255),
                    "city": {"type": "string", "description": "Where it is."},
                    "zip": {"type": "string"},
                    "floors": {"type": "integer", "minimum": 0, "maximum": 255, "default": 1},
                },
                "required": ["day", "city"],
                "additionalProperties": false,
            }})
        )
    );
}

#[test]
fn fields_may_be_named_like_keywords() {
    assert_eq!(
        value_and_definitions(&of!(Odd)),
        (
            json!({"$ref": "#/$defs/Odd"}),
            json!({
                "Odd": {
                    "type": "object",
                    "properties": {
                        "title": {"type": "string"},
                        "format": integer(0, 255),
                        "type": {"type": "boolean"},
                        "default": integer(-128, 127),
                        "required": {"type": "array", "items": {"type": "string"}},
                        "properties": {"$ref": "#/$defs/Place"},
                    },
                    "required": ["title", "format", "default", "required"],
                    "additionalProperties": false,
                },
                "Place": place(),
            })
        )
    );
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema counts")]
struct Tree {
    name: String,
    children: Vec<Tree>,
    parent: Option<Box<Tree>>,
}

#[test]
fn a_recursive_struct_refers_to_itself() {
    assert_eq!(
        value_and_definitions(&of!(Tree)),
        (
            json!({"$ref": "#/$defs/Tree"}),
            json!({"Tree": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
                    "parent": {"$ref": "#/$defs/Tree"},
                },
                "required": ["name", "children"],
                "additionalProperties": false,
            }})
        )
    );
}

mod left {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    #[expect(dead_code, reason = "only its schema counts")]
    pub(super) struct Item {
        pub(super) left: u8,
    }
}

mod right {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    #[expect(dead_code, reason = "only its schema counts")]
    pub(super) struct Item {
        pub(super) right: u8,
    }
}

#[test]
fn types_of_one_name_have_definitions_of_their_own() {
    let object = |name: &str| {
        json!({
            "type": "object",
            "properties": {name: integer(0, 255)},
            "required": [name],
            "additionalProperties": false,
        })
    };
    assert_eq!(
        value_and_definitions(&of!((left::Item, right::Item))),
        (
            json!({
                "type": "array",
                "prefixItems": [{"$ref": "#/$defs/Item"}, {"$ref": "#/$defs/Item2"}],
                "items": {},
                "minItems": 2,
                "maxItems": 2,
            }),
            json!({"Item": object("left"), "Item2": object("right")})
        )
    );
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema counts")]
struct Größe {
    #[schemars(range(min = 0, max = 255))]
    cm: u32,
}

#[test]
fn a_name_beyond_ascii_is_encoded_where_it_is_referred_to() {
    assert_eq!(
        value_and_definitions(&of!(Größe)),
        (
            json!({"$ref": "#/$defs/Gr%C3%B6%C3%9Fe"}),
            json!({"Größe": {
                "type": "object",
                "properties": {"cm": integer(0, 255)},
                "required": ["cm"],
                "additionalProperties": false,
            }})
        )
    );
}
