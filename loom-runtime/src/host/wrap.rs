//! Code around the calls of a host's tools.

use std::fmt;

use loom_core::{
    Arguments, CallContext, CallError, CallInfo, Outcome, Prepared, RunContext, Tool, ToolDef, ToolHandler, Work,
};
use tokio::runtime::Handle;

use crate::dispatch::{Claims, GuardedFuture, Parent, Thread, guarded};

/// A call that other code runs around; see [`ComposeHosts::wrap_calls`](super::ComposeHosts::wrap_calls).
///
/// Its arguments fit, and nothing of its tool has run yet. Dropped without being run, it never does.
pub struct Wrapped {
    info: CallInfo,
    tool: Tool,
    arguments: Arguments,
    work: Work,
    claims: Claims,
}

impl Wrapped {
    /// Which call it is.
    pub const fn info(&self) -> &CallInfo {
        &self.info
    }

    /// The definition of the tool, as it is inside.
    pub fn definition(&self) -> &ToolDef {
        self.tool.definition()
    }

    /// The arguments as they were sent.
    pub const fn arguments(&self) -> &Arguments {
        &self.arguments
    }

    /// Runs the call as it would have run by itself: a function that may block, on a thread of its own. Its panics are
    /// contained, so whoever runs it sees them as any failure.
    ///
    /// # Errors
    /// What the call fails with.
    pub async fn run(self) -> Outcome {
        let done = match self.work {
            Work::Async(future) => GuardedFuture::new(future).await,
            Work::Inline(code) => guarded(code),
            Work::Blocking(code) => {
                let Ok(executor) = Handle::try_current() else { return Err(CallError::NoExecutor) };
                let claim = self.claims.another();
                let (context, span) = (RunContext::current(), Parent::current());
                match Thread::start(&executor, claim, move || span.enter(|| context.enter(code))).await {
                    Some(done) => done,
                    None => return Err(CallError::ShutDown),
                }
            }
            // A kind of work that this version does not know cannot be run by it.
            _ => return Err(CallError::NoExecutor),
        };
        done.unwrap_or(Err(CallError::Panicked { tool: self.info.tool_name }))
    }

    /// Those of the threads that are started for the call.
    #[cfg(feature = "tower")]
    pub(crate) const fn claims(&self) -> &Claims {
        &self.claims
    }
}

impl fmt::Debug for Wrapped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wrapped").field("info", &self.info).field("work", &self.work).finish_non_exhaustive()
    }
}

/// A tool whose calls run within other code.
pub(super) struct Wrapper<W> {
    pub(super) tool: Tool,
    pub(super) around: W,
}

impl<W, F> ToolHandler for Wrapper<W>
where
    W: Fn(Wrapped) -> F + Send + Sync + Clone + 'static,
    F: Future<Output = Outcome> + Send + 'static,
{
    fn prepare(&self, arguments: &Arguments, context: &CallContext<'_>) -> Result<Prepared, CallError> {
        let mut prepared = self.tool.prepare(arguments, context)?;
        let wrapped = Wrapped {
            info: CallInfo::of(context),
            tool: self.tool.clone(),
            arguments: arguments.clone(),
            work: prepared.work,
            claims: context.supply::<Claims>().cloned().unwrap_or_default(),
        };
        let around = self.around.clone();
        prepared.work = Work::Async(Box::pin(async move { around(wrapped).await }));
        Ok(prepared)
    }
}
