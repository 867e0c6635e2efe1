//! Which of the things that a tool may return its return type is, found by the compiler.
//!
//! `Result` under any alias, rich content, and everything serialisable overlap as traits: no set of blanket
//! implementations tells them apart. Method lookup does: it tries a receiver with five references first, then four,
//! and so on, and takes the first whose bounds hold; the underscores keep the methods apart from those that a trait of
//! the user's may give to every type. Generated code calls `(&&&&&kind).__finish(value)` on the concrete
//! type, so the choice is made once, at compile time.

use std::fmt::Display;
use std::future::Future;
use std::marker::PhantomData;

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use crate::tool::{Outcome, Work};

/// The type of a returned value, to choose by.
#[derive(Debug)]
pub struct Kind<T>(PhantomData<fn() -> T>);

impl<T> Clone for Kind<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Kind<T> {}

impl<T> Kind<T> {
    /// The kind of this value.
    pub const fn of(_: &T) -> Self {
        Self(PhantomData)
    }

    /// The kind of this type.
    #[expect(clippy::new_without_default, reason = "named by generated code only")]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

/// What a tool may return.
#[diagnostic::on_unimplemented(
    message = "a tool cannot return `{Self}`",
    label = "this cannot be told to a model",
    note = "return nothing, text, a number, anything that is `serde::Serialize`, `Content`, or a `Result` of those",
    note = "if this is a future, declare the function `async` or let it return `impl Future<Output = …>`"
)]
pub trait ToolOutput: Serialize {}

#[diagnostic::do_not_recommend]
impl<T: Serialize> ToolOutput for T {}

/// What the error of a tool has to be.
#[diagnostic::on_unimplemented(
    message = "the error type `{Self}` has no text to tell a model",
    label = "implement `std::fmt::Display` for it"
)]
pub trait ToolFailure: Display {}

#[diagnostic::do_not_recommend]
impl<T: Display> ToolFailure for T {}

type SchemaOf = fn(&mut SchemaGenerator) -> schemars::Schema;

pub(super) mod levels {
    //! One trait a level; the number of references of the receiver is the rank.

    use std::error::Error;

    use super::{Display, JsonSchema, Kind, Outcome, SchemaGenerator, SchemaOf, Serialize, ToolFailure, ToolOutput};
    use crate::call::ToolError;
    use crate::output::Output;

    type BoxError = Box<dyn Error + Send + Sync>;

    fn serialized<T: Serialize>(value: &T) -> Outcome {
        Ok(Output::serialize(value)?)
    }

    fn text<E: Display>(error: &E) -> ToolError {
        ToolError::new(error.to_string())
    }

    /// Rich content, or an error that keeps its sources.
    pub trait RichOrError<T, E> {
        /// The outcome of the call.
        fn __finish(self, value: Result<T, E>) -> Outcome;
    }

    impl<T: Into<Output>, E: Into<BoxError>> RichOrError<T, E> for &&&&&Kind<Result<T, E>> {
        fn __finish(self, value: Result<T, E>) -> Outcome {
            Ok(value.map_err(ToolError::from_error)?.into())
        }
    }

    /// Rich content, or any other error: its bound is asked for where it can be explained.
    pub trait RichOrText<T, E> {
        /// The outcome of the call.
        fn __finish(self, value: Result<T, E>) -> Outcome
        where
            E: ToolFailure;
    }

    impl<T: Into<Output>, E> RichOrText<T, E> for &&&&Kind<Result<T, E>> {
        fn __finish(self, value: Result<T, E>) -> Outcome
        where
            E: ToolFailure,
        {
            Ok(value.map_err(|error| text(&error))?.into())
        }
    }

    /// A serialisable value, or an error that keeps its sources.
    pub trait ValueOrError<T, E> {
        /// The outcome of the call.
        fn __finish(self, value: Result<T, E>) -> Outcome;
    }

    impl<T: Serialize, E: Into<BoxError>> ValueOrError<T, E> for &&&Kind<Result<T, E>> {
        fn __finish(self, value: Result<T, E>) -> Outcome {
            serialized(&value.map_err(ToolError::from_error)?)
        }
    }

    /// Any other `Result`: its bounds are asked for where they can be explained.
    pub trait ValueOrText<T, E> {
        /// The outcome of the call.
        fn __finish(self, value: Result<T, E>) -> Outcome
        where
            T: ToolOutput,
            E: ToolFailure;
    }

    impl<T, E> ValueOrText<T, E> for &&Kind<Result<T, E>> {
        fn __finish(self, value: Result<T, E>) -> Outcome
        where
            T: ToolOutput,
            E: ToolFailure,
        {
            serialized(&value.map_err(|error| text(&error))?)
        }
    }

    /// Rich content.
    pub trait Rich<T> {
        /// The outcome of the call.
        fn __finish(self, value: T) -> Outcome;
    }

    impl<T: Into<Output>> Rich<T> for &Kind<T> {
        fn __finish(self, value: T) -> Outcome {
            Ok(value.into())
        }
    }

    /// Anything else.
    pub trait Value<T> {
        /// The outcome of the call.
        fn __finish(self, value: T) -> Outcome
        where
            T: ToolOutput;
    }

    impl<T> Value<T> for Kind<T> {
        fn __finish(self, value: T) -> Outcome
        where
            T: ToolOutput,
        {
            serialized(&value)
        }
    }

    /// A `Result` whose value describes itself.
    pub trait ResultSchema {
        /// The schema of the value.
        fn __schema(self) -> Option<SchemaOf>;
    }

    impl<T: JsonSchema, E> ResultSchema for &&Kind<Result<T, E>> {
        fn __schema(self) -> Option<SchemaOf> {
            Some(SchemaGenerator::subschema_for::<T>)
        }
    }

    /// A value that describes itself.
    pub trait ValueSchema {
        /// The schema of the value.
        fn __schema(self) -> Option<SchemaOf>;
    }

    impl<T: JsonSchema> ValueSchema for &Kind<T> {
        fn __schema(self) -> Option<SchemaOf> {
            Some(SchemaGenerator::subschema_for::<T>)
        }
    }

    /// A value that does not.
    pub trait NoSchema {
        /// None.
        fn __schema(self) -> Option<SchemaOf>;
    }

    impl<T> NoSchema for Kind<T> {
        fn __schema(self) -> Option<SchemaOf> {
            None
        }
    }
}

/// The work of an `async fn` that owns its arguments.
pub fn awaited<F>(work: F, finish: fn(F::Output) -> Outcome) -> Work
where
    F: Future<Output: 'static> + Send + 'static,
{
    Work::Async(Box::pin(async move { finish(work.await) }))
}

/// The work of a function that gives a future, with the arguments that it lends.
pub fn future(work: impl Future<Output = Outcome> + Send + 'static) -> Work {
    Work::Async(Box::pin(work))
}

/// The work of a function that may block.
pub fn blocking(work: impl FnOnce() -> Outcome + Send + 'static) -> Work {
    Work::Blocking(Box::new(work))
}

/// The work of a function that does not block.
pub fn inline(work: impl FnOnce() -> Outcome + Send + 'static) -> Work {
    Work::Inline(Box::new(work))
}
