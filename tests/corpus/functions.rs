//! Forty annotated functions, named as tools that the corpus calls. Each gives its arguments back as it got them.
//!
//! They are as different as they can be: every style of documentation, owned and borrowed parameters, sync and async,
//! several kinds of returned values.

#![expect(clippy::doc_markdown, reason = "three of the four styles write names without backticks")]

use loom_runtime::Tool;
use serde_json::{Map, Value};

mod enums;
mod lists;
mod nested;
mod numbers;
mod optional;

/// A function, and what its annotation promises.
pub(crate) struct Function {
    pub(crate) tool: Tool,
    /// What a parameter is when it is not sent, by its name on the wire.
    pub(crate) defaults: Map<String, Value>,
    /// Other names of parameters, with the names they stand for.
    pub(crate) aliases: &'static [(&'static str, &'static str)],
}

impl Function {
    /// A function whose parameters have these defaults.
    fn new(tool: Tool, defaults: Value) -> Self {
        let Value::Object(defaults) = defaults else { panic!("the defaults of `{}` are no object", tool.name()) };
        Self { tool, defaults, aliases: &[] }
    }

    /// Says by which other names parameters are known.
    fn with_aliases(self, aliases: &'static [(&'static str, &'static str)]) -> Self {
        Self { aliases, ..self }
    }

    /// The name of the parameter that `name` means, which may be an alias.
    pub(crate) fn canonical<'a>(&self, name: &'a str) -> &'a str {
        self.aliases.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, meant)| meant)
    }
}

/// All of them.
pub(crate) fn all() -> Vec<Function> {
    [numbers::functions(), enums::functions(), optional::functions(), lists::functions(), nested::functions()]
        .into_iter()
        .flatten()
        .collect()
}
