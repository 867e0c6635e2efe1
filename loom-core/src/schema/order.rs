//! The order in which a struct declares its fields, which the maps of a schema do not keep.

use std::fmt;

use serde::de::{self, DeserializeOwned, Deserializer, Visitor};

/// The names of the fields of `T` in the order of their declaration, if it is a plain struct.
///
/// The type itself is asked: a struct tells whoever deserialises it which fields it looks for.
pub(super) fn fields<T: DeserializeOwned>() -> Option<&'static [&'static str]> {
    T::deserialize(Asks).err().and_then(|Asked(fields)| fields)
}

/// Gives no value, but hears what is asked for.
struct Asks;

/// What was asked for, as the error that ends the asking.
#[derive(Debug)]
struct Asked(Option<&'static [&'static str]>);

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is no value")
    }
}

impl std::error::Error for Asked {}

impl de::Error for Asked {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self(None)
    }
}

impl<'de> Deserializer<'de> for Asks {
    type Error = Asked;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Asked> {
        Err(Asked(None))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Asked> {
        Err(Asked(Some(fields)))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Asked> {
        visitor.visit_newtype_struct(self)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct seq
        tuple tuple_struct map enum identifier ignored_any
    }
}
