//! The contract of loom: what a tool is, what a call and its result are, how arguments are read and what a host is.
//!
//! There is no executor here, no clock and no I/O: whatever waits, spawns or talks is in `loom-runtime`, which
//! re-exports all of this. A crate that only defines tools can depend on this crate alone.

// Generated code names this crate by an absolute path, in this crate's own tests as well.
#[cfg(test)]
extern crate self as loom_core;

mod args;
mod call;
mod context;
mod event;
mod footprint;
mod host;
mod output;
#[doc(hidden)]
pub mod private;
pub mod progress;
mod schema;
mod tool;
pub mod types;
pub mod ui;

pub use args::{ArgumentLimits, Coercion, CoercionRule, Problem, ProblemKind, Problems, Repair, RepairKind};
pub use call::{Arguments, CallError, ToolCall, ToolError, ToolResult};
pub use context::{CallContext, CallInfo, ContextError, FromContext, RunContext, Scoped, State, Supplies};
pub use event::CallEvent;
pub use footprint::Footprint;
pub use host::{DuplicateToolError, IntoTools, ToolChange, ToolHost, ToolList, ToolQuery, ToolWatch};
pub use loom_macros::tool;
pub use output::{Content, IntoOutcome, Json, Media, Output, OutputError, Resource, ResultLimits, Truncation};
pub use progress::{Progress, ProgressSink, ProgressUpdate};
pub use schema::Schema;
pub use tool::{BuildError, Flags, Outcome, Prepared, Tool, ToolBuilder, ToolDef, ToolHandler, Work, Zone};

/// The tools of annotated functions, by their paths: `tools![search, files::delete]` is a `Vec<Tool>`.
///
/// ```
/// use loom_core::{tool, tools};
///
/// /// Adds two numbers.
/// #[tool]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// let tools = tools![add];
/// assert_eq!(tools[0].name(), "add");
/// assert_eq!(add(1, 2), 3);
/// ```
#[macro_export]
macro_rules! tools {
    ($($tool:ty),* $(,)?) => {
        $crate::private::list([$(<$tool>::tool()),*])
    };
}
