//! The span of a call.

pub(crate) use imp::Parent;
pub(in super::super) use imp::Span;

#[cfg(feature = "tracing")]
mod imp {
    use loom_core::ToolCall;
    use tracing::Instrument;
    use tracing::field::Empty;
    use tracing::instrument::Instrumented;
    use tracing::level_filters::LevelFilter;

    use crate::dispatch::Scope;

    /// Whether anybody collects spans at all: most programs that do not trace pay for this look alone.
    fn is_traced() -> bool {
        LevelFilter::current() != LevelFilter::OFF
    }

    /// The span that a turn was made in: its calls run in tasks and on threads, where it could not be found.
    #[derive(Debug, Clone)]
    pub(crate) struct Parent(Option<tracing::Span>);

    impl Parent {
        pub(crate) fn current() -> Self {
            Self(is_traced().then(tracing::Span::current))
        }

        /// Runs code in the span.
        pub(crate) fn enter<R>(&self, code: impl FnOnce() -> R) -> R {
            match &self.0 {
                Some(span) => span.in_scope(code),
                None => code(),
            }
        }
    }

    /// The span of one call.
    #[derive(Debug, Clone)]
    pub(in super::super::super) struct Span(Option<tracing::Span>);

    impl Span {
        pub(in super::super) fn of(call: &ToolCall, scope: &Scope) -> Self {
            Self(scope.parent.0.as_ref().map(|parent| {
                tracing::info_span!(
                    target: "loom",
                    parent: parent,
                    "execute_tool",
                    otel.name = format_args!("execute_tool {}", call.name),
                    gen_ai.operation.name = "execute_tool",
                    gen_ai.tool.name = call.name,
                    gen_ai.tool.type = "function",
                    gen_ai.tool.call.id = call.id,
                    gen_ai.conversation.id = scope.context.session_id(),
                    error.type = Empty,
                    otel.status_code = Empty,
                )
            }))
        }

        /// Runs code in the span.
        pub(in super::super::super) fn enter<R>(&self, code: impl FnOnce() -> R) -> R {
            match &self.0 {
                Some(span) => span.in_scope(code),
                None => code(),
            }
        }

        /// Polls a future in the span, and drops it there.
        pub(in super::super::super) fn around<F: Future>(&self, future: F) -> Instrumented<F> {
            future.instrument(self.0.clone().unwrap_or_else(tracing::Span::none))
        }

        pub(in super::super) fn end(&self, error: Option<&'static str>) {
            if let (Some(span), Some(error)) = (&self.0, error) {
                span.record("error.type", error);
                span.record("otel.status_code", "ERROR");
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
