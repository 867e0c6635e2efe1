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
    RunContext, Tool, ToolDef, ToolHandler, Work,
};

mod closures;
#[cfg(feature = "validate")]
mod foreign;
mod state;

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

#[test]
fn whatever_is_derived_shares_what_is_kept_with_the_tool() {
    struct Through(Tool);
    impl ToolHandler for Through {
        fn prepare(&self, arguments: &Arguments, context: &CallContext<'_>) -> Result<Prepared, CallError> {
            self.0.prepare(arguments, context)
        }
    }
    fn derived(tool: &Tool, name: &'static str) -> Tool {
        let mut definition = tool.definition().clone();
        definition.name = name.into();
        tool.derive(definition, Through(tool.clone()))
    }

    let tool = Tool::from_fn("first", "Says a word.", async |_: BTreeMap<String, u8>| "word").unwrap();
    let (second, third) = (derived(&tool, "second"), derived(&derived(&tool, "second"), "third"));
    assert_eq!((third.name(), third.origin().name(), tool.origin().name()), ("third", "first", "first"));
    assert_eq!(answer(&third, "{}"), Ok("word".to_owned()));
    assert_eq!(third.keep(|| 7), Some(&7));
    assert_eq!((tool.keep(|| 8), second.clone().keep(|| 9)), (Some(&7), Some(&7)));
    assert_eq!(tool.keep(String::new), None);
    assert!(tool.is(&tool.clone()) && !tool.is(&second) && tool.is(third.origin()));
}

struct SaysItsName;

impl ToolHandler for SaysItsName {
    fn prepare(&self, _: &Arguments, context: &CallContext<'_>) -> Result<Prepared, CallError> {
        let name = context.tool_name().to_owned();
        Ok(Prepared::new(Work::Inline(Box::new(|| Ok(Output::text(name))))))
    }
}

#[test]
fn a_renamed_tool_is_the_same_in_all_but_its_name() {
    let schema = crate::Schema::from_value(serde_json::json!({"type": "object", "properties": {}}));
    let mut definition = ToolDef::new("old", "Does it.", schema);
    definition.flags.ends_turn = true;
    definition.concurrency = std::num::NonZeroU32::new(3);
    definition.writes = vec!["{path}".into()];
    let old = Tool::new(definition.clone(), SaysItsName);
    let new = old.renamed("new").unwrap();
    definition.name = "new".into();
    assert_eq!(new.definition(), &definition);
    assert!(new.origin().is(&old) && !new.is(&old));
    assert_eq!(old.keep(|| 5_u8), new.keep(|| 6_u8));
    // Its code sees the name that it was called by.
    let run = RunContext::new();
    let prepared = new.prepare(&Arguments::from("{}"), &CallContext::new("1", "new", &run)).unwrap();
    let Work::Inline(work) = prepared.work else { panic!("the work is inline") };
    assert_eq!(work().unwrap().as_text(), "new");
    let error = old.renamed("a b").unwrap_err();
    assert_eq!(error.to_string(), "`a b` is no name for a tool: it takes 1 to 64 characters from A-Z a-z 0-9 _ - only");
}
