//! Panics, wherever user code runs, are contained.

use loom_core::{CallContext, ContextError, FromContext};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::*;

/// Panics at once.
#[tool]
async fn in_async() {
    panic!("secret");
}

/// Panics after it was polled once.
#[tool]
async fn after_await() {
    tokio::task::yield_now().await;
    panic!("secret");
}

/// Panics on a thread.
#[tool]
fn in_blocking() {
    panic!("secret");
}

/// Panics inline.
#[tool(blocking = false)]
fn in_inline() {
    panic!("secret");
}

#[expect(clippy::unnecessary_wraps, reason = "a default has the type of its parameter")]
fn explode() -> Option<u8> {
    assert_ne!(DEFAULT_TIMEOUT, Duration::from_mins(2), "secret");
    Some(0)
}

struct Bad;
impl<'de> Deserialize<'de> for Bad {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        panic!("secret");
    }
}
impl schemars::JsonSchema for Bad {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Bad".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({})
    }
}

/// Panics while its argument is read.
#[tool]
async fn in_deserialize(bad: Option<Bad>) {
    assert!(bad.is_none());
}

impl FromContext for Bad {
    fn from_context(_: &CallContext<'_>) -> Result<Self, ContextError> {
        panic!("secret");
    }
}

/// Panics while its context is made.
#[tool]
async fn in_extractor(#[context] bad: Bad) {
    let Bad = bad;
}

impl Serialize for Bad {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        panic!("secret");
    }
}

/// Panics while its result is written.
#[tool]
async fn in_serialize() -> Bad {
    Bad
}

struct PanicsOnDrop;
impl Drop for PanicsOnDrop {
    fn drop(&mut self) {
        panic!("secret");
    }
}

/// Panics with a payload that panics.
#[tool]
async fn with_bad_payload() {
    std::panic::panic_any(PanicsOnDrop);
}

/// Panics when it is given up.
#[tool(timeout = "1ms")]
async fn while_dropped() {
    let _bad = PanicsOnDrop;
    pending::<()>().await;
}

#[tokio::test(start_paused = true)]
async fn are_contained_wherever_they_happen() {
    let host = list(tools![
        in_async,
        after_await,
        in_blocking,
        in_inline,
        in_deserialize,
        in_extractor,
        in_serialize,
        with_bad_payload,
        while_dropped,
        say,
    ]);
    let names =
        ["in_async", "after_await", "in_blocking", "in_inline", "in_extractor", "in_serialize", "with_bad_payload"];
    let mut calls = vec![
        ToolCall::new("s", "say", r#"{"text":"fine"}"#),
        ToolCall::new("d", "in_deserialize", r#"{"bad":1}"#),
        ToolCall::new("w", "while_dropped", ""),
    ];
    calls.extend(names.map(|name| ToolCall::new(name, name, "{}")));
    let results = host.dispatch(calls).await;
    assert_eq!(results[0].text(), "fine");
    assert_eq!(results[1].text(), "the tool `in_deserialize` stopped with an internal error");
    assert_eq!(results[2].text(), "the call timed out after 0.001 seconds");
    for (result, name) in results[3..].iter().zip(names) {
        assert_eq!(result.text(), format!("the tool `{name}` stopped with an internal error"));
        assert!(matches!(&result.outcome, Err(CallError::Panicked { tool }) if tool == name));
    }
}

/// Panics while its default is made.
#[tool]
async fn in_default(#[arg(default = explode())] number: Option<u8>) -> Option<u8> {
    number
}

#[tokio::test]
async fn in_a_default_are_contained_and_only_calls_that_need_it_fail() {
    let host = list(tools![in_default]);
    let results = host.dispatch([ToolCall::new("1", "in_default", r#"{"number":7}"#), call("2", "in_default")]).await;
    assert_eq!(texts(&results), ["1 7", "2 the tool `in_default` stopped with an internal error"]);
}

/// An error that panics when it is dropped.
#[derive(Debug)]
struct BadError;
impl std::fmt::Display for BadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("busy")
    }
}
impl std::error::Error for BadError {}
impl Drop for BadError {
    fn drop(&mut self) {
        panic!("secret");
    }
}

/// Fails with such an error first.
#[tool(retries = 1)]
async fn with_bad_error(#[context] tried: State<AtomicUsize>) -> Result<&'static str, loom_core::ToolError> {
    match tried.fetch_add(1, Ordering::SeqCst) {
        0 => Err(loom_core::ToolError::from_error(BadError).retryable()),
        _ => Ok("done"),
    }
}

#[tokio::test(start_paused = true)]
async fn in_the_drop_of_an_error_are_contained_when_the_call_is_tried_again() {
    for more in [0, 2] {
        let dispatcher = Dispatcher::new(tools![with_bad_error, say]).unwrap();
        let dispatcher = dispatcher.with_context(RunContext::new().with_state(AtomicUsize::new(0)));
        let others = (0..more).map(|_| ToolCall::new("", "say", r#"{"text":"x"}"#));
        let results = dispatcher.dispatch([call("a", "with_bad_error")].into_iter().chain(others)).await;
        assert_eq!((&*results[0].text(), results[0].attempts), ("done", 2));
    }
    // Cancelled in the pause, it has another answer than the error.
    let token = CancellationToken::new();
    let dispatcher = Dispatcher::new(tools![with_bad_error]).unwrap().with_cancellation(token.clone());
    let dispatcher = dispatcher.with_context(RunContext::new().with_state(AtomicUsize::new(0)));
    let turn = tokio::spawn(async move { dispatcher.call(call("a", "with_bad_error")).await });
    tokio::time::sleep(Duration::from_millis(1)).await;
    token.cancel();
    assert_eq!(turn.await.unwrap().text(), "the call was cancelled");
}
