//! What becomes of arguments, through real tools: taken as sent, coerced, or refused with every reason.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]
// Tools own their arguments, and one without a wait is still a future.
#![allow(clippy::needless_pass_by_value, clippy::unused_async)]

use std::cell::OnceCell;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use super::coerce::{AtRoot, coerce};
use super::{Coercion, CoercionRule, Problems, Shape, planned};
use crate::{ArgumentLimits, Arguments, CallContext, CallError, Output, Prepared, Repair, RunContext, Tool, Work};

/// The tool with one parameter `v` of this type, which answers with its value.
macro_rules! of {
    ($ty:ty) => {{
        /// Takes a value.
        #[crate::tool(blocking = false)]
        fn takes(v: $ty) -> String {
            format!("{v:?}")
        }
        let tool: crate::Tool = takes::tool();
        tool
    }};
}

mod agree;
mod choices;
mod collections;
mod corpus;
mod newtypes;
mod numbers;
mod optional;
mod places;
mod properties;
mod repairs;
mod reports;
mod size;
mod structs;
mod suite;
mod tags;
mod texts;
mod through;
mod unions;
mod whole;

/// What a tool answered, and what was changed on the way.
#[derive(Debug, PartialEq)]
struct Answer {
    output: String,
    coercions: Vec<Coercion>,
    repairs: Vec<Repair>,
    coerced: Option<String>,
}

fn prepare(tool: &Tool, arguments: impl Into<Arguments>) -> Result<Prepared, CallError> {
    tool.prepare(&arguments.into(), &CallContext::new("call_1", tool.name(), &RunContext::new()))
}

fn finish(work: Work) -> Output {
    let outcome = match work {
        Work::Inline(run) | Work::Blocking(run) => run(),
        Work::Async(future) => match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(outcome) => outcome,
            Poll::Pending => unreachable!("these tools wait for nothing"),
        },
    };
    outcome.unwrap()
}

fn answer(tool: &Tool, arguments: impl Into<Arguments>) -> Answer {
    let prepared = match prepare(tool, arguments) {
        Ok(prepared) => prepared,
        Err(error) => unreachable!("refused: {error}"),
    };
    let Prepared { work, coercions, repairs, coerced } = prepared;
    Answer { output: finish(work).as_text().into_owned(), coercions, repairs, coerced }
}

/// The answer to arguments that are taken as they were sent.
fn taken(tool: &Tool, arguments: impl Into<Arguments>) -> String {
    let answer = answer(tool, arguments);
    assert_eq!(answer.coercions, [], "nothing is to be changed");
    assert_eq!(answer.coerced, None);
    answer.output
}

/// The answer to arguments with one change: its pointer, rule, and both values.
fn coerced(tool: &Tool, arguments: impl Into<Arguments>) -> (String, Vec<(String, CoercionRule, String, String)>) {
    let Answer { output, coercions, repairs, coerced } = answer(tool, arguments);
    assert_eq!(repairs, [], "nothing is to be read over");
    let again = answer_again(tool, coerced);
    assert_eq!(again, output, "what was coerced is taken as it is");
    let coercions = coercions.into_iter().map(|Coercion { pointer, rule, from, to }| (pointer, rule, from, to));
    (output, coercions.collect())
}

fn answer_again(tool: &Tool, coerced: Option<String>) -> String {
    taken(tool, coerced.expect("arguments that were changed are given as they were taken"))
}

/// One change, to compare with.
fn change(pointer: &str, rule: CoercionRule, from: &str, to: &str) -> (String, CoercionRule, String, String) {
    (pointer.to_owned(), rule, from.to_owned(), to.to_owned())
}

fn problems(tool: &Tool, arguments: impl Into<Arguments>) -> Problems {
    match prepare(tool, arguments) {
        Err(CallError::BadArguments(problems)) => problems,
        Err(other) => unreachable!("another error: {other}"),
        Ok(prepared) => unreachable!("taken: {:?}", finish(prepared.work).as_text()),
    }
}

/// The lines that the model reads about arguments that do not fit.
fn refused(tool: &Tool, arguments: impl Into<Arguments>) -> Vec<String> {
    let problems = problems(tool, arguments);
    let text = problems.to_string();
    let lines = text.strip_prefix("the arguments do not fit, and the tool was not called:\n- ").unwrap();
    let lines: Vec<_> = lines.split("\n- ").map(str::to_owned).collect();
    assert_eq!(lines.len(), problems.len(), "one line a problem");
    lines
}

/// What comes out of the plan alone, and how many coercions it took.
fn through_plan(shape: &Shape, text: &str) -> Result<(String, usize), Problems> {
    let (sent, inner) = (Arguments::from(text), OnceCell::new());
    let opened = planned::open(&sent, &inner, ArgumentLimits::new()).map_err(|one| Problems::new(vec![one]))?;
    let planned::Opened { mut document, bytes, mut found, .. } = opened;
    let problems = coerce(&shape.compiled().plan, AtRoot::NOTHING, bytes, &mut document, &mut found)?;
    if !problems.is_empty() {
        return Err(Problems::new(problems));
    }
    let mut written = String::new();
    document.write(&mut written);
    Ok((written, found.into_coercions().len()))
}

/// The arguments of a tool made by `of!`.
fn argument(v: &str) -> String {
    format!(r#"{{"v":{v}}}"#)
}
