//! The changes of a host, kept for whoever watches until they are read.
//!
//! Nobody who registers a tool ever waits for a watcher, and no watcher misses where things ended up. Changes are kept
//! in order; when a watcher falls far behind, those of one tool are folded into one, so what is kept is never much
//! more than the tools that changed.

use std::collections::{HashMap, VecDeque};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, Waker};

use futures_core::Stream;
use loom_core::ToolChange;

/// Changes kept in full before those of one tool are folded together.
const KEPT: usize = 1_024;

/// All watchers of one host.
#[derive(Debug, Default)]
pub(super) struct Watchers(Mutex<Vec<Weak<Mutex<Queue>>>>);

#[derive(Debug, Default)]
struct Queue {
    changes: VecDeque<ToolChange>,
    /// Length at which to fold next.
    limit: usize,
    waker: Option<Waker>,
    closed: bool,
}

/// The lock, also when a thread panicked with it: every change under it is complete at each step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watchers {
    pub(super) fn watch(&self) -> Changes {
        let queue = Arc::new(Mutex::new(Queue { limit: KEPT, ..Queue::default() }));
        lock(&self.0).push(Arc::downgrade(&queue));
        Changes(queue)
    }

    /// Tells every watcher, and forgets those that are gone.
    pub(super) fn tell(&self, change: &ToolChange) {
        lock(&self.0).retain(|watcher| {
            let Some(queue) = watcher.upgrade() else { return false };
            let waker = lock(&queue).push(change.clone());
            if let Some(waker) = waker {
                waker.wake();
            }
            true
        });
    }
}

/// The host is gone: what was told is still read, then the stream ends.
impl Drop for Watchers {
    fn drop(&mut self) {
        for queue in lock(&self.0).drain(..).filter_map(|watcher| watcher.upgrade()) {
            let waker = {
                let mut queue = lock(&queue);
                queue.closed = true;
                queue.waker.take()
            };
            if let Some(waker) = waker {
                waker.wake();
            }
        }
    }
}

impl Queue {
    fn push(&mut self, change: ToolChange) -> Option<Waker> {
        self.changes.push_back(change);
        if self.changes.len() > self.limit {
            self.fold();
            self.limit = KEPT.max(self.changes.len().saturating_mul(2));
        }
        self.waker.take()
    }

    /// Leaves one change for each tool: what became of it in all.
    fn fold(&mut self) {
        let mut order = Vec::new();
        let mut net: HashMap<String, Option<ToolChange>> = HashMap::new();
        for change in self.changes.drain(..) {
            let name = change.name().to_owned();
            let Some(before) = net.get_mut(&name) else {
                order.push(name.clone());
                net.insert(name, Some(change));
                continue;
            };
            *before = match (before.take(), change) {
                // Not there before, not there now.
                (Some(ToolChange::Added(_)), ToolChange::Removed(_)) => None,
                (Some(ToolChange::Added(_)), ToolChange::Updated(tool)) => Some(ToolChange::Added(tool)),
                (Some(ToolChange::Removed(_)), ToolChange::Added(tool)) => Some(ToolChange::Updated(tool)),
                (_, change) => Some(change),
            };
        }
        self.changes = order.iter().filter_map(|name| net.remove(name).flatten()).collect();
    }
}

/// The stream of one watcher.
#[derive(Debug)]
pub(super) struct Changes(Arc<Mutex<Queue>>);

impl Stream for Changes {
    type Item = ToolChange;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<ToolChange>> {
        let mut queue = lock(&self.0);
        match queue.changes.pop_front() {
            Some(change) => Poll::Ready(Some(change)),
            None if queue.closed => Poll::Ready(None),
            None => {
                queue.waker = Some(cx.waker().clone());
                Poll::Pending
            }
        }
    }
}
