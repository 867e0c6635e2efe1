//! From what schemars says to what loom says.
//!
//! schemars describes a type; loom's schema describes what a call accepts. The difference: objects are closed, integer
//! formats are bounds, an optional value is absent rather than null, and an enum of plain names is one `enum`.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::{Map, Number, Value, json};

use crate::args::percent_decoded;

mod combine;

use combine::{absorb, become_part, close, declares, distribute, merge_reference, unit_variants_to_keys};

type Object = Map<String, Value>;

/// Who a schema is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reader {
    /// Models and other programs.
    Model,
    /// The plan that arguments are checked along: it keeps what only loom can use.
    Plan,
}

/// Normalises the input schema of a tool.
pub(super) fn input(mut root: Object, reader: Reader) -> Value {
    let definitions = root.get("$defs").and_then(Value::as_object).cloned().unwrap_or_default();
    let how = Rewrite { definitions: &definitions, close: true, reader };
    rewrite(&mut root, &how, Place::Whole);
    forget_unused(&mut root);
    root.into()
}

/// Normalises an output schema. Nothing is closed: a program may add a field without breaking its readers.
pub(super) fn output(mut root: Object) -> Value {
    let definitions = root.get("$defs").and_then(Value::as_object).cloned().unwrap_or_default();
    let how = Rewrite { definitions: &definitions, close: false, reader: Reader::Model };
    rewrite(&mut root, &how, Place::Whole);
    forget_unused(&mut root);
    root.into()
}

/// The definition that this schema refers to.
pub(super) fn definition_name(schema: &Object) -> Option<Cow<'_, str>> {
    let name = percent_decoded(schema.get("$ref")?.as_str()?.strip_prefix("#/$defs/")?)?;
    Some(if name.contains('~') { name.replace("~1", "/").replace("~0", "~").into() } else { name })
}

/// Leaves out the definitions that nothing refers to, once some have become part of what referred to them.
fn forget_unused(root: &mut Object) {
    let Some(Value::Object(mut definitions)) = root.remove("$defs") else { return };
    let mut used = HashSet::new();
    let mut open = Vec::new();
    root.values().for_each(|value| references(value, &mut open));
    while let Some(name) = open.pop() {
        if let Some(definition) = definitions.get(&name)
            && used.insert(name)
        {
            references(definition, &mut open);
        }
    }
    definitions.retain(|name, _| used.contains(name));
    if !definitions.is_empty() {
        root.insert("$defs".into(), definitions.into());
    }
}

/// The names of all definitions that are referred to anywhere inside.
fn references(schema: &Value, names: &mut Vec<String>) {
    match schema {
        Value::Object(map) => {
            names.extend(definition_name(map).map(Cow::into_owned));
            map.values().for_each(|value| references(value, names));
        }
        Value::Array(list) => list.iter().for_each(|value| references(value, names)),
        _ => {}
    }
}

/// Adds the annotation's keywords to a parameter's own schema; beside a union with null they belong to the other side,
/// which the same keywords express, since every one of them speaks of one kind of value only.
pub(super) fn add_keywords(schema: &mut Object, mut keywords: Object) {
    add_to_one_or_many(schema, &mut keywords, 0);
    let is = |kind: &str| match schema.get("type") {
        Some(Value::String(own)) => own == kind,
        Some(Value::Array(own)) => own.iter().any(|own| own == kind),
        _ => false,
    };
    let (list, map) = (is("array"), is("object"));
    for (keyword, value) in keywords {
        // A bound that is no number, such as an infinity, bounds nothing.
        if value.is_null() {
            continue;
        }
        let keyword = match keyword.as_str() {
            "minLength" if list => "minItems".to_owned(),
            "maxLength" if list => "maxItems".to_owned(),
            "minLength" if map => "minProperties".to_owned(),
            "maxLength" if map => "maxProperties".to_owned(),
            _ => keyword,
        };
        schema.insert(keyword, value);
    }
}

/// Keywords of a parameter that may be one item or a list of them: a length is the list's, any other bound is each
/// item's. What belongs to the parameter as a whole stays.
fn add_to_one_or_many(schema: &mut Object, keywords: &mut Object, depth: usize) {
    let Some(Value::Array(alternatives)) = schema.get_mut("anyOf") else { return };
    match alternatives.as_mut_slice() {
        // Optional, it is a union within a union.
        [Value::Object(inner), null] if depth == 0 && *null == json!({"type": "null"}) => {
            add_to_one_or_many(inner, keywords, 1);
        }
        [one, Value::Object(many)]
            if many.get("type").and_then(Value::as_str) == Some("array") && many.get("items") == Some(one) =>
        {
            for keyword in ["minimum", "maximum", "pattern", "format"] {
                let Some(value) = keywords.remove(keyword).filter(|value| !value.is_null()) else { continue };
                for item in [Some(&mut *one), many.get_mut("items")].into_iter().flatten() {
                    if let Value::Object(item) = item {
                        item.insert(keyword.into(), value.clone());
                    }
                }
            }
            for (keyword, length) in [("minItems", "minLength"), ("maxItems", "maxLength")] {
                many.extend(keywords.remove(length).map(|length| (keyword.to_owned(), length)));
            }
            let bound = |keyword: &str| many.get(keyword).and_then(Value::as_u64);
            // Where one item is too few or too many, only the list is left.
            if bound("minItems").is_some_and(|least| least > 1) || bound("maxItems") == Some(0) {
                let many = std::mem::take(many);
                schema.remove("anyOf");
                absorb(schema, many);
            }
        }
        _ => {}
    }
}

struct Rewrite<'a> {
    /// The definitions as schemars wrote them, for merging.
    definitions: &'a Object,
    /// Whether the schema is of something read, not written.
    close: bool,
    reader: Reader,
}

/// How a schema stands to the value that it describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// It describes the value by itself, or with alternatives that each do.
    Whole,
    /// Others describe the same object beside it, so that it cannot say what the object may not hold.
    Part,
}

/// Keywords whose schemas apply to the same value as the schema that holds them.
const BESIDE: [&str; 3] = ["oneOf", "anyOf", "allOf"];

/// Rewrites this schema, then every schema inside it.
fn rewrite(schema: &mut Object, how: &Rewrite<'_>, place: Place) {
    inline_names(schema, how.definitions);
    if how.close {
        if place == Place::Part {
            become_part(schema, how.definitions);
        }
        merge_reference(schema, how.definitions);
        distribute(schema, how.definitions);
        if how.reader == Reader::Model {
            optional_is_absent(schema);
        }
    }
    // Alternatives alone are each closed; schemas that hold together for one object are closed together.
    let beside = ["properties", "$ref"].iter().chain(&BESIDE).filter(|keyword| schema.contains_key(**keyword)).count();
    let together = beside > 1 || schema.contains_key("allOf");
    let parts = place == Place::Part || (together && declares(schema, how.definitions, 0));
    if parts {
        unit_variants_to_keys(schema);
    }
    names_to_enum(schema);
    format_to_bounds(schema, how.reader);
    list_has_items(schema);
    for noise in ["title", "$schema"] {
        schema.remove(noise);
    }
    if how.close && place == Place::Whole {
        close(schema, parts);
    }
    let inner = if parts { Place::Part } else { Place::Whole };
    for (keyword, value) in schema.iter_mut() {
        match (keyword.as_str(), value) {
            ("properties" | "patternProperties" | "$defs" | "dependentSchemas", Value::Object(schemas)) => {
                rewrite_all(schemas.values_mut(), how, Place::Whole);
            }
            ("anyOf" | "oneOf" | "allOf", Value::Array(schemas)) => rewrite_all(schemas, how, inner),
            ("prefixItems", Value::Array(schemas)) => rewrite_all(schemas, how, Place::Whole),
            ("if" | "then" | "else", value @ Value::Object(_)) => rewrite_value(value, how, Place::Part),
            (
                "items"
                | "additionalProperties"
                | "unevaluatedProperties"
                | "unevaluatedItems"
                | "contains"
                | "propertyNames",
                value @ Value::Object(_),
            ) => rewrite_value(value, how, Place::Whole),
            ("items" | "contains", value @ Value::Bool(true)) => *value = json!({}),
            _ => {}
        }
    }
}

fn rewrite_all<'a>(values: impl IntoIterator<Item = &'a mut Value>, how: &Rewrite<'_>, place: Place) {
    for value in values {
        rewrite_value(value, how, place);
    }
}

fn rewrite_value(value: &mut Value, how: &Rewrite<'_>, place: Place) {
    match value {
        Value::Object(schema) => rewrite(schema, how, place),
        Value::Bool(true) => *value = json!({}),
        _ => {}
    }
}

/// A reference to an enum of plain names becomes that enum: what a parameter takes is said where it stands. Both
/// descriptions are kept, the one of the place first.
fn inline_names(schema: &mut Object, definitions: &Object) {
    let Some(definition) = definition_name(schema).and_then(|name| definitions.get(&*name)).and_then(Value::as_object)
    else {
        return;
    };
    let mut definition = definition.clone();
    names_to_enum(&mut definition);
    if definition.get("type").and_then(Value::as_str) != Some("string") || !definition.contains_key("enum") {
        return;
    }
    let texts = [schema.get("description"), definition.get("description")];
    let text = texts.into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>().join("\n\n");
    if !text.is_empty() {
        schema.insert("description".into(), text.into());
    }
    schema.remove("$ref");
    absorb(schema, definition);
}

/// A list without a word about its items takes any; some readers insist on the word.
fn list_has_items(schema: &mut Object) {
    if schema.get("type").and_then(Value::as_str) == Some("array") && !schema.contains_key("items") {
        schema.insert("items".into(), json!({}));
    }
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
            match property.get("default") {
                // Left out, it is not null: null says something of its own.
                Some(default) if !default.is_null() => continue,
                _ => property.remove("default"),
            };
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

/// Number formats that only repeat the Rust type become bounds; a bound that is stricter stays. The plan keeps the
/// format, to tell the range of a type from a bound that somebody set.
fn format_to_bounds(schema: &mut Object, reader: Reader) {
    let Some(format) = schema.get("format").and_then(Value::as_str) else { return };
    let (min, max) = match INTEGER_RANGES.iter().find(|(name, ..)| *name == format) {
        Some((_, min, max)) => (min.map(Number::from), max.map(Number::from)),
        None if format == "float" => (Number::from_f64(f32::MIN.into()), Number::from_f64(f32::MAX.into())),
        None if format == "double" => (None, None),
        None => return,
    };
    if reader == Reader::Model {
        schema.remove("format");
    }
    tighten(schema, "minimum", "exclusiveMinimum", min, |own, native| own >= native);
    tighten(schema, "maximum", "exclusiveMaximum", max, |own, native| own <= native);
}

fn tighten(schema: &mut Object, keyword: &str, exclusive: &str, native: Option<Number>, strict: fn(f64, f64) -> bool) {
    let Some(native) = native else { return };
    let own = schema.get(keyword).or_else(|| schema.get(exclusive)).and_then(Value::as_f64);
    if own.zip(native.as_f64()).is_none_or(|(own, native)| !strict(own, native)) {
        schema.insert(keyword.into(), native.into());
    }
}
