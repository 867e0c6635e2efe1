//! One attempt of a call: read the arguments, run the code as far as it gets, wait for the rest.

use std::any::{Any, TypeId};
use std::future::poll_fn;
use std::pin::pin;
use std::sync::OnceLock;
use std::task::{Context, Poll};

use loom_core::{
    CallContext, CallError, Coercion, Outcome, Progress, Repair, RunContext, Supplies, Tool, ToolCall, Work,
};
use tokio::runtime::Handle;

use super::call::{Limit, Stop};
use super::events::Telling;
use super::guard::{GuardedFuture, guarded};
use super::observe::Span;
use super::thread::{Claim, Claims, Thread};
use super::{CancellationToken, Scope};

/// A call that is tried: what stays the same from attempt to attempt.
pub(super) struct Trying<'c> {
    pub(super) tool: &'c Tool,
    pub(super) call: &'c ToolCall,
    pub(super) scope: &'c Scope,
    /// The context of the tool's code.
    pub(super) context: &'c RunContext,
    pub(super) telling: &'c Telling,
    pub(super) span: &'c Span,
}

/// What an attempt came to.
pub(super) struct Tried {
    pub(super) outcome: Outcome,
    pub(super) coercions: Vec<Coercion>,
    pub(super) repairs: Vec<Repair>,
}

impl Tried {
    /// Nothing was tried.
    pub(super) const fn unbegun(error: CallError) -> Self {
        Self { outcome: Err(error), coercions: Vec::new(), repairs: Vec::new() }
    }
}

impl Trying<'_> {
    /// Tries it once.
    pub(super) async fn once(&self, token: &CallToken<'_>, limit: &mut Limit) -> Tried {
        let mut begun = Begun::default();
        poll_fn(|cx| {
            self.begin(token, cx, &mut begun);
            Poll::Ready(())
        })
        .await;
        let outcome = match begun.step {
            Step::Done(outcome) => outcome,
            // Most calls are done by now. What the others need to wait is kept apart, so that a call stays small.
            Step::Waiting(future) => Box::pin(self.wait(future, token, limit)).await,
            Step::Blocking(code) => Box::pin(self.block(code, token, limit)).await,
        };
        Tried { outcome, coercions: begun.coercions, repairs: begun.repairs }
    }

    /// Reads the arguments and runs the code as far as it gets without waiting.
    ///
    /// Deserialisers, defaults and extractors are user code as well: all of it runs in one guard and in the run's context.
    fn begin(&self, token: &CallToken<'_>, cx: &mut Context<'_>, begun: &mut Begun) {
        if token.is_cancelled() {
            return;
        }
        let Self { tool, call, scope, context: run, telling, span } = self;
        let Begun { step, coercions, repairs } = begun;
        let guarded = guarded(|| {
            span.enter(|| {
                run.enter(|| {
                    let context = CallContext::new(&call.id, &call.name, run);
                    let context = context.with_supplies(token).with_limits(scope.arguments);
                    let prepared = match tool.prepare(&call.arguments, &context) {
                        Ok(prepared) => prepared,
                        Err(error) => return *step = Step::Done(Err(error)),
                    };
                    *coercions = prepared.coercions;
                    *repairs = prepared.repairs;
                    telling.changed(coercions, repairs);
                    match prepared.work {
                        Work::Async(future) => {
                            // Put in its place before it is polled: if it panics, it is dropped after the panic is over,
                            // since its drop may panic too.
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
        });
        if guarded.is_err() {
            *step = Step::Done(self.panicked());
        }
    }

    /// Waits for a future that was pending when it was polled first.
    async fn wait(&self, future: GuardedFuture<Outcome>, token: &CallToken<'_>, limit: &mut Limit) -> Outcome {
        let future = self.telling.live(self.span.around(self.context.scope_pinned(future)));
        match until(future, limit, token).await {
            Ok(done) => done.unwrap_or_else(|_| self.panicked()),
            Err(stop) => Err(limit.stopped(stop, token.runs_on())),
        }
    }

    /// Runs a function on a thread of its own and waits for it.
    async fn block(
        &self,
        code: Box<dyn FnOnce() -> Outcome + Send>,
        token: &CallToken<'_>,
        limit: &mut Limit,
    ) -> Outcome {
        let Ok(executor) = Handle::try_current() else { return Err(CallError::NoExecutor) };
        let (context, span) = (self.context.clone(), self.span.clone());
        let claim = Claim::default();
        let thread = Thread::start(&executor, claim.clone(), move || span.enter(|| context.enter(code)));
        match until(self.telling.live(thread), limit, token).await {
            Ok(Some(done)) => done.unwrap_or_else(|_| self.panicked()),
            Ok(None) => Err(CallError::ShutDown),
            Err(stop) => Err(limit.stopped(stop, claim.give_up())),
        }
    }

    fn panicked(&self) -> Outcome {
        Err(CallError::Panicked { tool: self.tool.name().to_owned() })
    }
}

/// The token of one call, made when the tool asks for it: most never do.
pub(super) struct CallToken<'s> {
    /// Whatever cancels the call from outside.
    outer: Option<&'s CancellationToken>,
    own: OnceLock<CancellationToken>,
    telling: &'s Telling,
    /// Those of threads that code around the call starts for it.
    claims: OnceLock<Claims>,
    /// Made like the token when the tool asks for it.
    progress: OnceLock<Progress>,
}

impl<'s> CallToken<'s> {
    pub(super) const fn new(outer: Option<&'s CancellationToken>, telling: &'s Telling) -> Self {
        Self { outer, own: OnceLock::new(), telling, claims: OnceLock::new(), progress: OnceLock::new() }
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.outer.is_some_and(CancellationToken::is_cancelled)
    }

    /// Keeps threads that code around the call starts for it from beginning, and says whether one runs on.
    pub(super) fn runs_on(&self) -> bool {
        self.claims.get().is_some_and(Claims::give_up)
    }

    /// Waits until the call is cancelled.
    async fn cancelled(&self) {
        match self.outer {
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
        if id == TypeId::of::<CancellationToken>() {
            let child = || self.outer.map_or_else(CancellationToken::new, CancellationToken::child);
            Some(self.own.get_or_init(child))
        } else if id == TypeId::of::<Progress>() {
            Some(self.progress.get_or_init(|| self.telling.progress().unwrap_or_default()))
        } else if id == TypeId::of::<Claims>() {
            Some(self.claims.get_or_init(Claims::default))
        } else {
            None
        }
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

/// Waits for the future, but no longer than it may take and not after it is cancelled.
///
/// The future goes first, so one that is ready wins.
pub(super) async fn until<F: Future>(future: F, limit: &mut Limit, token: &CallToken<'_>) -> Result<F::Output, Stop> {
    let mut future = pin!(future);
    let mut cancelled = pin!(token.cancelled());
    let (at, stop) = limit.end();
    let mut timer = pin!(None);
    let (mut is_first, mut is_armed) = (true, false);
    poll_fn(|cx| {
        if let Poll::Ready(done) = future.as_mut().poll(cx) {
            return Poll::Ready(Ok(done));
        }
        if cancelled.as_mut().poll(cx).is_ready() {
            return Poll::Ready(Err(Stop::Cancelled));
        }
        let Some(at) = at else { return Poll::Pending };
        if std::mem::take(&mut is_first) {
            // Much that has to wait waits for others to have their turn only: a second look costs less than a timer.
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        if !std::mem::replace(&mut is_armed, true) {
            // Without a clock there is no timer to wait for; the token still works.
            timer.set(guarded(|| tokio::time::sleep_until(at)).ok());
        }
        match timer.as_mut().as_pin_mut() {
            Some(timer) => timer.poll(cx).map(|()| Err(stop)),
            None => Poll::Pending,
        }
    })
    .await
}
