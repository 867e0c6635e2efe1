//! The code of a tool that is a closure over its arguments as a whole.

use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Prepared, ToolHandler, Work};
use crate::args::{Depth, Read, Reading, Refusal, Scan, Shape, Slots, missing, read_text, read_value};
use crate::call::{Arguments, CallError};
use crate::context::CallContext;
use crate::schema::Schema;

/// A closure, how its argument is read, and how it is run.
pub(super) struct Closure<T, C> {
    shape: Shape,
    run: C,
    /// The work of one call, begun when it is run: nothing of the closure's own code before.
    work: fn(C, T) -> Work,
    #[cfg(feature = "validate")]
    validator: Option<jsonschema::Validator>,
}

impl<T, C> Closure<T, C> {
    pub(super) fn new(schema: Schema, run: C, work: fn(C, T) -> Work) -> Self {
        Self {
            shape: Shape::whole(schema),
            run,
            work,
            #[cfg(feature = "validate")]
            validator: None,
        }
    }

    /// Under a schema that says more than the type.
    #[cfg(feature = "validate")]
    pub(super) fn foreign(schema: Schema, run: C, work: fn(C, T) -> Work, validator: jsonschema::Validator) -> Self {
        Self { shape: Shape::foreign(schema), run, work, validator: Some(validator) }
    }
}

impl<T, C> ToolHandler for Closure<T, C>
where
    T: DeserializeOwned + Send + 'static,
    C: Clone + Send + Sync + 'static,
{
    fn prepare(&self, arguments: &Arguments, context: &CallContext<'_>) -> Result<Prepared, CallError> {
        let mut slot = Whole(None);
        let reading = match self.shape.read_quickly(arguments, context.limits(), &mut slot) {
            Scan::Done => Reading::default(),
            Scan::Reworded(reading) => reading,
            Scan::Doubt(tried) => self.shape.read_with_care(arguments, tried, context.limits(), &mut slot)?,
        };
        #[cfg(feature = "validate")]
        if let Some(validator) = &self.validator {
            super::foreign::check(validator, arguments, reading.coerced.as_deref())?;
        }
        let argument = slot.0.ok_or_else(|| missing(""))?;
        let work = (self.work)(self.run.clone(), argument);
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
}
