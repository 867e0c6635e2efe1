//! What listeners hear of the progress of a call.

use loom_core::{Progress, Tool, ToolError};

use super::*;

/// Reports a step each so many milliseconds, and then goes on for a while in silence.
#[tool]
async fn walk(steps: u32, pause: u64, silence: u64, #[context] progress: Progress) {
    let mut counted = progress.steps(u64::from(steps));
    for step in 1..=steps {
        counted.step_to(format!("step {step}"));
        tokio::time::sleep(Duration::from_millis(pause)).await;
    }
    tokio::time::sleep(Duration::from_millis(silence)).await;
}

/// The lines that a listener hears, and the milliseconds after which it hears them.
fn listener(dispatcher: &Dispatcher) -> tokio::task::JoinHandle<Vec<(u128, String)>> {
    let mut events = dispatcher.events();
    let start = Instant::now();
    tokio::spawn(async move {
        let mut told = Vec::new();
        while let Some(event) = events.next().await {
            told.push((start.elapsed().as_millis(), line(&event)));
        }
        told
    })
}

async fn told_of(tools: Vec<Tool>, call: ToolCall) -> Vec<(u128, String)> {
    let dispatcher = Dispatcher::new(tools).unwrap();
    let listener = listener(&dispatcher);
    let _result = dispatcher.call(call).await;
    drop(dispatcher);
    listener.await.unwrap()
}

fn lines_at(lines: &[(u128, &str)]) -> Vec<(u128, String)> {
    lines.iter().map(|(at, line)| (*at, (*line).to_owned())).collect()
}

#[tokio::test(start_paused = true)]
async fn slow_reports_are_told_at_once() {
    let call = ToolCall::new("a", "walk", r#"{"steps": 2, "pause": 60, "silence": 0}"#);
    assert_eq!(
        told_of(tools![walk], call).await,
        lines_at(&[(0, "start 1"), (0, "progress 1: 1/2 step 1"), (60, "progress 1: 2/2 step 2"), (120, "end 1: ok"),])
    );
}

#[tokio::test(start_paused = true)]
async fn of_quick_reports_the_latest_is_told_in_time_whatever_follows() {
    // The timer of the last does not wait for the tool, which says nothing any more.
    let call = ToolCall::new("a", "walk", r#"{"steps": 100, "pause": 1, "silence": 1000}"#);
    assert_eq!(
        told_of(tools![walk], call).await,
        lines_at(&[
            (0, "start 1"),
            (0, "progress 1: 1/100 step 1"),
            (50, "progress 1: 51/100 step 51"),
            (100, "progress 1: 100/100 step 100"),
            (1100, "end 1: ok"),
        ])
    );
}

#[tokio::test(start_paused = true)]
async fn the_last_is_told_before_the_end() {
    let call = ToolCall::new("a", "walk", r#"{"steps": 3, "pause": 1, "silence": 0}"#);
    assert_eq!(
        told_of(tools![walk], call).await,
        lines_at(&[(0, "start 1"), (0, "progress 1: 1/3 step 1"), (3, "progress 1: 3/3 step 3"), (3, "end 1: ok"),])
    );
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_given_up_tells_how_far_it_came() {
    let dispatcher = Dispatcher::new(tools![walk]).unwrap().with_timeout(Duration::from_millis(70));
    let mut events = dispatcher.events();
    let _result = dispatcher.call(ToolCall::new("a", "walk", r#"{"steps": 9, "pause": 30, "silence": 0}"#)).await;
    assert_eq!(
        lines(&mut events),
        ["start 1", "progress 1: 1/9 step 1", "progress 1: 2/9 step 2", "progress 1: 3/9 step 3", "end 1: timed_out"]
    );
}

/// Reports a million times without a pause.
#[tool(blocking = false)]
fn flood(#[context] progress: &Progress) {
    let mut counted = progress.steps(1_000_000);
    for _ in 0..1_000_000 {
        counted.step();
    }
}

#[tokio::test(start_paused = true)]
async fn a_flood_of_reports_is_two() {
    let dispatcher = Dispatcher::new(tools![flood]).unwrap().with_event_capacity(4);
    let mut events = dispatcher.events();
    let _result = dispatcher.call(call("a", "flood")).await;
    assert_eq!(
        lines(&mut events),
        ["start 1", "progress 1: 1/1000000 -", "progress 1: 1000000/1000000 -", "end 1: ok"]
    );
}

/// Reports on a thread: once, and again once it is let.
#[tool]
fn on_a_thread(#[context] shared: &State<Shared>, #[context] progress: &Progress) {
    progress.message("first");
    progress.message("second");
    shared.tell("reported");
    while !shared.released.load(Ordering::SeqCst) {
        std::thread::yield_now();
    }
    progress.message("third");
}

#[tokio::test]
async fn a_thread_that_reports_wakes_whoever_waits_for_it() {
    let (shared, mut told) = Shared::new(1);
    let dispatcher = dispatcher(tools![on_a_thread], &shared);
    let mut events = dispatcher.events();
    let running = tokio::spawn(async move { dispatcher.call(call("a", "on_a_thread")).await });
    assert_eq!(told.recv().await.unwrap(), "reported");
    let mut so_far = Vec::new();
    // The thread stands still meanwhile, so the second is told by whoever waits for it.
    for _ in 0..3 {
        so_far.push(line(&events.next().await.unwrap()));
    }
    assert_eq!(so_far, ["start 1", "progress 1: 0 first", "progress 1: 0 second"]);
    shared.release();
    let _result = running.await.unwrap();
    assert_eq!(lines(&mut events), ["progress 1: 0 third", "end 1: ok"]);
}

/// Gives its progress away.
#[tool]
async fn leak(#[context] kept: State<Mutex<Option<Progress>>>, #[context] progress: Progress) {
    progress.message("mine");
    *kept.lock().unwrap() = Some(progress);
}

#[tokio::test(start_paused = true)]
async fn nothing_is_told_after_the_end() {
    let run = RunContext::new().with_state(Mutex::new(None::<Progress>));
    let dispatcher = Dispatcher::new(tools![leak]).unwrap().with_context(run.clone());
    let mut events = dispatcher.events();
    let _result = dispatcher.call(call("a", "leak")).await;
    assert_eq!(lines(&mut events), ["start 1", "progress 1: 0 mine", "end 1: ok"]);
    let kept = run.state::<Mutex<Option<Progress>>>().unwrap();
    kept.lock().unwrap().as_ref().unwrap().message("too late");
    tokio::time::advance(Duration::from_secs(1)).await;
    assert_eq!(lines(&mut events), [""; 0]);
    // It keeps nobody from ending either.
    drop(dispatcher);
    assert_eq!(heard_and_ended(&mut events), (vec![], true));
}

/// Says whether anybody hears of it.
#[tool]
async fn is_heard(#[context] progress: &Progress) -> bool {
    progress.is_heard()
}

#[tokio::test]
async fn nothing_is_made_where_nobody_listens() {
    let dispatcher = Dispatcher::new(tools![is_heard]).unwrap();
    assert_eq!(dispatcher.call(call("a", "is_heard")).await.text(), "false");
    let events = dispatcher.events();
    assert_eq!(dispatcher.call(call("a", "is_heard")).await.text(), "true");
    drop(events);
    assert_eq!(dispatcher.call(call("a", "is_heard")).await.text(), "false");
}

/// Fails at first, when most is done.
#[tool(retries = 1)]
async fn in_two_attempts(#[context] run: &RunContext, #[context] progress: Progress) -> Result<(), ToolError> {
    let failed = run.state::<Mutex<bool>>().unwrap();
    if !std::mem::replace(&mut *failed.lock().unwrap(), true) {
        progress.set(3.0, Some(4.0));
        return Err(ToolError::new("busy").retryable());
    }
    for done in [1.0, 2.0, 4.0] {
        progress.set(done, Some(4.0));
        tokio::time::sleep(Duration::from_millis(60)).await;
    }
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn what_is_done_does_not_go_back_when_a_call_is_tried_again() {
    let dispatcher =
        Dispatcher::new(tools![in_two_attempts]).unwrap().with_context(RunContext::new().with_state(Mutex::new(false)));
    let mut events = dispatcher.events();
    let _result = dispatcher.call(call("a", "in_two_attempts")).await;
    assert_eq!(
        lines(&mut events),
        [
            "start 1",
            "progress 1: 3/4 -",
            "retry 1: 1",
            "progress 1: 3/4 -",
            "progress 1: 3/4 -",
            "progress 1: 4/4 -",
            "end 1: ok"
        ]
    );
}
