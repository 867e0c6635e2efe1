//! The calls of a turn at their gates. They queue in the order of the calls: their tasks are run in any.

use std::sync::{Mutex, PoisonError};

use loom_core::{ToolCall, ToolList};

use crate::dispatch::Scope;
use crate::dispatch::gate::Ticket;

/// A place for the ticket of each call; none where no call has a gate to pass.
pub(super) struct Queue(Vec<Mutex<Slot>>);

enum Slot {
    /// The call may still queue.
    Before,
    Queued(Ticket),
    /// It has taken its ticket with it, or needs none any more.
    Gone,
}

impl Queue {
    pub(super) fn new(tools: &ToolList, calls: &[ToolCall], scope: &Scope) -> Self {
        let has_gate =
            |call: &ToolCall| tools.get(&call.name).is_some_and(|tool| tool.definition().concurrency.is_some());
        let has_gates = scope.turn.is_some() || scope.host.is_some() || calls.iter().any(has_gate);
        Self(calls.iter().take_while(|_| has_gates).map(|_| Mutex::new(Slot::Before)).collect())
    }

    /// Lets the call queue with this ticket, unless it is gone.
    pub(super) fn enter(&self, index: usize, ticket: impl FnOnce() -> Option<Ticket>) {
        let Some(slot) = self.0.get(index) else { return };
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Slot::Before = *slot
            && let Some(ticket) = ticket()
        {
            *slot = Slot::Queued(ticket);
        }
    }

    /// The ticket of the call, which does not queue any more after this.
    pub(super) fn leave(&self, index: usize) -> Option<Ticket> {
        let mut slot = self.0.get(index)?.lock().unwrap_or_else(PoisonError::into_inner);
        match std::mem::replace(&mut *slot, Slot::Gone) {
            Slot::Queued(ticket) => Some(ticket),
            Slot::Before | Slot::Gone => None,
        }
    }
}
