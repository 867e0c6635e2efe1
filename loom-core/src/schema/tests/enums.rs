//! Enums of every tagging.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{integer, value, value_and_definitions};
use crate::tool;

macro_rules! of {
    ($ty:ty) => {{
        /// Takes a value.
        #[tool]
        fn takes(v: $ty) {
            let _ = v;
        }
        takes::tool()
    }};
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Unit {
    Celsius,
    Kelvin,
}

/// How to sort.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Sort {
    /// The newest first.
    Date,
    Name,
    /// The largest first.
    Size,
}

#[test]
fn a_fieldless_enum_is_one_enum_where_it_is_used() {
    assert_eq!(value(&of!(Unit)), json!({"type": "string", "enum": ["celsius", "kelvin"]}));
    assert_eq!(value(&of!(Option<Unit>)), json!({"type": "string", "enum": ["celsius", "kelvin"]}));
    assert_eq!(
        value(&of!(Vec<Unit>)),
        json!({"type": "array", "items": {"type": "string", "enum": ["celsius", "kelvin"]}})
    );
}

/// Lists.
///
/// # Arguments
/// * `v` - The order.
#[tool]
fn sorted(v: Sort, #[arg(default = Sort::Name)] w: Sort) {
    let _ = (v, w);
}

#[test]
fn the_texts_of_variants_go_to_the_description() {
    let texts = "How to sort.\n\n- `date`: The newest first.\n- `size`: The largest first.";
    let schema = super::input(&sorted::tool());
    assert_eq!(
        schema["properties"],
        json!({
            "v": {"type": "string", "enum": ["name", "date", "size"], "description": format!("The order.\n\n{texts}")},
            "w": {"type": "string", "enum": ["name", "date", "size"], "description": texts},
        })
    );
    assert_eq!(schema.get("$defs"), None);
}

/// A point.
#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema counts")]
struct Point {
    x: u8,
    y: Option<u8>,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema counts")]
enum External {
    At(Point),
    Box { side: u8 },
    Pair(u8, bool),
    Nowhere,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind")]
#[expect(dead_code, reason = "only its schema counts")]
enum Internal {
    At(Point),
    Box { side: u8 },
    Nowhere,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind", content = "value")]
#[expect(dead_code, reason = "only its schema counts")]
enum Adjacent {
    At(Point),
    Box { side: u8 },
    Nowhere,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema counts")]
enum Untagged {
    At(Point),
    Box { side: u8 },
    Text(String),
}

fn closed(properties: &Value, required: &Value) -> Value {
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

fn point() -> Value {
    let mut point = closed(&json!({"x": integer(0, 255), "y": integer(0, 255)}), &json!(["x"]));
    point["description"] = "A point.".into();
    point
}

#[test]
fn external_tags() {
    let side = closed(&json!({"side": integer(0, 255)}), &json!(["side"]));
    let pair = json!({
        "type": "array",
        "prefixItems": [integer(0, 255), {"type": "boolean"}],
        "items": {},
        "minItems": 2,
        "maxItems": 2,
    });
    let (value, definitions) = value_and_definitions(&of!(External));
    assert_eq!(value, json!({"$ref": "#/$defs/External"}));
    assert_eq!(
        definitions,
        json!({
            "External": {"oneOf": [
                {"type": "string", "enum": ["Nowhere"]},
                closed(&json!({"At": {"$ref": "#/$defs/Point"}}), &json!(["At"])),
                closed(&json!({"Box": side}), &json!(["Box"])),
                closed(&json!({"Pair": pair}), &json!(["Pair"])),
            ]},
            "Point": point(),
        })
    );
}

#[test]
fn internal_tags_stand_in_the_variant() {
    let tag = |name: &str| json!({"type": "string", "const": name});
    let mut at = closed(&json!({"kind": tag("At"), "x": integer(0, 255), "y": integer(0, 255)}), &json!(["kind", "x"]));
    at["description"] = "A point.".into();
    let (_, definitions) = value_and_definitions(&of!(Internal));
    assert_eq!(
        definitions,
        json!({"Internal": {"oneOf": [
            at,
            closed(&json!({"kind": tag("Box"), "side": integer(0, 255)}), &json!(["kind", "side"])),
            closed(&json!({"kind": tag("Nowhere")}), &json!(["kind"])),
        ]}})
    );
}

#[test]
fn adjacent_tags_stand_beside_the_content() {
    let tag = |name: &str| json!({"type": "string", "const": name});
    let side = closed(&json!({"side": integer(0, 255)}), &json!(["side"]));
    let (_, definitions) = value_and_definitions(&of!(Adjacent));
    assert_eq!(
        definitions,
        json!({
            "Adjacent": {"oneOf": [
                closed(&json!({"kind": tag("At"), "value": {"$ref": "#/$defs/Point"}}), &json!(["kind", "value"])),
                closed(&json!({"kind": tag("Box"), "value": side}), &json!(["kind", "value"])),
                closed(&json!({"kind": tag("Nowhere")}), &json!(["kind"])),
            ]},
            "Point": point(),
        })
    );
}

#[test]
fn untagged_alternatives_are_each_closed() {
    let (_, definitions) = value_and_definitions(&of!(Untagged));
    assert_eq!(
        definitions,
        json!({
            "Untagged": {"anyOf": [
                {"$ref": "#/$defs/Point"},
                closed(&json!({"side": integer(0, 255)}), &json!(["side"])),
                {"type": "string"},
            ]},
            "Point": point(),
        })
    );
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema counts")]
struct Drawn {
    name: String,
    #[serde(flatten)]
    shape: Internal,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema counts")]
enum Mark {
    /// A dot.
    Dot,
    Line,
    Ring {
        size: u8,
    },
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema counts")]
struct Marked {
    name: String,
    #[serde(flatten)]
    mark: Mark,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema counts")]
struct Both {
    name: String,
    #[serde(flatten)]
    shape: Internal,
    #[serde(flatten)]
    mark: Mark,
}

#[test]
fn a_flattened_enum_is_one_closed_object_a_variant() {
    let tag = |name: &str| json!({"type": "string", "const": name});
    let text = json!({"type": "string"});
    let mut at = closed(
        &json!({"name": text, "kind": tag("At"), "x": integer(0, 255), "y": integer(0, 255)}),
        &json!(["kind", "x", "name"]),
    );
    at["description"] = "A point.".into();
    let (_, definitions) = value_and_definitions(&of!(Drawn));
    assert_eq!(
        definitions,
        json!({"Drawn": {"oneOf": [
            at,
            closed(
                &json!({"name": text, "kind": tag("Box"), "side": integer(0, 255)}),
                &json!(["kind", "side", "name"])
            ),
            closed(&json!({"name": text, "kind": tag("Nowhere")}), &json!(["kind", "name"])),
        ]}})
    );
}

#[test]
fn a_flattened_unit_variant_is_a_key_with_null() {
    let (_, definitions) = value_and_definitions(&of!(Marked));
    let text = json!({"type": "string"});
    let ring = closed(&json!({"size": integer(0, 255)}), &json!(["size"]));
    let mut dot = closed(&json!({"name": text, "Dot": {"type": "null"}}), &json!(["Dot", "name"]));
    dot["description"] = "A dot.".into();
    assert_eq!(
        definitions,
        json!({"Marked": {"oneOf": [
            dot,
            closed(&json!({"name": text, "Ring": ring}), &json!(["Ring", "name"])),
            closed(&json!({"name": text, "Line": {"type": "null"}}), &json!(["Line", "name"])),
        ]}})
    );
}

#[test]
fn schemas_that_hold_together_are_closed_together() {
    let (_, definitions) = value_and_definitions(&of!(Both));
    let tag = |name: &str| json!({"type": "string", "const": name});
    let open =
        |properties: Value, required: Value| json!({"type": "object", "properties": properties, "required": required});
    let mut at = open(json!({"kind": tag("At"), "x": integer(0, 255), "y": integer(0, 255)}), json!(["kind", "x"]));
    at["description"] = "A point.".into();
    let mut dot = open(json!({"Dot": {"type": "null"}}), json!(["Dot"]));
    dot["description"] = "A dot.".into();
    assert_eq!(
        definitions,
        json!({"Both": {
            "type": "object",
            "properties": {"name": {"type": "string"}},
            "required": ["name"],
            "allOf": [
                {"oneOf": [
                    at,
                    open(json!({"kind": tag("Box"), "side": integer(0, 255)}), json!(["kind", "side"])),
                    open(json!({"kind": tag("Nowhere")}), json!(["kind"])),
                ]},
                {"oneOf": [
                    dot,
                    open(
                        json!({"Ring": closed(&json!({"size": integer(0, 255)}), &json!(["size"]))}),
                        json!(["Ring"])
                    ),
                    open(json!({"Line": {"type": "null"}}), json!(["Line"])),
                ]},
            ],
            "unevaluatedProperties": false,
        }})
    );
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "op", rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema counts")]
enum Expr {
    Number { value: u8 },
    Add { left: Box<Expr>, right: Option<Box<Expr>> },
}

#[test]
fn a_recursive_enum_refers_to_itself() {
    let tag = |name: &str| json!({"type": "string", "const": name});
    let (value, definitions) = value_and_definitions(&of!(Expr));
    assert_eq!(value, json!({"$ref": "#/$defs/Expr"}));
    let itself = json!({"$ref": "#/$defs/Expr"});
    assert_eq!(
        definitions,
        json!({"Expr": {"oneOf": [
            closed(&json!({"op": tag("number"), "value": integer(0, 255)}), &json!(["op", "value"])),
            closed(&json!({"op": tag("add"), "left": itself, "right": itself}), &json!(["op", "left"])),
        ]}})
    );
}
