//! A tool from nothing but its JSON schema: it gives its arguments back, or misbehaves as the call is told to.

use std::collections::HashMap;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use loom_runtime::{
    Arguments, CallContext, CallError, InProcessToolHost, Output, Prepared, Schema, Tool, ToolCall, ToolDef, ToolError,
    ToolHandler, ToolResult, Work,
};
use serde_json::{Map, Value, json};

use crate::data::{Call, Row};

/// What the handler says of arguments that are no object.
pub(crate) const NO_OBJECT: &str = "the arguments are no JSON object";

/// What the handler says of arguments that lack `name`.
pub(crate) fn lacks(name: &str) -> String {
    format!("`{name}` is missing")
}

/// How a call goes wrong within its handler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    PanicsPreparing,
    PanicsWorking,
    NeverEnds,
}

/// What the tools of a row share.
#[derive(Debug)]
pub(crate) struct Watch {
    /// How many calls of the turn come after each, by its id.
    later: HashMap<String, usize>,
    /// The call that goes wrong.
    fault: Option<(String, Fault)>,
    running: AtomicUsize,
    most: AtomicUsize,
}

impl Watch {
    /// Of these calls, of which one may go wrong.
    pub(crate) fn new(calls: &[ToolCall], fault: Option<(String, Fault)>) -> Arc<Self> {
        let later = calls.iter().rev().enumerate().map(|(later, call)| (call.id.clone(), later)).collect();
        Arc::new(Self { later, fault, running: AtomicUsize::new(0), most: AtomicUsize::new(0) })
    }

    /// How many calls run now.
    pub(crate) fn running(&self) -> usize {
        self.running.load(Ordering::SeqCst)
    }

    /// How many calls ran at once at most.
    pub(crate) fn most(&self) -> usize {
        self.most.load(Ordering::SeqCst)
    }

    fn fault(&self, id: &str) -> Option<Fault> {
        self.fault.as_ref().filter(|(broken, _)| broken == id).map(|(_, fault)| *fault)
    }
}

/// Counts a call while its work is alive.
struct Running(Arc<Watch>);

impl Running {
    fn begin(watch: Arc<Watch>) -> Self {
        let now = watch.running.fetch_add(1, Ordering::SeqCst) + 1;
        watch.most.fetch_max(now, Ordering::SeqCst);
        Self(watch)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A host of the tools that a row offers; the one named in `hurried` has a timeout.
pub(crate) fn host(row: &Row, watch: &Arc<Watch>, hurried: Option<(&str, Duration)>) -> InProcessToolHost {
    let tools: Vec<_> = row
        .tools
        .iter()
        .map(|tool| {
            let schema = Schema::from_value(tool.parameters.clone());
            let mut definition = ToolDef::new(tool.name.clone(), tool.description.clone(), schema);
            definition.timeout = hurried.filter(|(name, _)| *name == tool.name).map(|(_, timeout)| timeout);
            Tool::new(definition, Echo { required: tool.required(), watch: Arc::clone(watch) })
        })
        .collect();
    InProcessToolHost::new(tools).unwrap_or_else(|error| panic!("{}: {error}", row.id))
}

struct Echo {
    required: Vec<String>,
    watch: Arc<Watch>,
}

impl ToolHandler for Echo {
    fn prepare(&self, arguments: &Arguments, context: &CallContext<'_>) -> Result<Prepared, CallError> {
        let id = context.call_id();
        let fault = self.watch.fault(id);
        if fault == Some(Fault::PanicsPreparing) {
            panic_quietly();
        }
        let read = serde_json::from_str(&arguments.to_text());
        let sent: Map<String, Value> = read.map_err(|_| ToolError::new(NO_OBJECT))?;
        if let Some(missing) = self.required.iter().find(|name| !sent.contains_key(*name)) {
            return Err(ToolError::new(lacks(missing)).into());
        }
        let later = self.watch.later[id];
        let echo = echo(id, context.tool_name(), &sent);
        let watch = Arc::clone(&self.watch);
        Ok(Prepared::new(Work::Async(Box::pin(async move {
            let _running = Running::begin(watch);
            // Once, so that calls overlap; and again for each later call, so that they end in the reverse order.
            for _ in 0..=later {
                tokio::task::yield_now().await;
            }
            match fault {
                Some(Fault::NeverEnds) => std::future::pending().await,
                Some(Fault::PanicsWorking) => panic_quietly(),
                Some(Fault::PanicsPreparing) | None => Ok(Output::serialize(&echo)?),
            }
        }))))
    }
}

/// Unwinds as a panic does, but without its message among the output of the tests.
fn panic_quietly() -> ! {
    resume_unwind(Box::new("broken on purpose"))
}

/// What a call answers. Its identity is part of it: some turns hold calls with the same arguments.
fn echo(id: &str, tool: &str, sent: &Map<String, Value>) -> Value {
    json!({"id": id, "tool": tool, "arguments": sent})
}

/// The calls of a row, under ids that are unlike their places and sort the other way round.
pub(crate) fn calls(row: &Row) -> Vec<ToolCall> {
    let call = |(index, call): (usize, &Call)| {
        let id = format!("{:04x}-{}", 0xffff - index * 4_099, row.id);
        ToolCall::new(id, &*call.name, Value::Object(call.arguments.clone()).to_string())
    };
    row.calls.iter().enumerate().map(call).collect()
}

/// The result is the echo of this call.
pub(crate) fn answers(result: &ToolResult, id: &str, call: &Call) {
    let output = result.outcome.as_ref().unwrap_or_else(|error| panic!("{id}: {error}"));
    let text = output.as_json().unwrap_or_else(|| panic!("{id}: the answer is not structured"));
    let answer: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{id}: {error}"));
    assert_eq!(answer, echo(id, &call.name, &call.arguments), "{id}");
    assert_eq!(result.coercions, [], "{id}");
}

/// Each result is matched to its call by id and name, in the order of the calls.
pub(crate) fn in_order(results: &[ToolResult], calls: &[ToolCall]) {
    let answered: Vec<_> = results.iter().map(|result| (&*result.call_id, &*result.tool_name)).collect();
    let asked: Vec<_> = calls.iter().map(|call| (&*call.id, &*call.name)).collect();
    assert_eq!(answered, asked);
}
