//! How long calls take and how they end, for whatever recorder the program has.

pub(super) use imp::Figures;

#[cfg(feature = "metrics")]
mod imp {
    use loom_core::ToolCall;
    use metrics::Label;
    // The executor's clock, as events and timeouts go by.
    use tokio::time::Instant;

    /// A histogram of seconds, by tool and by what went wrong.
    const DURATION: &str = "gen_ai.execute_tool.duration";

    /// Stands for every tool that is not there: a model could make up any number of names, and each would be kept.
    const OTHER: &str = "_OTHER";

    /// The figures of one call.
    pub(in super::super) struct Figures<'c> {
        tool: &'c str,
        started: Instant,
    }

    impl<'c> Figures<'c> {
        pub(in super::super) fn begin(call: &'c ToolCall, is_known: bool) -> Self {
            Self { tool: if is_known { &call.name } else { OTHER }, started: Instant::now() }
        }

        pub(in super::super) fn end(&self, error: Option<&'static str>) {
            let mut labels = vec![
                Label::from_static_parts("gen_ai.operation.name", "execute_tool"),
                Label::new("gen_ai.tool.name", self.tool.to_owned()),
            ];
            labels.extend(error.map(|error| Label::from_static_parts("error.type", error)));
            metrics::histogram!(DURATION, labels).record(self.started.elapsed());
        }
    }
}

#[cfg(not(feature = "metrics"))]
mod imp {
    use std::marker::PhantomData;

    use loom_core::ToolCall;

    /// Nothing is measured in this build.
    pub(in super::super) struct Figures<'c>(PhantomData<&'c ToolCall>);

    #[expect(clippy::unused_self, reason = "a build that measures needs it")]
    impl<'c> Figures<'c> {
        pub(in super::super) const fn begin(_: &'c ToolCall, _: bool) -> Self {
            Self(PhantomData)
        }

        pub(in super::super) const fn end(&self, _: Option<&'static str>) {}
    }
}
