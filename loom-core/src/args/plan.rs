//! A tool's schema, compiled once into what the walk over the arguments needs.
//!
//! References become indices, so recursive schemas are small and loops cost nothing. A keyword that the plan does not
//! compile constrains nothing here; every schema that loom makes from types uses compiled ones only.

use std::collections::HashMap;

use regex_lite::Regex;
use serde_json::{Map, Value};

use crate::schema::Schema;

/// Index of a node.
pub(super) type Id = usize;

#[derive(Debug)]
pub(super) struct Plan {
    nodes: Vec<Node>,
    constrains: bool,
}

/// The kinds of JSON values; an integer is a number without a fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

impl Kind {
    fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "null" => Self::Null,
            "boolean" => Self::Boolean,
            "integer" => Self::Integer,
            "number" => Self::Number,
            "string" => Self::String,
            "array" => Self::Array,
            "object" => Self::Object,
            _ => return None,
        })
    }
}

/// What one schema says.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// The kinds that are taken; `None` takes all.
    pub(super) kinds: Option<Vec<Kind>>,
    /// The only values that are taken (`enum`, `const`).
    pub(super) choices: Option<Vec<Value>>,
    /// Nothing is taken (`false`).
    pub(super) never: bool,
    pub(super) number: NumberBounds,
    pub(super) text_length: Size,
    pub(super) pattern: Option<(String, Option<Regex>)>,
    pub(super) items: Option<Id>,
    pub(super) prefix: Vec<Id>,
    pub(super) item_count: Size,
    pub(super) unique: bool,
    pub(super) properties: Vec<(String, Id)>,
    pub(super) patterns: Vec<(Option<Regex>, Id)>,
    pub(super) required: Vec<String>,
    pub(super) additional: Additional,
    pub(super) property_count: Size,
    /// All of these hold as well (`allOf`, `$ref`).
    pub(super) all: Vec<Id>,
    /// Of each list, one holds (`anyOf`, `oneOf`).
    pub(super) unions: Vec<Vec<Id>>,
    /// None of these holds.
    pub(super) not: Vec<Id>,
}

#[derive(Debug, Default)]
pub(super) struct NumberBounds {
    pub(super) minimum: Option<String>,
    pub(super) maximum: Option<String>,
    pub(super) exclusive_minimum: Option<String>,
    pub(super) exclusive_maximum: Option<String>,
    pub(super) multiple_of: Option<String>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) min: Option<u64>,
    pub(super) max: Option<u64>,
}

impl Size {
    pub(super) fn takes(self, size: usize) -> bool {
        let size = size as u64;
        self.min.is_none_or(|min| size >= min) && self.max.is_none_or(|max| size <= max)
    }
}

/// What becomes of properties that are not declared.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Additional {
    #[default]
    Any,
    None,
    /// None, but what the alternatives of this schema declare counts as declared (`unevaluatedProperties`).
    NoneOfAll,
    Schema(Id),
}

impl Plan {
    pub(super) fn compile(schema: &Schema) -> Self {
        let mut compiler =
            Compiler { root: schema.as_value(), nodes: Vec::new(), references: HashMap::new(), constrains: false };
        let root = compiler.node(schema.as_value());
        debug_assert_eq!(root, Self::ROOT);
        Self { nodes: compiler.nodes, constrains: compiler.constrains }
    }

    pub(super) const ROOT: Id = 0;

    pub(super) fn node(&self, id: Id) -> &Node {
        // Every index was handed out by the compiler; the fallback takes nothing, so a mistake could only refuse.
        static NOTHING: Node = Node::nothing();
        self.nodes.get(id).unwrap_or(&NOTHING)
    }

    /// Whether the schema asks for something that deserialising does not check by itself.
    pub(super) const fn constrains(&self) -> bool {
        self.constrains
    }
}

impl Node {
    const fn nothing() -> Self {
        Self {
            kinds: None,
            choices: None,
            never: true,
            number: NumberBounds {
                minimum: None,
                maximum: None,
                exclusive_minimum: None,
                exclusive_maximum: None,
                multiple_of: None,
            },
            text_length: Size { min: None, max: None },
            pattern: None,
            items: None,
            prefix: Vec::new(),
            item_count: Size { min: None, max: None },
            unique: false,
            properties: Vec::new(),
            patterns: Vec::new(),
            required: Vec::new(),
            additional: Additional::Any,
            property_count: Size { min: None, max: None },
            all: Vec::new(),
            unions: Vec::new(),
            not: Vec::new(),
        }
    }

    pub(super) fn takes(&self, kind: Kind) -> bool {
        self.kinds
            .as_ref()
            .is_none_or(|kinds| kinds.contains(&kind) || (kind == Kind::Integer && kinds.contains(&Kind::Number)))
    }
}

struct Compiler<'a> {
    root: &'a Value,
    nodes: Vec<Node>,
    references: HashMap<&'a str, Id>,
    constrains: bool,
}

impl<'a> Compiler<'a> {
    fn node(&mut self, schema: &'a Value) -> Id {
        let id = self.nodes.len();
        self.nodes.push(Node::default());
        let node = match schema {
            Value::Object(schema) => self.object(schema),
            Value::Bool(false) => Node::nothing(),
            _ => Node::default(),
        };
        if let Some(place) = self.nodes.get_mut(id) {
            *place = node;
        }
        id
    }

    fn object(&mut self, schema: &'a Map<String, Value>) -> Node {
        let mut node = Node { kinds: kinds(schema), ..Node::default() };
        if let Some(Value::Array(values)) = schema.get("enum") {
            node.choices = Some(values.clone());
        }
        if let Some(value) = schema.get("const") {
            node.choices = Some(vec![value.clone()]);
        }
        self.scalars(schema, &mut node);
        self.lists(schema, &mut node);
        self.objects(schema, &mut node);
        self.combinations(schema, &mut node);
        node
    }

    fn scalars(&mut self, schema: &'a Map<String, Value>, node: &mut Node) {
        let bound = |keyword: &str| schema.get(keyword).filter(|value| value.is_number()).map(ToString::to_string);
        node.number = NumberBounds {
            minimum: bound("minimum"),
            maximum: bound("maximum"),
            exclusive_minimum: bound("exclusiveMinimum"),
            exclusive_maximum: bound("exclusiveMaximum"),
            multiple_of: bound("multipleOf"),
        };
        self.constrains |= !is_native_range(&node.number);
        node.text_length = size(schema, "minLength", "maxLength");
        if let Some(pattern) = schema.get("pattern").and_then(Value::as_str) {
            node.pattern = Some((pattern.to_owned(), Regex::new(pattern).ok()));
        }
        self.constrains |= node.text_length != Size::default() || node.pattern.is_some();
    }

    fn lists(&mut self, schema: &'a Map<String, Value>, node: &mut Node) {
        node.items = schema.get("items").map(|items| self.node(items));
        if let Some(Value::Array(prefix)) = schema.get("prefixItems") {
            node.prefix = prefix.iter().map(|item| self.node(item)).collect();
        }
        node.item_count = size(schema, "minItems", "maxItems");
        node.unique = schema.get("uniqueItems") == Some(&Value::Bool(true));
        // A tuple and an array of fixed length check their own length.
        let fixed = node.item_count.min.is_some() && node.item_count.min == node.item_count.max;
        self.constrains |= (node.item_count != Size::default() && !fixed) || node.unique;
    }

    fn objects(&mut self, schema: &'a Map<String, Value>, node: &mut Node) {
        if let Some(Value::Object(properties)) = schema.get("properties") {
            node.properties = properties.iter().map(|(name, value)| (name.clone(), self.node(value))).collect();
        }
        if let Some(Value::Object(patterns)) = schema.get("patternProperties") {
            node.patterns =
                patterns.iter().map(|(pattern, value)| (Regex::new(pattern).ok(), self.node(value))).collect();
        }
        if let Some(Value::Array(required)) = schema.get("required") {
            node.required = required.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        }
        node.property_count = size(schema, "minProperties", "maxProperties");
        self.constrains |= node.property_count != Size::default();
        node.additional = match (schema.get("additionalProperties"), schema.get("unevaluatedProperties")) {
            (Some(Value::Bool(false)), _) => Additional::None,
            (Some(value @ Value::Object(_)), _) => Additional::Schema(self.node(value)),
            (None, Some(Value::Bool(false))) => Additional::NoneOfAll,
            _ => Additional::Any,
        };
    }

    fn combinations(&mut self, schema: &'a Map<String, Value>, node: &mut Node) {
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            node.all.push(self.reference(reference));
        }
        if let Some(Value::Array(all)) = schema.get("allOf") {
            node.all.extend(all.iter().map(|schema| self.node(schema)));
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(alternatives)) = schema.get(keyword) {
                node.unions.push(alternatives.iter().map(|schema| self.node(schema)).collect());
            }
        }
        if let Some(not) = schema.get("not") {
            node.not.push(self.node(not));
            self.constrains = true;
        }
        self.constrains |= schema.contains_key("allOf");
    }

    fn reference(&mut self, reference: &'a str) -> Id {
        if reference == "#" {
            return Plan::ROOT;
        }
        if let Some(&id) = self.references.get(reference) {
            return id;
        }
        let target = reference.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer));
        let Some(target) = target else {
            // What cannot be found cannot be checked, and is not let through unchecked either.
            self.nodes.push(Node::nothing());
            return self.nodes.len() - 1;
        };
        // The index is known before the schema is compiled, so that it may refer to itself.
        self.references.insert(reference, self.nodes.len());
        self.node(target)
    }
}

fn kinds(schema: &Map<String, Value>) -> Option<Vec<Kind>> {
    match schema.get("type")? {
        Value::String(name) => Some(Kind::from_name(name).into_iter().collect()),
        Value::Array(names) => Some(names.iter().filter_map(Value::as_str).filter_map(Kind::from_name).collect()),
        _ => None,
    }
}

fn size(schema: &Map<String, Value>, min: &str, max: &str) -> Size {
    let bound = |keyword: &str| schema.get(keyword).and_then(|value| value.as_u64().or(whole(value)));
    Size { min: bound(min), max: bound(max) }
}

/// `2.0` is the same bound as `2`.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "integral and not negative")]
fn whole(value: &Value) -> Option<u64> {
    let number = value.as_f64()?;
    (number.fract() == 0.0 && number >= 0.0).then_some(number as u64)
}

/// Whether these are no bounds, or just the range of a Rust type, which deserialising checks.
fn is_native_range(bounds: &NumberBounds) -> bool {
    let NumberBounds { minimum, maximum, exclusive_minimum, exclusive_maximum, multiple_of } = bounds;
    if exclusive_minimum.is_some() || exclusive_maximum.is_some() || multiple_of.is_some() {
        return false;
    }
    let range = (minimum.as_deref(), maximum.as_deref());
    let native = |min: i128, max: i128| (Some(min.to_string()), Some(max.to_string()));
    let natives = [
        (None, None),
        (Some("0".to_owned()), None),
        native(i8::MIN.into(), i8::MAX.into()),
        native(i16::MIN.into(), i16::MAX.into()),
        native(i32::MIN.into(), i32::MAX.into()),
        native(i64::MIN.into(), i64::MAX.into()),
        native(0, u8::MAX.into()),
        native(0, u16::MAX.into()),
        native(0, u32::MAX.into()),
        native(0, u64::MAX.into()),
        (Some(Value::from(f32::MIN).to_string()), Some(Value::from(f32::MAX).to_string())),
    ];
    natives.iter().any(|(min, max)| (min.as_deref(), max.as_deref()) == range)
}
