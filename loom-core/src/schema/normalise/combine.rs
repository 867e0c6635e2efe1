//! Schemas that hold together for one object: merged where that is possible, and closed together where it is not.

use serde_json::{Value, json};

use super::{BESIDE, Object, definition_name};

/// Makes a schema one that others can stand beside: what it refers to becomes part of it, and it is open.
pub(super) fn become_part(schema: &mut Object, definitions: &Object) {
    for _ in 0..definitions.len() {
        let Some(definition) =
            definition_name(schema).and_then(|name| definitions.get(&*name)).and_then(Value::as_object).cloned()
        else {
            break;
        };
        schema.remove("$ref");
        absorb(schema, definition);
    }
    for keyword in ["additionalProperties", "unevaluatedProperties"] {
        if schema.get(keyword) == Some(&Value::Bool(false)) {
            schema.remove(keyword);
        }
    }
}

/// An object that refers to a definition and adds properties of its own (a tagged enum's variant, a flattened struct)
/// cannot be closed as it stands: what either side declares, the other would refuse. It becomes one object.
pub(super) fn merge_reference(schema: &mut Object, definitions: &Object) {
    if !schema.contains_key("properties") {
        return;
    }
    // A chain of aliases is followed; the bound only guards against a cycle of them.
    for _ in 0..definitions.len() {
        let Some(definition) =
            definition_name(schema).and_then(|name| definitions.get(&*name)).and_then(Value::as_object).cloned()
        else {
            return;
        };
        schema.remove("$ref");
        absorb(schema, definition);
    }
}

/// Takes over every keyword of `other`: properties and required names are united, otherwise the present one stays.
pub(super) fn absorb(schema: &mut Object, other: Object) {
    for (keyword, value) in other {
        match (schema.get_mut(&keyword), value) {
            (Some(Value::Object(own)), Value::Object(others)) if keyword == "properties" => {
                for (name, value) in others {
                    own.entry(name).or_insert(value);
                }
            }
            (Some(Value::Array(own)), Value::Array(others)) if keyword == "required" => {
                let new: Vec<_> = others.into_iter().filter(|name| !own.contains(name)).collect();
                own.extend(new);
            }
            (Some(_), _) => {}
            (None, value) => {
                schema.insert(keyword, value);
            }
        }
    }
}

/// An object with properties beside a union (a flattened enum): each alternative gets the properties, so that each can
/// be closed.
pub(super) fn distribute(schema: &mut Object, definitions: &Object) {
    const OTHERS: [&str; 5] = ["additionalProperties", "unevaluatedProperties", "patternProperties", "allOf", "$ref"];
    let both = schema.contains_key("oneOf") && schema.contains_key("anyOf");
    if !schema.contains_key("properties") || both || OTHERS.iter().any(|keyword| schema.contains_key(*keyword)) {
        return;
    }
    for keyword in ["oneOf", "anyOf"] {
        let Some(alternatives) = schema.get(keyword).and_then(Value::as_array) else { continue };
        let resolved: Option<Vec<Object>> =
            alternatives.iter().map(|alternative| as_plain_object(alternative, definitions)).collect();
        let Some(resolved) = resolved else { continue };
        let outer: Object =
            ["type", "properties", "required"].into_iter().filter_map(|keyword| schema.remove_entry(keyword)).collect();
        let merged = resolved.into_iter().map(|mut alternative| {
            absorb(&mut alternative, outer.clone());
            Value::Object(alternative)
        });
        schema.insert(keyword.into(), merged.collect());
        return;
    }
}

/// A documented unit variant, which schemars describes as text even where it is flattened: within an object it is a
/// key with null.
fn unit_variant_to_key(schema: &mut Object) {
    if let Some(Value::String(name)) = schema.get("const").cloned() {
        schema.remove("const");
        schema.insert("type".into(), "object".into());
        schema.insert("required".into(), json!([name]));
        schema.insert("properties".into(), Value::Object(Object::from_iter([(name, json!({"type": "null"}))])));
    }
}

/// The same for all alternatives of an object.
pub(super) fn unit_variants_to_keys(schema: &mut Object) {
    for keyword in ["oneOf", "anyOf"] {
        if let Some(Value::Array(alternatives)) = schema.get_mut(keyword) {
            alternatives.iter_mut().filter_map(Value::as_object_mut).for_each(unit_variant_to_key);
        }
    }
}

/// The alternative as one object schema with properties, references resolved, if it is one.
fn as_plain_object(alternative: &Value, definitions: &Object) -> Option<Object> {
    let mut schema = alternative.as_object()?.clone();
    unit_variant_to_key(&mut schema);
    schema.entry("properties").or_insert_with(|| json!({}));
    merge_reference(&mut schema, definitions);
    let is_object = schema.get("type").and_then(Value::as_str) == Some("object");
    let combined = ["oneOf", "anyOf", "allOf", "$ref"].iter().any(|keyword| schema.contains_key(*keyword));
    (is_object && !combined).then_some(schema)
}

/// An object that declares properties takes no others, unless it says so itself.
pub(super) fn close(schema: &mut Object, together: bool) {
    let open = ["additionalProperties", "unevaluatedProperties"].iter().any(|keyword| schema.contains_key(*keyword));
    if !open && (together || schema.contains_key("properties")) {
        let keyword = if together { "unevaluatedProperties" } else { "additionalProperties" };
        schema.insert(keyword.into(), false.into());
    }
}

/// How deep alternatives within alternatives are looked into; types do not come near.
const DEPTH: usize = 16;

/// Whether this schema or one that holds beside it declares properties, and none of them takes any others.
pub(super) fn declares(schema: &Object, definitions: &Object, depth: usize) -> bool {
    let referred = definition_name(schema).and_then(|name| definitions.get(&*name)).and_then(Value::as_object);
    let beside = BESIDE.iter().filter_map(|keyword| schema.get(*keyword)?.as_array()).flatten();
    schema.contains_key("properties")
        || (depth < DEPTH
            && beside.filter_map(Value::as_object).chain(referred).any(|other| declares(other, definitions, depth + 1)))
}
