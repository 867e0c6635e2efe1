//! JSON schemas of tools: made from types once per tool, and said so that schema and call agree.

use std::fmt;
use std::sync::Arc;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

mod normalise;
mod order;

/// A JSON schema, draft 2020-12.
///
/// Cheap to clone. Serialised, it lists the parameters in the order of the function's signature, whatever order
/// `serde_json` keeps its maps in.
#[derive(Clone)]
pub struct Schema(Arc<Inner>);

struct Inner {
    value: Value,
    /// The names of the root's properties, in signature order.
    order: Vec<String>,
    /// What the types themselves take: null for an optional value, and the names of the number types. It is what
    /// arguments are checked against, where it says more than the schema that is shown.
    read: Option<Value>,
}

impl PartialEq for Schema {
    fn eq(&self, other: &Self) -> bool {
        self.0.value == other.0.value && self.0.order == other.0.order
    }
}

impl Schema {
    /// A schema from a value, its properties in the order that the value has them.
    pub fn from_value(value: Value) -> Self {
        let properties = value.get("properties").and_then(Value::as_object);
        let order = properties.map(|properties| properties.keys().cloned().collect()).unwrap_or_default();
        Self(Arc::new(Inner { value, order, read: None }))
    }

    /// What arguments are checked against.
    pub(crate) fn as_read(&self) -> &Value {
        self.0.read.as_ref().unwrap_or(&self.0.value)
    }

    /// The schema as a value. Its maps are in the order of `serde_json`, not of the signature.
    pub fn as_value(&self) -> &Value {
        &self.0.value
    }

    /// The names of the root's properties, in signature order.
    pub fn property_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.order.iter().map(String::as_str)
    }

    /// The schema of one of the root's properties.
    pub fn property(&self, name: &str) -> Option<&Value> {
        self.0.value.get("properties")?.get(name)
    }

    /// Whether the root requires this property.
    pub fn requires(&self, name: &str) -> bool {
        self.0.value.get("required").and_then(Value::as_array).is_some_and(|names| names.iter().any(|n| n == name))
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Schema({})", serde_json::to_string(self).unwrap_or_default())
    }
}

/// The keywords of a root in the order that a reader expects; the rest follows as it comes.
const ROOT_ORDER: [&str; 5] = ["type", "description", "properties", "required", "additionalProperties"];

impl Serialize for Schema {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Some(root) = self.0.value.as_object() else { return self.0.value.serialize(serializer) };
        let rest = root.keys().map(String::as_str).filter(|key| !ROOT_ORDER.contains(key));
        let mut map = serializer.serialize_map(Some(root.len()))?;
        for key in ROOT_ORDER.into_iter().chain(rest) {
            match root.get(key) {
                Some(Value::Object(properties)) if key == "properties" => {
                    map.serialize_entry(key, &Ordered { properties, order: &self.0.order })?;
                }
                Some(value) => map.serialize_entry(key, value)?,
                None => {}
            }
        }
        map.end()
    }
}

struct Ordered<'a> {
    properties: &'a Map<String, Value>,
    order: &'a [String],
}

impl Serialize for Ordered<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.order.iter().filter_map(|name| Some((name, self.properties.get(name)?))))
    }
}

/// One parameter, as the input schema needs it.
#[derive(Debug)]
pub struct Property<'a> {
    pub(crate) name: &'a str,
    pub(crate) description: &'a str,
    pub(crate) schema: fn(&mut SchemaGenerator) -> schemars::Schema,
    pub(crate) default: Option<Value>,
    pub(crate) required: bool,
    /// Keywords that the annotation adds to what the type says.
    pub(crate) keywords: Map<String, Value>,
}

/// The input schema of a tool with these parameters: an object, closed, in the order given.
pub(crate) fn input(parameters: Vec<Property<'_>>) -> Schema {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let order = parameters.iter().map(|parameter| parameter.name.to_owned()).collect();
    let mut properties = Map::new();
    let mut required = Vec::new();
    for parameter in parameters {
        let mut schema = object((parameter.schema)(&mut generator).to_value());
        if !parameter.description.is_empty() {
            schema.insert("description".into(), parameter.description.into());
        }
        if let Some(default) = parameter.default {
            schema.insert("default".into(), default);
        }
        normalise::add_keywords(&mut schema, parameter.keywords);
        properties.insert(parameter.name.to_owned(), Value::Object(schema));
        if parameter.required {
            required.push(parameter.name);
        }
    }
    let mut root = Map::new();
    root.insert("type".into(), "object".into());
    root.insert("properties".into(), properties.into());
    if !required.is_empty() {
        root.insert("required".into(), json!(required));
    }
    let definitions = generator.take_definitions(true);
    if !definitions.is_empty() {
        root.insert("$defs".into(), definitions.into());
    }
    // The parameters of a tool without any are closed as well: it takes nothing.
    root.insert("additionalProperties".into(), false.into());
    let read = normalise::input(root.clone(), normalise::Reader::Plan);
    let value = normalise::input(root, normalise::Reader::Model);
    Schema(Arc::new(Inner { value, order, read: Some(read) }))
}

/// The input schema of a tool whose arguments are this type as a whole.
pub(crate) fn whole<T: JsonSchema + DeserializeOwned>() -> Schema {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let mut root = object(generator.subschema_for::<T>().to_value());
    let definitions = generator.take_definitions(true);
    // A root that is a reference alone says nothing of its kind; every reader wants `type: object` there.
    if let Some(name) = normalise::definition_name(&root)
        && let Some(definition) = definitions.get(&*name)
    {
        root = object(definition.clone());
    }
    // What the type says of itself is the tool's own description to say.
    root.remove("description");
    let fields = order::fields::<T>();
    if fields.is_some_and(<[_]>::is_empty) && root.len() == 1 {
        // A struct without fields takes nothing.
        root.insert("additionalProperties".into(), false.into());
    }
    if !definitions.is_empty() {
        root.insert("$defs".into(), definitions.into());
    }
    let read = normalise::input(root.clone(), normalise::Reader::Plan);
    let value = normalise::input(root, normalise::Reader::Model);
    // Flattened fields and those of other alternatives come last.
    let declared = fields.into_iter().flatten().map(|&name| name.to_owned());
    let named = value.get("properties").and_then(Value::as_object);
    let mut order: Vec<String> = declared.filter(|name| named.is_some_and(|named| named.contains_key(name))).collect();
    for name in named.into_iter().flat_map(Map::keys) {
        if !order.contains(name) {
            order.push(name.clone());
        }
    }
    Schema(Arc::new(Inner { value, order, read: Some(read) }))
}

/// The output schema of a type, where its values are objects.
pub(crate) fn output(schema: fn(&mut SchemaGenerator) -> schemars::Schema) -> Option<Schema> {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut root = object(schema(&mut generator).to_value());
    let definitions = generator.take_definitions(true);
    // A root that is a reference alone says nothing of its kind; every reader wants `type: object` there.
    // Definitions that nothing refers to any more are left out later.
    if let Some(name) = normalise::definition_name(&root) {
        root = object(definitions.get(&*name)?.clone());
    }
    if root.get("type").and_then(Value::as_str) != Some("object") {
        return None;
    }
    if !definitions.is_empty() {
        root.insert("$defs".into(), definitions.into());
    }
    Some(Schema::from_value(normalise::output(root)))
}

/// The schema as a map: `true`, which accepts everything, is `{}`.
fn object(schema: Value) -> Map<String, Value> {
    match schema {
        Value::Object(map) => map,
        Value::Bool(false) => Map::from_iter([("not".to_owned(), json!({}))]),
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests;
