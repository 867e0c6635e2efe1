//! What a closure may return.
//!
//! What an annotated function returns is found out on its concrete type, which a generic function cannot do: `Result`
//! and everything serialisable overlap as traits. So the types are named here, and whatever else is serialisable says so
//! with [`Json`].

use std::any::Any;
use std::borrow::Cow;
use std::fmt::Display;

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use super::{Content, Output, Resource};
use crate::call::ToolError;
use crate::schema::{self, Schema};
use crate::tool::Outcome;

/// What a closure that answers calls may return: nothing, text, a number, content, [`Json`] of anything, or a `Result`
/// of those with any error that has a text.
#[diagnostic::on_unimplemented(
    message = "a tool's closure cannot return `{Self}`",
    label = "this is not told to a model as it is",
    note = "return nothing, text, a number, `Content`, `Output`, `serde_json::Value`, or a `Result` of those",
    note = "wrap anything else that is `serde::Serialize` and `schemars::JsonSchema` in `Json(…)`, or give it to `Output::serialize`"
)]
pub trait IntoOutcome: Send + 'static {
    /// The outcome of the call.
    ///
    /// # Errors
    /// When the call failed, or what it gave cannot be written.
    fn into_outcome(self) -> Outcome;

    /// The schema of the result, where it is an object.
    fn output_schema() -> Option<Schema>
    where
        Self: Sized,
    {
        None
    }
}

/// A structured result: anything serialisable, as JSON, with its schema.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Json<T>(pub T);

impl<T: Serialize + JsonSchema + Send + 'static> IntoOutcome for Json<T> {
    fn into_outcome(self) -> Outcome {
        Ok(Output::serialize(&self.0)?)
    }

    fn output_schema() -> Option<Schema> {
        schema::output(SchemaGenerator::subschema_for::<T>)
    }
}

impl<T: IntoOutcome, E: Display + Send + 'static> IntoOutcome for Result<T, E> {
    fn into_outcome(self) -> Outcome {
        match self {
            Ok(value) => value.into_outcome(),
            Err(error) => {
                // A failure that is a `ToolError` already says more than its text.
                let mut error = Some(error);
                let own = (&mut error as &mut dyn Any).downcast_mut::<Option<ToolError>>().and_then(Option::take);
                let told = || error.map(|error| error.to_string()).unwrap_or_default();
                Err(own.unwrap_or_else(|| ToolError::new(told())).into())
            }
        }
    }

    fn output_schema() -> Option<Schema> {
        T::output_schema()
    }
}

macro_rules! rich {
    ($($kind:ty)*) => {$(
        impl IntoOutcome for $kind {
            fn into_outcome(self) -> Outcome {
                Ok(self.into())
            }
        }
    )*};
}

rich!(Output Content Vec<Content> Resource String &'static str);

impl<const N: usize> IntoOutcome for [Content; N] {
    fn into_outcome(self) -> Outcome {
        Ok(self.into())
    }
}

macro_rules! serialised {
    ($($kind:ty)*) => {$(
        impl IntoOutcome for $kind {
            fn into_outcome(self) -> Outcome {
                Ok(Output::serialize(&self)?)
            }
        }
    )*};
}

serialised! {
    () bool char i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 Cow<'static, str> serde_json::Value
    Vec<String>
}
