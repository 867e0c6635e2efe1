//! How many calls run at a time: of one turn, of a dispatcher, of a tool.
//!
//! A gate is a semaphore that is fair: whoever waits first goes first. A call passes all of its gates before it begins,
//! in one order for all calls, so that no two wait for each other; and a call that is made by a call is not held up by a
//! gate that its maker has passed, for that would wait for itself.

use std::num::NonZeroU32;
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, Waker};

use loom_core::{RunContext, Tool};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

#[cfg(test)]
mod tests;

/// One limit.
#[derive(Debug, Clone)]
pub(super) struct Gate(Arc<Semaphore>);

impl Gate {
    pub(super) fn new(calls: usize) -> Self {
        Self(Arc::new(Semaphore::new(calls.clamp(1, Semaphore::MAX_PERMITS))))
    }

    /// That of a tool, which goes with the tool wherever it is used.
    pub(super) fn of(tool: &Tool) -> Option<&Self> {
        let calls = tool.origin().definition().concurrency.or(tool.definition().concurrency)?;
        tool.keep(|| Self::new(NonZeroU32::get(calls) as usize))
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The places of the calls around some code, kept in the run context; a place that was given up counts no more, though
/// code that a call left behind may still know of it.
#[derive(Debug, Clone, Default)]
pub(super) struct Passed(Vec<Weak<Held>>);

impl Passed {
    /// What the code has passed that runs here.
    pub(super) fn current() -> Option<Arc<Self>> {
        RunContext::current().state()
    }

    fn has(&self, gate: &Gate) -> bool {
        self.0.iter().filter_map(Weak::upgrade).any(|held| held.gates.iter().any(|passed| passed.is(gate)))
    }
}

/// A call's place behind its gates, given up when it is dropped.
#[derive(Debug)]
pub(super) struct Place(Arc<Held>);

#[derive(Debug, Default)]
struct Held {
    gates: Vec<Gate>,
    permits: Vec<OwnedSemaphorePermit>,
}

impl Place {
    async fn behind(gates: Vec<Gate>) -> Self {
        let mut held = Held::default();
        for gate in gates {
            // No gate is ever closed, so nobody is turned away.
            if let Ok(permit) = Arc::clone(&gate.0).acquire_owned().await {
                held.permits.push(permit);
                held.gates.push(gate);
            }
        }
        Self(Arc::new(held))
    }

    /// The context in which the call's code knows what it has passed.
    pub(super) fn context(&self, context: &RunContext, before: Option<&Passed>) -> RunContext {
        let before = before.into_iter().flat_map(|passed| passed.0.iter().cloned());
        context.clone().with_state(Passed(before.chain([Arc::downgrade(&self.0)]).collect()))
    }
}

/// What a call waits for its place by. It stands in the queue from the moment at which this is drawn, so those who draw
/// one after the other are let in so, whichever of them is polled first.
pub(super) struct Ticket(Pin<Box<dyn Future<Output = Place> + Send>>);

impl Ticket {
    /// Queues at the first of the gates that is not free, but for those that the maker of the call has passed.
    pub(super) fn draw(gates: impl Iterator<Item = Gate>, passed: Option<&Passed>) -> Self {
        let gates = gates.filter(|gate| passed.is_none_or(|passed| !passed.has(gate))).collect();
        // Whoever draws many in one go would be made to pause in between, and the rest would not be queued.
        let mut waiting = Box::pin(tokio::task::unconstrained(Place::behind(gates)));
        match waiting.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(place) => Self(Box::pin(std::future::ready(place))),
            Poll::Pending => Self(waiting),
        }
    }
}

impl Future for Ticket {
    type Output = Place;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Place> {
        self.0.as_mut().poll(cx)
    }
}
