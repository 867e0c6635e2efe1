//! From an annotation to a tool: the definition, the reader, and the code.

use std::fmt;
use std::sync::OnceLock;

use schemars::SchemaGenerator;

use super::param::Params;
use crate::args::{Reading, Scan, Shape};
use crate::call::{Arguments, CallError};
use crate::context::CallContext;
use crate::schema;
use crate::tool::{Prepared, Tool, ToolBuilder, ToolHandler, Work};

/// A tool that is made when it is first asked for, and once.
#[derive(Debug)]
pub struct Static {
    tool: OnceLock<Tool>,
    make: fn() -> Tool,
}

impl Static {
    /// Not made yet.
    pub const fn new(make: fn() -> Tool) -> Self {
        Self { tool: OnceLock::new(), make }
    }

    /// The tool.
    pub fn get(&self) -> Tool {
        self.tool.get_or_init(self.make).clone()
    }
}

/// The definition of a tool with this name and description.
pub fn def(name: &'static str, description: &'static str) -> ToolBuilder {
    ToolBuilder::new(name).description(description)
}

/// Makes the tool: its parameters, the code that runs with their values, and the schema of what it returns.
pub fn tool<P, F>(
    define: ToolBuilder,
    params: P,
    run: F,
    output: Option<fn(&mut SchemaGenerator) -> schemars::Schema>,
) -> Tool
where
    P: Params,
    F: Fn(P::Values) -> Work + Send + Sync + 'static,
{
    let (shape, schema) = {
        let (mut parameters, mut properties) = (Vec::new(), Vec::new());
        params.describe(&mut parameters, &mut properties);
        let schema = schema::input(properties);
        (Shape::new(parameters, schema.clone()), schema)
    };
    let mut definition = define.into_definition();
    definition.input_schema = schema;
    definition.output_schema = output.and_then(schema::output);
    Tool::new(definition, Function { shape, params, run })
}

/// The code of an annotated function.
struct Function<P, F> {
    shape: Shape,
    params: P,
    run: F,
}

impl<P, F> ToolHandler for Function<P, F>
where
    P: Params,
    F: Fn(P::Values) -> Work + Send + Sync + 'static,
{
    fn prepare(&self, arguments: &Arguments, context: &CallContext<'_>) -> Result<Prepared, CallError> {
        let (mut slots, limits) = (self.params.slots(), context.limits());
        let reading = match self.shape.read_quickly(arguments, limits, &mut slots) {
            Scan::Done => return Ok(Prepared::new((self.run)(self.params.take(slots, context)?))),
            Scan::Reworded(reading) => reading,
            Scan::Doubt(tried) => self.shape.read_with_care(arguments, tried, limits, &mut slots)?,
        };
        let work = (self.run)(self.params.take(slots, context)?);
        let Reading { coercions, repairs, coerced } = reading;
        Ok(Prepared { work, coercions, repairs, coerced })
    }
}

impl<P, F> fmt::Debug for Function<P, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Function").field("shape", &self.shape).finish_non_exhaustive()
    }
}

/// Refuses, when it is compiled, a tool name that is no literal and that providers would refuse: 1 to 64 of
/// `A–Z a–z 0–9 _ -`.
///
/// # Panics
/// While compiling, never while running: generated code calls it in a constant only.
#[track_caller]
pub const fn assert_name(name: &str) -> &str {
    let bytes = name.as_bytes();
    assert!(!bytes.is_empty() && bytes.len() <= 64, "a tool name has 1 to 64 characters from A-Z a-z 0-9 _ - only");
    let mut rest = bytes;
    while let [byte, others @ ..] = rest {
        let fits = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        assert!(fits, "a tool name has 1 to 64 characters from A-Z a-z 0-9 _ - only");
        rest = others;
    }
    name
}
