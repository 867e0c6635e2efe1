//! One call: find the tool, read the arguments, run the code, give exactly one answer.

use std::any::{Any, TypeId};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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
    let token = scope.cancellation.child();
    // Whatever ends the call early, its own code is told to stop.
    let _cancel_on_drop = token.0.clone().drop_guard();
    let (outcome, coercions) = match prepare(tool, &call, scope, &token) {
        Ok(Prepared { work, coercions, .. }) => (run_work(tool, work, scope, &token).await, coercions),
        Err(error) => (Err(error), Vec::new()),
    };
    ToolResult::new(call.id, call.name, outcome).with_coercions(coercions)
}

/// What extractors find beside the run context.
struct Supply<'a> {
    token: &'a CancellationToken,
}

impl Supplies for Supply<'_> {
    fn supply(&self, id: TypeId) -> Option<&dyn Any> {
        (id == TypeId::of::<CancellationToken>()).then_some(self.token as &dyn Any)
    }
}

/// Reads the arguments. Deserialisers, defaults and extractors are user code, so this is guarded and in scope too.
fn prepare(tool: &Tool, call: &ToolCall, scope: &Scope, token: &CancellationToken) -> Result<Prepared, CallError> {
    if token.is_cancelled() {
        return Err(CallError::Cancelled { blocking: false });
    }
    let supply = Supply { token };
    let context = CallContext::new(&call.id, &call.name, &scope.context).with_supplies(&supply);
    guarded(|| scope.context.enter(|| tool.prepare(&call.arguments, &context))).unwrap_or_else(|_| panicked(tool))
}

fn panicked<T>(tool: &Tool) -> Result<T, CallError> {
    Err(CallError::Panicked { tool: tool.name().to_owned() })
}

async fn run_work(tool: &Tool, work: Work, scope: &Scope, token: &CancellationToken) -> Outcome {
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
async fn until<F: Future>(future: F, timeout: Duration, token: &CancellationToken) -> Result<F::Output, Stop> {
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
