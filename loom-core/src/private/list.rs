//! Lists of which the only item may be sent by itself.

use schemars::SchemaGenerator;
use serde_json::Value;

use super::param::ToolArg;
use crate::args::{Depth, Read, Refusal, read_text, read_value};
use crate::types::OneOrMany;

/// What a parameter with `#[arg(one_or_many)]` has to be.
///
/// The value is read as what it is, list or item, each straight from what was sent. So it is read as strictly and as
/// fast as without `one_or_many`, which `OneOrMany` by itself cannot promise: it looks at the value first.
#[diagnostic::on_unimplemented(
    message = "only a list can be sent as one or many, and `{Self}` is none",
    label = "this is no list",
    note = "`Vec<T>`, `&[T]` and `Option` of them are lists; for anything else remove `one_or_many`"
)]
pub trait List: Sized {
    /// One of its items.
    type Item;

    /// Reads the list or its only item from the start of `text` into the slot.
    ///
    /// # Errors
    /// When it is neither.
    fn read(text: &str, depth: Depth, slot: &mut Option<Self>) -> Result<Read, Refusal>
    where
        Self::Item: ToolArg;

    /// Reads the list or its only item from a parsed value into the slot.
    ///
    /// # Errors
    /// When it is neither.
    fn read_value(value: &Value, depth: Depth, slot: &mut Option<Self>) -> Result<Read, Refusal>
    where
        Self::Item: ToolArg;

    /// What it is when it is left out, if it may be.
    fn absent() -> Option<Self>;

    /// The schema of the list and of its only item.
    fn schema(generator: &mut SchemaGenerator) -> schemars::Schema
    where
        Self::Item: ToolArg;
}

#[diagnostic::do_not_recommend]
impl<T> List for Vec<T> {
    type Item = T;

    fn read(text: &str, depth: Depth, slot: &mut Option<Self>) -> Result<Read, Refusal>
    where
        T: ToolArg,
    {
        if text.starts_with('[') {
            return read_text(text, depth, slot);
        }
        let mut item = None;
        let read = read_text(text, depth, &mut item)?;
        *slot = item.map(|item| vec![item]);
        Ok(read)
    }

    fn read_value(value: &Value, depth: Depth, slot: &mut Option<Self>) -> Result<Read, Refusal>
    where
        T: ToolArg,
    {
        if value.is_array() {
            return read_value(value, depth, slot);
        }
        let mut item = None;
        let read = read_value(value, depth, &mut item)?;
        *slot = item.map(|item| vec![item]);
        Ok(read)
    }

    fn absent() -> Option<Self> {
        None
    }

    fn schema(generator: &mut SchemaGenerator) -> schemars::Schema
    where
        T: ToolArg,
    {
        generator.subschema_for::<OneOrMany<T>>()
    }
}

/// Null is the list left out, also where an item may be null.
#[diagnostic::do_not_recommend]
impl<T> List for Option<Vec<T>> {
    type Item = T;

    fn read(text: &str, depth: Depth, slot: &mut Option<Self>) -> Result<Read, Refusal>
    where
        T: ToolArg,
    {
        if text.starts_with('n') {
            return read_text(text, depth, slot);
        }
        let mut list = None;
        let read = <Vec<T> as List>::read(text, depth, &mut list)?;
        *slot = Some(list);
        Ok(read)
    }

    fn read_value(value: &Value, depth: Depth, slot: &mut Option<Self>) -> Result<Read, Refusal>
    where
        T: ToolArg,
    {
        if value.is_null() {
            *slot = Some(None);
            return Ok(Read::default());
        }
        let mut list = None;
        let read = <Vec<T> as List>::read_value(value, depth, &mut list)?;
        *slot = Some(list);
        Ok(read)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }

    fn schema(generator: &mut SchemaGenerator) -> schemars::Schema
    where
        T: ToolArg,
    {
        generator.subschema_for::<Option<OneOrMany<T>>>()
    }
}
