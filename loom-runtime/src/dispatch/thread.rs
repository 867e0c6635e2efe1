//! A blocking function on a thread of its own, and who may still keep it from beginning.

use std::pin::Pin;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use loom_core::Outcome;
use tokio::runtime::Handle;
use tokio::task::{JoinError, JoinHandle};

use super::guard::{Panicked, guarded};

/// A function on its thread. Nobody waits for it any more once it is dropped, and it does not begin then.
pub(crate) struct Thread {
    thread: JoinHandle<Option<Result<Outcome, Panicked>>>,
    claim: Claim,
}

impl Thread {
    /// Runs the function on one of this executor's threads.
    pub(crate) fn start(executor: &Handle, claim: Claim, code: impl FnOnce() -> Outcome + Send + 'static) -> Self {
        let own = claim.clone();
        let thread = executor.spawn_blocking(move || own.begin().then(|| guarded(code)));
        Self { thread, claim }
    }
}

impl Future for Thread {
    /// None where the thread never began or was lost: the code's own panics are contained, so only an executor that ends
    /// loses it.
    type Output = Option<Result<Outcome, Panicked>>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let polled = Pin::new(&mut self.thread).poll(cx);
        if polled.is_ready() {
            self.claim.end();
        }
        polled.map(|done: Result<_, JoinError>| done.ok().flatten())
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        self.claim.give_up();
        // Takes a function that has not begun out of the queue for threads.
        self.thread.abort();
    }
}

/// Who comes first: the thread that begins, or the caller who gives up. What is told of a call rests on it, so the two
/// have to agree.
#[derive(Debug, Clone, Default)]
pub(crate) struct Claim(Arc<AtomicU8>);

impl Claim {
    const BEGUN: u8 = 1;
    const GIVEN_UP: u8 = 2;
    const ENDED: u8 = 3;

    /// Whether the thread may begin.
    fn begin(&self) -> bool {
        self.settle(Self::BEGUN) == Self::BEGUN
    }

    /// Keeps the thread from beginning, and says whether it has, and has not ended.
    pub(super) fn give_up(&self) -> bool {
        self.settle(Self::GIVEN_UP) == Self::BEGUN
    }

    /// Says that the thread is over, and what it gave is known.
    fn end(&self) {
        self.0.store(Self::ENDED, Ordering::Release);
    }

    /// What was first.
    fn settle(&self, to: u8) -> u8 {
        self.0.compare_exchange(0, to, Ordering::AcqRel, Ordering::Acquire).map_or_else(|first| first, |_| to)
    }
}

/// The claims of the threads that code around a call starts for it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Claims(Arc<Mutex<Vec<Claim>>>);

impl Claims {
    /// That of another thread.
    pub(crate) fn another(&self) -> Claim {
        let claim = Claim::default();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(claim.clone());
        claim
    }

    /// Keeps those from beginning that have not, and says whether any has, and has not ended.
    pub(crate) fn give_up(&self) -> bool {
        let claims = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        claims.iter().filter(|claim| claim.give_up()).count() > 0
    }
}
