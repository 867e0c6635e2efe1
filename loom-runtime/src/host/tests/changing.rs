//! Hosts made of hosts whose tools come, go and collide, and code around calls that goes wrong.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Wake;
use std::time::Duration;

use loom_core::{CallError, Output, ToolError};

use super::*;
use crate::{ComposeHosts, ComposedHost, Wrapped};

fn listed(host: &impl ToolHost) -> Vec<String> {
    host.list_tools(&ToolQuery::all())
        .iter()
        .map(|tool| format!("{}={}", tool.name(), tool.origin().definition().description))
        .collect()
}

fn named(name: &'static str, description: &'static str) -> Tool {
    Tool::from_fn(name, description, async move |_: std::collections::BTreeMap<String, u8>| description).unwrap()
}

struct Count(AtomicUsize);
impl Wake for Count {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn a_newcomer_displaces_nobody() {
    let one = Arc::new(InProcessToolHost::new(tools![]).unwrap());
    let two = Arc::new(InProcessToolHost::new([named("search", "two")]).unwrap());
    let host = one.clone().combine_with(two.clone()).unwrap();
    assert_eq!(listed(&host), ["search=two"]);
    one.register(named("search", "one")).unwrap();
    assert_eq!(listed(&host), ["search=two"]);
}

#[test]
fn numbered_names_do_not_change_hands() {
    let one = Arc::new(InProcessToolHost::new([named("search", "one")]).unwrap());
    let two = Arc::new(InProcessToolHost::new([named("search", "two")]).unwrap());
    let host = ComposedHost::numbered([one.clone().into_host().unwrap(), two.into_host().unwrap()]);
    assert_eq!(listed(&host), ["search=one", "search_2=two"]);
    one.unregister("search");
    assert_eq!(listed(&host), ["search_2=two"]);
    one.register(named("search", "three")).unwrap();
    assert_eq!(listed(&host), ["search=three", "search_2=two"]);
}

#[tokio::test]
async fn a_numbered_tool_that_is_replaced_is_the_new_one_even_where_both_were_made_of_one() {
    /// Says its word.
    #[tool]
    async fn say(#[context] word: State<&'static str>) -> String {
        (**word).to_owned()
    }
    let two = Arc::new(InProcessToolHost::new(say::tool().with_state("old")).unwrap());
    let one = say::tool().with_state("one").into_host().unwrap();
    let host = ComposedHost::numbered([one, two.clone()]);
    assert_eq!(host.call(ToolCall::new("1", "say_2", "{}")).await.text(), "old");
    two.replace(say::tool().with_state("new"));
    assert_eq!(host.call(ToolCall::new("1", "say_2", "{}")).await.text(), "new");
}

#[test]
fn a_tools_own_name_goes_before_a_number() {
    let hosts = [vec![named("search", "one")], vec![named("search", "two"), named("search_2", "own")]];
    let host = ComposedHost::numbered(hosts.map(|tools| tools.into_host().unwrap()));
    assert_eq!(listed(&host), ["search=one", "search_3=two", "search_2=own"]);
}

#[test]
fn a_waiting_watcher_is_woken_when_the_host_goes() {
    let inner = Arc::new(InProcessToolHost::new(tools![first]).unwrap());
    let host = inner.clone().prefix_tools("a_").unwrap();
    let mut watch = host.watch();
    let count = Arc::new(Count(AtomicUsize::new(0)));
    let waker = Waker::from(Arc::clone(&count));
    assert!(Pin::new(&mut watch).poll_next(&mut Context::from_waker(&waker)).is_pending());
    drop(host);
    assert_eq!(count.0.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn panics_are_outcomes_to_code_around() {
    /// Panics.
    #[tool]
    async fn explode() {
        panic!("secret");
    }
    let seen = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&seen);
    let host = tools![explode].wrap_calls(move |call: Wrapped| {
        let kept = Arc::clone(&kept);
        async move {
            let outcome = call.run().await;
            kept.lock().unwrap().push(outcome.as_ref().map_or_else(CallError::kind, |_| "ok"));
            outcome
        }
    });
    let result = host.unwrap().call(ToolCall::new("1", "explode", "{}")).await;
    assert_eq!(result.text(), "the tool `explode` stopped with an internal error");
    assert_eq!(*seen.lock().unwrap(), ["panicked"]);
}

/// Ends at once.
#[tool]
fn quick() {}

#[tokio::test(start_paused = true)]
async fn a_thread_that_has_ended_runs_no_more() {
    let host = tools![quick].wrap_calls(async |call: Wrapped| {
        let _done = call.run().await;
        std::future::pending::<()>().await;
        Ok(Output::nothing())
    });
    let dispatcher = Dispatcher::new(host.unwrap()).unwrap().with_timeout(Duration::from_secs(3));
    let result = dispatcher.call(ToolCall::new("1", "quick", "{}")).await;
    assert_eq!(result.text(), "the call timed out after 3 seconds");
}

#[tokio::test]
async fn choosing_code_that_panics_takes_nobody_along() {
    let inner = Arc::new(InProcessToolHost::new(tools![first]).unwrap());
    let host = inner.clone().filter_tools(|tool| {
        assert!(tool.name != "second");
        true
    });
    let host = host.unwrap();
    inner.register(second::tool()).unwrap();
    assert_eq!(host.call(ToolCall::new("1", "first", "{}")).await.text(), "first");
    let left_out: Vec<_> = host.left_out().iter().map(ToString::to_string).collect();
    assert_eq!(left_out, ["the code that was asked about the tool `second` panicked"]);
}

#[tokio::test(start_paused = true)]
async fn a_thread_that_code_around_gave_up_is_told_of_between_attempts_too() {
    /// Blocks until it is let go.
    #[tool(retries = 1)]
    fn hold(#[context] gate: &State<Hold>) {
        let begun = gate.1.lock().unwrap().take();
        begun.unwrap().send(()).unwrap();
        let _ = gate.0.lock().unwrap().recv();
    }
    struct Hold(Mutex<std::sync::mpsc::Receiver<()>>, Mutex<Option<tokio::sync::oneshot::Sender<()>>>);
    let (begun, has_begun) = tokio::sync::oneshot::channel();
    let (go, let_go) = std::sync::mpsc::channel();
    let host = tools![hold].wrap_calls(async |call: Wrapped| {
        match tokio::time::timeout(Duration::from_secs(1), call.run()).await {
            Ok(outcome) => outcome,
            Err(_) => Err(CallError::Failed(ToolError::new("slow").retryable_after(Duration::from_secs(5)))),
        }
    });
    let token = crate::CancellationToken::new();
    let dispatcher = Dispatcher::new(host.unwrap())
        .unwrap()
        .with_context(RunContext::new().with_state(Hold(Mutex::new(let_go), Mutex::new(Some(begun)))))
        .with_cancellation(token.clone());
    let running = tokio::spawn(async move { dispatcher.call(ToolCall::new("1", "hold", "{}")).await });
    has_begun.await.unwrap();
    tokio::time::advance(Duration::from_secs(2)).await;
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
    token.cancel();
    let text = running.await.unwrap().text().into_owned();
    go.send(()).ok();
    assert_eq!(text, "the call was cancelled; it may still be running, and its effects may still happen");
}
