//! One call: find the tool, read the arguments, run the code, give exactly one answer.

use std::any::{Any, TypeId};
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::Poll;
use std::time::Duration;

use loom_core::{CallContext, CallError, Outcome, Prepared, Supplies, Tool, ToolCall, ToolList, ToolResult, Work};
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use super::guard::{GuardedFuture, guarded};
use super::{CancellationToken, Scope};

/// Answers one call.
pub(super) async fn run(tools: &ToolList, call: ToolCall, scope: &Scope) -> ToolResult {
    let Some(tool) = tools.get(&call.name) else {
        let nearest = tools.nearest(&call.name);
        let error = CallError::UnknownTool { name: call.name.clone(), nearest };
        return ToolResult::new(call.id, call.name, Err(error));
    };
    let token = CallToken::new(scope);
    let (outcome, coercions, repairs) = match prepare(tool, &call, scope, &token) {
        Ok(Prepared { work, coercions, repairs, .. }) => {
            (run_work(tool, work, scope, &token).await, coercions, repairs)
        }
        Err(error) => (Err(error), Vec::new(), Vec::new()),
    };
    ToolResult::new(call.id, call.name, outcome).with_coercions(coercions).with_repairs(repairs)
}

/// The token of one call, made when the tool asks for it: most never do.
struct CallToken<'s> {
    scope: &'s Scope,
    own: OnceLock<CancellationToken>,
}

impl<'s> CallToken<'s> {
    const fn new(scope: &'s Scope) -> Self {
        Self { scope, own: OnceLock::new() }
    }

    fn is_cancelled(&self) -> bool {
        self.scope.cancellation.as_ref().is_some_and(CancellationToken::is_cancelled)
    }

    /// Waits until the turn is cancelled.
    async fn cancelled(&self) {
        match &self.scope.cancellation {
            Some(token) => token.cancelled().await,
            None => std::future::pending().await,
        }
    }
}

/// Whatever ends the call, its own code is told to stop: a thread that was given up may still run.
impl Drop for CallToken<'_> {
    fn drop(&mut self) {
        if let Some(own) = self.own.get() {
            own.cancel();
        }
    }
}

/// What extractors find beside the run context.
impl Supplies for CallToken<'_> {
    fn supply(&self, id: TypeId) -> Option<&dyn Any> {
        let child = || self.scope.cancellation.as_ref().map_or_else(CancellationToken::new, CancellationToken::child);
        (id == TypeId::of::<CancellationToken>()).then(|| self.own.get_or_init(child) as &dyn Any)
    }
}

/// Reads the arguments. Deserialisers, defaults and extractors are user code, so this is guarded and in scope too.
fn prepare(tool: &Tool, call: &ToolCall, scope: &Scope, token: &CallToken<'_>) -> Result<Prepared, CallError> {
    if token.is_cancelled() {
        return Err(CallError::Cancelled { blocking: false });
    }
    let context = CallContext::new(&call.id, &call.name, &scope.context).with_supplies(token).with_limits(scope.limits);
    guarded(|| scope.context.enter(|| tool.prepare(&call.arguments, &context))).unwrap_or_else(|_| panicked(tool))
}

fn panicked<T>(tool: &Tool) -> Result<T, CallError> {
    Err(CallError::Panicked { tool: tool.name().to_owned() })
}

async fn run_work(tool: &Tool, work: Work, scope: &Scope, token: &CallToken<'_>) -> Outcome {
    let timeout = tool.definition().timeout.unwrap_or(scope.timeout);
    let stopped = |stop, blocking| match stop {
        Stop::TimedOut => Err(CallError::TimedOut { after: timeout, blocking }),
        Stop::Cancelled => Err(CallError::Cancelled { blocking }),
    };
    match work {
        Work::Async(future) => {
            let future = scope.context.scope_pinned(GuardedFuture::new(future));
            match until(future, timeout, token).await {
                Ok(done) => done.unwrap_or_else(|_| panicked(tool)),
                Err(stop) => stopped(stop, false),
            }
        }
        Work::Inline(code) => guarded(|| scope.context.enter(code)).unwrap_or_else(|_| panicked(tool)),
        Work::Blocking(code) => {
            let Ok(executor) = Handle::try_current() else { return Err(CallError::NoExecutor) };
            let context = scope.context.clone();
            let started = Arc::new(AtomicBool::new(false));
            let starting = Arc::clone(&started);
            let thread = executor.spawn_blocking(move || {
                starting.store(true, Ordering::Release);
                guarded(|| context.enter(code))
            });
            match until(Thread(thread), timeout, token).await {
                Ok(Ok(done)) => done.unwrap_or_else(|_| panicked(tool)),
                // The code's own panics are contained: only an executor that ends loses the thread.
                Ok(Err(_)) => Err(CallError::ShutDown),
                Err(stop) => stopped(stop, started.load(Ordering::Acquire)),
            }
        }
        // A kind of work that this version does not know cannot be run by it.
        _ => Err(CallError::NoExecutor),
    }
}

/// A blocking function that is kept from starting when nobody waits for it any more.
struct Thread<T>(JoinHandle<T>);

impl<T> Future for Thread<T> {
    type Output = Result<T, tokio::task::JoinError>;

    fn poll(mut self: std::pin::Pin<&mut Self>, cx: &mut std::task::Context<'_>) -> Poll<Self::Output> {
        std::pin::Pin::new(&mut self.0).poll(cx)
    }
}

impl<T> Drop for Thread<T> {
    fn drop(&mut self) {
        // Does nothing to a function that runs already.
        self.0.abort();
    }
}

/// Why a call was not waited for any longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stop {
    TimedOut,
    Cancelled,
}

/// Waits for the future, but no longer than it may take and not after it is cancelled.
///
/// The future goes first, so one that is ready wins; the timer and the token cost nothing before it is pending.
async fn until<F: Future>(future: F, timeout: Duration, token: &CallToken<'_>) -> Result<F::Output, Stop> {
    let mut future = pin!(future);
    if let Poll::Ready(done) = std::future::poll_fn(|cx| Poll::Ready(future.as_mut().poll(cx))).await {
        return Ok(done);
    }
    let mut cancelled = pin!(token.cancelled());
    // Without a clock there is no timer to wait for; the token still works.
    let mut timer = pin!(guarded(|| tokio::time::sleep(timeout)).ok().map(Box::pin));
    std::future::poll_fn(|cx| {
        if let Poll::Ready(done) = future.as_mut().poll(cx) {
            return Poll::Ready(Ok(done));
        }
        if cancelled.as_mut().poll(cx).is_ready() {
            return Poll::Ready(Err(Stop::Cancelled));
        }
        match timer.as_mut().get_mut() {
            Some(timer) => timer.as_mut().poll(cx).map(|()| Err(Stop::TimedOut)),
            None => Poll::Pending,
        }
    })
    .await
}
