//! From what schemars says to what loom says.
//!
//! schemars describes a type; loom's schema describes what a call accepts. The difference: objects are closed, integer
//! formats are bounds, an optional value is absent rather than null, and an enum of plain names is one `enum`.

use serde_json::{Map, Number, Value, json};

type Object = Map<String, Value>;

/// Normalises the input schema of a tool.
pub(super) fn input(mut root: Object) -> Value {
    let originals = root.get("$defs").and_then(Value::as_object).cloned().unwrap_or_default();
    rewrite(&mut root, &Rewrite { definitions: &originals, close: true });
    root.into()
}

/// Normalises an output schema. Nothing is closed: a program may add a field without breaking its readers.
pub(super) fn output(mut root: Object) -> Value {
    rewrite(&mut root, &Rewrite { definitions: &Object::new(), close: false });
    root.into()
}

/// The definition that this schema is a bare reference to.
pub(super) fn definition_name(schema: &Object) -> Option<&str> {
    let reference = schema.get("$ref")?.as_str()?.strip_prefix("#/$defs/")?;
    Some(reference)
}

/// Whether a reference to the definition `name` stands anywhere inside.
pub(super) fn refers_to(schema: &Value, name: &str) -> bool {
    match schema {
        Value::Object(map) => definition_name(map) == Some(name) || map.values().any(|value| refers_to(value, name)),
        Value::Array(list) => list.iter().any(|value| refers_to(value, name)),
        _ => false,
    }
}

/// Adds the annotation's keywords to a parameter's own schema; beside a union with null they belong to the other side,
/// which the same keywords express, since every one of them speaks of one kind of value only.
pub(super) fn add_keywords(schema: &mut Object, keywords: Object) {
    schema.extend(keywords);
}

struct Rewrite<'a> {
    /// The definitions as schemars wrote them, for merging.
    definitions: &'a Object,
    /// Whether the schema is of something read, not written.
    close: bool,
}

/// Rewrites this schema, then every schema inside it.
fn rewrite(schema: &mut Object, how: &Rewrite<'_>) {
    if how.close {
        merge_reference(schema, how.definitions);
        distribute(schema, how.definitions);
        optional_is_absent(schema);
    }
    names_to_enum(schema);
    format_to_bounds(schema);
    for noise in ["title", "$schema"] {
        schema.remove(noise);
    }
    if how.close {
        close(schema);
    }
    for (keyword, value) in schema.iter_mut() {
        match (keyword.as_str(), value) {
            ("properties" | "patternProperties" | "$defs" | "dependentSchemas", Value::Object(schemas)) => {
                schemas.values_mut().for_each(|value| rewrite_value(value, how));
            }
            ("prefixItems" | "anyOf" | "oneOf" | "allOf", Value::Array(schemas)) => {
                schemas.iter_mut().for_each(|value| rewrite_value(value, how));
            }
            (
                "items"
                | "additionalProperties"
                | "unevaluatedProperties"
                | "unevaluatedItems"
                | "contains"
                | "propertyNames"
                | "if"
                | "then"
                | "else",
                value @ Value::Object(_),
            ) => rewrite_value(value, how),
            ("items" | "contains", value @ Value::Bool(true)) => *value = json!({}),
            _ => {}
        }
    }
}

fn rewrite_value(value: &mut Value, how: &Rewrite<'_>) {
    match value {
        Value::Object(schema) => rewrite(schema, how),
        Value::Bool(true) => *value = json!({}),
        _ => {}
    }
}

/// An object that refers to a definition and adds properties of its own (a tagged enum's variant, a flattened struct)
/// cannot be closed as it stands: what either side declares, the other would refuse. It becomes one object.
fn merge_reference(schema: &mut Object, definitions: &Object) {
    if !schema.contains_key("properties") {
        return;
    }
    // A chain of aliases is followed; the bound only guards against a cycle of them.
    for _ in 0..definitions.len() {
        let Some(definition) =
            definition_name(schema).and_then(|name| definitions.get(name)).and_then(Value::as_object).cloned()
        else {
            return;
        };
        schema.remove("$ref");
        absorb(schema, definition);
    }
}

/// Takes over every keyword of `other`: properties and required names are united, otherwise the present one stays.
fn absorb(schema: &mut Object, other: Object) {
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
fn distribute(schema: &mut Object, definitions: &Object) {
    if !schema.contains_key("properties") {
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

/// The alternative as one object schema with properties, references resolved, if it is one.
fn as_plain_object(alternative: &Value, definitions: &Object) -> Option<Object> {
    let mut schema = alternative.as_object()?.clone();
    schema.entry("properties").or_insert_with(|| json!({}));
    merge_reference(&mut schema, definitions);
    let is_object = schema.get("type").and_then(Value::as_str) == Some("object");
    let combined = ["oneOf", "anyOf", "allOf", "$ref"].iter().any(|keyword| schema.contains_key(*keyword));
    (is_object && !combined).then_some(schema)
}

/// A property that may be left out takes no null beside it: absent is said in one way.
fn optional_is_absent(schema: &mut Object) {
    let required: Vec<String> = schema
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).map(str::to_owned).collect())
        .unwrap_or_default();
    let Some(Value::Object(properties)) = schema.get_mut("properties") else { return };
    for (name, property) in properties {
        if let Value::Object(property) = property
            && !required.contains(name)
        {
            without_null(property);
        }
    }
}

fn without_null(schema: &mut Object) {
    if let Some(Value::Array(kinds)) = schema.get_mut("type")
        && kinds.len() > 1
    {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            let only = only.clone();
            schema.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum")
        && values.len() > 1
    {
        values.retain(|value| !value.is_null());
    }
    if let Some(Value::Array(alternatives)) = schema.get_mut("anyOf")
        && alternatives.len() > 1
    {
        alternatives.retain(|alternative| alternative.get("type").and_then(Value::as_str) != Some("null"));
        if let [Value::Object(only)] = alternatives.as_slice() {
            let only = only.clone();
            schema.remove("anyOf");
            absorb(schema, only);
        }
    }
    if schema.get("default").is_some_and(Value::is_null) {
        schema.remove("default");
    }
}

/// `oneOf` over constants (what an enum with documented variants gives) is one `enum`; what the variants' comments say
/// goes to the description.
fn names_to_enum(schema: &mut Object) {
    let Some(alternatives) = schema.get("oneOf").and_then(Value::as_array) else { return };
    let mut names = Vec::new();
    let mut lines = Vec::new();
    for alternative in alternatives {
        let Some(alternative) = alternative.as_object() else { return };
        if alternative.get("type").and_then(Value::as_str) != Some("string") {
            return;
        }
        match (alternative.get("const"), alternative.get("enum")) {
            (Some(name @ Value::String(text)), None) => {
                names.push(name.clone());
                if let Some(description) = alternative.get("description").and_then(Value::as_str) {
                    lines.push(format!("- `{text}`: {description}"));
                }
            }
            (None, Some(Value::Array(several))) => names.extend(several.iter().cloned()),
            _ => return,
        }
    }
    schema.remove("oneOf");
    schema.insert("type".into(), "string".into());
    schema.insert("enum".into(), names.into());
    if !lines.is_empty() {
        let own = schema.get("description").and_then(Value::as_str);
        let text = own.into_iter().map(str::to_owned).chain([lines.join("\n")]).collect::<Vec<_>>().join("\n\n");
        schema.insert("description".into(), text.into());
    }
}

/// The range of each integer format of schemars. Beyond 64 bits a JSON number in memory cannot hold the bound.
const INTEGER_RANGES: [(&str, Option<i64>, Option<u64>); 12] = [
    ("int8", Some(i8::MIN as i64), Some(i8::MAX as u64)),
    ("int16", Some(i16::MIN as i64), Some(i16::MAX as u64)),
    ("int32", Some(i32::MIN as i64), Some(i32::MAX as u64)),
    ("int64", Some(i64::MIN), Some(i64::MAX as u64)),
    ("int", Some(isize::MIN as i64), Some(isize::MAX as u64)),
    ("uint8", Some(0), Some(u8::MAX as u64)),
    ("uint16", Some(0), Some(u16::MAX as u64)),
    ("uint32", Some(0), Some(u32::MAX as u64)),
    ("uint64", Some(0), Some(u64::MAX)),
    ("uint", Some(0), Some(usize::MAX as u64)),
    ("uint128", Some(0), None),
    ("int128", None, None),
];

/// Number formats that only repeat the Rust type become bounds; a bound that is stricter stays.
fn format_to_bounds(schema: &mut Object) {
    let Some(format) = schema.get("format").and_then(Value::as_str) else { return };
    if let Some((_, min, max)) = INTEGER_RANGES.iter().find(|(name, ..)| *name == format) {
        schema.remove("format");
        let (min, max) = (min.map(Number::from), max.map(Number::from));
        tighten(schema, "minimum", "exclusiveMinimum", min, |own, native| own > native);
        tighten(schema, "maximum", "exclusiveMaximum", max, |own, native| own < native);
    } else if format == "float" {
        schema.remove("format");
        tighten(schema, "minimum", "exclusiveMinimum", Number::from_f64(f32::MIN.into()), |own, native| own > native);
        tighten(schema, "maximum", "exclusiveMaximum", Number::from_f64(f32::MAX.into()), |own, native| own < native);
    } else if format == "double" {
        schema.remove("format");
    }
}

fn tighten(
    schema: &mut Object,
    keyword: &str,
    exclusive: &str,
    native: Option<Number>,
    stricter: fn(f64, f64) -> bool,
) {
    let Some(native) = native else { return };
    let own = schema.get(keyword).or_else(|| schema.get(exclusive)).and_then(Value::as_f64);
    if own.zip(native.as_f64()).is_none_or(|(own, native)| own != native && !stricter(own, native)) {
        schema.insert(keyword.into(), native.into());
    }
}

/// An object that declares properties takes no others, unless it says so itself.
fn close(schema: &mut Object) {
    if !schema.contains_key("properties")
        || ["additionalProperties", "unevaluatedProperties"].iter().any(|keyword| schema.contains_key(*keyword))
    {
        return;
    }
    let combined = ["$ref", "oneOf", "anyOf", "allOf"].iter().any(|keyword| schema.contains_key(*keyword));
    let keyword = if combined { "unevaluatedProperties" } else { "additionalProperties" };
    schema.insert(keyword.into(), false.into());
}
