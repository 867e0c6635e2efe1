//! What listeners hear of calls: exactly this, and always a start with its end.

use std::pin::Pin;

use futures_core::Stream;
use loom_core::{CallContext, CallEvent, ContextError, FromContext};
use serde::{Serialize, Serializer};

use super::*;

mod listeners;
mod outcomes;
mod progress;

/// The events that are there to be heard, and whether there can be no more.
fn heard_and_ended(events: &mut CallEvents) -> (Vec<CallEvent>, bool) {
    let mut heard = Vec::new();
    loop {
        match Pin::new(&mut *events).poll_next(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(Some(event)) => heard.push(event),
            Poll::Ready(None) => return (heard, true),
            Poll::Pending => return (heard, false),
        }
    }
}

fn heard(events: &mut CallEvents) -> Vec<CallEvent> {
    heard_and_ended(events).0
}

/// The end of the call that has this result.
fn end(number: u64, result: &ToolResult, duration: Duration) -> CallEvent {
    let outcome = result.outcome.as_ref().map_or_else(CallError::kind, |_| "ok");
    CallEvent::end(number, &*result.call_id, outcome, duration).with_result(result.text().len(), false)
}

fn end_at_once(number: u64, result: &ToolResult) -> CallEvent {
    end(number, result, Duration::ZERO)
}

/// The end of a call that nobody gets a result of.
fn dropped(number: u64, id: &str, duration: Duration) -> CallEvent {
    CallEvent::end(number, id, "cancelled", duration)
}

/// As one line, where the values are another test's.
fn line(event: &CallEvent) -> String {
    match event {
        CallEvent::Start { call_number, .. } => format!("start {call_number}"),
        CallEvent::Problems { call_number, problems, .. } => format!("problems {call_number}: {}", problems.len()),
        CallEvent::Coercions { call_number, coercions, repairs, .. } => {
            format!("coercions {call_number}: {} {}", coercions.len(), repairs.len())
        }
        CallEvent::Progress { call_number, done, total, message, .. } => {
            let total = total.map(|total| format!("/{total}")).unwrap_or_default();
            format!("progress {call_number}: {done}{total} {}", message.as_deref().unwrap_or("-"))
        }
        CallEvent::Retry { call_number, attempt, .. } => format!("retry {call_number}: {attempt}"),
        CallEvent::End { call_number, outcome, .. } => format!("end {call_number}: {outcome}"),
        CallEvent::Lagged { lost, .. } => format!("lagged {lost}"),
        _ => unreachable!("there is no other event"),
    }
}

fn lines(events: &mut CallEvents) -> Vec<String> {
    heard(events).iter().map(line).collect()
}

fn say_call(id: &str) -> ToolCall {
    ToolCall::new(id, "say", r#"{"text":"x"}"#)
}
