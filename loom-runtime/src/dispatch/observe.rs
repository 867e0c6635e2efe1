//! What a program that observes itself sees of a call: a span ([`span`]) and figures ([`figures`]), with the names of the
//! OpenTelemetry conventions for generative AI.
//!
//! Each is a feature, and nothing where it is off.

use loom_core::{CallError, CallEvent, ToolCall, ToolResult};

mod figures;
mod span;

use figures::Figures;
pub(crate) use span::Parent;
pub(super) use span::Span;

use super::Scope;

/// A call under observation. One that is dropped before it has ended was cancelled.
pub(super) struct Observed<'c> {
    pub(super) span: Span,
    figures: Figures<'c>,
    ended: bool,
}

impl<'c> Observed<'c> {
    /// Begins with a call of a tool that is there, or of one that is not.
    pub(super) fn begin(call: &'c ToolCall, is_known: bool, scope: &Scope) -> Self {
        Self { span: Span::of(call, scope), figures: Figures::begin(call, is_known), ended: false }
    }

    /// Ends with the call.
    pub(super) fn end(mut self, result: &ToolResult) {
        self.end_as(CallEvent::outcome_of(&result.outcome));
    }

    fn end_as(&mut self, outcome: &'static str) {
        self.ended = true;
        let error = Some(outcome).filter(|outcome| *outcome != "ok");
        self.span.end(error);
        self.figures.end(error);
    }
}

impl Drop for Observed<'_> {
    fn drop(&mut self) {
        if !self.ended {
            self.end_as(CallError::Cancelled { blocking: false }.kind());
        }
    }
}
