//! A serialiser that writes JSON as `serde_json` does, and refuses what JSON cannot say instead of writing `null`.
//!
//! `serde_json` turns NaN and the infinities into `null`, which the model would read as a value. The refusal knows its
//! path at no cost to values that are fine: each level adds its own step while an error travels up.

use std::cell::RefCell;
use std::fmt::{self, Display};

use serde::ser::{self, Serialize};

use super::{NOTHING, Output};

/// Why a value that a tool returned cannot be told to a model.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// A NaN or an infinity.
    #[error("the value at {} is {value}, which JSON cannot say", Pointer(path))]
    NotFinite {
        /// JSON pointer of the number; empty for the value itself.
        path: String,
        /// `NaN`, `inf` or `-inf`.
        value: String,
    },
    /// The value's own `Serialize` failed, or it has map keys that are no strings.
    #[error("the value at {} cannot be written as JSON: {reason}", Pointer(path))]
    Serialize {
        /// JSON pointer of the place; empty for the value itself.
        path: String,
        /// What went wrong there.
        reason: String,
    },
}

impl OutputError {
    fn within(mut self, step: impl Display) -> Self {
        let (Self::NotFinite { path, .. } | Self::Serialize { path, .. }) = &mut self;
        let step = step.to_string().replace('~', "~0").replace('/', "~1");
        path.insert_str(0, &step);
        path.insert(0, '/');
        self
    }
}

/// A pointer as a reader wants to see it.
struct Pointer<'a>(&'a str);

impl Display for Pointer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "the top" } else { self.0 })
    }
}

impl ser::Error for OutputError {
    fn custom<T: Display>(reason: T) -> Self {
        Self::Serialize { path: String::new(), reason: reason.to_string() }
    }
}

impl From<serde_json::Error> for OutputError {
    fn from(error: serde_json::Error) -> Self {
        ser::Error::custom(error)
    }
}

/// Serialises `value` into an [`Output`].
#[inline]
pub(crate) fn serialize<T: Serialize + ?Sized>(value: &T) -> Result<Output, OutputError> {
    // As many bytes as `serde_json` begins with.
    let mut buffer = Vec::with_capacity(128);
    let trace = Trace::default();
    let checked = Checked { inner: &mut serde_json::Serializer::new(&mut buffer), trace: &trace, root: true };
    if let Err(error) = value.serialize(checked) {
        return Err(trace.failure.take().unwrap_or_else(|| error.into()));
    }
    if let Some(text) = trace.text.take() {
        return Ok(Output::text(text));
    }
    String::from_utf8(buffer).map(Output::json).map_err(ser::Error::custom)
}

/// What is noted beside the writing, shared by all levels of one value.
#[derive(Default)]
struct Trace {
    /// The failure with the path so far: the writing serialiser has an error type of its own, which could not carry it.
    failure: RefCell<Option<OutputError>>,
    /// The text, where the whole value is one.
    text: RefCell<Option<String>>,
}

impl Trace {
    /// Adds a step to the path of the failure that travels up.
    fn within<E: Display>(&self, error: E, step: impl Display) -> E {
        let failure = self.failure.take().unwrap_or_else(|| ser::Error::custom(&error));
        self.failure.replace(Some(failure.within(step)));
        error
    }

    fn not_finite<E: ser::Error>(&self, value: impl Display) -> E {
        let failure = OutputError::NotFinite { path: String::new(), value: value.to_string() };
        self.failure.replace(Some(failure));
        E::custom("not finite")
    }
}

/// Wraps the serialiser of one value; `root` holds for the outermost value only, where a string is text.
struct Checked<'t, S> {
    inner: S,
    trace: &'t Trace,
    root: bool,
}

/// Wraps a value so that its serialiser is wrapped too.
struct Within<'t, 'v, T: ?Sized> {
    value: &'v T,
    trace: &'t Trace,
    root: bool,
}

impl<T: Serialize + ?Sized> Serialize for Within<'_, '_, T> {
    fn serialize<S: ser::Serializer>(&self, inner: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(Checked { inner, trace: self.trace, root: self.root })
    }
}

/// Wraps the list, map or struct that is being written; `at` is the index of the next element.
struct Elements<'t, C> {
    inner: C,
    trace: &'t Trace,
    at: usize,
    /// The enum variant that the elements belong to, which is a step of the path as well.
    variant: Option<&'static str>,
}

impl<'t, C> Elements<'t, C> {
    fn new<E>(inner: Result<C, E>, trace: &'t Trace, variant: Option<&'static str>) -> Result<Self, E> {
        inner.map(|inner| Self { inner, trace, at: 0, variant })
    }

    fn failed<E: Display>(&self, error: E, step: impl Display) -> E {
        let error = self.trace.within(error, step);
        match self.variant {
            Some(variant) => self.trace.within(error, variant),
            None => error,
        }
    }

    fn nested<'v, T: ?Sized>(&self, value: &'v T) -> Within<'t, 'v, T> {
        Within { value, trace: self.trace, root: false }
    }
}

macro_rules! forward {
    ($($method:ident($kind:ty)),* $(,)?) => {$(
        fn $method(self, value: $kind) -> Result<S::Ok, S::Error> {
            self.inner.$method(value)
        }
    )*};
}

impl<'t, S: ser::Serializer> ser::Serializer for Checked<'t, S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = Elements<'t, S::SerializeSeq>;
    type SerializeTuple = Elements<'t, S::SerializeTuple>;
    type SerializeTupleStruct = Elements<'t, S::SerializeTupleStruct>;
    type SerializeTupleVariant = Elements<'t, S::SerializeTupleVariant>;
    type SerializeMap = Elements<'t, S::SerializeMap>;
    type SerializeStruct = Elements<'t, S::SerializeStruct>;
    type SerializeStructVariant = Elements<'t, S::SerializeStructVariant>;

    forward! {
        serialize_bool(bool), serialize_i8(i8), serialize_i16(i16), serialize_i32(i32), serialize_i64(i64),
        serialize_i128(i128), serialize_u8(u8), serialize_u16(u16), serialize_u32(u32), serialize_u64(u64),
        serialize_u128(u128), serialize_bytes(&[u8]),
    }

    fn serialize_f32(self, value: f32) -> Result<S::Ok, S::Error> {
        if value.is_finite() { self.inner.serialize_f32(value) } else { Err(self.trace.not_finite(value)) }
    }

    fn serialize_f64(self, value: f64) -> Result<S::Ok, S::Error> {
        if value.is_finite() { self.inner.serialize_f64(value) } else { Err(self.trace.not_finite(value)) }
    }

    fn serialize_char(self, value: char) -> Result<S::Ok, S::Error> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<S::Ok, S::Error> {
        if self.root {
            self.trace.text.replace(Some(value.to_owned()));
            // Something has to be written; the buffer is left aside when there is a text.
            return self.inner.serialize_unit();
        }
        self.inner.serialize_str(value)
    }

    fn serialize_none(self) -> Result<S::Ok, S::Error> {
        self.inner.serialize_none()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        self.inner.serialize_some(&Within { value, trace: self.trace, root: self.root })
    }

    fn serialize_unit(self) -> Result<S::Ok, S::Error> {
        if self.root {
            self.trace.text.replace(Some(NOTHING.to_owned()));
        }
        self.inner.serialize_unit()
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<S::Ok, S::Error> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<S::Ok, S::Error> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<S::Ok, S::Error> {
        self.inner.serialize_newtype_struct(name, &Within { value, trace: self.trace, root: self.root })
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        let nested = Within { value, trace: self.trace, root: false };
        let written = self.inner.serialize_newtype_variant(name, index, variant, &nested);
        written.map_err(|error| self.trace.within(error, variant))
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Self::SerializeSeq, S::Error> {
        Elements::new(self.inner.serialize_seq(len), self.trace, None)
    }

    fn serialize_tuple(self, len: usize) -> Result<Self::SerializeTuple, S::Error> {
        Elements::new(self.inner.serialize_tuple(len), self.trace, None)
    }

    fn serialize_tuple_struct(self, name: &'static str, len: usize) -> Result<Self::SerializeTupleStruct, S::Error> {
        Elements::new(self.inner.serialize_tuple_struct(name, len), self.trace, None)
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self::SerializeTupleVariant, S::Error> {
        Elements::new(self.inner.serialize_tuple_variant(name, index, variant, len), self.trace, Some(variant))
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Self::SerializeMap, S::Error> {
        Elements::new(self.inner.serialize_map(len), self.trace, None)
    }

    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Self::SerializeStruct, S::Error> {
        Elements::new(self.inner.serialize_struct(name, len), self.trace, None)
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self::SerializeStructVariant, S::Error> {
        Elements::new(self.inner.serialize_struct_variant(name, index, variant, len), self.trace, Some(variant))
    }
}

macro_rules! sequences {
    ($($kind:ident :: $method:ident),* $(,)?) => {$(
        impl<C: ser::$kind> ser::$kind for Elements<'_, C> {
            type Ok = C::Ok;
            type Error = C::Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), C::Error> {
                let (nested, at) = (self.nested(value), self.at);
                self.at = at.saturating_add(1);
                self.inner.$method(&nested).map_err(|error| self.failed(error, at))
            }

            fn end(self) -> Result<C::Ok, C::Error> {
                self.inner.end()
            }
        }
    )*};
}

sequences! {
    SerializeSeq::serialize_element, SerializeTuple::serialize_element,
    SerializeTupleStruct::serialize_field, SerializeTupleVariant::serialize_field,
}

macro_rules! structs {
    ($($kind:ident),*) => {$(
        impl<C: ser::$kind> ser::$kind for Elements<'_, C> {
            type Ok = C::Ok;
            type Error = C::Error;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), C::Error> {
                let nested = self.nested(value);
                self.inner.serialize_field(key, &nested).map_err(|error| self.failed(error, key))
            }

            fn skip_field(&mut self, key: &'static str) -> Result<(), C::Error> {
                self.inner.skip_field(key)
            }

            fn end(self) -> Result<C::Ok, C::Error> {
                self.inner.end()
            }
        }
    )*};
}

structs!(SerializeStruct, SerializeStructVariant);

impl<C: ser::SerializeMap> ser::SerializeMap for Elements<'_, C> {
    type Ok = C::Ok;
    type Error = C::Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), C::Error> {
        self.inner.serialize_key(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), C::Error> {
        let nested = self.nested(value);
        // The key is written already and was not kept: keeping it would cost every map an allocation.
        self.inner.serialize_value(&nested).map_err(|error| self.failed(error, '*'))
    }

    fn serialize_entry<K: Serialize + ?Sized, V: Serialize + ?Sized>(
        &mut self,
        key: &K,
        value: &V,
    ) -> Result<(), C::Error> {
        let nested = self.nested(value);
        self.inner.serialize_entry(key, &nested).map_err(|error| self.failed(error, key_text(key)))
    }

    fn end(self) -> Result<C::Ok, C::Error> {
        self.inner.end()
    }
}

/// A map key as a step of a path.
fn key_text<K: Serialize + ?Sized>(key: &K) -> String {
    match serde_json::to_value(key) {
        Ok(serde_json::Value::String(text)) => text,
        Ok(other) => other.to_string(),
        Err(_) => "*".to_owned(),
    }
}
