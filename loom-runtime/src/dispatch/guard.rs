//! User code behind a guard: a panic becomes an error, and its payload goes nowhere.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

/// The code panicked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Panicked;

/// Runs `code` and contains its panic.
///
/// The guarded values are dropped or never looked at again after a panic, so nobody sees them half changed.
pub(crate) fn guarded<T>(code: impl FnOnce() -> T) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(code)).map_err(discard)
}

/// Drops a panic's payload, which may panic in turn.
fn discard(payload: Box<dyn Any + Send>) -> Panicked {
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(second);
    }
    Panicked
}

/// A future whose panics, also while it is dropped, become an error.
pub(crate) struct GuardedFuture<T>(Option<Pin<Box<dyn Future<Output = T> + Send>>>);

impl<T> GuardedFuture<T> {
    pub(crate) fn new(future: Pin<Box<dyn Future<Output = T> + Send>>) -> Self {
        Self(Some(future))
    }

    /// Polls within a guard that is there already.
    pub(super) fn poll_unguarded(&mut self, cx: &mut Context<'_>) -> Poll<T> {
        match &mut self.0 {
            Some(future) => future.as_mut().poll(cx),
            None => Poll::Pending,
        }
    }
}

impl<T> Future for GuardedFuture<T> {
    type Output = Result<T, Panicked>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(future) = &mut self.0 else { return Poll::Ready(Err(Panicked)) };
        match guarded(|| future.as_mut().poll(cx)) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(value)) => Poll::Ready(Ok(value)),
            Err(panicked) => Poll::Ready(Err(panicked)),
        }
    }
}

impl<T> Drop for GuardedFuture<T> {
    fn drop(&mut self) {
        let future = self.0.take();
        // The call has its answer already; what its remains do while they are dropped changes nothing.
        let _contained = guarded(|| drop(future));
    }
}
