//! The span of a call.

pub(crate) use imp::Parent;
pub(in super::super) use imp::Span;

#[cfg(feature = "tracing")]
mod imp {
    use loom_core::ToolCall;
    use tracing::Instrument;
    use tracing::field::Empty;
    use tracing::instrument::Instrumented;

    use crate::dispatch::Scope;

    /// The span that a turn was made in: its calls run in tasks and on threads, where it could not be found.
    #[derive(Debug, Clone)]
    pub(crate) struct Parent(tracing::Span);

    impl Parent {
        pub(crate) fn current() -> Self {
            Self(tracing::Span::current())
        }

        /// Runs code in the span.
        pub(crate) fn enter<R>(&self, code: impl FnOnce() -> R) -> R {
            self.0.in_scope(code)
        }
    }

    /// The span of one call.
    #[derive(Debug, Clone)]
    pub(in super::super::super) struct Span(tracing::Span);

    impl Span {
        pub(in super::super) fn of(call: &ToolCall, scope: &Scope) -> Self {
            let span = tracing::info_span!(
                target: "loom",
                parent: &scope.parent.0,
                "execute_tool",
                otel.name = format_args!("execute_tool {}", call.name),
                gen_ai.operation.name = "execute_tool",
                gen_ai.tool.name = call.name,
                gen_ai.tool.type = "function",
                gen_ai.tool.call.id = call.id,
                gen_ai.conversation.id = scope.context.session_id(),
                error.type = Empty,
                otel.status_code = Empty,
            );
            Self(span)
        }

        /// Runs code in the span.
        pub(in super::super::super) fn enter<R>(&self, code: impl FnOnce() -> R) -> R {
            self.0.in_scope(code)
        }

        /// Polls a future in the span, and drops it there.
        pub(in super::super::super) fn around<F: Future>(&self, future: F) -> Instrumented<F> {
            future.instrument(self.0.clone())
        }

        pub(in super::super) fn end(&self, error: Option<&'static str>) {
            if let Some(error) = error {
                self.0.record("error.type", error);
                self.0.record("otel.status_code", "ERROR");
            }
        }
    }
}

#[cfg(not(feature = "tracing"))]
mod imp {
    use loom_core::ToolCall;

    use crate::dispatch::Scope;

    /// Nothing is traced in this build.
    #[derive(Debug, Clone)]
    pub(crate) struct Parent;

    impl Parent {
        pub(crate) const fn current() -> Self {
            Self
        }

        #[expect(clippy::unused_self, reason = "a build that traces needs it")]
        pub(crate) fn enter<R>(&self, code: impl FnOnce() -> R) -> R {
            code()
        }
    }

    #[derive(Debug, Clone)]
    pub(in super::super::super) struct Span;

    #[expect(clippy::unused_self, reason = "a build that traces needs it")]
    impl Span {
        pub(in super::super) const fn of(_: &ToolCall, scope: &Scope) -> Self {
            let Parent = scope.parent;
            Self
        }

        pub(in super::super::super) fn enter<R>(&self, code: impl FnOnce() -> R) -> R {
            code()
        }

        pub(in super::super::super) fn around<F: Future>(&self, future: F) -> F {
            future
        }

        pub(in super::super) const fn end(&self, _: Option<&'static str>) {}
    }
}
