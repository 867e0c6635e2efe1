#![expect(clippy::unused_async, reason = "the tools stand for such as await")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use loom_core::{RunContext, State, tool, tools};
use tokio::time::Instant;
use tower::{BoxError, ServiceBuilder, ServiceExt};

use super::*;

/// How many calls run, and the most there were.
#[derive(Default)]
struct Count {
    now: AtomicUsize,
    most: AtomicUsize,
}

/// Takes so many seconds.
#[tool]
async fn take(seconds: u64, #[context] count: State<Count>) -> u64 {
    let now = count.now.fetch_add(1, Ordering::SeqCst) + 1;
    count.most.fetch_max(now, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    count.now.fetch_sub(1, Ordering::SeqCst);
    seconds
}

/// Takes a second, alone.
#[tool(sequential)]
async fn alone(#[context] count: State<Count>) -> String {
    assert_eq!(count.now.load(Ordering::SeqCst), 0);
    tokio::time::sleep(Duration::from_secs(1)).await;
    "alone".to_owned()
}

/// Fails.
#[tool]
async fn fail() -> Result<(), &'static str> {
    Err("no")
}

fn seconds(seconds: u64) -> ToolCall {
    ToolCall::new("", "take", format!(r#"{{"seconds": {seconds}}}"#))
}

fn dispatcher(host: impl IntoTools) -> (Dispatcher, Arc<Count>) {
    let count = Arc::new(Count::default());
    let run = RunContext::new().with_shared_state(Arc::clone(&count));
    (Dispatcher::new(host).unwrap().with_context(run), count)
}

/// The texts of the results, and the seconds that they took.
async fn texts(dispatcher: &Dispatcher, calls: Vec<ToolCall>) -> (Vec<String>, u64) {
    let start = Instant::now();
    let results = dispatcher.dispatch(calls).await;
    (results.iter().map(|result| result.text().into_owned()).collect(), start.elapsed().as_secs())
}

#[tokio::test(start_paused = true)]
async fn a_limit_of_calls_at_a_time_lets_the_others_wait() {
    let service = ServiceBuilder::new().concurrency_limit(2).service(RunCalls);
    let (dispatcher, count) = dispatcher(serve_calls(tools![take], service).unwrap());
    let results = texts(&dispatcher, vec![seconds(2), seconds(2), seconds(2), seconds(1)]).await;
    assert_eq!(results, (["2", "2", "2", "1"].map(str::to_owned).to_vec(), 4));
    assert_eq!(count.most.load(Ordering::SeqCst), 2);
}

#[tokio::test(start_paused = true)]
async fn what_is_shed_is_a_failure_that_says_so() {
    let service = ServiceBuilder::new().load_shed().concurrency_limit(1).service(RunCalls);
    let (dispatcher, _count) = dispatcher(serve_calls(tools![take, fail], service).unwrap());
    let results = texts(&dispatcher, vec![seconds(2), seconds(2)]).await;
    let shed = "the call did not go through: service overloaded";
    assert_eq!(results, (["2", shed].map(str::to_owned).to_vec(), 2));
    // What a call fails with comes through the layers as it was.
    let failed = dispatcher.call(ToolCall::new("", "fail", "{}")).await;
    assert_eq!((&*failed.text(), failed.outcome.as_ref().unwrap_err().kind()), ("no", "failed"));
}

#[tokio::test(start_paused = true)]
async fn a_rate_lets_calls_begin_one_after_the_other() {
    let service = ServiceBuilder::new().buffer(8).rate_limit(1, Duration::from_secs(10)).service(RunCalls);
    let (dispatcher, _count) = dispatcher(serve_calls(tools![take], service).unwrap());
    let results = texts(&dispatcher, vec![seconds(1), seconds(2), seconds(3)]).await;
    assert_eq!(results, (["1", "2", "3"].map(str::to_owned).to_vec(), 23));
}

#[tokio::test(start_paused = true)]
async fn a_layer_may_give_a_call_up_and_the_turn_keeps_its_order() {
    let service = ServiceBuilder::new().timeout(Duration::from_secs(3)).service(RunCalls);
    let (dispatcher, _count) = dispatcher(serve_calls(tools![take, alone], service).unwrap());
    let calls = vec![seconds(2), ToolCall::new("", "alone", "{}"), seconds(9)];
    let given_up = "the call did not go through: request timed out";
    assert_eq!(texts(&dispatcher, calls).await, (["2", "alone", given_up].map(str::to_owned).to_vec(), 6));
}

#[tokio::test(start_paused = true)]
async fn a_dispatcher_is_a_service() {
    let (dispatcher, _count) = dispatcher(tools![take]);
    let mut tools = ToolService::new(dispatcher);
    let result = tools.ready().await.unwrap().call(ToolCall::new("7", "tale", "{}")).await.unwrap();
    assert_eq!((result.call_id.as_str(), result.outcome.unwrap_err().kind()), ("7", "unknown_tool"));
    let limited = ServiceBuilder::new().timeout(Duration::from_secs(1)).service(tools);
    assert_eq!(limited.clone().oneshot(seconds(0)).await.unwrap().text(), "0");
    let late: BoxError = limited.oneshot(seconds(5)).await.unwrap_err();
    assert_eq!(late.to_string(), "request timed out");
}

#[tokio::test(start_paused = true)]
async fn a_layer_that_gives_a_thread_up_says_that_it_goes_on() {
    /// Blocks until it is let go.
    #[tool]
    fn hold(#[context] gate: &State<Hold>) {
        let begun = gate.1.lock().unwrap().take();
        begun.unwrap().send(()).unwrap();
        let _ = gate.0.lock().unwrap().recv();
    }
    struct Hold(Mutex<std::sync::mpsc::Receiver<()>>, Mutex<Option<tokio::sync::oneshot::Sender<()>>>);
    let (begun, has_begun) = tokio::sync::oneshot::channel();
    let (go, let_go) = std::sync::mpsc::channel();
    let service = ServiceBuilder::new().timeout(Duration::from_secs(3)).service(RunCalls);
    let run = RunContext::new().with_state(Hold(Mutex::new(let_go), Mutex::new(Some(begun))));
    let dispatcher = Dispatcher::new(serve_calls(tools![hold], service).unwrap()).unwrap().with_context(run);
    let running = tokio::spawn(async move { dispatcher.call(ToolCall::new("1", "hold", "{}")).await });
    has_begun.await.unwrap();
    tokio::time::advance(Duration::from_secs(4)).await;
    let text = running.await.unwrap().text().into_owned();
    go.send(()).ok();
    assert_eq!(
        text,
        "the call did not go through: request timed out; it may still be running, and its effects may still happen"
    );
}

#[tokio::test]
async fn a_call_belongs_to_the_run_that_it_is_made_in() {
    /// Says who asks.
    #[tool]
    async fn who() -> String {
        RunContext::current().user_id().unwrap_or("nobody").to_owned()
    }
    let mut service = ToolService::new(Dispatcher::new(tools![who]).unwrap());
    let future = RunContext::new().with_user_id("ada").enter(|| service.call(ToolCall::new("1", "who", "{}")));
    assert_eq!(future.await.unwrap().text(), "ada");
}
