//! One call, whatever becomes of it.

use super::*;

/// Always fails.
#[tool]
async fn fail() -> Result<(), &'static str> {
    Err("no")
}

/// Panics after it was polled once.
#[tool]
async fn panic_later() {
    tokio::task::yield_now().await;
    panic!("secret");
}

struct Unwritable;
impl Serialize for Unwritable {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("not today"))
    }
}
impl schemars::JsonSchema for Unwritable {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Unwritable".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "object" })
    }
}

/// Returns what cannot be told.
#[tool]
async fn unwritable() -> Unwritable {
    Unwritable
}

struct Nowhere;
impl FromContext for Nowhere {
    fn from_context(_: &CallContext<'_>) -> Result<Self, ContextError> {
        Err(ContextError::new("not here"))
    }
}

/// Needs what is not there.
#[tool]
async fn need(#[context] _nowhere: Nowhere) {}

/// Waits a second.
#[tool]
async fn second() -> &'static str {
    tokio::time::sleep(Duration::from_secs(1)).await;
    "done"
}

#[tokio::test(start_paused = true)]
async fn every_outcome_has_its_start_and_its_end() {
    let tools = tools![say, fail, panic_later, unwritable, need, second, hang_7s, block];
    let dispatcher = Dispatcher::new(tools).unwrap();
    let mut events = dispatcher.events();
    let cases = [
        ("say", "ok", 0),
        ("block", "ok", 0),
        ("second", "ok", 1),
        ("fail", "failed", 0),
        ("panic_later", "panicked", 0),
        ("unwritable", "bad_output", 0),
        ("need", "context", 0),
        ("hang_7s", "timed_out", 7),
        ("sey", "unknown_tool", 0),
    ];
    for (number, (name, outcome, seconds)) in (1..).zip(cases) {
        let arguments = if name == "say" { r#"{"text":"x"}"# } else { "{}" };
        let result = dispatcher.call(ToolCall::new("id", name, arguments)).await;
        let expected = [CallEvent::start(number, "id", name), end(number, &result, Duration::from_secs(seconds))];
        assert_eq!(heard(&mut events), expected);
        assert_eq!(result.outcome.map_or_else(|error| error.kind(), |_| "ok"), outcome);
    }
}

#[tokio::test(start_paused = true)]
async fn problems_are_told_as_the_result_has_them() {
    let dispatcher = Dispatcher::new(tools![say]).unwrap();
    let mut events = dispatcher.events();
    let result = dispatcher.call(ToolCall::new("a", "say", r#"{"text":7,"loud":true}"#)).await;
    let ended = end_at_once(1, &result);
    let Err(CallError::BadArguments(problems)) = result.outcome else { panic!("{:?}", result.outcome) };
    let texts: Vec<_> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(texts, ["/text: expected a string, got 7", "unknown argument `loud`; the only argument is `text`"]);
    assert_eq!(heard(&mut events), [CallEvent::start(1, "a", "say"), CallEvent::problems(1, "a", problems), ended]);
}

/// Waits until its turn is cancelled.
#[tool]
async fn wait(seconds: u8, deep: bool) -> String {
    pending::<()>().await;
    format!("{seconds} {deep}")
}

#[tokio::test(start_paused = true)]
async fn changes_to_the_arguments_are_told_before_the_tool_is_done() {
    let token = CancellationToken::new();
    let dispatcher = Dispatcher::new(tools![wait]).unwrap().with_cancellation(token.clone());
    let mut events = dispatcher.events();
    let mut call = pin!(dispatcher.call(ToolCall::new("a", "wait", r#"{"seconds":"3","deep":"True",}"#)));
    assert!(call.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    let so_far = heard(&mut events);
    token.cancel();
    let result = call.await;
    let changes: Vec<_> = result.coercions.iter().map(|c| [&*c.pointer, &*c.from, &*c.to]).collect();
    assert_eq!(changes, [["/seconds", "\"3\"", "3"], ["/deep", "\"True\"", "true"]]);
    assert_eq!(serde_json::to_string(&result.repairs).unwrap(), r#"[{"kind":"trailing_comma","offset":28,"count":1}]"#);
    let ended = end_at_once(1, &result);
    let expected = [CallEvent::start(1, "a", "wait"), CallEvent::coercions(1, "a", result.coercions, result.repairs)];
    assert_eq!(so_far, expected);
    assert_eq!(heard(&mut events), [ended]);
}

#[tokio::test(start_paused = true)]
async fn what_was_only_repaired_is_told_too_and_nothing_where_nothing_was() {
    let dispatcher = Dispatcher::new(tools![say]).unwrap();
    let mut events = dispatcher.events();
    let result = dispatcher.call(ToolCall::new("a", "say", r#"{"text":"x",}"#)).await;
    assert_eq!((result.coercions.len(), result.repairs.len()), (0, 1));
    let as_sent = dispatcher.call(say_call("b")).await;
    assert_eq!(
        heard(&mut events),
        [
            CallEvent::start(1, "a", "say"),
            CallEvent::coercions(1, "a", vec![], result.repairs.clone()),
            end_at_once(1, &result),
            CallEvent::start(2, "b", "say"),
            end_at_once(2, &as_sent),
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_thread_that_is_given_up_ends_the_call_at_once() {
    let (shared, mut told) = Shared::new(1);
    let dispatcher = dispatcher(tools![stubborn], &shared).with_timeout(Duration::from_secs(5));
    let mut events = dispatcher.events();
    let turn = tokio::spawn(async move { dispatcher.call(call("a", "stubborn")).await });
    assert_eq!(told.recv().await.unwrap(), "started");
    assert_eq!(heard(&mut events), [CallEvent::start(1, "a", "stubborn")]);
    tokio::time::advance(Duration::from_secs(5)).await;
    let result = turn.await.unwrap();
    // Its thread runs still, and tells nothing any more.
    let told_last = heard_and_ended(&mut events);
    shared.release();
    assert_eq!(told_last, (vec![end(1, &result, Duration::from_secs(5))], true));
    assert_eq!(told.recv().await.unwrap(), "stopped");
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_turn_ends_all_its_calls() {
    let token = CancellationToken::new();
    let dispatcher = Dispatcher::new(tools![hang, say]).unwrap().with_cancellation(token.clone());
    let mut events = dispatcher.events();
    let running = dispatcher.clone();
    let turn = tokio::spawn(async move { running.dispatch([call("", "hang"), say_call("b"), call("", "hang")]).await });
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(lines(&mut events), ["start 1", "start 2", "end 2: ok", "start 3"]);
    token.cancel();
    let results = turn.await.unwrap();
    assert_eq!(texts(&results), [" the call was cancelled", "b x", " the call was cancelled"]);
    let mut ends = heard(&mut events);
    ends.sort_by_key(CallEvent::call_number);
    // Neither has an id; the numbers tell the two apart.
    let cancelled = |number, index: usize| end(number, &results[index], Duration::from_secs(2));
    assert_eq!(ends, [cancelled(1, 0), cancelled(3, 2)]);
    // A call that is cancelled before it begins was made all the same.
    let result = dispatcher.call(say_call("c")).await;
    assert_eq!(result.text(), "the call was cancelled");
    assert_eq!(heard(&mut events), [CallEvent::start(4, "c", "say"), end_at_once(4, &result)]);
}

struct PanicsOnDrop;
impl Drop for PanicsOnDrop {
    fn drop(&mut self) {
        panic!("secret");
    }
}

/// Panics when it is dropped.
#[tool]
async fn cling() {
    let _bad = PanicsOnDrop;
    pending::<()>().await;
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_dropped_is_cancelled() {
    let dispatcher = Dispatcher::new(tools![hang, cling]).unwrap();
    let mut events = dispatcher.events();
    for (number, name) in [(1, "hang"), (2, "cling")] {
        let mut future = Box::pin(dispatcher.call(call("a", name)));
        assert!(future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        assert_eq!(heard(&mut events), [CallEvent::start(number, "a", name)]);
        tokio::time::advance(Duration::from_millis(1500)).await;
        drop(future);
        assert_eq!(heard(&mut events), [dropped(number, "a", Duration::from_millis(1500))]);
    }
    // A future that is never polled makes no call.
    drop(dispatcher.call(call("a", "hang")));
    assert_eq!(heard(&mut events), []);
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_is_dropped_ends_all_its_calls() {
    let dispatcher = Dispatcher::new(tools![hang, cling, say]).unwrap();
    let mut events = dispatcher.events();
    let turn = tokio::spawn(async move {
        let calls = [call("a", "hang"), say_call("b"), call("c", "cling")];
        dispatcher.dispatch(calls).await
    });
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(lines(&mut events), ["start 1", "start 2", "end 2: ok", "start 3"]);
    turn.abort();
    let mut ends = Vec::new();
    while let Some(event) = events.next().await {
        ends.push(line(&event));
    }
    ends.sort();
    assert_eq!(ends, ["end 1: cancelled", "end 3: cancelled"]);
}

#[test]
fn without_an_executor_the_calls_are_told_of_all_the_same() {
    let dispatcher = Dispatcher::new(tools![say, block]).unwrap();
    let mut events = dispatcher.events();
    let mut poll = |calls: Vec<ToolCall>| {
        assert!(pin!(dispatcher.dispatch(calls)).poll(&mut Context::from_waker(Waker::noop())).is_ready());
        lines(&mut events)
    };
    assert_eq!(poll(vec![say_call("a")]), ["start 1", "end 1: ok"]);
    assert_eq!(poll(vec![call("b", "block")]), ["start 2", "end 2: no_executor"]);
    assert_eq!(
        poll(vec![say_call("c"), say_call("d")]),
        ["start 3", "end 3: no_executor", "start 4", "end 4: no_executor"]
    );
    assert_eq!(poll(vec![]), [""; 0]);
}

#[test]
fn an_executor_that_shuts_down_ends_every_call_with_what_its_result_says() {
    for polled in [false, true] {
        let executor = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        let dispatcher = Dispatcher::new(tools![hang, say]).unwrap();
        let mut events = dispatcher.events();
        let mut turn = Box::pin(dispatcher.dispatch([call("a", "hang"), say_call("b")]));
        let mut cx = Context::from_waker(Waker::noop());
        {
            let _inside = executor.enter();
            assert!(turn.as_mut().poll(&mut cx).is_pending());
        }
        // Nothing has begun before the executor turns to it.
        assert_eq!(lines(&mut events), [""; 0]);
        if polled {
            executor.block_on(async { tokio::time::sleep(Duration::from_secs(1)).await });
            assert_eq!(lines(&mut events), ["start 1", "start 2", "end 2: ok"]);
        }
        executor.shutdown_background();
        let Poll::Ready(results) = turn.as_mut().poll(&mut cx) else { panic!("every task is gone") };
        let kinds: Vec<_> = results.iter().map(|result| CallEvent::outcome_of(&result.outcome)).collect();
        let expected: (&[_], &[_]) = if polled {
            (&["shut_down", "ok"], &["end 1: shut_down"])
        } else {
            (&["shut_down", "shut_down"], &["start 1", "end 1: shut_down", "start 2", "end 2: shut_down"])
        };
        assert_eq!(kinds, expected.0);
        assert_eq!(lines(&mut events), expected.1);
    }
}
