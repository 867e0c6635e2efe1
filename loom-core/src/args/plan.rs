//! A tool's schema, compiled once into what the walk over the arguments needs.
//!
//! References become indices, so recursive schemas are small and loops cost nothing. A keyword that the plan does not
//! compile constrains nothing here; every schema that loom makes from types uses compiled ones only.

use std::collections::HashMap;

use regex_lite::Regex;
use serde_json::{Map, Value};

use crate::schema::Schema;

mod guide;
mod keywords;

pub(super) use guide::{Guide, Look};

pub(crate) use keywords::percent_decoded;
use keywords::{fits_format, kinds, size};

/// Index of a node.
pub(super) type Id = usize;

#[derive(Debug)]
pub(super) struct Plan {
    nodes: Vec<Node>,
    foreign: bool,
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
#[expect(clippy::struct_excessive_bools, reason = "each is one keyword")]
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
    /// How bytes are written as text (`contentEncoding`).
    pub(super) encoding: Option<String>,
    /// The first text among the examples, as JSON.
    pub(super) example: Option<String>,
    pub(super) items: Option<Id>,
    pub(super) prefix: Vec<Id>,
    pub(super) item_count: Size,
    pub(super) unique: bool,
    pub(super) properties: Vec<(String, Id)>,
    pub(super) patterns: Vec<(Option<Regex>, Id)>,
    pub(super) required: Vec<String>,
    pub(super) additional: Additional,
    /// What the schemas beside this one declare counts as declared for `additional` (`unevaluatedProperties`).
    pub(super) unevaluated: bool,
    pub(super) property_count: Size,
    /// All of these hold as well (`allOf`, `$ref`).
    pub(super) all: Vec<Id>,
    /// Of each list, one holds (`anyOf`, `oneOf`).
    pub(super) unions: Vec<Vec<Id>>,
    /// None of these holds.
    pub(super) not: Vec<Id>,
    /// It may be left out, so messages need not offer null for it.
    pub(super) optional: bool,
    /// It asks for something that deserialising does not check by itself.
    pub(super) beyond_serde: bool,
    /// It takes integers of more than 64 bits.
    pub(super) wide: bool,
}

#[derive(Debug, Default)]
pub(super) struct NumberBounds {
    pub(super) minimum: Option<String>,
    pub(super) maximum: Option<String>,
    /// The minimum is only where the Rust type ends, and too long to be worth a word.
    pub(super) hides_minimum: bool,
    /// So is the maximum.
    pub(super) hides_maximum: bool,
    pub(super) exclusive_minimum: Option<String>,
    pub(super) exclusive_maximum: Option<String>,
    pub(super) multiple_of: Option<String>,
    /// The least and the greatest integer, where the bounds are no more than these two.
    pub(super) integers: Option<(i128, i128)>,
}

impl NumberBounds {
    /// Notes what the bounds are for integers.
    fn simplify(&mut self) {
        let end = |bound: &Option<String>, open: i128| match bound {
            Some(bound) => bound.parse().ok(),
            None => Some(open),
        };
        let others = [&self.exclusive_minimum, &self.exclusive_maximum, &self.multiple_of];
        if others.iter().all(|bound| bound.is_none()) {
            self.integers = end(&self.minimum, i128::MIN).zip(end(&self.maximum, i128::MAX));
        }
    }
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
    Schema(Id),
}

impl Plan {
    /// Compiles the schema. Of a foreign one nothing is known that the types do not say too, so its values are always
    /// walked, and what the plan cannot follow is left to the validator beside it.
    pub(super) fn compile(schema: &Schema, foreign: bool) -> Self {
        let schema = schema.as_read();
        let addressed = foreign && schema.as_object().is_some_and(|root| root.values().any(is_addressed));
        let mut compiler = Compiler { root: schema, nodes: Vec::new(), references: HashMap::new(), foreign, addressed };
        let root = compiler.node(schema);
        debug_assert_eq!(root, Self::ROOT);
        Self { nodes: compiler.nodes, foreign }
    }

    pub(super) const ROOT: Id = 0;

    /// Whether somebody else wrote the schema, so that a validator stands beside the plan.
    pub(super) const fn is_foreign(&self) -> bool {
        self.foreign
    }

    pub(super) fn node(&self, id: Id) -> &Node {
        // Every index was handed out by the compiler; the fallback takes nothing, so a mistake could only refuse.
        static NOTHING: Node = Node::nothing();
        self.nodes.get(id).unwrap_or(&NOTHING)
    }

    /// The node as an object, where it is nothing else.
    pub(super) fn as_object(&self, id: Id) -> Option<&Node> {
        let mut node = self.node(id);
        // References to references are followed this far; loops end somewhere.
        for _ in 0..8 {
            match (node.kinds.as_deref(), node.all.as_slice(), node.unions.as_slice()) {
                (Some([Kind::Object]), _, _) => return Some(node),
                (None, [only], []) => node = self.node(*only),
                _ => return None,
            }
        }
        None
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
                hides_minimum: false,
                hides_maximum: false,
                exclusive_minimum: None,
                exclusive_maximum: None,
                multiple_of: None,
                integers: None,
            },
            text_length: Size { min: None, max: None },
            pattern: None,
            encoding: None,
            example: None,
            items: None,
            prefix: Vec::new(),
            item_count: Size { min: None, max: None },
            unique: false,
            properties: Vec::new(),
            patterns: Vec::new(),
            required: Vec::new(),
            additional: Additional::Any,
            unevaluated: false,
            property_count: Size { min: None, max: None },
            all: Vec::new(),
            unions: Vec::new(),
            not: Vec::new(),
            optional: false,
            beyond_serde: false,
            wide: false,
        }
    }

    /// Whether anything is asked of an object or a list beside what other schemas ask.
    pub(super) fn looks_inside(&self) -> bool {
        self.items.is_some()
            || !self.prefix.is_empty()
            || self.unique
            || !self.properties.is_empty()
            || !self.patterns.is_empty()
            || !self.required.is_empty()
            || self.additional != Additional::Any
            || (self.all.is_empty() && self.unions.is_empty())
    }

    /// The name of the only property that an object may have, and must have.
    pub(super) fn only_name(&self) -> Option<&str> {
        match (self.properties.as_slice(), self.required.as_slice()) {
            ([(name, _)], [required]) if name == required => Some(name),
            _ => None,
        }
    }

    /// The schema of a property that is declared by name.
    pub(super) fn property(&self, key: &str) -> Option<Id> {
        self.properties.iter().find(|(name, _)| name == key).map(|(_, id)| *id)
    }

    /// Whether any text is taken, rather than certain words.
    pub(super) fn takes_text(&self) -> bool {
        self.choices.is_none() && self.kinds.as_ref().is_some_and(|kinds| kinds.contains(&Kind::String))
    }

    /// Whether an integer is kept in 64 bits, or would lose digits: the type is an integer's, or may be any.
    pub(super) fn narrows_integers(&self) -> bool {
        let any = self.kinds.is_none() && self.all.is_empty() && self.unions.is_empty();
        !self.wide && (any || self.kinds.as_ref().is_some_and(|kinds| kinds.contains(&Kind::Integer)))
    }

    pub(super) fn takes(&self, kind: Kind) -> bool {
        self.kinds
            .as_ref()
            .is_none_or(|kinds| kinds.contains(&kind) || (kind == Kind::Integer && kinds.contains(&Kind::Number)))
    }
}

/// Whether a schema inside has an address of its own.
fn is_addressed(schema: &Value) -> bool {
    match schema {
        Value::Object(map) => map.get("$id").is_some_and(Value::is_string) || map.values().any(is_addressed),
        Value::Array(list) => list.iter().any(is_addressed),
        _ => false,
    }
}

struct Compiler<'a> {
    root: &'a Value,
    nodes: Vec<Node>,
    references: HashMap<&'a str, Id>,
    foreign: bool,
    /// Some schema inside has an address of its own.
    addressed: bool,
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

    fn scalars(&self, schema: &Map<String, Value>, node: &mut Node) {
        let bound = |keyword: &str| schema.get(keyword).filter(|value| value.is_number()).map(ToString::to_string);
        let mut bounds = NumberBounds {
            minimum: bound("minimum"),
            maximum: bound("maximum"),
            exclusive_minimum: bound("exclusiveMinimum"),
            exclusive_maximum: bound("exclusiveMaximum"),
            multiple_of: bound("multipleOf"),
            ..NumberBounds::default()
        };
        let format = schema.get("format").and_then(Value::as_str);
        node.beyond_serde |= !fits_format(&mut bounds, format);
        node.wide = matches!(format, Some("int128" | "uint128"));
        bounds.simplify();
        node.number = bounds;
        node.text_length = size(schema, "minLength", "maxLength");
        if let Some(pattern) = schema.get("pattern").and_then(Value::as_str)
            && !self.foreign
        {
            node.pattern = Some((pattern.to_owned(), Regex::new(pattern).ok()));
        }
        node.beyond_serde |= node.text_length != Size::default() || node.pattern.is_some();
        node.encoding = schema.get("contentEncoding").and_then(Value::as_str).map(str::to_owned);
        if let Some(Value::Array(examples)) = schema.get("examples") {
            node.example = examples.iter().find(|example| example.is_string()).map(ToString::to_string);
        }
    }

    fn lists(&mut self, schema: &'a Map<String, Value>, node: &mut Node) {
        node.items = schema.get("items").map(|items| self.node(items));
        if let Some(Value::Array(prefix)) = schema.get("prefixItems") {
            node.prefix = prefix.iter().map(|item| self.node(item)).collect();
        }
        node.item_count = size(schema, "minItems", "maxItems");
        node.unique = schema.get("uniqueItems") == Some(&Value::Bool(true));
        // A tuple checks its own length; an array of fixed length looks like a list with a declared length.
        let count = u64::try_from(node.prefix.len()).ok();
        let tuple = !node.prefix.is_empty() && node.item_count == Size { min: count, max: count };
        node.beyond_serde |= (node.item_count != Size::default() && !tuple) || node.unique;
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
        node.beyond_serde |= node.property_count != Size::default();
        let additional = schema.get("additionalProperties");
        // What counts as evaluated takes keywords that types never use.
        let beyond = additional.or_else(|| schema.get("unevaluatedProperties").filter(|_| !self.foreign));
        node.unevaluated = additional.is_none() && beyond.is_some();
        node.additional = match beyond {
            Some(Value::Bool(false)) => Additional::None,
            Some(value @ Value::Object(_)) => Additional::Schema(self.node(value)),
            _ => Additional::Any,
        };
        for (name, id) in &node.properties {
            if let Some(property) = self.nodes.get_mut(*id) {
                property.optional = !node.required.contains(name);
            }
        }
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
        // What a foreign schema excludes may be said with keywords that the plan leaves aside.
        if let Some(not) = schema.get("not").filter(|_| !self.foreign) {
            node.not.push(self.node(not));
            node.beyond_serde = true;
        }
        node.beyond_serde |= schema.contains_key("allOf");
    }

    fn reference(&mut self, reference: &'a str) -> Id {
        if reference == "#" && !self.addressed {
            return Plan::ROOT;
        }
        if let Some(&id) = self.references.get(reference) {
            return id;
        }
        // Where a schema inside has an address of its own, what stands in it refers to that.
        let pointer = reference.strip_prefix('#').filter(|_| !self.addressed).and_then(percent_decoded);
        let target = pointer.and_then(|pointer| self.root.pointer(&pointer));
        let Some(target) = target else {
            // What cannot be found cannot be checked, and unless a validator finds it, it is not let through unchecked.
            self.nodes.push(if self.foreign { Node::default() } else { Node::nothing() });
            return self.nodes.len() - 1;
        };
        // The index is known before the schema is compiled, so that it may refer to itself.
        self.references.insert(reference, self.nodes.len());
        self.node(target)
    }
}
