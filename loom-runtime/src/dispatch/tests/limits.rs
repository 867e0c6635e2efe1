//! How many calls run at a time, and in which order the others wait.

use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::OnceLock;

use loom_core::ToolError;

use super::*;

fn limit(calls: usize) -> NonZeroUsize {
    NonZeroUsize::new(calls).unwrap()
}

/// Notes its number, lets others run, and notes it again.
#[tool]
async fn note(number: usize, #[context] shared: State<Shared>) {
    shared.tell(&format!("{number} begins"));
    tokio::task::yield_now().await;
    shared.tell(&format!("{number} ends"));
}

fn notes(count: usize) -> Vec<ToolCall> {
    (0..count).map(|number| ToolCall::new("", "note", format!(r#"{{"number":{number}}}"#))).collect()
}

fn heard(heard: &mut mpsc::UnboundedReceiver<String>) -> Vec<String> {
    std::iter::from_fn(|| heard.try_recv().ok()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn calls_of_a_turn_wait_in_their_order_whatever_thread_they_run_on() {
    let expected: Vec<_> = (0..50).flat_map(|number| [format!("{number} begins"), format!("{number} ends")]).collect();
    for _ in 0..20 {
        let (shared, mut told) = Shared::new(1);
        let dispatcher = dispatcher(tools![note], &shared).with_turn_concurrency(limit(1));
        let results = tokio::spawn(async move { dispatcher.dispatch(notes(50)).await }).await.unwrap();
        assert_eq!(results.len(), 50);
        assert_eq!(heard(&mut told), expected);
    }
}

/// Runs before all that stand behind it.
#[tool(sequential)]
async fn first() {
    tokio::task::yield_now().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn calls_behind_a_barrier_wait_in_their_order_too() {
    let expected: Vec<_> = (0..50).flat_map(|number| [format!("{number} begins"), format!("{number} ends")]).collect();
    for _ in 0..20 {
        let (shared, mut told) = Shared::new(1);
        let dispatcher = dispatcher(tools![first, note], &shared).with_concurrency(limit(1));
        let calls: Vec<_> = [call("", "first")].into_iter().chain(notes(50)).collect();
        let results = tokio::spawn(async move { dispatcher.dispatch(calls).await }).await.unwrap();
        assert_eq!(results.len(), 51);
        assert_eq!(heard(&mut told), expected);
    }
}

/// How many run at a time, and how many did at most.
#[derive(Default)]
struct Crowd {
    now: AtomicUsize,
    most: AtomicUsize,
}

struct Member<'c>(&'c Crowd);

impl Crowd {
    fn enter(&self) -> Member<'_> {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        Member(self)
    }

    fn most(&self) -> usize {
        assert_eq!(self.now.load(Ordering::SeqCst), 0);
        self.most.load(Ordering::SeqCst)
    }
}

impl Drop for Member<'_> {
    fn drop(&mut self) {
        self.0.now.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Takes a second.
#[tool]
async fn crowd(#[context] crowd: State<Crowd>) {
    let _member = crowd.enter();
    tokio::time::sleep(Duration::from_secs(1)).await;
}

fn crowding(dispatcher: &Dispatcher) -> (Dispatcher, Arc<Crowd>) {
    let crowd = Arc::new(Crowd::default());
    (dispatcher.clone().with_context(RunContext::new().with_shared_state(Arc::clone(&crowd))), crowd)
}

fn crowd_calls(count: usize) -> Vec<ToolCall> {
    (0..count).map(|_| call("", "crowd")).collect()
}

#[tokio::test(start_paused = true)]
async fn a_turns_limit_is_its_own_and_a_dispatchers_is_that_of_all_turns() {
    let plain = Dispatcher::new(tools![crowd]).unwrap();
    for (dispatcher, most, seconds) in [
        (plain.clone(), 12, 1),
        (plain.clone().with_turn_concurrency(limit(2)), 4, 3),
        (plain.clone().with_concurrency(limit(3)), 3, 4),
        (plain.clone().with_turn_concurrency(limit(1)).with_concurrency(limit(3)), 2, 6),
    ] {
        let (one, crowd) = crowding(&dispatcher);
        let other = one.clone();
        let start = Instant::now();
        let results = tokio::join!(one.dispatch(crowd_calls(6)), other.dispatch(crowd_calls(6)));
        assert_eq!((results.0.len(), results.1.len()), (6, 6));
        assert_eq!((crowd.most(), start.elapsed()), (most, Duration::from_secs(seconds)));
    }
}

#[tokio::test(start_paused = true)]
async fn a_tools_limit_holds_whatever_it_is_called_through_and_under_whatever_name() {
    let single = redefined(crowd::tool(), |definition| definition.concurrency = NonZeroU32::new(1));
    let mut definition = single.definition().clone();
    definition.name = "other".into();
    // Even where the other definition says more.
    definition.concurrency = NonZeroU32::new(5);
    let other = single.derive(definition, Through(single.clone()));
    let (first, shared) = crowding(&Dispatcher::new(vec![single]).unwrap());
    let second = Dispatcher::new(vec![other]).unwrap();
    let second = second.with_context(RunContext::new().with_shared_state(Arc::clone(&shared)));
    let start = Instant::now();
    let calls = |name: &'static str| [call("a", name), call("b", name)];
    let results = tokio::join!(first.dispatch(calls("crowd")), second.dispatch(calls("other")));
    assert!(results.0.iter().chain(&results.1).all(|result| !result.is_error()));
    assert_eq!((shared.most(), start.elapsed()), (1, Duration::from_secs(4)));
}

/// Calls itself as often as it is told to, several times at once.
#[tool]
async fn descend(depth: u32, #[context] own: State<OnceLock<Dispatcher>>) -> u32 {
    if depth == 0 {
        return 1;
    }
    let arguments = format!(r#"{{"depth":{}}}"#, depth - 1);
    let calls = ["a", "b"].map(|id| ToolCall::new(id, "descend", arguments.clone()));
    let results = own.get().unwrap().dispatch(calls).await;
    1 + results.iter().map(|result| result.text().parse::<u32>().unwrap()).sum::<u32>()
}

#[tokio::test(start_paused = true)]
async fn a_call_that_a_call_makes_does_not_wait_for_its_maker() {
    let own = Arc::new(OnceLock::new());
    let context = RunContext::new().with_shared_state(Arc::clone(&own));
    let descend = redefined(descend::tool(), |definition| definition.concurrency = NonZeroU32::new(1));
    let dispatcher = Dispatcher::new(vec![descend]).unwrap();
    let dispatcher = dispatcher.with_turn_concurrency(limit(1)).with_concurrency(limit(1));
    // The calls inside belong to the run that they are made in, and know by it what their makers have passed.
    own.set(dispatcher.clone()).unwrap();
    let start = Instant::now();
    let results = dispatcher.with_context(context).dispatch([ToolCall::new("a", "descend", r#"{"depth":4}"#)]).await;
    assert_eq!(texts(&results), ["a 31"]);
    assert_eq!(start.elapsed(), Duration::ZERO);
}

/// Ends in every way that there is.
#[tool(timeout = "1s")]
async fn end(how: String, #[context] shared: State<Shared>) -> Result<String, ToolError> {
    tokio::task::yield_now().await;
    shared.tell(&how);
    match &*how {
        "ok" => return Ok(how),
        "fail" => return Err(ToolError::new(how)),
        "panic" => panic!("staged"),
        _ => {}
    }
    pending::<()>().await;
    Ok(how)
}

#[tokio::test(start_paused = true)]
async fn a_place_is_given_up_however_its_call_ends() {
    let (shared, mut told) = Shared::new(1);
    let dispatcher = dispatcher(tools![end, block], &shared).with_concurrency(limit(1));
    let ending = |how: &str| ToolCall::new(how, "end", format!(r#"{{"how":"{how}"}}"#));
    // Everybody gets in, so the place was free each time.
    let mut turn =
        dispatcher.turn(["ok", "fail", "panic", "time out", "be cancelled"].map(ending).into_iter().chain([
            ToolCall::new("bad", "end", "{"),
            call("b", "block"),
            ending("last"),
        ]));
    let canceller = turn.canceller();
    let mut kinds = Vec::new();
    while let Some((index, result)) = turn.next().await {
        kinds.push((index, result.outcome.as_ref().map_or_else(CallError::kind, |_| "ok")));
        if index == 3 {
            assert_eq!(told.recv().await.unwrap(), "ok");
            tokio::task::yield_now().await;
            assert!(canceller.cancel_call("be cancelled"));
        }
        if index == 6 {
            break;
        }
    }
    let expected = [
        (0, "ok"),
        (1, "failed"),
        (2, "panicked"),
        (3, "timed_out"),
        (4, "cancelled"),
        (5, "bad_arguments"),
        (6, "ok"),
    ];
    assert_eq!(kinds, expected);
    tokio::task::yield_now().await;
    assert_eq!(heard(&mut told).last().unwrap(), "last");
    // The last one is under way, and one behind it waits: both are dropped.
    let mut waiting = Box::pin(dispatcher.call(ending("never")));
    assert!(waiting.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    drop(turn);
    drop(waiting);
    tokio::task::yield_now().await;
    assert_eq!(dispatcher.call(ending("ok")).await.text(), "ok");
}

#[tokio::test(start_paused = true)]
async fn a_call_that_waits_has_its_own_time_whole() {
    let dispatcher = Dispatcher::new(tools![hang_7s]).unwrap().with_turn_concurrency(limit(1));
    let start = Instant::now();
    let results = dispatcher.dispatch([call("a", "hang_7s"), call("b", "hang_7s")]).await;
    assert_eq!(texts(&results), ["a the call timed out after 7 seconds", "b the call timed out after 7 seconds"]);
    assert_eq!(start.elapsed(), Duration::from_secs(14));
}

#[tokio::test(start_paused = true)]
async fn what_a_call_has_left_behind_waits_like_everybody() {
    /// Leaves a task behind that makes calls in its run.
    #[tool]
    async fn leave_behind(#[context] run: RunContext, #[context] own: State<OnceLock<Dispatcher>>) {
        let own = own.get().unwrap().clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(500)).await;
            run.scope(own.dispatch(crowd_calls(3))).await
        });
    }

    let (own, crowd) = (Arc::new(OnceLock::new()), Arc::new(Crowd::default()));
    let context = RunContext::new().with_shared_state(Arc::clone(&own)).with_shared_state(Arc::clone(&crowd));
    let dispatcher = Dispatcher::new(tools![leave_behind, self::crowd]).unwrap().with_concurrency(limit(1));
    own.set(dispatcher.clone()).unwrap();
    let dispatcher = dispatcher.with_context(context);
    let result = dispatcher.call(call("a", "leave_behind")).await;
    assert!(!result.is_error());
    let results = dispatcher.dispatch(crowd_calls(2)).await;
    assert_eq!(results.len(), 2);
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(crowd.most(), 1);
}
