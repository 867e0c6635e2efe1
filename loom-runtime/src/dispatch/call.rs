//! One call: find the tool, read the arguments, run the code, give exactly one answer.

use std::any::{Any, TypeId};
use std::future::poll_fn;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::Duration;

use loom_core::{
    CallContext, CallError, Coercion, Outcome, Repair, Supplies, Tool, ToolCall, ToolList, ToolResult, Work,
};
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use super::events::Telling;
use super::guard::{GuardedFuture, guarded};
use super::{CancellationToken, Scope};

/// Answers one call.
pub(super) async fn run(tools: &ToolList, call: ToolCall, scope: &Scope, telling: Telling) -> ToolResult {
    let Some(tool) = tools.get(&call.name) else {
        let nearest = tools.nearest(&call.name);
        let outcome = Err(CallError::UnknownTool { name: call.name.clone(), nearest });
        telling.end(&outcome);
        return ToolResult::new(call.id, call.name, outcome);
    };
    let token = CallToken::new(scope);
    let mut begun = Begun::default();
    poll_fn(|cx| {
        begin(tool, &call, scope, &token, &telling, cx, &mut begun);
        Poll::Ready(())
    })
    .await;
    let outcome = match begun.step {
        Step::Done(outcome) => outcome,
        // Most calls are done by now. What the others need to wait is kept apart, so that a call stays small.
        Step::Waiting(future) => Box::pin(wait(tool, future, scope, &token)).await,
        Step::Blocking(code) => Box::pin(block(tool, code, scope, &token)).await,
    };
    telling.end(&outcome);
    let mut result = ToolResult::new(call.id, call.name, outcome);
    result.coercions = begun.coercions;
    result.repairs = begun.repairs;
    result
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

/// How far a call has come at once.
#[derive(Default)]
struct Begun {
    step: Step,
    coercions: Vec<Coercion>,
    repairs: Vec<Repair>,
}

enum Step {
    Done(Outcome),
    /// It has been polled once.
    Waiting(GuardedFuture<Outcome>),
    Blocking(Box<dyn FnOnce() -> Outcome + Send>),
}

/// Not begun.
impl Default for Step {
    fn default() -> Self {
        Self::Done(Err(CallError::Cancelled { blocking: false }))
    }
}

/// Reads the arguments and runs the code as far as it gets without waiting.
///
/// Deserialisers, defaults and extractors are user code as well: all of it runs in one guard and in the run's context.
fn begin(
    tool: &Tool,
    call: &ToolCall,
    scope: &Scope,
    token: &CallToken<'_>,
    telling: &Telling,
    cx: &mut Context<'_>,
    begun: &mut Begun,
) {
    if token.is_cancelled() {
        return;
    }
    let Begun { step, coercions, repairs } = begun;
    let guarded = guarded(|| {
        scope.context.enter(|| {
            let context = CallContext::new(&call.id, &call.name, &scope.context);
            let context = context.with_supplies(token).with_limits(scope.limits);
            let prepared = match tool.prepare(&call.arguments, &context) {
                Ok(prepared) => prepared,
                Err(error) => return *step = Step::Done(Err(error)),
            };
            *coercions = prepared.coercions;
            *repairs = prepared.repairs;
            telling.changed(coercions, repairs);
            match prepared.work {
                Work::Async(future) => {
                    // Put in its place before it is polled: if it panics, it is dropped after the panic is over, since
                    // its drop may panic too.
                    *step = Step::Waiting(GuardedFuture::new(future));
                    if let Step::Waiting(future) = step
                        && let Poll::Ready(outcome) = future.poll_unguarded(cx)
                    {
                        *step = Step::Done(outcome);
                    }
                }
                Work::Inline(code) => *step = Step::Done(code()),
                Work::Blocking(code) => *step = Step::Blocking(code),
                // A kind of work that this version does not know cannot be run by it.
                _ => *step = Step::Done(Err(CallError::NoExecutor)),
            }
        });
    });
    if guarded.is_err() {
        *step = Step::Done(panicked(tool));
    }
}

fn panicked<T>(tool: &Tool) -> Result<T, CallError> {
    Err(CallError::Panicked { tool: tool.name().to_owned() })
}

fn stopped(stop: Stop, after: Duration, blocking: bool) -> Outcome {
    Err(match stop {
        Stop::TimedOut => CallError::TimedOut { after, blocking },
        Stop::Cancelled => CallError::Cancelled { blocking },
    })
}

/// Waits for a future that was pending when it was polled first.
async fn wait(tool: &Tool, future: GuardedFuture<Outcome>, scope: &Scope, token: &CallToken<'_>) -> Outcome {
    let timeout = tool.definition().timeout.unwrap_or(scope.timeout);
    match until(scope.context.scope_pinned(future), timeout, token).await {
        Ok(done) => done.unwrap_or_else(|_| panicked(tool)),
        Err(stop) => stopped(stop, timeout, false),
    }
}

/// Runs a function on a thread of its own and waits for it.
async fn block(
    tool: &Tool,
    code: Box<dyn FnOnce() -> Outcome + Send>,
    scope: &Scope,
    token: &CallToken<'_>,
) -> Outcome {
    let Ok(executor) = Handle::try_current() else { return Err(CallError::NoExecutor) };
    let timeout = tool.definition().timeout.unwrap_or(scope.timeout);
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
        Err(stop) => stopped(stop, timeout, started.load(Ordering::Acquire)),
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
/// The future goes first, so one that is ready wins.
async fn until<F: Future>(future: F, timeout: Duration, token: &CallToken<'_>) -> Result<F::Output, Stop> {
    let mut future = pin!(future);
    let mut cancelled = pin!(token.cancelled());
    // Without a clock there is no timer to wait for; the token still works.
    let mut timer = pin!(guarded(|| tokio::time::sleep(timeout)).ok().map(Box::pin));
    poll_fn(|cx| {
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
