//! What the signature, the doc comment and the annotations give.

use serde_json::json;

use super::{input, value};
use crate::tool;

/// Orders.
#[tool]
fn ordered(zebra: String, mango: bool, apple: Option<String>) {
    let _ = (zebra, mango, apple);
}

/// Takes nothing.
#[tool]
fn nothing() {}

#[test]
fn the_serialised_text_is_in_the_order_of_the_signature() {
    let schema = &ordered::tool().definition().input_schema.clone();
    assert_eq!(
        serde_json::to_string(schema).unwrap(),
        r#"{"type":"object","properties":{"zebra":{"type":"string"},"mango":{"type":"boolean"},"apple":{"type":"string"}},"required":["zebra","mango"],"additionalProperties":false}"#
    );
    assert_eq!(schema.property_names().collect::<Vec<_>>(), ["zebra", "mango", "apple"]);
    assert_eq!(
        input(&ordered::tool()),
        json!({
            "type": "object",
            "properties": {"zebra": {"type": "string"}, "mango": {"type": "boolean"}, "apple": {"type": "string"}},
            "required": ["zebra", "mango"],
            "additionalProperties": false,
        })
    );
}

#[test]
fn a_tool_without_parameters_takes_an_empty_object() {
    assert_eq!(
        serde_json::to_string(&nothing::tool().definition().input_schema).unwrap(),
        r#"{"type":"object","properties":{},"additionalProperties":false}"#
    );
}

/// Defaults.
#[tool]
fn defaults(
    #[arg(default = 5)] limit: u8,
    #[arg(default = "celsius")] unit: String,
    #[arg(default)] tags: Vec<String>,
    #[arg(default = Some(3))] depth: Option<u8>,
    #[arg(default = None)] width: Option<u8>,
    plain: Option<u8>,
) {
    let _ = (limit, unit, tags, depth, width, plain);
}

#[test]
fn what_may_be_left_out_is_not_required_and_shows_its_default() {
    let byte = json!({"type": "integer", "minimum": 0, "maximum": 255});
    assert_eq!(
        input(&defaults::tool()),
        json!({
            "type": "object",
            "properties": {
                "limit": {"type": "integer", "minimum": 0, "maximum": 255, "default": 5},
                "unit": {"type": "string", "default": "celsius"},
                "tags": {"type": "array", "items": {"type": "string"}, "default": []},
                // Left out it is 3, so null says something else.
                "depth": {"type": ["integer", "null"], "minimum": 0, "maximum": 255, "default": 3},
                "width": byte,
                "plain": byte,
            },
            "additionalProperties": false,
        })
    );
}

/// Annotated.
///
/// # Arguments
/// * `count` - How many.
/// * `code` - The code: two letters.
#[tool]
fn annotated(
    #[arg(min = 1, max = 50)] count: u32,
    #[arg(pattern = "^[a-z]{2}$", min_length = 2_u32, max_length = 2_u32, example = "de", example = "fr")] code: String,
    #[arg(format = "date", description = "The day.")] day: Option<String>,
    #[arg(min = 0.5, max = 1.5)] ratio: f64,
    #[arg(min_length = 1_u32, max_length = 3_u32)] tags: Vec<String>,
    #[arg(name = "from")] source: String,
    /// Straight on the parameter.
    near: bool,
) {
    let _ = (count, code, day, ratio, tags, source, near);
}

#[test]
fn annotations_and_texts_stand_with_their_parameter() {
    assert_eq!(
        input(&annotated::tool()),
        json!({
            "type": "object",
            "properties": {
                "count": {"type": "integer", "minimum": 1, "maximum": 50, "description": "How many."},
                "code": {
                    "type": "string",
                    "description": "The code: two letters.",
                    "pattern": "^[a-z]{2}$",
                    "minLength": 2,
                    "maxLength": 2,
                    "examples": ["de", "fr"],
                },
                "day": {"type": "string", "format": "date", "description": "The day."},
                "ratio": {"type": "number", "minimum": 0.5, "maximum": 1.5},
                "tags": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 3},
                "from": {"type": "string"},
                "near": {"type": "boolean", "description": "Straight on the parameter."},
            },
            "required": ["count", "code", "ratio", "tags", "from", "near"],
            "additionalProperties": false,
        })
    );
}

/// Bounds beside what the type says.
#[tool]
fn one_bound(#[arg(max = 1000)] v: u8) {
    let _ = v;
}

/// Keyword names.
#[tool]
fn keyword_names(title: String, format: u8, r#type: bool, default: Option<i8>, required: char) {
    let _ = (title, format, r#type, default, required);
}

#[test]
fn a_bound_that_the_type_cannot_reach_gives_way_to_the_type() {
    assert_eq!(value(&one_bound::tool()), super::integer(0, 255));
}

#[test]
fn parameters_may_be_named_like_keywords() {
    assert_eq!(
        input(&keyword_names::tool()),
        json!({
            "type": "object",
            "properties": {
                "title": {"type": "string"},
                "format": {"type": "integer", "minimum": 0, "maximum": 255},
                "type": {"type": "boolean"},
                "default": {"type": "integer", "minimum": -128, "maximum": 127},
                "required": {"type": "string", "minLength": 1, "maxLength": 1},
            },
            "required": ["title", "format", "type", "required"],
            "additionalProperties": false,
        })
    );
}
