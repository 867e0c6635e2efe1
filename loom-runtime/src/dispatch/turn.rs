//! One turn: all its calls beside each other, a task each, in one scope.
//!
//! A task each, so that a tool that computes without awaiting does not hold up its siblings or their timers.

use std::collections::HashSet;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, ready};

use futures_core::Stream;
use loom_core::{CallError, ToolCall, ToolList, ToolResult};
use tokio::runtime::Handle;
use tokio::task::JoinSet;

use super::events::{Calls, Channel, Telling};
use super::order::Order;
use super::{CancellationToken, Scope, call};

mod queue;

use queue::Queue;

/// The calls of one model message while they run: a stream of their results, each as soon as it is there.
///
/// Made by [`Dispatcher::turn`](crate::Dispatcher::turn). Nothing runs before it is polled first. Dropping it cancels
/// every call that has not ended.
///
/// ```
/// use loom_runtime::prelude::*;
///
/// /// Says what it is told.
/// #[tool]
/// async fn say(text: String) -> String {
///     text
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let dispatcher = Dispatcher::new(tools![say])?;
/// let mut turn = dispatcher.turn([
///     ToolCall::new("a", "say", r#"{"text": "first"}"#),
///     ToolCall::new("b", "say", r#"{"text": "second"}"#),
/// ]);
/// let mut texts = [String::new(), String::new()];
/// while let Some((index, result)) = turn.next().await {
///     texts[index] = result.text().into_owned();
/// }
/// assert_eq!(texts, ["first", "second"]);
/// # Ok(()) }
/// ```
#[must_use = "a turn does nothing unless it is polled"]
pub struct Turn {
    shared: Arc<Shared>,
    begun: bool,
    /// Where its events go.
    events: Option<Arc<Channel>>,
    // Dropped with the turn, the set aborts every task in it.
    tasks: JoinSet<(usize, ToolResult)>,
    /// Results that nobody has asked for yet.
    ready: Vec<(usize, ToolResult)>,
    given: Vec<bool>,
    tellings: Vec<Telling>,
}

/// What all calls of a turn use.
struct Shared {
    tools: ToolList,
    calls: Vec<ToolCall>,
    scope: Scope,
    order: OnceLock<Option<Order>>,
    /// That of the whole turn; there is one from the beginning on.
    token: OnceLock<CancellationToken>,
    /// A token for each call, where somebody may cancel one of them.
    tokens: OnceLock<Vec<CancellationToken>>,
    queue: Queue,
}

impl Calls for Shared {
    fn calls(&self) -> &[ToolCall] {
        &self.calls
    }
}

impl Shared {
    fn cancellation(&self, index: usize) -> Option<&CancellationToken> {
        let own = self.tokens.get().and_then(|tokens| tokens.get(index));
        own.or_else(|| self.token.get())
    }

    fn token(&self) -> &CancellationToken {
        let outer = self.scope.cancellation.as_ref();
        self.token.get_or_init(|| outer.map_or_else(CancellationToken::new, CancellationToken::child))
    }

    /// Lets a call queue at its gates that waits for no other any more.
    fn enqueue(&self, index: usize) {
        let tool = self.calls.get(index).and_then(|call| self.tools.get(&call.name));
        if let Some(tool) = tool {
            self.queue.enter(index, || call::ticket(tool, &self.scope));
        }
    }
}

impl Turn {
    pub(super) fn new(tools: ToolList, calls: Vec<ToolCall>, scope: Scope, events: Option<Arc<Channel>>) -> Self {
        let queue = Queue::new(&tools, &calls, &scope);
        let (order, token, tokens) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let shared = Shared { tools, calls, scope, order, token, tokens, queue };
        Self {
            given: vec![false; shared.calls.len()],
            shared: Arc::new(shared),
            begun: false,
            events,
            tasks: JoinSet::new(),
            ready: Vec::new(),
            tellings: Vec::new(),
        }
    }

    /// Something to cancel the turn or one of its calls by, from anywhere and at any time.
    ///
    /// A call that has begun already when the first one is made is cancelled with the whole turn only.
    pub fn canceller(&self) -> TurnCanceller {
        let whole = self.shared.token();
        let tokens = self.shared.tokens.get_or_init(|| self.shared.calls.iter().map(|_| whole.child()).collect());
        let calls = self.shared.calls.iter().map(|call| call.id.clone()).zip(tokens.iter().cloned());
        TurnCanceller { whole: whole.clone(), calls: calls.collect() }
    }

    /// The next result that is there, with the place of its call in the turn; `None` once every call has had its own.
    /// Dropping the future loses none.
    pub async fn next(&mut self) -> Option<(usize, ToolResult)> {
        std::future::poll_fn(|cx| self.poll_result(cx)).await
    }

    /// Waits for all calls, and gives the results that were not given yet, in the order of the calls.
    pub async fn results(mut self) -> Vec<ToolResult> {
        let mut results: Vec<Option<ToolResult>> = Vec::new();
        results.resize_with(self.shared.calls.len(), || None);
        std::future::poll_fn(|cx| {
            while let Some((index, result)) = ready!(self.poll_nameless(cx)) {
                if let Some(place) = results.get_mut(index) {
                    *place = Some(result);
                }
            }
            Poll::Ready(())
        })
        .await;
        // What tells of the calls looks at their names.
        self.tellings.clear();
        // Every task is gone by now, so the calls are here alone and their names need no copies.
        match Arc::try_unwrap(self.shared) {
            Ok(shared) => {
                let calls = shared.calls.into_iter().zip(results);
                calls.filter_map(|(call, result)| result.map(|result| named(result, call.id, call.name))).collect()
            }
            Err(shared) => {
                let calls = shared.calls.iter().zip(results);
                let named = |(call, result): (&ToolCall, Option<ToolResult>)| {
                    result.map(|result| named(result, call.id.clone(), call.name.clone()))
                };
                calls.filter_map(named).collect()
            }
        }
    }

    fn poll_result(&mut self, cx: &mut Context<'_>) -> Poll<Option<(usize, ToolResult)>> {
        let next = ready!(self.poll_nameless(cx));
        Poll::Ready(next.map(|(index, result)| {
            let names = self.shared.calls.get(index).map(|call| (call.id.clone(), call.name.clone()));
            let (id, name) = names.unwrap_or_default();
            (index, named(result, id, name))
        }))
    }

    fn poll_nameless(&mut self, cx: &mut Context<'_>) -> Poll<Option<(usize, ToolResult)>> {
        if !std::mem::replace(&mut self.begun, true) {
            self.begin();
        }
        loop {
            let answer = match self.ready.pop() {
                Some(answer) => Some(Ok(answer)),
                None => ready!(self.tasks.poll_join_next(cx)),
            };
            match answer {
                Some(Ok((index, result))) => {
                    if let Some(given) = self.given.get_mut(index) {
                        *given = true;
                    }
                    return Poll::Ready(Some((index, result)));
                }
                // Only an executor that ends loses a task, and it loses the others as well: they are told of last.
                Some(Err(_)) => {}
                None => {
                    let lost = self.given.iter().enumerate().filter(|(_, given)| !**given);
                    let lost: Vec<_> = lost.map(|(index, _)| index).collect();
                    if lost.is_empty() {
                        return Poll::Ready(None);
                    }
                    self.give_up(lost);
                }
            }
        }
    }

    /// Starts every call that is not refused at once.
    fn begin(&mut self) {
        let shared = Arc::clone(&self.shared);
        if let Some(events) = &self.events {
            self.tellings = events.begin_all(&(Arc::clone(&shared) as Arc<dyn Calls>));
        }
        if Handle::try_current().is_err() {
            self.refuse_all(0..shared.calls.len(), |_| CallError::NoExecutor);
            return;
        }
        // Made now, since a call that waits already would not hear of one that is made later.
        shared.token();
        let repeated = repeated_ids(&shared.calls);
        let duplicate = |call: &ToolCall| CallError::DuplicateId { id: call.id.clone() };
        self.refuse_all(repeated.iter().copied(), duplicate);
        let order = shared
            .order
            .get_or_init(|| Order::of(&shared.calls, &shared.tools, |index| repeated.binary_search(&index).is_ok()));
        let runs = |index: &usize| repeated.binary_search(index).is_err();
        for index in (0..shared.calls.len()).filter(runs) {
            if order.as_ref().is_none_or(|order| order.is_first(index)) {
                shared.enqueue(index);
            }
        }
        for index in (0..shared.calls.len()).filter(runs) {
            // A copy stays here: of a task that is lost, only this side can say what became of it.
            let telling = self.tellings.get(index).cloned().unwrap_or_else(Telling::nobody);
            let shared = Arc::clone(&shared);
            if order.is_some() {
                self.tasks.spawn(async move { (index, in_order(&shared, index, &telling).await) });
            } else {
                self.tasks.spawn(async move { (index, one(&shared, index, &telling).await) });
            }
        }
    }

    /// Answers calls that are not even tried.
    fn refuse_all(&mut self, calls: impl Iterator<Item = usize>, error: impl Fn(&ToolCall) -> CallError) {
        let nobody = Telling::nobody();
        let Shared { tools, calls: all, scope, .. } = &*self.shared;
        let refuse = |index: usize| {
            let call: &ToolCall = all.get(index)?;
            let telling = self.tellings.get(index).unwrap_or(&nobody);
            Some((index, call::refuse(call, tools.get(&call.name).is_some(), error(call), scope, telling)))
        };
        self.ready = calls.filter_map(refuse).collect();
        // The last is given first.
        self.ready.reverse();
    }

    /// Answers calls of which nothing is known any more.
    fn give_up(&mut self, calls: Vec<usize>) {
        let lost = |index: usize| {
            let result = ToolResult::new(String::new(), String::new(), Err(CallError::ShutDown));
            if let Some(telling) = self.tellings.get(index) {
                telling.end(&result);
            }
            (index, result)
        };
        self.ready = calls.into_iter().map(lost).collect();
        self.ready.reverse();
    }
}

impl Stream for Turn {
    type Item = (usize, ToolResult);

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll_result(cx)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.given.iter().filter(|given| !**given).count();
        (left, Some(left))
    }
}

impl std::fmt::Debug for Turn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Turn").field("calls", &self.shared.calls).finish_non_exhaustive()
    }
}

fn named(mut result: ToolResult, id: String, name: String) -> ToolResult {
    (result.call_id, result.tool_name) = (id, name);
    result
}

/// The places of the calls whose id an earlier one has, in order. An empty id is none, so any number of calls may have it.
fn repeated_ids(calls: &[ToolCall]) -> Vec<usize> {
    /// Below this, comparing each with each is quicker than a set.
    const FEW: usize = 16;
    let given = calls.iter().enumerate().filter(|(_, call)| !call.id.is_empty());
    if calls.len() <= FEW {
        let is_repeated = |&(index, call): &(usize, &ToolCall)| calls.iter().take(index).any(|one| one.id == call.id);
        return given.filter(is_repeated).map(|(index, _)| index).collect();
    }
    let mut seen = HashSet::with_capacity_and_hasher(calls.len(), foldhash::fast::RandomState::default());
    given.filter(|(_, call)| !seen.insert(call.id.as_str())).map(|(index, _)| index).collect()
}

async fn one(shared: &Shared, index: usize, telling: &Telling) -> ToolResult {
    let Some(one) = shared.calls.get(index) else { return ToolResult::new("", "", Err(CallError::ShutDown)) };
    let ticket = shared.queue.leave(index);
    call::answer(&shared.tools, one, &shared.scope, shared.cancellation(index), ticket, telling).await
}

/// The same once every call that goes before this one is over.
async fn in_order(shared: &Shared, index: usize, telling: &Telling) -> ToolResult {
    let (Some(Some(order)), Some(call)) = (shared.order.get(), shared.calls.get(index)) else {
        return one(shared, index, telling).await;
    };
    // Told also where the task is dropped, or nobody behind it would ever begin.
    let _ending = Ending { shared, order, index };
    let cancellation = shared.cancellation(index);
    match call::in_turn(order.turn_of(index), call, &shared.scope, cancellation, telling).await {
        Ok(()) => one(shared, index, telling).await,
        Err(unbegun) => unbegun,
    }
}

struct Ending<'o> {
    shared: &'o Shared,
    order: &'o Order,
    index: usize,
}

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        // A call that ended before its turn came needs no place any more.
        drop(self.shared.queue.leave(self.index));
        self.order.ended(self.index, |index| self.shared.enqueue(index));
    }
}

/// Cancels a turn, or one of its calls; see [`Turn::canceller`].
#[derive(Debug, Clone)]
pub struct TurnCanceller {
    whole: CancellationToken,
    calls: Arc<[(String, CancellationToken)]>,
}

impl TurnCanceller {
    /// Cancels every call that has not ended.
    pub fn cancel(&self) {
        self.whole.cancel();
    }

    /// Cancels the call of this id, unless it has ended, and says whether there is such a call.
    pub fn cancel_call(&self, id: &str) -> bool {
        let mut tokens = self.calls.iter().filter(|(own, _)| own == id).peekable();
        let found = tokens.peek().is_some();
        tokens.for_each(|(_, token)| token.cancel());
        found
    }

    /// Cancels the call at this place of the turn, unless it has ended, and says whether there is such a call.
    pub fn cancel_at(&self, index: usize) -> bool {
        self.calls.get(index).map(|(_, token)| token.cancel()).is_some()
    }
}
