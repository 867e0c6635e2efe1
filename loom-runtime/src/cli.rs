//! A command-line program of any set of tools, in one line.
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! use loom_runtime::prelude::*;
//!
//! /// Adds two numbers.
//! #[tool]
//! fn add(a: i64, b: i64) -> i64 {
//!     a + b
//! }
//!
//! fn main() -> ExitCode {
//!     loom_runtime::cli::run(tools![add])
//! }
//! ```
//!
//! | command | what it does |
//! |---|---|
//! | `list` | the tools, one a line |
//! | `schema [name]` | the schema of a tool's arguments, or of all tools' |
//! | `call <name> [json]` | runs one call; the arguments are `{}` if none are given, or read from standard input for `-` |
//! | `turn` | runs a JSON array of calls from standard input, all beside each other |
//!
//! What is written is for people to read, in colour on a terminal; with `--json` it is one JSON document. How far calls have
//! come shows on standard error while they run, unless `--quiet` is given.
//!
//! # Exit codes
//! | code | meaning |
//! |---|---|
//! | 0 | everything succeeded |
//! | 1 | a call failed in another way than the following |
//! | 2 | the command line or the input cannot be understood, or the program cannot start |
//! | 3 | the arguments of a call do not fit |
//! | 4 | there is no such tool |
//! | 5 | a call took too long or was cancelled |
//!
//! Of a turn, the code is that of the first call that failed.

use std::collections::HashSet;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Read, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};
use indicatif::ProgressDrawTarget;
use loom_core::{CallError, IntoTools, ToolCall, ToolHost, ToolList, ToolQuery, ToolResult};
use serde::Serialize;

use crate::dispatch::Dispatcher;
use crate::render::{Listing, Transcript};

mod live;

use live::Live;

/// Runs the program with the arguments, the input and the output of this process.
pub fn run(tools: impl IntoTools) -> ExitCode {
    let stdout = io::stdout();
    let colour = stdout.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let mut errors = io::stderr();
    let live = if errors.is_terminal() {
        Live::bars(ProgressDrawTarget::stderr(), Some(TICK))
    } else {
        Live::lines(&mut errors)
    };
    let mut console = Console { input: &mut io::stdin(), output: &mut stdout.lock(), colour, live };
    let code = match program(tools, std::env::args_os(), &mut console) {
        Ok(code) => code,
        // Whoever reads the output has read enough.
        Err(Failure::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(Failure::Clap(error)) => {
            // Help is written to the output and is no failure; nothing is left to tell where that fails.
            let _written = error.print();
            error.exit_code().try_into().unwrap_or(UNUSABLE)
        }
        Err(failure) => {
            let _written = writeln!(io::stderr(), "error: {failure}");
            if matches!(failure, Failure::NoTool { .. }) { NO_TOOL } else { UNUSABLE }
        }
    };
    ExitCode::from(code)
}

/// How often a bar moves while its call says nothing, so that one sees that it runs.
const TICK: Duration = Duration::from_millis(100);

/// The exit code of a program that could not do what it was asked to.
const UNUSABLE: u8 = 2;

/// The exit code where a tool is named that is not there.
const NO_TOOL: u8 = 4;

#[derive(Debug, Parser)]
#[command(about = "Lists and calls the tools of this program.", long_about = None)]
struct Cli {
    /// Write one JSON document instead of text for people.
    #[arg(long, global = true)]
    json: bool,

    /// Do not show on standard error how far calls have come.
    #[arg(long, short, global = true)]
    quiet: bool,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the tools.
    List {
        /// Only tools whose name or description holds this text.
        text: Option<String>,
    },
    /// Show the schema of a tool's arguments, or of all tools'.
    Schema {
        /// The tool's name.
        name: Option<String>,
    },
    /// Call one tool.
    Call {
        /// The tool's name.
        name: String,
        /// The arguments as a JSON object, or `-` to read them from standard input.
        #[arg(default_value = "{}")]
        arguments: String,
    },
    /// Run a JSON array of calls, `[{"id", "name", "arguments"}, …]`, from standard input.
    Turn,
}

/// Why the program could not do what it was asked to.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Clap(#[from] clap::Error),
    #[error(transparent)]
    Tools(#[from] loom_core::DuplicateToolError),
    #[error("there is no tool named `{name}`{}", Nearest(nearest))]
    NoTool { name: String, nearest: Vec<String> },
    #[error("the input is no JSON array of calls such as `[{{\"name\": \"…\", \"arguments\": {{}}}}]`: {0}")]
    Calls(#[source] serde_json::Error),
    #[error("the input is not text: {0}")]
    Input(#[source] io::Error),
    #[error("cannot start: {0}")]
    Start(#[source] io::Error),
    #[error("cannot write: {0}")]
    Io(#[from] io::Error),
    #[error("cannot write: {0}")]
    Json(#[from] serde_json::Error),
}

struct Nearest<'a>(&'a [String]);

impl std::fmt::Display for Nearest<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.first().map_or(Ok(()), |name| write!(f, "; did you mean `{name}`?"))
    }
}

/// Where the program reads and writes.
struct Console<'a> {
    input: &'a mut dyn Read,
    output: &'a mut dyn Write,
    colour: bool,
    live: Live<'a>,
}

impl Console<'_> {
    fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        serde_json::to_writer_pretty(&mut *self.output, value).map_err(|error| match error.io_error_kind() {
            Some(kind) => Failure::Io(kind.into()),
            None => Failure::Json(error),
        })?;
        writeln!(self.output)?;
        Ok(self.output.flush()?)
    }

    fn text(&mut self, text: &impl std::fmt::Display) -> Result<(), Failure> {
        write!(self.output, "{text}")?;
        Ok(self.output.flush()?)
    }

    fn read(&mut self) -> Result<String, Failure> {
        let mut text = String::new();
        self.input.read_to_string(&mut text).map_err(Failure::Input)?;
        Ok(text)
    }
}

fn program(
    tools: impl IntoTools,
    arguments: impl IntoIterator<Item = OsString>,
    console: &mut Console<'_>,
) -> Result<u8, Failure> {
    let cli = Cli::try_parse_from(arguments)?;
    let tools = tools.into_host()?.list_tools(&ToolQuery::all());
    if cli.quiet {
        console.live = Live::Off;
    }
    match cli.command {
        Command::List { text } => list(&tools, text, cli.json, console),
        Command::Schema { name } => schema(&tools, name.as_deref(), console),
        Command::Call { name, arguments } => {
            let arguments = if arguments == "-" { console.read()? } else { arguments };
            turn(&tools, &[ToolCall::new("call_1", name, arguments)], Shape::One, cli.json, console)
        }
        Command::Turn => {
            let mut calls: Vec<ToolCall> = serde_json::from_str(&console.read()?).map_err(Failure::Calls)?;
            name(&mut calls);
            turn(&tools, &calls, Shape::Many, cli.json, console)
        }
    }
}

/// Gives an id to every call that has none, which no other call has.
fn name(calls: &mut [ToolCall]) {
    let mut taken: HashSet<_> = calls.iter().map(|call| call.id.clone()).collect();
    for (place, call) in (1_usize..).zip(calls).filter(|(_, call)| call.id.is_empty()) {
        let free = (place..=usize::MAX).map(|number| format!("call_{number}")).find(|id| taken.insert(id.clone()));
        call.id = free.unwrap_or_default();
    }
}

fn list(tools: &ToolList, text: Option<String>, json: bool, console: &mut Console<'_>) -> Result<u8, Failure> {
    let query = text.map_or(ToolQuery::all(), |text| ToolQuery::all().with_text(text));
    let tools: Vec<_> = tools.filtered(&query).iter().cloned().collect();
    if json {
        console.json(&tools.iter().map(loom_core::Tool::definition).collect::<Vec<_>>())?;
    } else {
        let listing = Listing::new(&tools).with_colour(console.colour);
        console.text(&listing)?;
    }
    Ok(0)
}

/// A schema is JSON in either form; what there is to read is the same.
fn schema(tools: &ToolList, name: Option<&str>, console: &mut Console<'_>) -> Result<u8, Failure> {
    match name {
        Some(name) => {
            let Some(tool) = tools.get(name) else {
                return Err(Failure::NoTool { name: name.to_owned(), nearest: tools.nearest(name) });
            };
            console.json(&tool.definition().input_schema)?;
        }
        None => console.json(&ByName(tools))?,
    }
    Ok(0)
}

/// All input schemas by the names of their tools, in order.
struct ByName<'a>(&'a ToolList);

impl Serialize for ByName<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|tool| (tool.name(), &tool.definition().input_schema)))
    }
}

/// Whether one result is written, or a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    One,
    Many,
}

fn turn(
    tools: &ToolList,
    calls: &[ToolCall],
    shape: Shape,
    json: bool,
    console: &mut Console<'_>,
) -> Result<u8, Failure> {
    let executor = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::Start)?;
    let dispatcher = Dispatcher::new(tools.clone())?;
    let results = executor.block_on(console.live.watch(&dispatcher, calls.to_vec()));
    // A blocking tool that was given up must not keep the program from ending.
    executor.shutdown_background();
    match (json, results.as_slice()) {
        (true, [only]) if shape == Shape::One => console.json(only)?,
        (true, results) => console.json(&results)?,
        (false, results) => {
            let transcript = Transcript::new(calls, results).with_colour(console.colour);
            console.text(&transcript)?;
        }
    }
    Ok(results.iter().find_map(failure_code).unwrap_or_default())
}

fn failure_code(result: &ToolResult) -> Option<u8> {
    Some(match result.outcome.as_ref().err()? {
        CallError::BadArguments(_) => 3,
        CallError::UnknownTool { .. } => NO_TOOL,
        CallError::TimedOut { .. } | CallError::OutOfTime { .. } | CallError::Cancelled { .. } => 5,
        _ => 1,
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }
}
