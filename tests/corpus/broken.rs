//! The same turns with one call of each broken on purpose: it fails in its own way, and its siblings do not notice.

use std::time::Duration;

use loom_runtime::{CallError, HostExt, ToolCall, ToolResult};
use serde_json::Value;

use crate::data::{self, Row};
use crate::echo::{self, Fault, Watch};

/// The ways in which a call is broken.
#[derive(Debug, Clone, Copy)]
enum Breakage {
    TruncatedText,
    MissingArgument,
    UnknownTool,
    PanicPreparing,
    PanicWorking,
    NeverEnds,
}

const BREAKAGES: [Breakage; 6] = [
    Breakage::TruncatedText,
    Breakage::MissingArgument,
    Breakage::UnknownTool,
    Breakage::PanicPreparing,
    Breakage::PanicWorking,
    Breakage::NeverEnds,
];

/// A name that is near no tool's.
const NOBODY: &str = "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz";

/// How long the tool may take whose call never ends.
const TIMEOUT: Duration = Duration::from_millis(20);

#[tokio::test(start_paused = true)]
async fn one_broken_call_leaves_its_siblings_alone() {
    let Some(rows) = data::rows(&data::SEVERAL_CALLS, "one_broken_call_leaves_its_siblings_alone") else { return };
    let mut counts = [0; BREAKAGES.len()];
    let mut untouched = 0;
    for (number, row) in rows.iter().enumerate() {
        let kind = number % BREAKAGES.len();
        // Every kind meets every place in a turn.
        let place = number / BREAKAGES.len() % row.calls.len();
        let mut calls = echo::calls(row);
        let expected = break_call(&mut calls[place], row, BREAKAGES[kind], number);

        let fault = expected.fault().map(|fault| (calls[place].id.clone(), fault));
        let watch = Watch::new(&calls, fault);
        let hurried = matches!(expected, Expected::TimedOut).then_some((&*row.calls[place].name, TIMEOUT));
        let results = echo::host(row, &watch, hurried).dispatch(calls.clone()).await;

        echo::in_order(&results, &calls);
        for (index, (result, call)) in results.iter().zip(&row.calls).enumerate() {
            if index == place {
                expected.check(result, row);
            } else {
                echo::answers(result, &calls[index].id, call);
                untouched += 1;
            }
        }
        assert_eq!(watch.running(), 0, "{}: nothing goes on after the turn", row.id);
        counts[kind] += 1;
    }
    let broken: usize = counts.iter().sum();
    println!("{} turns, {} calls: {broken} broken, {untouched} untouched", rows.len(), broken + untouched);
    for (breakage, count) in BREAKAGES.iter().zip(counts) {
        println!("{breakage:?}: {count}");
    }
    let sent: usize = rows.iter().map(|row| row.calls.len()).sum();
    assert_eq!((rows.len(), broken, untouched), (400, rows.len(), sent - rows.len()));
}

/// How a broken call has to end.
#[derive(Debug)]
enum Expected {
    Failed(String),
    UnknownTool,
    Panicked(Fault),
    TimedOut,
}

/// Breaks the call. What the call itself cannot show, its handler does.
fn break_call(call: &mut ToolCall, row: &Row, breakage: Breakage, number: usize) -> Expected {
    match breakage {
        Breakage::TruncatedText => {
            let text = call.arguments.to_text().into_owned();
            // Somewhere behind the opening brace and before the closing one, elsewhere in every row.
            let end = text.floor_char_boundary(1 + number % (text.len() - 1));
            call.arguments = text[..end].into();
            Expected::Failed(echo::NO_OBJECT.to_owned())
        }
        Breakage::MissingArgument => {
            let mut sent: Value = serde_json::from_str(&call.arguments.to_text())
                .unwrap_or_else(|error| panic!("{}: the arguments are an object: {error}", row.id));
            let required = row.definition(&call.name).required();
            let dropped = &required[number % required.len()];
            let removed = sent.as_object_mut().and_then(|sent| sent.remove(dropped));
            assert!(removed.is_some(), "{}: `{dropped}` is sent", row.id);
            call.arguments = sent.to_string().into();
            Expected::Failed(echo::lacks(dropped))
        }
        Breakage::UnknownTool => {
            NOBODY.clone_into(&mut call.name);
            Expected::UnknownTool
        }
        Breakage::PanicPreparing => Expected::Panicked(Fault::PanicsPreparing),
        Breakage::PanicWorking => Expected::Panicked(Fault::PanicsWorking),
        Breakage::NeverEnds => Expected::TimedOut,
    }
}

impl Expected {
    /// What the handler has to do for it.
    fn fault(&self) -> Option<Fault> {
        match self {
            Self::Failed(_) | Self::UnknownTool => None,
            Self::Panicked(fault) => Some(*fault),
            Self::TimedOut => Some(Fault::NeverEnds),
        }
    }

    fn check(&self, result: &ToolResult, row: &Row) {
        let id = &row.id;
        let error = result.outcome.as_ref().expect_err("the broken call fails");
        match (self, error) {
            (Self::Failed(message), CallError::Failed(failure)) => assert_eq!(failure.to_string(), *message, "{id}"),
            (Self::UnknownTool, CallError::UnknownTool { name, nearest }) => {
                assert_eq!((&**name, nearest.as_slice()), (NOBODY, [].as_slice()), "{id}");
            }
            (Self::Panicked(_), CallError::Panicked { tool }) => assert_eq!(*tool, result.tool_name, "{id}"),
            (Self::TimedOut, CallError::TimedOut { after, blocking }) => {
                assert_eq!((*after, *blocking), (TIMEOUT, false), "{id}");
            }
            (expected, error) => panic!("{id}: expected {expected:?}, got {error:?}"),
        }
    }
}
