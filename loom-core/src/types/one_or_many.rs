//! One item, or a list of them.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer, UnitDeserializer};
use serde::de::{self, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Number;

/// A list that may be sent as its only item: `"a"` is read as `["a"]` is.
///
/// A list that is sent is always the list of items, never one item, even where the schema of an item takes lists among
/// other things. Items that are lists and nothing else cannot be sent alone, and the schema says so. It is written as a
/// list.
///
/// On a parameter of type `Vec<T>`, `#[arg(one_or_many)]` does the same and is the better choice: it reads a list as
/// fast as without it, and a number beyond 64 bits alone, which this type refuses. This type is for fields.
///
/// ```
/// use loom_core::types::OneOrMany;
///
/// let one: OneOrMany<u8> = serde_json::from_str("7")?;
/// let many: OneOrMany<u8> = serde_json::from_str("[7, 8]")?;
/// assert_eq!(*one, [7]);
/// assert_eq!(many.into_vec(), [7, 8]);
/// assert_eq!(serde_json::to_string(&one)?, "[7]");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OneOrMany<T>(Vec<T>);

impl<T> OneOrMany<T> {
    /// The items.
    pub fn into_vec(self) -> Vec<T> {
        self.0
    }
}

impl<T> Default for OneOrMany<T> {
    /// No items.
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Deref for OneOrMany<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> DerefMut for OneOrMany<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T> AsRef<[T]> for OneOrMany<T> {
    fn as_ref(&self) -> &[T] {
        &self.0
    }
}

impl<T> From<Vec<T>> for OneOrMany<T> {
    fn from(items: Vec<T>) -> Self {
        Self(items)
    }
}

impl<T> From<OneOrMany<T>> for Vec<T> {
    fn from(items: OneOrMany<T>) -> Self {
        items.0
    }
}

impl<T> FromIterator<T> for OneOrMany<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self(items.into_iter().collect())
    }
}

impl<T> IntoIterator for OneOrMany<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a OneOrMany<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<T: Serialize> Serialize for OneOrMany<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<T: JsonSchema> JsonSchema for OneOrMany<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("OneOrMany_{}", T::schema_name()).into()
    }

    fn schema_id() -> Cow<'static, str> {
        format!("{}::OneOrMany<{}>", module_path!(), T::schema_id()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let many = Vec::<T>::json_schema(generator);
        let one = generator.subschema_for::<T>();
        if generator.contract().is_serialize() || is_list(&one, generator) {
            return many;
        }
        json_schema!({"anyOf": [one, many]})
    }
}

/// Whether the schema takes lists and nothing else.
fn is_list(schema: &Schema, generator: &SchemaGenerator) -> bool {
    let reference = schema.get("$ref").and_then(|reference| reference.as_str()?.strip_prefix("#/$defs/"));
    let definition = reference.and_then(|name| generator.definitions().get(name));
    let kind = definition.map_or_else(|| schema.get("type"), |definition| definition.get("type"));
    kind.is_some_and(|kind| kind == "array")
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneOrMany<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Items(PhantomData))
    }
}

/// Looks at the kind of the value once and hands it on as it comes: nothing is kept for a second look.
struct Items<T>(PhantomData<T>);

macro_rules! visit_one {
    ($($method:ident($kind:ty);)*) => {$(
        fn $method<E: de::Error>(self, value: $kind) -> Result<Self::Value, E> {
            one(One { value: value.into_deserializer(), null: false })
        }
    )*};
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Items<T> {
    type Value = OneOrMany<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("one item or a list of items")
    }

    visit_one! {
        visit_bool(bool); visit_i64(i64); visit_i128(i128); visit_u64(u64); visit_u128(u128); visit_f64(f64);
        visit_char(char); visit_str(&str); visit_string(String); visit_bytes(&[u8]);
    }

    fn visit_borrowed_str<E: de::Error>(self, value: &'de str) -> Result<Self::Value, E> {
        one(One { value: de::value::BorrowedStrDeserializer::new(value), null: false })
    }

    fn visit_borrowed_bytes<E: de::Error>(self, value: &'de [u8]) -> Result<Self::Value, E> {
        one(One { value: de::value::BorrowedBytesDeserializer::new(value), null: false })
    }

    fn visit_none<E: de::Error>(self) -> Result<Self::Value, E> {
        self.visit_unit()
    }

    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        one(One { value: UnitDeserializer::new(), null: true })
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<Self::Value, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(access)).map(OneOrMany)
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<Self::Value, A::Error> {
        one(One { value: Map(access), null: false })
    }
}

fn one<'de, T: Deserialize<'de>, D: Deserializer<'de>>(value: One<D>) -> Result<OneOrMany<T>, D::Error> {
    Ok(OneOrMany(vec![T::deserialize(value)?]))
}

/// A value whose kind is known, for a type that may ask for an option or a newtype of it first.
struct One<D> {
    value: D,
    null: bool,
}

macro_rules! forward {
    ($($method:ident($($name:ident: $kind:ty),*);)*) => {$(
        fn $method<V: Visitor<'de>>(self, $($name: $kind,)* visitor: V) -> Result<V::Value, Self::Error> {
            self.value.$method($($name,)* visitor)
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for One<D> {
    type Error = D::Error;

    forward! {
        deserialize_any(); deserialize_bool(); deserialize_i8(); deserialize_i16(); deserialize_i32();
        deserialize_i64(); deserialize_i128(); deserialize_u8(); deserialize_u16(); deserialize_u32();
        deserialize_u64(); deserialize_u128(); deserialize_f32(); deserialize_f64(); deserialize_char();
        deserialize_str(); deserialize_string(); deserialize_bytes(); deserialize_byte_buf(); deserialize_unit();
        deserialize_unit_struct(name: &'static str); deserialize_seq(); deserialize_tuple(len: usize);
        deserialize_tuple_struct(name: &'static str, len: usize); deserialize_map();
        deserialize_struct(name: &'static str, fields: &'static [&'static str]);
        deserialize_enum(name: &'static str, variants: &'static [&'static str]); deserialize_identifier();
        deserialize_ignored_any();
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        if self.null { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, D::Error> {
        visitor.visit_newtype_struct(self)
    }
}

/// An object. It may be a number in disguise: so come those that keep their digits when some crate of the build has
/// switched `serde_json`'s `arbitrary_precision` on.
struct Map<A>(A);

macro_rules! numbers {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, A::Error> {
            // Only the number itself knows how it is disguised.
            let number = Number::deserialize(MapAccessDeserializer::new(self.0))?;
            number.$method(visitor).map_err(de::Error::custom)
        }
    )*};
}

impl<'de, A: MapAccess<'de>> Deserializer<'de> for Map<A> {
    type Error = A::Error;

    numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128 deserialize_u8 deserialize_u16
        deserialize_u32 deserialize_u64 deserialize_u128 deserialize_f32 deserialize_f64
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, A::Error> {
        visitor.visit_map(self.0)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        MapAccessDeserializer::new(self.0).deserialize_enum(name, variants, visitor)
    }

    serde::forward_to_deserialize_any! {
        bool char str string bytes byte_buf option unit unit_struct newtype_struct seq tuple tuple_struct map struct
        identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::collections::BTreeMap;
    use std::fmt::Debug;

    use proptest::prelude::*;
    use serde::de::DeserializeOwned;
    use serde_json::{Value, json};

    use super::*;

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
    struct Point {
        x: i8,
        y: Option<f64>,
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
    struct Id(u64);

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
    struct At(Point);

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
    struct Pair(u8, u8);

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
    enum Shape {
        Dot,
        At(Point),
        Box { side: f64 },
        Pair(u8, u8),
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "kind")]
    enum Tagged {
        Dot,
        Box { side: u8 },
    }

    /// What is read, from text and from a parsed value alike.
    fn read<T: DeserializeOwned + PartialEq + Debug>(text: &str) -> Result<Vec<T>, String> {
        let read = serde_json::from_str::<OneOrMany<T>>(text).map(OneOrMany::into_vec);
        let parsed: Value = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::from_value(parsed).map(OneOrMany::into_vec).ok().as_ref(), read.as_ref().ok());
        read.map_err(|error| error.to_string())
    }

    fn reads<T: DeserializeOwned + PartialEq + Debug>(text: &str, items: impl Into<Vec<T>>) {
        assert_eq!(read(text), Ok(items.into()), "{text}");
    }

    #[test]
    fn a_scalar_is_a_list_of_one() {
        reads("true", [true]);
        reads("7", [7_u8]);
        reads("-7", [-7_i64]);
        reads("18446744073709551615", [u64::MAX]);
        reads("7", [7_i128]);
        reads("7", [7.0_f64]);
        reads("1.5", [1.5_f64]);
        reads("-1e-3", [-0.001_f64]);
        reads("0.5", [0.5_f32]);
        reads("\"a\"", ["a".to_owned()]);
        reads("\"\\n\"", ["\n".to_owned()]);
        reads("\"[1]\"", ["[1]".to_owned()]);
        reads("\"é\"", ['é']);
        reads("null", [()]);
    }

    #[test]
    fn a_list_is_the_list() {
        reads::<u8>("[]", []);
        reads("[7]", [7_u8]);
        reads("[1.5,2]", [1.5, 2.0]);
        reads("[\"a\",\"b\"]", ["a".to_owned(), "b".to_owned()]);
        reads("[[1],[]]", [vec![1], vec![]]);
        reads("[null,1]", [None, Some(1)]);
    }

    #[test]
    fn an_item_may_be_of_any_type() {
        let (point, id) = (Point { x: 1, y: Some(1.5) }, Id(7));
        reads(r#"{"x":1,"y":1.5}"#, [point.clone()]);
        reads(r#"[{"x":1,"y":1.5}]"#, [point.clone()]);
        reads(r#"{"x":1,"y":1.5}"#, [At(point.clone())]);
        reads("7", [id.clone()]);
        reads("7", [Some(id)]);
        reads("1.5", [Some(1.5)]);
        reads("null", [None::<Id>]);
        reads(r#"{"x":1}"#, [Some(Point { x: 1, y: None })]);
        reads("\"Dot\"", [Shape::Dot]);
        reads("\"Dot\"", [Some(Shape::Dot)]);
        reads(r#"{"At":{"x":1,"y":1.5}}"#, [Shape::At(point)]);
        reads(r#"{"Box":{"side":0.5}}"#, [Shape::Box { side: 0.5 }]);
        reads(r#"{"Pair":[1,2]}"#, [Shape::Pair(1, 2)]);
        reads(r#"["Dot",{"Pair":[1,2]}]"#, [Shape::Dot, Shape::Pair(1, 2)]);
        reads(r#"{"kind":"Box","side":1}"#, [Tagged::Box { side: 1 }]);
        reads(r#"{"2":1,"10":2}"#, [BTreeMap::from([(2_u32, 1_u8), (10, 2)])]);
        reads("[[1,2]]", [Pair(1, 2)]);
        for sent in ["1.5", "7", "\"a\"", r#"{"a":[1.5]}"#, "null"] {
            reads(sent, [serde_json::from_str::<Value>(sent).unwrap()]);
        }
    }

    #[test]
    fn text_may_be_borrowed() {
        let text = String::from("\"a\"");
        let items: OneOrMany<&str> = serde_json::from_str(&text).unwrap();
        assert_eq!(*items, ["a"]);
    }

    #[test]
    fn another_type_is_refused_in_the_words_of_the_item() {
        let refused = |read: Result<Vec<u8>, String>| read.unwrap_err();
        assert_eq!(refused(read("\"7\"")), "invalid type: string \"7\", expected u8 at line 1 column 3");
        assert_eq!(refused(read("300")), "invalid value: integer `300`, expected u8 at line 1 column 3");
        assert_eq!(refused(read("[1,300]")), "invalid value: integer `300`, expected u8 at line 1 column 6");
        assert_eq!(refused(read("null")), "invalid type: null, expected u8 at line 1 column 4");
        assert_eq!(
            read::<Point>(r#"{"x":true}"#).unwrap_err(),
            "invalid type: boolean `true`, expected i8 at line 1 column 9"
        );
        // A list is never one item.
        assert_eq!(
            read::<Pair>("[1,2]").unwrap_err(),
            "invalid type: integer `1`, expected tuple struct Pair at line 1 column 2"
        );
        assert_eq!(read::<Shape>(r#"{"Dot":null,"At":null}"#).unwrap_err(), "trailing comma at line 1 column 12");
    }

    #[test]
    fn an_object_is_no_number_even_if_it_looks_like_one() {
        for sent in ["{}", r#"{"a":"1"}"#, r#"{"number":"1.5"}"#] {
            assert!(read::<f64>(sent).is_err(), "{sent}");
            assert!(read::<u8>(sent).is_err(), "{sent}");
        }
    }

    #[test]
    fn a_fraction_is_no_integer_and_digits_are_not_lost() {
        assert!(read::<u8>("1.0").is_err());
        assert!(read::<u64>("18446744073709551616").is_err());
        // Too long for a number in memory, unless numbers keep their digits.
        let long = read::<u128>("18446744073709551616");
        let keeps_digits = serde_json::from_str::<Value>("1e400").is_ok();
        assert_eq!(long.ok(), keeps_digits.then(|| vec![18_446_744_073_709_551_616]));
    }

    #[test]
    fn it_is_a_list_to_the_program() {
        let mut items = OneOrMany::from(vec![2, 1]);
        items.sort_unstable();
        assert_eq!((&items).into_iter().copied().collect::<Vec<_>>(), [1, 2]);
        assert_eq!(Vec::from(items.clone()), [1, 2]);
        assert_eq!(items.into_iter().collect::<OneOrMany<_>>(), OneOrMany::from(vec![1, 2]));
        assert_eq!(serde_json::to_value(OneOrMany::from(vec!["a"])).unwrap(), json!(["a"]));
        assert!(OneOrMany::<u8>::default().is_empty());
    }

    fn schema<T: JsonSchema>() -> Value {
        SchemaGenerator::default().subschema_for::<OneOrMany<T>>().to_value()
    }

    #[test]
    fn the_schema_says_both() {
        assert_eq!(
            schema::<String>(),
            json!({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]})
        );
        let point = json!({"$ref": "#/$defs/Point"});
        assert_eq!(schema::<Point>(), json!({"anyOf": [point, {"type": "array", "items": point}]}));
        assert_eq!(schema::<Value>(), json!({"anyOf": [true, {"type": "array", "items": true}]}));
    }

    #[test]
    fn of_lists_only_the_list_is_said() {
        assert_eq!(schema::<Pair>(), json!({"type": "array", "items": {"$ref": "#/$defs/Pair"}}));
        let list = json!({"type": "array", "items": {"type": "boolean"}});
        assert_eq!(schema::<Vec<bool>>(), json!({"type": "array", "items": list}));
    }

    #[test]
    fn what_is_written_is_a_list() {
        let mut generator = schemars::generate::SchemaSettings::draft2020_12().for_serialize().into_generator();
        assert_eq!(
            generator.subschema_for::<OneOrMany<bool>>().to_value(),
            json!({"type": "array", "items": {"type": "boolean"}})
        );
    }

    proptest! {
        #[test]
        fn one_reads_as_its_list_and_many_as_they_are(items in prop::collection::vec(any::<(i64, bool)>(), 0..5)) {
            let items: Vec<_> = items.into_iter().map(|(number, none)| (!none).then_some(number)).collect();
            let list = serde_json::to_string(&items).unwrap();
            prop_assert_eq!(read(&list), Ok(items.clone()));
            for item in items {
                prop_assert_eq!(read(&serde_json::to_string(&item).unwrap()), Ok(vec![item]));
            }
        }

        #[test]
        fn fractions_keep_their_value(eighths: i32) {
            let number = f64::from(eighths) / 8.0;
            prop_assert_eq!(read(&serde_json::to_string(&number).unwrap()), Ok(vec![number]));
        }
    }
}
