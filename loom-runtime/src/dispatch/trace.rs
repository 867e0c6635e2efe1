//! The span of a call, where the program traces.

use loom_core::{Tool, ToolCall, ToolResult};

/// Nothing is traced in this build.
#[derive(Debug, Clone)]
pub(super) struct Span;

#[expect(clippy::unused_self, reason = "a build that traces needs it")]
impl Span {
    pub(super) const fn of(_: &Tool, _: &ToolCall) -> Self {
        Self
    }

    pub(super) fn enter<R>(&self, code: impl FnOnce() -> R) -> R {
        code()
    }

    pub(super) fn around<F: Future>(&self, future: F) -> F {
        future
    }

    pub(super) const fn end(&self, _: &ToolResult) {}
}
