//! What listeners hear of calls: exactly this, and always a start with its end.

use std::pin::Pin;

use futures_core::Stream;
use loom_core::{CallContext, CallEvent, ContextError, FromContext};
use serde::{Serialize, Serializer};

use super::*;

mod listeners;
mod outcomes;

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

fn end(number: u64, id: &str, outcome: &'static str) -> CallEvent {
    CallEvent::end(number, id, outcome, Duration::ZERO)
}

/// As one line, where the values are another test's.
fn line(event: &CallEvent) -> String {
    match event {
        CallEvent::Start { call_number, .. } => format!("start {call_number}"),
        CallEvent::Problems { call_number, problems, .. } => format!("problems {call_number}: {}", problems.len()),
        CallEvent::Coercions { call_number, coercions, repairs, .. } => {
            format!("coercions {call_number}: {} {}", coercions.len(), repairs.len())
        }
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
