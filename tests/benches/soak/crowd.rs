//! One turn of very many calls that all wait at the same time: what one of them takes.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

use loom_runtime::prelude::*;
use tokio::sync::watch;

use crate::tools::{wait, wait_alone};
use crate::{HEAP, mebibytes, resident};

/// The most that a waiting call may take, in bytes.
const MOST: usize = 4_096;

pub(crate) fn run(calls: usize) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    println!("{calls} calls of one turn that wait at once, on one thread");
    println!("{:32} {:>14} {:>14} {:>10} {:>10}", "waiting", "bytes a call", "resident MiB", "begin ms", "end ms");
    let one = NonZeroUsize::MIN;
    runtime.block_on(async {
        waiting("in their tools", calls, "wait", |dispatcher| dispatcher).await;
        waiting("in their tools, with a listener", calls, "wait", |dispatcher| {
            let mut events = dispatcher.events();
            tokio::spawn(async move { while events.next().await.is_some() {} });
            dispatcher
        })
        .await;
        waiting("at the gate of the turn", calls, "wait", |dispatcher| dispatcher.with_turn_concurrency(one)).await;
        waiting("behind each other", calls, "wait_alone", |dispatcher| dispatcher).await;
    });
}

async fn waiting(what: &str, calls: usize, tool: &str, set: impl FnOnce(Dispatcher) -> Dispatcher) {
    let (open, doors) = watch::channel(false);
    let context = RunContext::new().with_state(doors);
    let dispatcher = Dispatcher::new(tools![wait, wait_alone]).unwrap().with_context(context);
    let dispatcher = set(dispatcher.with_timeout(Duration::from_hours(1)));
    let made: Vec<_> = (0..calls).map(|number| ToolCall::new(format!("call_{number}"), tool, "{}")).collect();
    // The calls themselves are the caller's.
    let before = HEAP.allocated();
    let start = Instant::now();
    let mut turn = dispatcher.turn(made);
    let first = std::future::poll_fn(|cx| std::task::Poll::Ready(std::pin::pin!(turn.next()).poll(cx))).await;
    assert!(first.is_pending());
    tokio::task::yield_now().await;
    let begun = start.elapsed();
    let each = HEAP.allocated().saturating_sub(before) / calls;
    let resident = mebibytes(resident());
    let start = Instant::now();
    open.send(true).unwrap();
    let results = turn.results().await;
    let ended = start.elapsed();
    assert_eq!(results.len(), calls);
    for (number, result) in results.iter().enumerate() {
        assert_eq!((&*result.call_id, &*result.text()), (&*format!("call_{number}"), "opened"));
    }
    println!("{what:32} {each:14} {resident:14.1} {:10} {:10}", begun.as_millis(), ended.as_millis());
    assert!(each <= MOST, "a waiting call takes more than {MOST} bytes");
    drop((results, Arc::new(dispatcher)));
}
