//! A deserialiser around another that notices what serde lets pass.
//!
//! - A property that a struct does not know is dropped without a word: it is noted as ignored.
//! - A type that buffers (untagged, internally tagged, flattened) decides later and unseen: it is noted as buffered.
//! - A struct accepts a list of its fields in order: it is refused.
//! - A number beyond its float type becomes an infinity: it is refused.
//! - A map keeps the last of several values for one key: it is noted as keyed.
//! - A variant without data may be written as text and as an object with null; only text is declared. Within a list or
//!   an object that holds a null, where the two cannot be told apart from here, it is noted as buffered.
//! - A parsed value may be nested without end, a text may not: the limit is the same for both.
//!
//! It notes and never allocates: what exactly was dropped is for the planned path to say. Only the way to what is
//! refused is kept step by step, which `serde_json` tells no better than to the next comma.

use std::cell::{Cell, RefCell};
use std::fmt;

use serde::de::value::Error as AbsentError;
use serde::de::{self, DeserializeOwned, DeserializeSeed, Deserializer, Unexpected, Visitor};
use serde_json::{Error, Value};

use super::Read;

/// Reads a `T` from the start of `text` into the slot.
pub(crate) fn read_text<T: DeserializeOwned>(text: &str, depth: Depth, slot: &mut Option<T>) -> Result<Read, Refusal> {
    let notes = Notes::within(depth.most);
    // Only the stream says how many bytes a value took.
    let mut stream = serde_json::Deserializer::from_str(text);
    let read = T::deserialize(Strict { inner: &mut stream, notes: &notes, open: depth.open });
    *slot = Some(read.map_err(|error| notes.refusal(error))?);
    let length = stream.into_iter::<de::IgnoredAny>().byte_offset();
    // A variant without data within something else may have been an object with null.
    let keyed =
        notes.named.get() && !text.starts_with('"') && text.get(..length).is_some_and(|text| text.contains("null"));
    let unseen = notes.buffered.get();
    Ok(Read { length, ignored: notes.ignored.get(), buffered: unseen || notes.keyed.get() || keyed, unseen })
}

/// Reads a `T` from a parsed value into the slot.
pub(crate) fn read_value<T: DeserializeOwned>(
    sent: &Value,
    depth: Depth,
    slot: &mut Option<T>,
) -> Result<Read, Refusal> {
    let notes = Notes::within(depth.most);
    let read = T::deserialize(Strict { inner: sent, notes: &notes, open: depth.open });
    *slot = Some(read.map_err(|error| notes.refusal(error))?);
    // The keys of a parsed value are distinct already.
    let unseen = notes.buffered.get();
    let buffered = unseen || (notes.named.get() && !sent.is_string() && has_null(sent));
    Ok(Read { length: 0, ignored: notes.ignored.get(), buffered, unseen })
}

/// Why a value was not read, and where in it that was found.
#[derive(Debug)]
pub struct Refusal(Box<(Error, Vec<Step>)>);

impl Refusal {
    /// A refusal of the value as a whole.
    pub(crate) fn without_place(error: Error) -> Self {
        Self(Box::new((error, Vec::new())))
    }

    pub(super) fn message(&self) -> String {
        self.0.0.to_string()
    }

    /// The way to the value that was refused, from the inside out.
    pub(super) fn trail(&self) -> &[Step] {
        &self.0.1
    }
}

/// A step into a list or an object: the how many-eth item or property it was, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Into an item of a list, or the value of a property.
    Value(usize),
    /// Into the name of a property.
    Name(usize),
}

/// Whether there is a null anywhere in the value.
fn has_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.iter().any(has_null),
        Value::Object(entries) => entries.values().any(has_null),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// How many lists and objects are open, and how many may be.
#[derive(Debug, Clone, Copy)]
pub struct Depth {
    open: usize,
    most: usize,
}

impl Depth {
    /// Of the arguments as a whole.
    pub(crate) const fn outside(most: usize) -> Self {
        Self { open: 0, most }
    }

    /// Of one parameter: the arguments are open around it.
    pub(crate) const fn inside(most: usize) -> Self {
        Self { open: 1, most }
    }
}

/// What a `T` is when it is left out, if its type allows that. The type itself is asked, so an alias or a newtype of
/// `Option` answers as `Option` does.
pub(crate) fn read_absent<T: DeserializeOwned>() -> Option<T> {
    T::deserialize(Absent).ok()
}

struct Notes {
    /// How many lists and objects may stand inside one another.
    most: usize,
    ignored: Cell<bool>,
    buffered: Cell<bool>,
    keyed: Cell<bool>,
    named: Cell<bool>,
    /// Whether there is a trail.
    failed: Cell<bool>,
    /// Where the last error was found, from the inside out.
    trail: RefCell<Vec<Step>>,
}

impl Notes {
    fn within(most: usize) -> Self {
        Self {
            most,
            ignored: Cell::default(),
            buffered: Cell::default(),
            keyed: Cell::default(),
            named: Cell::default(),
            failed: Cell::default(),
            trail: RefCell::default(),
        }
    }

    /// Notes the step on the way out of an error. Of an error that somebody caught, nothing is kept.
    fn step<T, E>(&self, result: Result<T, E>, step: impl FnOnce() -> Step) -> Result<T, E> {
        if result.is_err() || self.failed.get() {
            self.stumbled(result.is_err().then(step));
        }
        result
    }

    #[cold]
    fn stumbled(&self, step: Option<Step>) {
        self.failed.set(step.is_some());
        let mut trail = self.trail.borrow_mut();
        match step {
            Some(step) => trail.push(step),
            None => trail.clear(),
        }
    }

    #[cold]
    fn refusal(&self, error: Error) -> Refusal {
        Refusal(Box::new((error, self.trail.take())))
    }
}

/// Wraps a deserialiser, a visitor, a seed or one of the access types.
struct Strict<'n, T> {
    inner: T,
    notes: &'n Notes,
    /// How many lists and objects are open around it.
    open: usize,
}

impl<'n, T> Strict<'n, T> {
    fn wrap<U>(&self, inner: U) -> Strict<'n, U> {
        Strict { inner, notes: self.notes, open: self.open }
    }

    /// The same within one more list or object.
    fn within<U, E: de::Error>(&self, inner: U) -> Result<Strict<'n, U>, E> {
        if self.open >= self.notes.most {
            return Err(too_deep());
        }
        Ok(Strict { inner, notes: self.notes, open: self.open + 1 })
    }
}

#[cold]
fn too_deep<E: de::Error>() -> E {
    E::custom("it is nested too deeply")
}

/// Wraps the visitor of a struct, which is no list.
struct NoList<V>(V);

/// Wraps the visitor of a float, which has to be finite and within this range.
struct Finite<V>(V, f64);

macro_rules! forward_deserialize {
    ($($method:ident($($name:ident: $kind:ty),*);)*) => {$(
        fn $method<V: Visitor<'de>>(self, $($name: $kind,)* visitor: V) -> Result<V::Value, D::Error> {
            let visitor = self.wrap(visitor);
            self.inner.$method($($name,)* visitor)
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Strict<'_, D> {
    type Error = D::Error;

    forward_deserialize! {
        deserialize_bool(); deserialize_i8(); deserialize_i16(); deserialize_i32(); deserialize_i64();
        deserialize_i128(); deserialize_u8(); deserialize_u16(); deserialize_u32(); deserialize_u64();
        deserialize_u128(); deserialize_char(); deserialize_str(); deserialize_string();
        deserialize_bytes(); deserialize_byte_buf(); deserialize_option(); deserialize_unit();
        deserialize_unit_struct(name: &'static str); deserialize_newtype_struct(name: &'static str);
        deserialize_seq(); deserialize_tuple(len: usize);
        deserialize_tuple_struct(name: &'static str, len: usize);
        deserialize_enum(name: &'static str, variants: &'static [&'static str]); deserialize_identifier();
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.notes.buffered.set(true);
        let visitor = self.wrap(visitor);
        self.inner.deserialize_any(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.notes.keyed.set(true);
        let visitor = self.wrap(visitor);
        self.inner.deserialize_map(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.notes.ignored.set(true);
        self.inner.deserialize_ignored_any(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let visitor = self.wrap(NoList(visitor));
        self.inner.deserialize_struct(name, fields, visitor)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        // More than the largest `f32` may still round to it, but the schema says where the range ends. `serde_json`
        // reads that very end up to two steps too large.
        let visitor = self.wrap(Finite(visitor, f64::from(f32::MAX).next_up().next_up()));
        // Asked for an `f32`, `serde_json` narrows before anybody sees what was sent, if some crate of the build has
        // switched its `float_roundtrip` on.
        self.inner.deserialize_f64(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let visitor = self.wrap(Finite(visitor, f64::MAX));
        self.inner.deserialize_f64(visitor)
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

macro_rules! forward_visit {
    ($($method:ident($kind:ty);)*) => {$(
        fn $method<E: de::Error>(self, value: $kind) -> Result<V::Value, E> {
            self.inner.$method(value)
        }
    )*};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Strict<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    forward_visit! {
        visit_bool(bool); visit_i8(i8); visit_i16(i16); visit_i32(i32); visit_i64(i64); visit_i128(i128);
        visit_u8(u8); visit_u16(u16); visit_u32(u32); visit_u64(u64); visit_u128(u128); visit_f32(f32); visit_f64(f64);
        visit_char(char); visit_str(&str); visit_borrowed_str(&'de str); visit_string(String);
        visit_bytes(&[u8]); visit_borrowed_bytes(&'de [u8]); visit_byte_buf(Vec<u8>);
    }

    fn visit_none<E: de::Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    fn visit_unit<E: de::Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        let deserializer = self.wrap(deserializer);
        self.inner.visit_some(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        let deserializer = self.wrap(deserializer);
        self.inner.visit_newtype_struct(deserializer)
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        let access = Counted { access: self.within(access)?, count: 0 };
        self.inner.visit_seq(access)
    }

    fn visit_map<A: de::MapAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        let access = Counted { access: self.within(access)?, count: 0 };
        self.inner.visit_map(access)
    }

    fn visit_enum<A: de::EnumAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        let access = self.wrap(access);
        self.inner.visit_enum(access)
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for NoList<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_map<A: de::MapAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(access)
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Finite<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<V::Value, E> {
        if value.abs() > self.1 {
            return Err(E::invalid_value(Unexpected::Float(value), &"a number within the range of its type"));
        }
        self.0.visit_f64(value)
    }

    fn visit_f32<E: de::Error>(self, value: f32) -> Result<V::Value, E> {
        // A parsed number that kept its digits is narrowed before it arrives.
        if value.is_infinite() {
            return self.visit_f64(value.into());
        }
        self.0.visit_f32(value)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<V::Value, E> {
        self.0.visit_i64(value)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<V::Value, E> {
        self.0.visit_u64(value)
    }

    /// How a number arrives when some crate of the build has switched `serde_json`'s `arbitrary_precision` on.
    fn visit_map<A: de::MapAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(access)
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Strict<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        let deserializer = self.wrap(deserializer);
        self.inner.deserialize(deserializer)
    }
}

/// Wraps what goes through a list or an object, and counts how much of it was begun.
struct Counted<'n, A> {
    access: Strict<'n, A>,
    count: usize,
}

impl<'de, A: de::SeqAccess<'de>> de::SeqAccess<'de> for Counted<'_, A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        let seed = self.access.wrap(seed);
        let read = self.access.inner.next_element_seed(seed);
        let index = self.count;
        self.count = index.wrapping_add(1);
        self.access.notes.step(read, || Step::Value(index))
    }

    fn size_hint(&self) -> Option<usize> {
        self.access.inner.size_hint()
    }
}

impl<'de, A: de::MapAccess<'de>> de::MapAccess<'de> for Counted<'_, A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        // Keys hold nothing that could be dropped.
        let read = self.access.inner.next_key_seed(seed);
        let index = self.count;
        self.count = index.wrapping_add(1);
        self.access.notes.step(read, || Step::Name(index))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        let seed = self.access.wrap(seed);
        let read = self.access.inner.next_value_seed(seed);
        // Its name was counted already.
        let index = self.count.wrapping_sub(1);
        self.access.notes.step(read, || Step::Value(index))
    }

    fn size_hint(&self) -> Option<usize> {
        self.access.inner.size_hint()
    }
}

impl<'de, 'n, A: de::EnumAccess<'de>> de::EnumAccess<'de> for Strict<'n, A> {
    type Error = A::Error;
    type Variant = Strict<'n, A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self::Variant), A::Error> {
        let (value, variant) = self.inner.variant_seed(seed)?;
        Ok((value, Strict { inner: variant, notes: self.notes, open: self.open }))
    }
}

impl<'de, A: de::VariantAccess<'de>> de::VariantAccess<'de> for Strict<'_, A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.notes.named.set(true);
        self.inner.unit_variant()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        // A variant with data is an object with one key.
        let seed = self.within(seed)?;
        self.notes.step(self.inner.newtype_variant_seed(seed), || Step::Value(0))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        let visitor = self.within(visitor)?;
        self.notes.step(self.inner.tuple_variant(len, visitor), || Step::Value(0))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        let visitor = self.within(NoList(visitor))?;
        self.notes.step(self.inner.struct_variant(fields, visitor), || Step::Value(0))
    }
}

/// What a value that was not sent deserialises from: only what an option accepts.
struct Absent;

impl<'de> Deserializer<'de> for Absent {
    type Error = AbsentError;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, AbsentError> {
        Err(de::Error::custom("absent"))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, AbsentError> {
        visitor.visit_none()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, AbsentError> {
        visitor.visit_newtype_struct(self)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct enum identifier ignored_any
    }
}
