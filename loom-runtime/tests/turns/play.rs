//! Lets a plan happen.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use loom_runtime::{Backoff, CallError, CallEvent, CancellationToken, Dispatcher, ToolResult, Turn, TurnCanceller};
use tokio::task::{JoinSet, yield_now};
use tokio::time::sleep_until;

use crate::act::{Log, Run, hush, tools};
use crate::plan::{Cancel, Plan, Target};

/// How the results are taken.
#[derive(Debug, Clone, Copy)]
pub(crate) enum By {
    Results,
    Next,
    /// Not at all: the turn is dropped then, unless it is over.
    DroppedAt(u64),
}

#[derive(Debug)]
pub(crate) struct Answer {
    /// The number of the call in its events.
    pub(crate) number: u64,
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) attempts: u32,
    /// When it was there, if it was taken by itself.
    pub(crate) at: Option<u64>,
    /// The end that its result asks for.
    pub(crate) end: CallEvent,
}

/// What came of a plan.
#[derive(Debug)]
pub(crate) struct Played {
    pub(crate) answers: Vec<Answer>,
    pub(crate) runs: Vec<Run>,
    /// With the time at which they were heard, by the number of the call.
    pub(crate) events: BTreeMap<u64, Vec<(u64, CallEvent)>>,
    /// Attempts that are still under way, and tasks that are still alive.
    pub(crate) alive: usize,
    pub(crate) tasks: usize,
}

pub(crate) fn play(plan: &Plan, by: By) -> Played {
    hush();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    runtime.block_on(played(plan, by))
}

async fn played(plan: &Plan, by: By) -> Played {
    let log = Log::new(plan.clone());
    let token = CancellationToken::new();
    let dispatcher = dispatcher(plan, &log).with_cancellation(token.clone());
    let mut events = dispatcher.events();
    let hearing = Arc::clone(&log);
    let listener = tokio::spawn(async move {
        let mut heard: BTreeMap<_, Vec<_>> = BTreeMap::new();
        while let Some(event) = events.next().await {
            heard.entry(event.call_number().unwrap()).or_default().push((hearing.now(), event));
        }
        heard
    });
    let turn = dispatcher.turn(plan.calls.iter().enumerate().map(|(number, call)| call.call(number)));
    drop(dispatcher);
    let mut cancelling = JoinSet::new();
    if plan.cancels.iter().any(|cancel| cancel.target != Target::Token) {
        let canceller = turn.canceller();
        for cancel in plan.cancels.iter().filter(|cancel| cancel.target != Target::Token) {
            cancelling.spawn(cancel_at(*cancel, plan.clone(), canceller.clone(), Arc::clone(&log)));
        }
    }
    for cancel in plan.cancels.iter().filter(|cancel| cancel.target == Target::Token) {
        let (token, time) = (token.clone(), log.at(cancel.at));
        cancelling.spawn(async move {
            sleep_until(time).await;
            token.cancel();
        });
    }
    let results = taken(turn, by, &log).await;
    cancelling.shutdown().await;
    // Tasks that were stopped go at their next turn; calls that were made by calls, one later.
    for _ in 0..5 {
        yield_now().await;
    }
    let alive = log.alive();
    // Everything that could tell something is gone.
    let mut events = listener.await.unwrap();
    let answers = results.into_iter().enumerate().map(|(index, (at, result))| {
        let number = index as u64 + 1;
        let ended = events.get(&number).and_then(|events| match events.last() {
            Some((_, CallEvent::End { duration, .. })) => Some(*duration),
            _ => None,
        });
        answer(number, at, &result, ended.unwrap_or_default())
    });
    let answers = answers.collect();
    let tasks = tokio::runtime::Handle::current().metrics().num_alive_tasks();
    for told in events.values_mut() {
        told.sort_by_key(|(time, _)| *time);
    }
    Played { answers, runs: log.runs(), events, alive, tasks }
}

fn dispatcher(plan: &Plan, log: &Arc<Log>) -> Dispatcher {
    let some = |calls: usize| NonZeroUsize::new(calls).unwrap();
    let first = Duration::from_millis(plan.first_delay);
    let mut dispatcher = Dispatcher::new(tools(log)).unwrap();
    dispatcher = dispatcher.with_timeout(Duration::from_millis(plan.timeout));
    dispatcher = dispatcher.with_backoff(Backoff::exact(first, first * 1_000));
    if let Some(timeout) = plan.turn_timeout {
        dispatcher = dispatcher.with_turn_timeout(Duration::from_millis(timeout));
    }
    if let Some(deadline) = plan.deadline {
        dispatcher = dispatcher.with_deadline(log.at(deadline).into_std());
    }
    if let Some(calls) = plan.turn_concurrency {
        dispatcher = dispatcher.with_turn_concurrency(some(calls));
    }
    if let Some(calls) = plan.concurrency {
        dispatcher = dispatcher.with_concurrency(some(calls));
    }
    dispatcher
}

async fn cancel_at(cancel: Cancel, plan: Plan, canceller: TurnCanceller, log: Arc<Log>) {
    sleep_until(log.at(cancel.at)).await;
    match cancel.target {
        Target::Turn | Target::Token => canceller.cancel(),
        Target::At(index) => assert!(canceller.cancel_at(index)),
        Target::IdOf(index) => assert!(canceller.cancel_call(&plan.calls[index].id)),
    }
    assert!(!canceller.cancel_at(plan.calls.len()));
    assert!(!canceller.cancel_call("nobody's"));
}

/// The results in the order of the calls, with the times at which they were there.
async fn taken(mut turn: Turn, by: By, log: &Log) -> Vec<(Option<u64>, ToolResult)> {
    match by {
        By::Results => turn.results().await.into_iter().map(|result| (None, result)).collect(),
        By::Next => {
            let mut taken = BTreeMap::new();
            while let Some((index, result)) = turn.next().await {
                assert!(taken.insert(index, (Some(log.now()), result)).is_none(), "{index} is answered twice");
            }
            assert!(turn.next().await.is_none());
            taken.into_values().collect()
        }
        By::DroppedAt(time) => {
            tokio::select! {
                biased;
                () = sleep_until(log.at(time)) => {}
                _results = turn.results() => {}
            }
            Vec::new()
        }
    }
}

fn answer(number: u64, at: Option<u64>, result: &ToolResult, ended: Duration) -> Answer {
    let kind = result.outcome.as_ref().map_or_else(CallError::kind, |_| "ok");
    let text = result.text();
    assert!(!text.is_empty());
    let end = CallEvent::end(number, &*result.call_id, kind, ended).with_result(text.len(), false);
    let (id, name) = (result.call_id.clone(), result.tool_name.clone());
    Answer { number, id, name, kind, attempts: result.attempts, at, end }
}
