//! The code of a tool that is a closure over its arguments as a whole.

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Prepared, ToolHandler, Work};
use crate::args::{Depth, Read, Reading, Refusal, Shape, Slots, missing, read_text, read_value};
use crate::call::{Arguments, CallError};
use crate::context::CallContext;
use crate::output::IntoOutcome;
use crate::schema::Schema;

/// A closure, and how its argument is read.
pub(super) struct Closure<T, C> {
    shape: Shape,
    run: C,
    #[cfg(feature = "validate")]
    validator: Option<jsonschema::Validator>,
    argument: PhantomData<fn() -> T>,
}

impl<T, C> Closure<T, C> {
    pub(super) fn new(schema: Schema, run: C) -> Self {
        Self {
            shape: Shape::whole(schema),
            run,
            #[cfg(feature = "validate")]
            validator: None,
            argument: PhantomData,
        }
    }

    /// Under a schema that says more than the type.
    #[cfg(feature = "validate")]
    pub(super) fn foreign(schema: Schema, run: C, validator: jsonschema::Validator) -> Self {
        Self { shape: Shape::foreign(schema), run, validator: Some(validator), argument: PhantomData }
    }
}

impl<T, R, F, C> ToolHandler for Closure<T, C>
where
    T: DeserializeOwned + Send + 'static,
    C: FnOnce(T) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = R> + Send + 'static,
    R: IntoOutcome,
{
    fn prepare(&self, arguments: &Arguments, context: &CallContext<'_>) -> Result<Prepared, CallError> {
        let mut slot = Whole(None);
        let reading = if self.shape.read_as_sent(arguments, context.limits(), &mut slot) {
            Reading::default()
        } else {
            self.shape.read_with_care(arguments, context.limits(), &mut slot)?
        };
        #[cfg(feature = "validate")]
        if let Some(validator) = &self.validator {
            super::foreign::check(validator, arguments, reading.coerced.as_deref())?;
        }
        let argument = slot.0.ok_or_else(|| missing(""))?;
        let future = self.run.clone()(argument);
        let work = Work::Async(Box::pin(async move { future.await.into_outcome() }));
        let Reading { coercions, repairs, coerced } = reading;
        Ok(Prepared { work, coercions, repairs, coerced })
    }
}

impl<T, C> fmt::Debug for Closure<T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Closure").field("shape", &self.shape).finish_non_exhaustive()
    }
}

/// The one slot of arguments that are read as a whole.
struct Whole<T>(Option<T>);

impl<T: DeserializeOwned> Slots for Whole<T> {
    fn read(&mut self, _: usize, text: &str, max_depth: usize) -> Result<Read, Refusal> {
        read_text(text, Depth::outside(max_depth), &mut self.0)
    }

    fn read_value(&mut self, _: usize, value: &Value, max_depth: usize) -> Result<Read, Refusal> {
        read_value(value, Depth::outside(max_depth), &mut self.0)
    }

    fn forget(&mut self, _: usize) {
        self.0 = None;
    }

    fn clear(&mut self) {
        self.0 = None;
    }
}
