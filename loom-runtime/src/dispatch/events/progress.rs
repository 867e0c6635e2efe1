//! Progress of calls, as often as a listener can use it.
//!
//! A tool may report as often as it likes. The first report of a call is told at once, and then one each
//! [`INTERVAL`](super::PROGRESS_INTERVAL), which is the latest of those that came meanwhile: it waits for its time where
//! the call is waited for, so nothing of it outlives the call. The last is told before the end in any case.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll, Waker};

use loom_core::{Progress, ProgressSink, ProgressUpdate};
use tokio::time::{Instant, Sleep};

use super::{PROGRESS_INTERVAL, Telling, Told};
use crate::dispatch::guard::guarded;

/// What was reported of a call and what was told of it; made when its tool asks for a [`Progress`].
#[derive(Debug, Clone, Default)]
pub(super) struct Flow(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    /// When something was told last.
    told: Option<Instant>,
    /// What is to be told next.
    waiting: Option<ProgressUpdate>,
    /// Whoever sees to it that it is told in time.
    waker: Option<Waker>,
    ended: bool,
}

impl Flow {
    fn change<R>(&self, change: impl FnOnce(&mut State) -> R) -> R {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Tells what waits still. Nothing is told after this.
    pub(super) fn end(&self, told: &Told) {
        self.change(|state| {
            state.ended = true;
            if let Some(update) = state.waiting.take() {
                told.progress(update);
            }
        });
    }
}

/// Where the reports of a call go.
struct Sink {
    flow: Flow,
    /// Weak, since code that goes on after its call does not keep the call from ending.
    told: Weak<Told>,
}

impl ProgressSink for Sink {
    fn report(&self, update: &ProgressUpdate) {
        // Dropped after the lock is: with the last of it the call ends, which takes the lock again.
        let Some(told) = self.told.upgrade() else { return };
        let waker = self.flow.change(|state| {
            if state.ended {
                return None;
            }
            let now = Instant::now();
            if state.told.is_none_or(|last| now.saturating_duration_since(last) >= PROGRESS_INTERVAL) {
                state.told = Some(now);
                state.waiting = None;
                told.progress(update.clone());
                return None;
            }
            let is_first = state.waiting.replace(update.clone()).is_none();
            state.waker.take().filter(|_| is_first)
        });
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl Telling {
    /// What the tool of the call reports by.
    pub(in crate::dispatch) fn progress(&self) -> Option<Progress> {
        let told = self.0.as_ref()?;
        let flow = told.flow.get_or_init(Flow::default).clone();
        Some(Progress::new(Sink { flow, told: Arc::downgrade(told) }))
    }

    /// The future, and beside it what its tool reports, told in time.
    pub(in crate::dispatch) fn live<F>(&self, future: F) -> Live<'_, F> {
        let told = self.0.as_deref();
        Live { future, reports: told.and_then(|told| Some(Reports { told, flow: told.flow.get()?, timer: None })) }
    }
}

/// A future whose tool may report.
pub(in crate::dispatch) struct Live<'t, F> {
    future: F,
    /// None where the tool has not asked for it, or nobody listens.
    reports: Option<Reports<'t>>,
}

impl<F: Future + Unpin> Future for Live<'_, F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.get_mut();
        let polled = Pin::new(&mut this.future).poll(cx);
        if let (Poll::Pending, Some(reports)) = (&polled, &mut this.reports) {
            reports.poll(cx);
        }
        polled
    }
}

struct Reports<'t> {
    told: &'t Told,
    flow: &'t Flow,
    /// Runs while something waits.
    timer: Option<Pin<Box<Sleep>>>,
}

impl Reports<'_> {
    fn poll(&mut self, cx: &mut Context<'_>) {
        loop {
            let due = self.flow.change(|state| {
                state.waker = Some(cx.waker().clone());
                let due = state.told.and_then(|last| last.checked_add(PROGRESS_INTERVAL));
                due.filter(|_| state.waiting.is_some())
            });
            let Some(due) = due else {
                self.timer = None;
                return;
            };
            // Without a clock what waits is told with the end.
            let Some(timer) = self.timer.take().or_else(|| guarded(|| Box::pin(tokio::time::sleep_until(due))).ok())
            else {
                return;
            };
            let timer = self.timer.insert(timer);
            if timer.as_mut().poll(cx).is_pending() {
                return;
            }
            self.timer = None;
            self.flow.change(|state| {
                if let Some(update) = state.waiting.take() {
                    state.told = Some(Instant::now());
                    self.told.progress(update);
                }
            });
        }
    }
}
