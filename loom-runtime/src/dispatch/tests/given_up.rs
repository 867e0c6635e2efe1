//! Calls that nobody waits for any more, and what is told of them.

use super::*;

/// How often the code of a call began.
struct Begun(Vec<AtomicUsize>);

/// Begins.
#[tool]
fn begin(number: usize, #[context] begun: &State<Begun>) {
    begun.0[number].fetch_add(1, Ordering::SeqCst);
}

#[test]
fn what_is_told_of_a_thread_is_what_it_does_however_close_the_cancellation_comes() {
    const ROUNDS: usize = 4_000;
    let begun = Arc::new(Begun((0..ROUNDS).map(|_| AtomicUsize::new(0)).collect()));
    let executor = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let context = RunContext::new().with_shared_state(Arc::clone(&begun));
    let dispatcher = Dispatcher::new(tools![begin]).unwrap().with_context(context);
    let mut told = Vec::new();
    for number in 0..ROUNDS {
        let token = CancellationToken::new();
        let dispatcher = dispatcher.clone().with_cancellation(token.clone());
        let call = ToolCall::new("a", "begin", format!(r#"{{"number":{number}}}"#));
        let mut call = Box::pin(dispatcher.call(call));
        let _inside = executor.enter();
        let mut cx = Context::from_waker(Waker::noop());
        let mut polled = call.as_mut().poll(&mut cx);
        for _ in 0..number % 400 {
            std::hint::spin_loop();
        }
        token.cancel();
        if polled.is_pending() {
            polled = call.as_mut().poll(&mut cx);
        }
        let Poll::Ready(result) = polled else { panic!("a call that is cancelled ends") };
        told.push(result.outcome);
    }
    // Waits for the threads.
    drop(executor);
    for (begun, told) in begun.0.iter().zip(&told) {
        let expected = match told {
            Ok(_) | Err(CallError::Cancelled { blocking: true }) => 1,
            _ => 0,
        };
        assert_eq!(begun.load(Ordering::SeqCst), expected, "{told:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_canceller_that_is_made_late_cancels_what_runs_already() {
    let start = Instant::now();
    for outer in [None, Some(CancellationToken::new())] {
        let mut dispatcher = Dispatcher::new(tools![hang, say]).unwrap().with_turn_concurrency(2.try_into().unwrap());
        if let Some(outer) = &outer {
            dispatcher = dispatcher.with_cancellation(outer.clone());
        }
        let says = ToolCall::new("b", "say", r#"{"text":"x"}"#);
        let mut turn = dispatcher.turn([call("a", "hang"), says, call("c", "hang"), call("d", "hang")]);
        assert_eq!(turn.next().await.unwrap().1.text(), "x");
        tokio::task::yield_now().await;
        // One runs, or two do, and one waits for its place.
        turn.canceller().cancel();
        let results = turn.results().await;
        let cancelled = ["a", "c", "d"].map(|id| format!("{id} the call was cancelled"));
        assert_eq!(texts(&results), cancelled);
        assert!(outer.is_none_or(|outer| !outer.is_cancelled()));
    }
    assert_eq!(start.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn one_call_is_cancelled_by_its_place_or_its_id_and_the_others_go_on() {
    let dispatcher = Dispatcher::new(tools![hang, hang_7s, say]).unwrap();
    let calls = || ["a", "", "b", ""].map(|id| call(id, "hang_7s"));
    let turn = dispatcher.turn(calls());
    let canceller = turn.canceller();
    assert!(canceller.cancel_at(1));
    assert!(canceller.clone().cancel_call("b"));
    assert!(!canceller.cancel_at(4));
    assert!(!canceller.cancel_call("c"));
    let kinds = |results: Vec<ToolResult>| {
        results.iter().map(|result| result.outcome.as_ref().map_or_else(CallError::kind, |_| "ok")).collect::<Vec<_>>()
    };
    assert_eq!(kinds(turn.results().await), ["timed_out", "cancelled", "cancelled", "timed_out"]);
    // All that have no id are meant by none.
    let turn = dispatcher.turn(calls());
    assert!(turn.canceller().cancel_call(""));
    assert_eq!(kinds(turn.results().await), ["timed_out", "cancelled", "timed_out", "cancelled"]);
    // What has ended stays as it is.
    let mut turn = dispatcher.turn([say_x("a"), call("b", "hang")]);
    let canceller = turn.canceller();
    assert_eq!(turn.next().await.unwrap().0, 0);
    assert!(canceller.cancel_call("a"));
    canceller.cancel();
    assert_eq!(kinds(turn.results().await)[..], ["cancelled"]);
}

fn say_x(id: &str) -> ToolCall {
    ToolCall::new(id, "say", r#"{"text":"x"}"#)
}

#[tokio::test(start_paused = true)]
async fn a_thread_that_is_given_up_holds_nobody_up_that_waits_for_it() {
    /// Waits on its thread, alone.
    #[tool(sequential, timeout = "5s")]
    fn stubborn_alone(#[context] shared: &State<Shared>, #[context] token: &CancellationToken) {
        shared.tell("started");
        shared.wait_for_end(token);
        shared.tell("stopped");
    }

    let (shared, mut heard) = Shared::new(1);
    let dispatcher = dispatcher(tools![stubborn_alone, say], &shared).with_turn_concurrency(1.try_into().unwrap());
    let turn = tokio::spawn(async move { dispatcher.dispatch([call("a", "stubborn_alone"), say_x("b")]).await });
    assert_eq!(heard.recv().await.unwrap(), "started");
    tokio::time::advance(Duration::from_secs(5)).await;
    let results = turn.await.unwrap();
    assert!(matches!(results[0].outcome, Err(CallError::TimedOut { blocking: true, .. })));
    assert_eq!(results[1].text(), "x");
    assert!(heard.try_recv().is_err());
    shared.release();
    assert_eq!(heard.recv().await.unwrap(), "stopped");
}
