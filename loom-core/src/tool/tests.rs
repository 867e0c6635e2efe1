//! Tools that are no annotated functions go the same way as those that are.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    Arguments, BuildError, CallContext, CallError, CoercionRule, Content, Json, Output, Prepared, RepairKind,
    RunContext, Tool, Work,
};

mod closures;
#[cfg(feature = "validate")]
mod foreign;

fn prepare(tool: &Tool, arguments: impl Into<Arguments>) -> Result<Prepared, CallError> {
    tool.prepare(&arguments.into(), &CallContext::new("call_1", tool.name(), &RunContext::new()))
}

fn run(work: Work) -> Result<Output, CallError> {
    let Work::Async(future) = work else { unreachable!("a closure is a future") };
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(outcome) => outcome,
        Poll::Pending => unreachable!("these tools wait for nothing"),
    }
}

/// The text of the answer, or of the failure.
fn answer(tool: &Tool, arguments: impl Into<Arguments>) -> Result<String, String> {
    let prepared = prepare(tool, arguments).map_err(|error| error.to_string())?;
    run(prepared.work).map(|output| output.as_text().into_owned()).map_err(|error| error.to_string())
}

fn refusal(lines: &str) -> Result<String, String> {
    Err(format!("the arguments do not fit, and the tool was not called:\n{lines}"))
}
