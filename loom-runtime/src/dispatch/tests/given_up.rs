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
