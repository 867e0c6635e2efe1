#![expect(clippy::unused_async, reason = "the tools stand for such as await")]

use std::future::pending;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc as std_mpsc};
use std::task::{Context, Poll, Waker};

use loom_core::{CallError, CallInfo, State, ToolList, tool, tools};
use tokio::sync::{Barrier, mpsc, oneshot};
use tokio::time::Instant;

use super::*;

mod events;
mod given_up;
mod limits;
mod panics;
mod retries;
mod run_context;

fn list(tools: Vec<loom_core::Tool>) -> ToolList {
    ToolList::new(tools).unwrap()
}

fn call(id: &str, name: &str) -> ToolCall {
    ToolCall::new(id, name, "{}")
}

fn texts(results: &[ToolResult]) -> Vec<String> {
    results.iter().map(|result| format!("{} {}", result.call_id, result.text())).collect()
}

/// What the tools of a test share, as state of the run.
struct Shared {
    barrier: Barrier,
    threads: std::sync::Barrier,
    told: mpsc::UnboundedSender<String>,
    /// Whether threads that were given up may end.
    released: AtomicBool,
}

impl Shared {
    fn new(parties: usize) -> (Arc<Self>, mpsc::UnboundedReceiver<String>) {
        let (told, heard) = mpsc::unbounded_channel();
        let shared = Self {
            barrier: Barrier::new(parties),
            threads: std::sync::Barrier::new(parties),
            told,
            released: AtomicBool::new(false),
        };
        (Arc::new(shared), heard)
    }

    /// Waits on the thread until the call is given up and the test has seen what became of it.
    fn wait_for_end(&self, token: &CancellationToken) {
        while !token.is_cancelled() || !self.released.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
    }

    fn release(&self) {
        self.released.store(true, Ordering::SeqCst);
    }

    fn tell(&self, text: &str) {
        self.told.send(text.to_owned()).unwrap();
    }
}

fn dispatcher(tools: Vec<loom_core::Tool>, shared: &Arc<Shared>) -> Dispatcher {
    Dispatcher::new(tools).unwrap().with_context(RunContext::new().with_shared_state(Arc::clone(shared)))
}

/// The code of another tool.
struct Through(loom_core::Tool);

impl loom_core::ToolHandler for Through {
    fn prepare(
        &self,
        arguments: &loom_core::Arguments,
        context: &loom_core::CallContext<'_>,
    ) -> Result<loom_core::Prepared, CallError> {
        self.0.prepare(arguments, context)
    }
}

/// A tool of its own that does what this one does, under another definition.
fn redefined(tool: loom_core::Tool, edit: impl FnOnce(&mut loom_core::ToolDef)) -> loom_core::Tool {
    let mut definition = tool.definition().clone();
    edit(&mut definition);
    loom_core::Tool::new(definition, Through(tool))
}

/// Waits for all others.
#[tool]
async fn meet(#[context] shared: State<Shared>) -> &'static str {
    shared.barrier.wait().await;
    "met"
}

/// Waits for all others, blocking its thread.
#[tool]
fn meet_blocking(#[context] shared: &State<Shared>) -> &'static str {
    shared.threads.wait();
    "met"
}

/// Never ends.
#[tool]
async fn hang() {
    pending::<()>().await;
}

/// Never ends, but for its own timeout.
#[tool(timeout = "7s")]
async fn hang_7s() {
    pending::<()>().await;
}

/// Says something.
#[tool]
async fn say(text: String) -> String {
    text
}

#[tokio::test]
async fn calls_of_a_turn_run_beside_each_other() {
    let (shared, _heard) = Shared::new(3);
    let results =
        dispatcher(tools![meet], &shared).dispatch([call("a", "meet"), call("b", "meet"), call("c", "meet")]).await;
    assert_eq!(texts(&results), ["a met", "b met", "c met"]);
}

#[tokio::test]
async fn blocking_functions_have_threads_of_their_own() {
    let (shared, _heard) = Shared::new(3);
    let calls = ["a", "b", "c"].map(|id| call(id, "meet_blocking"));
    let results = dispatcher(tools![meet_blocking], &shared).dispatch(calls).await;
    assert_eq!(texts(&results), ["a met", "b met", "c met"]);
}

#[tokio::test]
async fn a_blocking_function_does_not_stall_the_executor() {
    struct Pair(Mutex<std_mpsc::Receiver<()>>, std_mpsc::Sender<()>);

    /// Blocks until its sibling has run.
    #[tool]
    fn wait(#[context] pair: &State<Pair>) -> &'static str {
        pair.0.lock().unwrap().recv().unwrap();
        "woken"
    }

    /// Wakes its sibling.
    #[tool]
    async fn wake(#[context] pair: State<Pair>) -> &'static str {
        pair.1.send(()).unwrap();
        "woke"
    }

    let (sender, receiver) = std_mpsc::channel();
    let context = RunContext::new().with_state(Pair(Mutex::new(receiver), sender));
    let dispatcher = Dispatcher::new(tools![wait, wake]).unwrap().with_context(context);
    // One thread polls both: were the first run on it, the second would never come.
    let results = dispatcher.dispatch([call("a", "wait"), call("b", "wake")]).await;
    assert_eq!(texts(&results), ["a woken", "b woke"]);
}

#[tokio::test]
async fn results_are_in_the_order_of_the_calls() {
    struct Chain(Mutex<Vec<Option<oneshot::Receiver<()>>>>, Mutex<Vec<Option<oneshot::Sender<()>>>>);

    /// Ends after the call behind it.
    #[tool]
    async fn after_next(index: usize, #[context] chain: State<Chain>) -> usize {
        let next = chain.0.lock().unwrap()[index].take();
        if let Some(next) = next {
            next.await.unwrap();
        }
        if let Some(done) = chain.1.lock().unwrap()[index].take() {
            done.send(()).unwrap();
        }
        index
    }

    let count = 20;
    let (mut waits, mut dones): (Vec<_>, Vec<_>) = (vec![], vec![None]);
    for _ in 1..count {
        let (done, wait) = oneshot::channel();
        waits.push(Some(wait));
        dones.push(Some(done));
    }
    waits.push(None);
    let context = RunContext::new().with_state(Chain(Mutex::new(waits), Mutex::new(dones)));
    let calls = (0..count).map(|n| ToolCall::new(format!("id_{n}"), "after_next", format!("{{\"index\":{n}}}")));
    let results = Dispatcher::new(tools![after_next]).unwrap().with_context(context).dispatch(calls).await;
    assert_eq!(texts(&results), (0..count).map(|n| format!("id_{n} {n}")).collect::<Vec<_>>());
}

#[tokio::test]
async fn every_call_has_exactly_one_result() {
    let host = list(tools![say]);
    for count in [0, 1, 2, 100] {
        let calls = (0..count).map(|n| match n % 3 {
            0 => ToolCall::new(format!("{n}"), "say", r#"{"text":"x"}"#),
            1 => ToolCall::new(format!("{n}"), "say", "{"),
            _ => ToolCall::new("", "sai", ""),
        });
        let results = host.dispatch(calls).await;
        let kinds: Vec<_> = results.iter().map(|r| r.outcome.as_ref().err().map(CallError::kind)).collect();
        let expected = (0..count).map(|n| [None, Some("bad_arguments"), Some("unknown_tool")][n % 3]);
        assert_eq!(kinds, expected.collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn unknown_tools_are_answered_with_the_nearest_names() {
    let results = list(tools![say, hang, hang_7s]).dispatch([call("a", "hangs"), call("b", "zzz")]).await;
    assert_eq!(
        texts(&results),
        ["a there is no tool named `hangs`; did you mean `hang` or `hang_7s`?", "b there is no tool named `zzz`"]
    );
}

#[tokio::test(start_paused = true)]
async fn a_call_takes_no_longer_than_it_may() {
    let host = list(tools![hang, hang_7s]);
    let start = Instant::now();
    let result = host.call(call("a", "hang")).await;
    assert_eq!(start.elapsed(), DEFAULT_TIMEOUT);
    assert!(matches!(result.outcome, Err(CallError::TimedOut { after: DEFAULT_TIMEOUT, blocking: false })));

    let start = Instant::now();
    let dispatcher = Dispatcher::new(host).unwrap().with_timeout(Duration::from_secs(3));
    let results = dispatcher.dispatch([call("a", "hang"), call("b", "hang_7s")]).await;
    assert_eq!(start.elapsed(), Duration::from_secs(7));
    assert_eq!(texts(&results), ["a the call timed out after 3 seconds", "b the call timed out after 7 seconds"]);
}

/// Tells that it runs, then waits on its thread until it is told to stop.
#[tool]
fn stubborn(#[context] shared: &State<Shared>, #[context] token: &CancellationToken) -> &'static str {
    shared.tell("started");
    shared.wait_for_end(token);
    shared.tell("stopped");
    "too late"
}

#[tokio::test(start_paused = true)]
async fn a_blocking_function_that_is_given_up_is_told_so_and_its_result_discarded() {
    let (shared, mut heard) = Shared::new(1);
    let dispatcher = dispatcher(tools![stubborn], &shared).with_timeout(Duration::from_secs(5));
    let turn = tokio::spawn(async move { dispatcher.call(call("a", "stubborn")).await });
    assert_eq!(heard.recv().await.unwrap(), "started");
    // Time stands while a thread is blocked, so the test moves it.
    tokio::time::advance(Duration::from_secs(5)).await;
    let result = turn.await.unwrap();
    assert_eq!(
        result.text(),
        "the call timed out after 5 seconds; it may still be running, and its effects may still happen"
    );
    shared.release();
    assert_eq!(heard.recv().await.unwrap(), "stopped");
}

#[tokio::test]
async fn cancelling_ends_every_call_of_the_turn() {
    let (shared, mut heard) = Shared::new(1);
    let token = CancellationToken::new();
    let dispatcher = dispatcher(tools![hang, stubborn, say], &shared).with_cancellation(token.clone());
    let again = dispatcher.clone();
    let calls = [call("a", "hang"), call("b", "stubborn"), ToolCall::new("c", "say", r#"{"text":"done"}"#)];
    let turn = tokio::spawn(async move { dispatcher.dispatch(calls).await });
    assert_eq!(heard.recv().await.unwrap(), "started");
    token.cancel();
    let results = turn.await.unwrap();
    assert_eq!(
        texts(&results),
        [
            "a the call was cancelled",
            "b the call was cancelled; it may still be running, and its effects may still happen",
            "c done"
        ]
    );
    shared.release();
    assert_eq!(heard.recv().await.unwrap(), "stopped");
    // After the cancellation nothing starts any more.
    assert_eq!(again.call(ToolCall::new("d", "say", r#"{"text":"x"}"#)).await.text(), "the call was cancelled");
}

#[test]
fn a_blocking_function_that_has_not_begun_never_does() {
    static RUNS: AtomicUsize = AtomicUsize::new(0);

    /// Waits for its token; counts how often it ran.
    #[tool]
    fn count(#[context] shared: &State<Shared>, #[context] token: &CancellationToken) {
        RUNS.fetch_add(1, Ordering::SeqCst);
        shared.tell("started");
        shared.wait_for_end(token);
    }

    let executor = tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(1).build().unwrap();
    let (shared, mut heard) = Shared::new(1);
    let token = CancellationToken::new();
    let dispatcher = dispatcher(tools![count], &shared).with_cancellation(token.clone());
    let results = executor.block_on(async move {
        let turn = tokio::spawn(async move { dispatcher.dispatch([call("a", "count"), call("b", "count")]).await });
        assert_eq!(heard.recv().await.unwrap(), "started");
        token.cancel();
        turn.await.unwrap()
    });
    shared.release();
    drop(executor);
    let mut told = texts(&results);
    told.sort_by_key(String::len);
    assert!(told[0].ends_with(" the call was cancelled"), "{told:?}");
    assert!(told[1].ends_with(" the call was cancelled; it may still be running, and its effects may still happen"));
    assert_eq!(RUNS.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn dropping_the_turn_drops_everything_in_it() {
    struct Tells(State<Shared>);
    impl Drop for Tells {
        fn drop(&mut self) {
            self.0.tell("dropped");
        }
    }

    /// Holds something that tells of its end.
    #[tool]
    async fn hold(#[context] shared: State<Shared>) {
        shared.tell("started");
        let _tells = Tells(shared);
        pending::<()>().await;
    }

    for calls in 1..=3 {
        let (shared, mut heard) = Shared::new(1);
        let dispatcher = dispatcher(tools![hold, stubborn], &shared);
        let calls = (0..calls).map(|n| call(&n.to_string(), "hold")).chain([call("b", "stubborn")]).collect::<Vec<_>>();
        let count = calls.len();
        let turn = tokio::spawn(async move { dispatcher.dispatch(calls).await });
        for _ in 0..count {
            assert_eq!(heard.recv().await.unwrap(), "started");
        }
        turn.abort();
        shared.release();
        let mut ends = Vec::new();
        for _ in 0..count {
            ends.push(heard.recv().await.unwrap());
        }
        ends.sort();
        let expected: Vec<_> = vec!["dropped"; count - 1].into_iter().chain(["stopped"]).collect();
        assert_eq!(ends, expected);
    }
}

/// Blocks for nothing.
#[tool]
fn block() {}

#[test]
fn without_an_executor_a_call_that_needs_none_runs_and_others_say_so() {
    let host = list(tools![say, stubborn, meet_blocking, hang]);
    let poll = |calls: Vec<ToolCall>| match pin!(host.dispatch(calls)).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(results) => texts(&results),
        Poll::Pending => vec!["pending".to_owned()],
    };
    let say = || ToolCall::new("a", "say", r#"{"text":"x"}"#);
    assert_eq!(poll(vec![say()]), ["a x"]);
    assert_eq!(poll(vec![call("a", "hang")]), ["pending"]);
    let refused = "the tool cannot run here: there is no executor";
    assert_eq!(poll(vec![say(), say()]), [format!("a {refused}"), format!("a {refused}")]);

    let host = list(tools![block]);
    let Poll::Ready(result) = pin!(host.call(call("b", "block"))).poll(&mut Context::from_waker(Waker::noop())) else {
        panic!("a call without an executor has its answer at once");
    };
    assert_eq!(result.text(), refused);
}

#[test]
fn an_executor_that_shuts_down_leaves_an_answer_for_each_call() {
    let executor = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let host = list(tools![hang]);
    let mut turn = pin!(host.dispatch([call("a", "hang"), call("b", "hang")]));
    let mut cx = Context::from_waker(Waker::noop());
    {
        let _inside = executor.enter();
        assert!(turn.as_mut().poll(&mut cx).is_pending());
    }
    executor.shutdown_background();
    let Poll::Ready(results) = turn.poll(&mut cx) else { panic!("every task is gone") };
    assert!(results.iter().all(|result| matches!(result.outcome, Err(CallError::ShutDown))));
    let told = "the program is shutting down; the call may not have finished";
    assert_eq!(texts(&results), [format!("a {told}"), format!("b {told}")]);
}
