//! The schemas that `#[tool]` gives, exactly.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]
// Of these tools only the types count.
#![allow(clippy::unused_async, clippy::unnecessary_wraps)]

use serde_json::{Value, json};

use crate::Tool;

mod enums;
mod outputs;
mod parameters;
mod types;

/// The whole input schema, after a check that holds for every schema.
fn input(tool: &Tool) -> Value {
    let schema = tool.definition().input_schema.as_value().clone();
    assert_references(&schema);
    assert_eq!(schema["type"], "object");
    assert_eq!(schema["additionalProperties"], false);
    schema
}

/// The schema of the parameter `v`, and the definitions beside it.
fn value_and_definitions(tool: &Tool) -> (Value, Value) {
    let schema = input(tool);
    (schema["properties"]["v"].clone(), schema.get("$defs").cloned().unwrap_or_default())
}

/// The schema of the parameter `v` of a tool without definitions.
fn value(tool: &Tool) -> Value {
    let (value, definitions) = value_and_definitions(tool);
    assert_eq!(definitions, Value::Null, "nothing is defined apart");
    value
}

fn output(tool: &Tool) -> Option<Value> {
    let schema = tool.definition().output_schema.as_ref()?.as_value().clone();
    assert_references(&schema);
    Some(schema)
}

/// Every reference leads somewhere, and every definition is referred to.
fn assert_references(root: &Value) {
    let mut references = Vec::new();
    collect(root, &mut references);
    for reference in &references {
        let pointer = reference.strip_prefix('#').expect("a reference stays within the schema");
        let pointer = crate::args::percent_decoded(pointer).expect("valid percent-encoding");
        assert!(root.pointer(&pointer).is_some(), "{reference} leads nowhere in {root}");
    }
    for name in root.get("$defs").and_then(Value::as_object).into_iter().flat_map(serde_json::Map::keys) {
        let used = references.iter().any(|reference| {
            crate::args::percent_decoded(reference).is_some_and(|reference| reference == format!("#/$defs/{name}"))
        });
        assert!(used, "nothing refers to {name}");
    }
}

fn collect(schema: &Value, references: &mut Vec<String>) {
    match schema {
        Value::Object(map) => {
            references.extend(map.get("$ref").and_then(Value::as_str).map(str::to_owned));
            map.values().for_each(|value| collect(value, references));
        }
        Value::Array(list) => list.iter().for_each(|value| collect(value, references)),
        _ => {}
    }
}

/// An integer of this range.
fn integer(minimum: impl Into<Value>, maximum: impl Into<Value>) -> Value {
    json!({"type": "integer", "minimum": minimum.into(), "maximum": maximum.into()})
}
