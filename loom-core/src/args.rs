//! Arguments: from what a model sent to the typed parameters of a tool.
//!
//! Two paths, one reader. The fast path scans the top level of the text once and hands each value to its parameter
//! ([`scan`]); on any doubt it only says no. The planned path parses the text without losing anything ([`json`]),
//! walks it along a plan compiled from the tool's schema ([`plan`], [`coerce`]), and either names every problem or
//! writes the coerced document and reads it in the same way as the fast path does. So there is one way to read a
//! value, and one that explains.

use std::borrow::Cow;
use std::sync::OnceLock;

use serde_json::Value;

use crate::call::Arguments;
use crate::schema::Schema;

mod coerce;
mod json;
mod locate;
mod number;
mod plan;
mod problem;
mod scan;
mod strict;

pub use coerce::{Coercion, CoercionRule};
pub(crate) use plan::percent_decoded;
pub use problem::{Problem, ProblemKind, Problems};
pub(crate) use problem::{nearest, write_alternatives};
pub(crate) use strict::{read_absent, read_text, read_value};

use coerce::{Coerced, SentNames};
use json::Json;
use plan::Plan;
use scan::{Scan, scan};

/// Where the parameters of one call are read into, one slot each, without their types.
pub trait Slots {
    /// Reads the parameter at `index` from the start of `text` and says how many bytes it took.
    fn read(&mut self, index: usize, text: &str) -> Result<Read, String>;

    /// Reads the parameter at `index` from a parsed value.
    fn read_value(&mut self, index: usize, value: &Value) -> Result<Read, String>;

    /// Whether the parameter at `index` has been read.
    fn is_filled(&self, index: usize) -> bool;

    /// Forgets everything that was read.
    fn clear(&mut self);
}

/// What reading one value showed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Read {
    /// Bytes taken, when read from text.
    pub(crate) length: usize,
    /// A property was passed over because the type does not know it.
    pub(crate) ignored: bool,
    /// The type takes any value and looks at it later (untagged or flattened types do), so it may pass over a
    /// property unseen.
    pub(crate) buffered: bool,
}

/// What the reader has to know of a tool's parameters, without their types.
#[derive(Debug)]
pub(crate) struct Shape {
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) schema: Schema,
    plan: OnceLock<Plan>,
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
    /// The arguments as they were taken, where they are not what was sent.
    pub(crate) coerced: Option<String>,
}

impl Shape {
    pub(crate) fn new(parameters: Vec<Parameter>, schema: Schema) -> Self {
        Self { parameters, schema, plan: OnceLock::new() }
    }

    /// The plan of the schema, compiled when it is first needed.
    fn plan(&self) -> &Plan {
        self.plan.get_or_init(|| Plan::compile(&self.schema))
    }

    /// Reads the arguments into the slots.
    pub(crate) fn read(&self, arguments: &Arguments, slots: &mut dyn Slots) -> Result<Reading, Problems> {
        // What serde does not check or would try for too long, the plan does.
        if !self.plan().constrains() && !self.plan().buffers() {
            let fast = match arguments {
                Arguments::Text(text) => scan(text, self, slots),
                Arguments::Value(value) => self.read_parsed(value, slots),
            };
            if fast == Scan::Done {
                return Ok(Reading::default());
            }
            slots.clear();
        }
        self.read_planned(&arguments.to_text(), slots)
    }

    fn read_parsed(&self, value: &Value, slots: &mut dyn Slots) -> Scan {
        let Some(object) = value.as_object() else { return Scan::Doubt };
        for (name, value) in object {
            let Some(index) = self.parameters.iter().position(|parameter| parameter.name == *name) else {
                return Scan::Doubt;
            };
            match slots.read_value(index, value) {
                Ok(read) if !read.ignored && !read.buffered => {}
                _ => return Scan::Doubt,
            }
        }
        self.complete(slots)
    }

    /// Whether every parameter that has to be there is there.
    fn complete(&self, slots: &dyn Slots) -> Scan {
        let missing = self.parameters.iter().enumerate().any(|(i, p)| p.required && !slots.is_filled(i));
        if missing { Scan::Doubt } else { Scan::Done }
    }

    fn read_planned(&self, text: &str, slots: &mut dyn Slots) -> Result<Reading, Problems> {
        let Coerced { document, coercions, sent } = coerce::coerce(text, self)?;
        let problems = self.read_coerced(&document, &sent, slots);
        if !problems.is_empty() {
            return Err(Problems::new(problems));
        }
        let coerced = (!coercions.is_empty()).then(|| {
            let mut coerced = String::with_capacity(text.len());
            document.write(&mut coerced);
            coerced
        });
        Ok(Reading { coercions, coerced })
    }

    /// Reads the checked document. What serde still refuses is told in its words, with the place.
    fn read_coerced(&self, document: &Json<'_>, sent: &SentNames, slots: &mut dyn Slots) -> Vec<Problem> {
        let mut problems = Vec::new();
        for (index, parameter) in self.parameters.iter().enumerate() {
            let Some(value) = document.get(&parameter.name) else { continue };
            let mut text = String::new();
            value.write(&mut text);
            let pointer = sent.pointer_to("", &parameter.name);
            match slots.read(index, &text) {
                Ok(read) if read.ignored => {
                    let reason = "it holds a property that is not declared".to_owned();
                    problems.push(Problem::new(pointer, ProblemKind::Refused { reason }));
                }
                Ok(_) => {}
                Err(message) => problems.push(locate::refusal(value, &pointer, &message)),
            }
        }
        problems
    }
}

/// The refusal of a call that lacks a required parameter.
pub(crate) fn missing(name: &str) -> Problems {
    Problems::new(vec![Problem::new("", ProblemKind::Missing { names: vec![name.to_owned()] })])
}

#[cfg(test)]
mod tests;
