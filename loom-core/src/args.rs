//! Arguments: from what a model sent to the typed parameters of a tool.
//!
//! Two paths, one reader. The fast path goes through the top level of the arguments once and hands each value to its
//! parameter ([`scan`]); on any doubt it only says no. The planned path ([`planned`]) parses the text without losing
//! anything ([`json`]), lets every parameter that fits take its value as it is, walks the others along a plan compiled
//! from the tool's schema ([`plan`], [`coerce`]), and either names every problem or writes what was coerced and reads it
//! in the same way as the fast path does. So there is one way to read a value, and one that explains.

use std::borrow::Cow;
use std::sync::OnceLock;

use serde_json::Value;

use crate::call::Arguments;
use crate::schema::Schema;

mod coerce;
mod json;
mod limits;
mod locate;
mod number;
mod path;
mod plan;
mod planned;
mod problem;
mod repair;
mod scan;
mod strict;

pub use coerce::{Coercion, CoercionRule};
pub(crate) use json::Json;
pub use limits::ArgumentLimits;
pub(crate) use plan::percent_decoded;
pub(crate) use planned::open_document;
pub use problem::{Problem, ProblemKind, Problems};
pub(crate) use problem::{nearest, write_alternatives};
pub use repair::{Repair, RepairKind};

pub(crate) use strict::{Depth, Refusal, read_absent, read_text, read_value};

use plan::{Guide, Plan};
pub(crate) use scan::{Scan, Tried};

use scan::Direct;

/// Where the parameters of one call are read into, one slot each, without their types.
pub trait Slots {
    /// Reads the parameter at `index` from the start of `text` and says how many bytes it took. At most `max_depth`
    /// lists and objects may stand inside one another, the arguments included.
    fn read(&mut self, index: usize, text: &str, max_depth: usize) -> Result<Read, Refusal>;

    /// Reads the parameter at `index` from a parsed value.
    fn read_value(&mut self, index: usize, value: &Value, max_depth: usize) -> Result<Read, Refusal>;

    /// Forgets what was read of the parameter at `index`.
    fn forget(&mut self, index: usize);
}

/// What reading one value showed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Read {
    /// Bytes taken, when read from text.
    pub(crate) length: usize,
    /// A property was passed over because the type does not know it.
    pub(crate) ignored: bool,
    /// Something was read that only the walk along the plan can judge.
    pub(crate) buffered: bool,
    /// The type takes any value and looks at it later (untagged or flattened types do), so it may pass over a
    /// property unseen.
    pub(crate) unseen: bool,
}

/// What the reader has to know of a tool's parameters, without their types.
#[derive(Debug)]
pub(crate) struct Shape {
    parameters: Vec<Parameter>,
    schema: Schema,
    /// The arguments as a whole are read into the one slot that there is.
    whole: bool,
    /// The schema was not made by loom from the types that are read.
    foreign: bool,
    compiled: OnceLock<Compiled>,
}

/// One parameter without its type.
#[derive(Debug, Clone)]
pub struct Parameter {
    pub(crate) name: Cow<'static, str>,
    /// Other names that are understood as this one.
    pub(crate) aliases: &'static [&'static str],
    pub(crate) required: bool,
}

/// A successful reading: what was changed on the way.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub(crate) coercions: Vec<Coercion>,
    pub(crate) repairs: Vec<Repair>,
    /// The arguments as they were taken, where they are not what was sent.
    pub(crate) coerced: Option<String>,
}

/// What is made of a tool's schema once.
#[derive(Debug)]
struct Compiled {
    plan: Plan,
    /// One for each slot.
    guides: Vec<Guide>,
    /// The slots that have to be filled, a bit each; `None` where there are more slots than bits.
    required: Option<u64>,
}

impl Shape {
    /// Arguments whose properties are the parameters, one slot each.
    pub(crate) fn new(parameters: Vec<Parameter>, schema: Schema) -> Self {
        Self { parameters, schema, whole: false, foreign: false, compiled: OnceLock::new() }
    }

    /// Arguments that are read as a whole into one slot.
    pub(crate) fn whole(schema: Schema) -> Self {
        Self { parameters: Vec::new(), schema, whole: true, foreign: false, compiled: OnceLock::new() }
    }

    /// The same under a schema that somebody else wrote: the type that is read need not know what it says.
    #[cfg(any(test, feature = "validate"))]
    pub(crate) fn foreign(schema: Schema) -> Self {
        Self { foreign: true, ..Self::whole(schema) }
    }

    /// The plan of the schema, compiled when it is first needed.
    fn compiled(&self) -> &Compiled {
        self.compiled.get_or_init(|| {
            let plan = Plan::compile(&self.schema, self.foreign);
            let guides = if self.whole {
                vec![plan.guide(Plan::ROOT)]
            } else {
                self.parameters.iter().map(|one| plan.guide_of_property(&one.name)).collect()
            };
            let required = self.parameters.iter().enumerate().filter(|(_, one)| one.required);
            let required = required.map(|(index, _)| scan::bit(index)).try_fold(0, |all, bit| Some(all | bit?));
            Compiled { plan, guides, required }
        })
    }

    /// Reads the arguments into the slots if nothing is to be said of them but that a text spells what is declared.
    pub(crate) fn read_quickly(&self, arguments: &Arguments, limits: ArgumentLimits, slots: &mut dyn Slots) -> Scan {
        let direct = Direct::new(self, limits.max_depth());
        match arguments {
            Arguments::Text(text) if text.len() <= limits.max_bytes() => direct.text(text, slots),
            Arguments::Value(value) if scan::size(value) <= limits.max_bytes() => direct.value(value, slots),
            _ => Scan::Doubt(Tried::default()),
        }
    }

    /// Reads arguments that left a doubt: coerces them, or names every problem.
    #[cold]
    pub(crate) fn read_with_care(
        &self,
        arguments: &Arguments,
        tried: Tried,
        limits: ArgumentLimits,
        slots: &mut dyn Slots,
    ) -> Result<Reading, Problems> {
        let bytes = match arguments {
            Arguments::Text(text) => text.len(),
            Arguments::Value(value) => scan::size(value),
        };
        if bytes > limits.max_bytes() {
            let kind = ProblemKind::TooLong { bytes, limit: limits.max_bytes() };
            return Err(Problems::new(vec![Problem::new("", kind)]));
        }
        planned::read(self, arguments, tried, limits, slots)
    }
}

/// The refusal of a call that lacks a required parameter.
pub(crate) fn missing(name: &str) -> Problems {
    Problems::new(vec![Problem::new("", ProblemKind::Missing { names: vec![name.to_owned()] })])
}

#[cfg(test)]
mod tests;
