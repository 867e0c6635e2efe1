//! Events: what a program hears of its calls while they run.

use std::time::Duration;

use serde::{Serialize, Serializer};

use crate::args::{Coercion, Problems, Repair};
use crate::call::CallError;
use crate::output::Output;
use crate::progress::ProgressUpdate;

/// Something that happened to a call.
///
/// A call has one start and one end, whatever becomes of it, and everything else of it lies between the two. Events of
/// calls that run beside each other are mixed.
///
/// Serialises as an object whose `type` names the event. There will be more events and more fields: whoever reads them
/// skips what it does not know.
///
/// ```
/// use std::time::Duration;
/// use loom_core::CallEvent;
/// use serde_json::json;
///
/// let event = CallEvent::end(1, "call_1", "ok", Duration::from_millis(20)).with_result(5, false);
/// assert_eq!(
///     serde_json::to_value(&event)?,
///     json!({
///         "type": "tool.call.end", "callNumber": 1, "callId": "call_1", "outcome": "ok", "durationMs": 20.0,
///         "resultBytes": 5, "truncated": false,
///     })
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum CallEvent {
    /// The call was taken up.
    #[serde(rename = "tool.call.start")]
    #[non_exhaustive]
    Start {
        /// The number of the call; see [`CallEvent::call_number`].
        call_number: u64,
        /// The model's id for the call.
        call_id: String,
        /// The tool's name as the model called it.
        tool_name: String,
    },
    /// The arguments do not fit; the tool does not run.
    #[serde(rename = "tool.call.problems")]
    #[non_exhaustive]
    Problems {
        /// The number of the call.
        call_number: u64,
        /// The model's id for the call.
        call_id: String,
        /// Everything that is wrong with them.
        problems: Problems,
    },
    /// The arguments were taken, but not as they were sent. Told before the tool runs, and only when there is something.
    #[serde(rename = "tool.call.coercions")]
    #[non_exhaustive]
    Coercions {
        /// The number of the call.
        call_number: u64,
        /// The model's id for the call.
        call_id: String,
        /// What was changed in the arguments.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        coercions: Vec<Coercion>,
        /// What was read over in their text.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        repairs: Vec<Repair>,
    },
    /// The call has come further. What is told is the latest that the tool said, not all that it said: a tool may report as
    /// often as it likes.
    #[serde(rename = "tool.call.progress")]
    #[non_exhaustive]
    Progress {
        /// The number of the call.
        call_number: u64,
        /// The model's id for the call.
        call_id: String,
        /// How much is done, in whatever unit the tool counts. It never goes back within a call.
        done: f64,
        /// How much there is to do, where that is known; never less than what is done.
        #[serde(skip_serializing_if = "Option::is_none")]
        total: Option<f64>,
        /// What is being done.
        #[serde(skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
    /// The call failed, and is tried again.
    #[serde(rename = "tool.call.retry")]
    #[non_exhaustive]
    Retry {
        /// The number of the call.
        call_number: u64,
        /// The model's id for the call.
        call_id: String,
        /// The attempt that failed, from 1.
        attempt: u32,
        /// The text of the failure.
        error: String,
        /// How long is waited before the next attempt. Serialised as milliseconds.
        #[serde(rename = "delayMs", serialize_with = "milliseconds")]
        delay: Duration,
    },
    /// The call is over, and its result is there unless nobody waits for it any more.
    #[serde(rename = "tool.call.end")]
    #[non_exhaustive]
    End {
        /// The number of the call.
        call_number: u64,
        /// The model's id for the call.
        call_id: String,
        /// `ok`, or the [kind](CallError::kind) of the failure. A call that was dropped by whoever made it was
        /// `cancelled`.
        outcome: &'static str,
        /// The time since the start. Serialised as milliseconds, in steps of a thousandth.
        #[serde(rename = "durationMs", serialize_with = "milliseconds")]
        duration: Duration,
        /// The size of the result as the model gets it, in bytes; of images and sounds before they are encoded.
        result_bytes: usize,
        /// Whether the result was too large, so that a part of it is missing.
        truncated: bool,
    },
    /// Events that this listener should have heard are lost, since it did not keep up. What comes next is the oldest
    /// event that was kept, so a start or an end may be among those that are missing.
    #[serde(rename = "tool.events.lagged")]
    #[non_exhaustive]
    Lagged {
        /// How many are lost.
        lost: u64,
    },
}

impl CallEvent {
    /// The call `call_number` of the tool `tool_name` was taken up.
    pub fn start(call_number: u64, call_id: impl Into<String>, tool_name: impl Into<String>) -> Self {
        Self::Start { call_number, call_id: call_id.into(), tool_name: tool_name.into() }
    }

    /// The arguments of a call do not fit.
    pub fn problems(call_number: u64, call_id: impl Into<String>, problems: Problems) -> Self {
        Self::Problems { call_number, call_id: call_id.into(), problems }
    }

    /// The arguments of a call were taken after these changes.
    pub fn coercions(
        call_number: u64,
        call_id: impl Into<String>,
        coercions: Vec<Coercion>,
        repairs: Vec<Repair>,
    ) -> Self {
        Self::Coercions { call_number, call_id: call_id.into(), coercions, repairs }
    }

    /// A call has come this far.
    pub fn progress(call_number: u64, call_id: impl Into<String>, update: ProgressUpdate) -> Self {
        let ProgressUpdate { done, total, message } = update;
        Self::Progress { call_number, call_id: call_id.into(), done, total, message }
    }

    /// A call ended so, this long after its start; see [`CallEvent::outcome_of`].
    pub fn end(call_number: u64, call_id: impl Into<String>, outcome: &'static str, duration: Duration) -> Self {
        Self::End { call_number, call_id: call_id.into(), outcome, duration, result_bytes: 0, truncated: false }
    }

    /// Says how large the result of an ended call is, and whether a part of it is missing; nothing to another event.
    #[must_use]
    pub fn with_result(mut self, bytes: usize, is_truncated: bool) -> Self {
        if let Self::End { result_bytes, truncated, .. } = &mut self {
            (*result_bytes, *truncated) = (bytes, is_truncated);
        }
        self
    }

    /// An attempt of a call failed with this text, and the next follows after the delay.
    pub fn retry(
        call_number: u64,
        call_id: impl Into<String>,
        attempt: u32,
        error: impl Into<String>,
        delay: Duration,
    ) -> Self {
        Self::Retry { call_number, call_id: call_id.into(), attempt, error: error.into(), delay }
    }

    /// So many events are lost.
    pub const fn lagged(lost: u64) -> Self {
        Self::Lagged { lost }
    }

    /// The word that an end has for this outcome: `ok`, or the [kind](CallError::kind) of the failure.
    pub const fn outcome_of(outcome: &Result<Output, CallError>) -> &'static str {
        match outcome {
            Ok(_) => "ok",
            Err(error) => error.kind(),
        }
    }

    /// The number of the call that this is about, from 1: no other call of the same dispatcher has it. Ids are the
    /// model's, which may repeat them or leave them empty, so the number says which start an end belongs to.
    pub const fn call_number(&self) -> Option<u64> {
        match self {
            Self::Start { call_number, .. }
            | Self::Problems { call_number, .. }
            | Self::Coercions { call_number, .. }
            | Self::Progress { call_number, .. }
            | Self::Retry { call_number, .. }
            | Self::End { call_number, .. } => Some(*call_number),
            Self::Lagged { .. } => None,
        }
    }

    /// The model's id for the call that this is about, as in its [`ToolResult::call_id`](crate::ToolResult::call_id).
    pub fn call_id(&self) -> Option<&str> {
        match self {
            Self::Start { call_id, .. }
            | Self::Problems { call_id, .. }
            | Self::Coercions { call_id, .. }
            | Self::Progress { call_id, .. }
            | Self::Retry { call_id, .. }
            | Self::End { call_id, .. } => Some(call_id),
            Self::Lagged { .. } => None,
        }
    }
}

/// Rounded, since a clock's last digits say nothing and would be long to read.
fn milliseconds<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((duration.as_secs_f64() * 1e6).round() / 1e3)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::args::{Problem, ProblemKind};

    #[test]
    fn durations_are_milliseconds_in_steps_of_a_thousandth() {
        let written =
            |duration| serde_json::to_value(CallEvent::end(1, "", "ok", duration)).unwrap()["durationMs"].clone();
        assert_eq!(written(Duration::ZERO), json!(0.0));
        assert_eq!(written(Duration::from_nanos(1_234_567)), json!(1.235));
        assert_eq!(written(Duration::from_millis(100)), json!(100.0));
        assert_eq!(written(Duration::from_hours(24)), json!(86_400_000.0));
    }

    #[test]
    fn every_problem_says_its_kind_and_what_belongs_to_it() {
        let text = |text: &str| text.to_owned();
        let unknown =
            |nearest| ProblemKind::Unknown { name: text("nmae"), nearest, inside: None, declared: Vec::new() };
        let kinds = [
            ProblemKind::Missing { names: vec![text("x"), text("y")] },
            unknown(Some(text("name"))),
            unknown(None),
            ProblemKind::Duplicate { name: text("x") },
            ProblemKind::Mismatch { expected: text("a string"), got: text("7") },
            ProblemKind::Syntax { reason: text("it breaks"), truncated: true },
            ProblemKind::TooLong { bytes: 9, limit: 8 },
            ProblemKind::Refused { reason: text("too odd"), got: Some(text("3")) },
        ];
        let problems = Problems::new(kinds.map(|kind| Problem::new("/a", kind)).into());
        let written = serde_json::to_value(CallEvent::problems(7, "id", problems)).unwrap();
        let expected = json!({
            "type": "tool.call.problems",
            "callNumber": 7,
            "callId": "id",
            "problems": [
                { "pointer": "/a", "kind": "missing", "names": ["x", "y"], "text": "/a: missing required properties `x` and `y`" },
                { "pointer": "/a", "kind": "unknown", "name": "nmae", "nearest": "name", "text": "/a: unknown property `nmae`; did you mean `name`?" },
                { "pointer": "/a", "kind": "unknown", "name": "nmae", "text": "/a: unknown property `nmae`" },
                { "pointer": "/a", "kind": "duplicate", "name": "x", "text": "/a: property `x` is given more than once; give it once" },
                { "pointer": "/a", "kind": "mismatch", "expected": "a string", "got": "7", "text": "/a: expected a string, got 7" },
                { "pointer": "/a", "kind": "syntax", "reason": "it breaks", "truncated": true, "text": "/a: it breaks" },
                { "pointer": "/a", "kind": "too_long", "bytes": 9, "limit": 8, "text": "/a: the arguments are too long: 9 bytes, and at most 8 are taken; send less in one call" },
                { "pointer": "/a", "kind": "refused", "reason": "too odd", "got": "3", "text": "/a: the value is not accepted: too odd, got 3" },
            ],
        });
        assert_eq!(written, expected);
    }

    #[test]
    fn events_say_which_call_they_are_about() {
        let changed = CallEvent::coercions(3, "a", vec![], vec![]);
        assert_eq!((changed.call_number(), changed.call_id()), (Some(3), Some("a")));
        let again = CallEvent::retry(4, "b", 1, "busy", Duration::from_millis(250));
        assert_eq!((again.call_number(), again.call_id()), (Some(4), Some("b")));
        assert_eq!(
            serde_json::to_value(&again).unwrap(),
            json!({
                "type": "tool.call.retry", "callNumber": 4, "callId": "b", "attempt": 1, "error": "busy",
                "delayMs": 250.0,
            })
        );
        let mut update = ProgressUpdate { done: 2.0, ..ProgressUpdate::default() };
        let further = CallEvent::progress(5, "c", update.clone());
        assert_eq!((further.call_number(), further.call_id()), (Some(5), Some("c")));
        assert_eq!(
            serde_json::to_value(&further).unwrap(),
            json!({ "type": "tool.call.progress", "callNumber": 5, "callId": "c", "done": 2.0 })
        );
        (update.total, update.message) = (Some(4.5), Some("half".to_owned()));
        let further = serde_json::to_value(CallEvent::progress(5, "c", update)).unwrap();
        assert_eq!((&further["total"], &further["message"]), (&json!(4.5), &json!("half")));
        assert_eq!((CallEvent::lagged(3).call_number(), CallEvent::lagged(3).call_id()), (None, None));
    }
}
