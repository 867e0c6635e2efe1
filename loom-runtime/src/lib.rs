//! Rust functions as tools for language models.
//!
//! One attribute makes a tool of a function; [`HostExt::dispatch`] runs all calls of one model message beside each
//! other and gives exactly one result for each, in order.
//!
//! ```
//! use loom_runtime::prelude::*;
//!
//! /// Adds two numbers.
//! ///
//! /// # Arguments
//! /// * `a` - The first one.
//! /// * `b` - The second one.
//! #[tool]
//! async fn add(a: i64, #[arg(default = 1)] b: i64) -> i64 {
//!     a + b
//! }
//!
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let host = InProcessToolHost::new(tools![add])?;
//! let results = host
//!     .dispatch([
//!         ToolCall::new("call_1", "add", r#"{"a": 2, "b": "3"}"#),
//!         ToolCall::new("call_2", "add", r#"{"a": 2, "c": 3}"#),
//!     ])
//!     .await;
//! assert_eq!(results[0].text(), "5");
//! assert_eq!(
//!     results[1].text(),
//!     "the arguments do not fit, and the tool was not called:\n\
//!      - unknown argument `c`; the arguments are `a` and `b`"
//! );
//! # Ok(()) }
//! ```
//!
//! Everything that needs no executor (definitions, schemas, arguments, outputs) is `loom-core`, re-exported here.
//!
//! # Features
//! - `base64`: bytes as an argument, [`types`]`::Base64`.
//! - `builtin`: tools for the files of a workspace, [`builtin`].
//! - `cli`: a command-line program of any set of tools, in one line.
//! - `metrics`: how long calls take and how they end, through the facade of the `metrics` crate.
//! - `tower`: tools and calls as services, [`service`].
//! - `tracing` (on by default): a span for each call.
//! - `validate`: tools of JSON schemas that are known only at run time; see [`Tool::builder`].

// Generated code names this crate by an absolute path, in its own tests as well.
#[cfg(test)]
extern crate self as loom_runtime;

#[doc(hidden)]
pub use loom_core::private;
pub use loom_core::{
    ArgumentLimits, Arguments, BuildError, CallContext, CallError, CallEvent, CallInfo, Coercion, CoercionRule,
    Content, ContextError, DuplicateToolError, Flags, Footprint, FromContext, IntoOutcome, IntoTools, Json, Media,
    Outcome, Output, OutputError, Prepared, Problem, ProblemKind, Problems, Progress, ProgressSink, ProgressUpdate,
    Repair, RepairKind, Resource, ResultLimits, RunContext, Schema, Scoped, State, Supplies, Tool, ToolBuilder,
    ToolCall, ToolChange, ToolDef, ToolError, ToolHandler, ToolHost, ToolList, ToolQuery, ToolResult, ToolWatch,
    Truncation, Work, Zone, tool, tools,
};
pub use loom_core::{progress, types, ui};

#[cfg(feature = "builtin")]
pub mod builtin;
#[cfg(feature = "cli")]
pub mod cli;
mod dispatch;
mod host;
pub mod render;
#[cfg(feature = "tower")]
pub mod service;

pub use dispatch::{
    Backoff, CallEvents, CancellationToken, DEFAULT_EVENT_CAPACITY, DEFAULT_TIMEOUT, Dispatcher, HostExt, Turn,
    TurnCanceller,
};
pub use host::{ComposeError, ComposeHosts, ComposedHost, InProcessToolHost, ToolPlace, Wrapped};

/// What most programs need.
pub mod prelude {
    pub use crate::{
        CancellationToken, Content, Dispatcher, HostExt, InProcessToolHost, IntoTools, Output, Progress, RunContext,
        State, Tool, ToolCall, ToolError, ToolHost, ToolResult, tool, tools,
    };
}

/// The examples of the README are compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
