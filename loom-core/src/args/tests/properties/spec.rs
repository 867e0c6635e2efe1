//! Schemas of the kinds that loom makes from types, with values that fit them.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// What a schema says, in a form from which values can be made.
#[derive(Debug, Clone)]
pub(super) enum Spec {
    Integer {
        min: Option<i64>,
        max: Option<i64>,
    },
    Number {
        min: Option<i32>,
        max: Option<i32>,
    },
    Bool,
    Text {
        min: usize,
        max: Option<usize>,
    },
    Names(Vec<String>),
    List {
        item: Box<Spec>,
        min: usize,
        max: usize,
        unique: bool,
    },
    Tuple(Vec<Spec>),
    Map(Box<Spec>),
    Object(Vec<Property>),
    /// Alternatives of different kinds.
    Union(Vec<Spec>),
    /// Objects told apart by the value of one property.
    Tagged(Vec<(String, Vec<Property>)>),
    /// Names alone, and objects of one property that is the name of what it holds.
    Variants(Vec<(String, Option<Spec>)>),
    Nullable(Box<Spec>),
    /// The same by a reference.
    Named(Box<Spec>),
}

/// The property that tells tagged objects apart.
pub(super) const TAG: &str = "kind";

#[derive(Debug, Clone)]
pub(super) struct Property {
    pub(super) name: String,
    pub(super) spec: Spec,
    pub(super) required: bool,
}

/// The kinds of values that can be told apart at a glance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Looks {
    Number,
    Bool,
    Text,
    List,
    Object,
}

impl Spec {
    pub(super) fn looks(&self) -> BTreeSet<Looks> {
        let one = match self {
            Self::Integer { .. } | Self::Number { .. } => Looks::Number,
            Self::Bool => Looks::Bool,
            Self::Text { .. } | Self::Names(_) => Looks::Text,
            Self::List { .. } | Self::Tuple(_) => Looks::List,
            Self::Map(_) | Self::Object(_) | Self::Tagged(_) => Looks::Object,
            Self::Variants(variants) => {
                let looks = |(_, data): &(_, Option<Self>)| data.as_ref().map_or(Looks::Text, |_| Looks::Object);
                return variants.iter().map(looks).collect();
            }
            Self::Union(specs) => return specs.iter().flat_map(Self::looks).collect(),
            Self::Nullable(spec) | Self::Named(spec) => return spec.looks(),
        };
        BTreeSet::from([one])
    }

    fn is_one_name(&self) -> bool {
        matches!(self, Self::Names(names) if names.len() == 1)
    }

    pub(super) fn takes_null(&self) -> bool {
        match self {
            Self::Nullable(_) => true,
            Self::Named(spec) => spec.takes_null(),
            Self::Union(specs) => specs.iter().any(Self::takes_null),
            _ => false,
        }
    }

    /// The whole schema.
    pub(super) fn schema(&self) -> Value {
        let mut definitions = Map::new();
        let mut schema = self.part(&mut definitions);
        if !definitions.is_empty() {
            schema["$defs"] = definitions.into();
        }
        schema
    }

    fn part(&self, definitions: &mut Map<String, Value>) -> Value {
        let mut schema = match self {
            Self::Integer { min, max } => json!({"type": "integer", "minimum": min, "maximum": max}),
            Self::Number { min, max } => json!({"type": "number", "minimum": min, "maximum": max}),
            Self::Bool => json!({"type": "boolean"}),
            Self::Text { min, max } => {
                json!({"type": "string", "minLength": (*min > 0).then_some(min), "maxLength": max})
            }
            Self::Names(names) => json!({"type": "string", "enum": names}),
            Self::List { item, min, max, unique } => json!({
                "type": "array",
                "items": item.part(definitions),
                "minItems": (*min > 0).then_some(min),
                "maxItems": (*max < usize::MAX).then_some(max),
                "uniqueItems": unique.then_some(true),
            }),
            Self::Tuple(specs) => {
                let items: Vec<_> = specs.iter().map(|spec| spec.part(definitions)).collect();
                json!({"type": "array", "minItems": items.len(), "maxItems": items.len(), "prefixItems": items})
            }
            Self::Map(spec) => json!({"type": "object", "additionalProperties": spec.part(definitions)}),
            Self::Object(properties) => object_schema(properties, definitions),
            Self::Tagged(variants) => {
                let variant = |(tag, properties): &(String, Vec<Property>)| {
                    let mut schema = object_schema(properties, definitions);
                    schema["properties"][TAG] = json!({"type": "string", "const": tag});
                    match &mut schema["required"] {
                        Value::Array(required) => required.push(TAG.into()),
                        none => *none = json!([TAG]),
                    }
                    schema
                };
                json!({"oneOf": variants.iter().map(variant).collect::<Vec<_>>()})
            }
            Self::Variants(variants) => {
                let units: Vec<_> = variants.iter().filter(|(_, data)| data.is_none()).map(|(name, _)| name).collect();
                let units = (!units.is_empty()).then(|| json!({"type": "string", "enum": units}));
                let variant = |(name, data): &(String, Option<Self>)| {
                    let data = data.as_ref()?.part(definitions);
                    Some(json!({
                        "type": "object",
                        "properties": {name: data},
                        "required": [name],
                        "additionalProperties": false,
                    }))
                };
                json!({"oneOf": units.into_iter().chain(variants.iter().filter_map(variant)).collect::<Vec<_>>()})
            }
            Self::Union(specs) => {
                json!({"anyOf": specs.iter().map(|spec| spec.part(definitions)).collect::<Vec<_>>()})
            }
            Self::Nullable(spec) => match spec.part(definitions) {
                Value::Object(mut schema)
                    if schema.get("type").is_some_and(Value::is_string) && schema.get("enum").is_none() =>
                {
                    schema["type"] = json!([schema["type"], "null"]);
                    schema.into()
                }
                schema => json!({"anyOf": [schema, {"type": "null"}]}),
            },
            Self::Named(spec) => {
                let schema = spec.part(definitions);
                let name = format!("Type{}", definitions.len());
                let reference = format!("#/$defs/{name}");
                definitions.insert(name, schema);
                json!({"description": "By a name.", "$ref": reference})
            }
        };
        // A keyword that is not used.
        if let Value::Object(map) = &mut schema {
            map.retain(|_, value| !value.is_null());
        }
        schema
    }

    /// Values that fit.
    pub(super) fn values(&self) -> BoxedStrategy<Value> {
        match self {
            Self::Integer { min, max } => {
                let (min, max) = (min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX));
                prop_oneof![3 => min..=max, 1 => Just(min), 1 => Just(max)].prop_map(Value::from).boxed()
            }
            // An eighth is exact in every float.
            Self::Number { min, max } => {
                let (min, max) = (min.unwrap_or(-9000), max.unwrap_or(9000));
                prop_oneof![
                    3 => (min * 8..=max * 8).prop_map(|n| json!(f64::from(n) / 8.0)),
                    1 => (min..=max).prop_map(Value::from),
                ]
                .boxed()
            }
            Self::Bool => any::<bool>().prop_map(Value::from).boxed(),
            Self::Text { min, max } => {
                let max = max.unwrap_or(min + 6);
                let plain = prop::collection::vec(text_char(), *min..=max);
                plain.prop_map(|chars| Value::from(chars.into_iter().collect::<String>())).boxed()
            }
            Self::Names(names) => prop::sample::select(names.clone()).prop_map(Value::from).boxed(),
            Self::List { item, min, max, unique } => {
                let size = *min..=(*max).min(min + 3);
                let unique = *unique;
                let (min, items) = (*min, prop::collection::vec(item.values(), size));
                items
                    .prop_filter_map("not enough different items", move |items| {
                        if !unique {
                            return Some(Value::from(items));
                        }
                        let mut seen = BTreeSet::new();
                        let items: Vec<_> = items.into_iter().filter(|item| seen.insert(item.to_string())).collect();
                        (items.len() >= min).then(|| Value::from(items))
                    })
                    .boxed()
            }
            Self::Tuple(specs) => specs.iter().map(Self::values).collect::<Vec<_>>().prop_map(Value::from).boxed(),
            Self::Map(spec) => {
                let map = prop::collection::btree_map("[a-z~/é ]{0,4}", spec.values(), 0..4);
                map.prop_map(|map| Value::Object(map.into_iter().collect())).boxed()
            }
            Self::Object(properties) => entries(properties).prop_map(Value::Object).boxed(),
            Self::Tagged(variants) => {
                let variants = variants.iter().map(|(tag, properties)| {
                    let tag = tag.clone();
                    entries(properties).prop_map(move |mut entries| {
                        entries.insert(TAG.to_owned(), tag.clone().into());
                        Value::Object(entries)
                    })
                });
                prop::strategy::Union::new(variants).boxed()
            }
            Self::Variants(variants) => {
                let variants = variants.iter().map(|(name, data)| {
                    let name = name.clone();
                    match data {
                        None => Just(Value::from(name)).boxed(),
                        Some(data) => data.values().prop_map(move |data| json!({&name: data})).boxed(),
                    }
                });
                prop::strategy::Union::new(variants).boxed()
            }
            Self::Union(specs) => prop::strategy::Union::new(specs.iter().map(Self::values)).boxed(),
            Self::Nullable(spec) => prop_oneof![3 => spec.values(), 1 => Just(Value::Null)].boxed(),
            Self::Named(spec) => spec.values(),
        }
    }
}

fn object_schema(properties: &[Property], definitions: &mut Map<String, Value>) -> Value {
    let required: Vec<_> = properties.iter().filter(|p| p.required).map(|p| p.name.clone()).collect();
    let properties: Map<_, _> = properties.iter().map(|p| (p.name.clone(), p.spec.part(definitions))).collect();
    let required = (!required.is_empty()).then_some(required);
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

/// The entries of an object with these properties.
fn entries(properties: &[Property]) -> BoxedStrategy<Map<String, Value>> {
    let entries = properties.iter().map(|property| {
        let name = property.name.clone();
        let value = property.spec.values();
        let present = if property.required { value.prop_map(Some).boxed() } else { prop::option::of(value).boxed() };
        present.prop_map(move |value| value.map(|value| (name.clone(), value)))
    });
    let entries: Vec<_> = entries.collect();
    entries.prop_map(|entries| entries.into_iter().flatten().collect()).boxed()
}

fn text_char() -> impl Strategy<Value = char> {
    prop::sample::select("ab1 0.-[{\"\\\n~/é\u{1F600}TRUEnul".chars().collect::<Vec<_>>())
}

fn integer() -> impl Strategy<Value = Spec> {
    let whole = prop::sample::select(vec![
        (Some(i64::from(i8::MIN)), Some(i64::from(i8::MAX))),
        (Some(0), Some(i64::from(u8::MAX))),
        (Some(i64::from(i32::MIN)), Some(i64::from(i32::MAX))),
        (Some(i64::MIN), Some(i64::MAX)),
        (Some(0), None),
        (None, None),
        (Some(1), Some(50)),
        (None, Some(-1)),
    ]);
    let any = (-1000_i64..1000, 0_i64..1000).prop_map(|(min, more)| (Some(min), Some(min + more)));
    prop_oneof![whole, any].prop_map(|(min, max)| Spec::Integer { min, max })
}

fn names() -> impl Strategy<Value = Spec> {
    let words = vec!["asc", "desc", "Relevance", "a-b", "two words", "null", "1", "true", "[]", "é"];
    prop::sample::subsequence(words, 1..5).prop_map(|names| Spec::Names(names.into_iter().map(str::to_owned).collect()))
}

fn text() -> impl Strategy<Value = Spec> {
    let bounded = (0_usize..4, prop::option::of(0_usize..5));
    prop_oneof![
        Just(Spec::Text { min: 0, max: None }),
        bounded.prop_map(|(min, more)| Spec::Text { min, max: more.map(|more| min + more) }),
    ]
}

fn scalar() -> BoxedStrategy<Spec> {
    let number = prop_oneof![
        Just((None, None)),
        (-100_i32..100, 0_i32..100).prop_map(|(min, more)| (Some(min), Some(min + more))),
    ];
    prop_oneof![
        3 => integer(),
        1 => number.prop_map(|(min, max)| Spec::Number { min, max }),
        1 => Just(Spec::Bool),
        2 => text(),
        1 => names(),
    ]
    .boxed()
}

/// The names of properties: some alike, some that need an escape in a pointer.
fn property_names(count: usize) -> impl Strategy<Value = Vec<String>> {
    let names = vec!["limit", "limits", "Name", "a/b", "~0", "", "query", "é", "v", "items"];
    prop::sample::subsequence(names, count)
        .prop_shuffle()
        .prop_map(|names| names.into_iter().map(str::to_owned).collect())
}

fn properties(inner: BoxedStrategy<Spec>) -> impl Strategy<Value = Vec<Property>> {
    prop::collection::vec((inner, any::<bool>()), 0..6).prop_flat_map(|properties| {
        property_names(properties.len()).prop_map(move |names| {
            let properties = names.into_iter().zip(properties.clone());
            // A property that takes one name only is held for a tag; see the known faults.
            let properties = properties.filter(|(_, (spec, _))| !spec.is_one_name());
            properties.map(|(name, (spec, required))| Property { name, spec, required }).collect()
        })
    })
}

/// How many schemas are inside one another at most.
const DEPTH: usize = 4;

/// Any schema.
pub(super) fn spec() -> BoxedStrategy<Spec> {
    (1..DEPTH).fold(compound(scalar()), |inner, _| compound(prop_oneof![2 => scalar(), 3 => inner].boxed()))
}

/// Schemas with others inside.
fn compound(inner: BoxedStrategy<Spec>) -> BoxedStrategy<Spec> {
    let size = (0_usize..3, prop_oneof![3 => Just(usize::MAX), 1 => 0_usize..3]);
    let sized = (inner.clone(), size.clone()).prop_map(|(item, (min, more))| Spec::List {
        item: Box::new(item),
        min,
        max: min.saturating_add(more),
        unique: false,
    });
    let unique = (prop_oneof![integer(), text()], size).prop_map(|(item, (min, more))| {
        // As many different values as there have to be, there have to be in the item.
        let min = if matches!(item, Spec::Integer { min: None, .. }) { min } else { 0 };
        Spec::List { item: Box::new(item), min, max: min.saturating_add(more).max(1), unique: true }
    });
    let union = prop::collection::vec(prop_oneof![scalar(), inner.clone()], 2..4).prop_filter_map("alike", |specs| {
        let looks: Vec<_> = specs.iter().flat_map(Spec::looks).collect();
        let different: BTreeSet<_> = looks.iter().collect();
        let nulls = specs.iter().filter(|spec| spec.takes_null()).count();
        (looks.len() == different.len() && looks.len() < 5 && nulls < 2).then_some(Spec::Union(specs))
    });
    let nullable = inner
        .clone()
        .prop_filter_map("nullable already", |spec| (!spec.takes_null()).then(|| Spec::Nullable(Box::new(spec))));
    let tags = vec!["circle", "Circles", "move", "null", "say it", "é"];
    let tagged = prop::sample::subsequence(tags.clone(), 1..4).prop_flat_map({
        let inner = inner.clone();
        move |tags| {
            let variants: Vec<_> =
                tags.into_iter().map(|tag| (Just(tag.to_owned()), properties(inner.clone()))).collect();
            variants.prop_map(Spec::Tagged)
        }
    });
    let variants = prop::sample::subsequence(tags, 1..4).prop_flat_map({
        let inner = inner.clone();
        move |names| {
            let inner = inner.clone().prop_filter("held for a tag", |spec| !spec.is_one_name());
            let data = || prop::option::weighted(0.7, inner.clone());
            let variants: Vec<_> = names.into_iter().map(|name| (Just(name.to_owned()), data())).collect();
            variants.prop_map(Spec::Variants)
        }
    });
    prop_oneof![
        2 => sized,
        1 => unique,
        1 => prop::collection::vec(inner.clone(), 1..4).prop_map(Spec::Tuple),
        1 => inner.clone().prop_map(|spec| Spec::Map(Box::new(spec))),
        5 => properties(inner.clone()).prop_map(Spec::Object),
        1 => tagged,
        1 => variants,
        1 => union,
        1 => nullable,
        1 => inner.prop_map(|spec| Spec::Named(Box::new(spec))),
    ]
    .boxed()
}
