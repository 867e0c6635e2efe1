//! Calls that are tried again.

use loom_core::{CallEvent, ToolError};

use super::*;

/// What the attempts of a call do, one after the other, and when they were made.
struct Script {
    start: Instant,
    steps: Mutex<Vec<Step>>,
    times: Mutex<Vec<Duration>>,
}

type Step = Box<dyn FnOnce() -> Result<String, ToolError> + Send>;

impl Script {
    fn next(&self) -> Result<String, ToolError> {
        self.times.lock().unwrap().push(self.start.elapsed());
        let step = self.steps.lock().unwrap().pop();
        step.map_or_else(|| Err(ToolError::new("busy").retryable()), |step| step())
    }
}

/// Follows its script.
#[tool(retries = 3)]
async fn follow(#[context] script: State<Script>) -> Result<String, ToolError> {
    script.next()
}

/// The same, as it destroys something. No annotation says so together with `retries`.
fn destroy() -> loom_core::Tool {
    redefined(follow::tool(), |definition| {
        definition.name = "destroy".into();
        definition.flags.destructive = true;
    })
}

/// Follows its script, and is never tried again.
#[tool]
async fn follow_once(#[context] script: State<Script>) -> Result<String, ToolError> {
    script.next()
}

/// Follows its script on a thread.
#[tool(retries = 3)]
fn follow_blocking(#[context] script: &State<Script>) -> Result<String, ToolError> {
    script.next()
}

/// Never ends on its thread; says each time that it has begun.
#[tool(retries = 3)]
fn stubborn_again(
    #[context] shared: &State<Shared>,
    #[context] token: &CancellationToken,
) -> Result<String, ToolError> {
    shared.tell("started");
    shared.wait_for_end(token);
    shared.tell("stopped");
    Err(ToolError::new("busy").retryable())
}

fn busy() -> Step {
    Box::new(|| Err(ToolError::new("busy").retryable()))
}

fn busy_for(seconds: u64) -> Step {
    Box::new(move || Err(ToolError::new("later").retryable_after(Duration::from_secs(seconds))))
}

fn succeed() -> Step {
    Box::new(|| Ok("done".to_owned()))
}

fn fail() -> Step {
    Box::new(|| Err(ToolError::new("no")))
}

fn panics() -> Step {
    Box::new(|| panic!("staged"))
}

struct Tried {
    result: ToolResult,
    /// When the attempts were made, in seconds.
    seconds: Vec<u64>,
    /// How long it took in all, in seconds.
    took: u64,
    /// Retries and the end.
    events: Vec<String>,
}

fn scripted(steps: Vec<Step>) -> (Dispatcher, Arc<Script>) {
    let steps = Mutex::new(steps.into_iter().rev().collect());
    let script = Arc::new(Script { start: Instant::now(), steps, times: Mutex::default() });
    let dispatcher = Dispatcher::new([tools![follow, follow_once, follow_blocking], vec![destroy()]].concat()).unwrap();
    let dispatcher = dispatcher.with_context(RunContext::new().with_shared_state(Arc::clone(&script)));
    (dispatcher.with_backoff(Backoff::exact(Duration::from_secs(1), Duration::from_secs(3))), script)
}

fn line(event: &CallEvent) -> Option<String> {
    match event {
        CallEvent::Retry { attempt, error, delay, .. } => {
            Some(format!("{attempt} failed: {error}; again in {}", delay.as_secs()))
        }
        CallEvent::End { outcome, duration, .. } => Some(format!("{outcome} after {}", duration.as_secs())),
        _ => None,
    }
}

async fn tried_with(name: &str, steps: Vec<Step>, set: impl FnOnce(Dispatcher) -> Dispatcher) -> Tried {
    let (dispatcher, script) = scripted(steps);
    let dispatcher = set(dispatcher);
    let mut events = dispatcher.events();
    let result = dispatcher.call(call("a", name)).await;
    drop(dispatcher);
    let mut lines = Vec::new();
    while let Some(event) = events.next().await {
        lines.extend(line(&event));
    }
    let seconds = script.times.lock().unwrap().iter().map(Duration::as_secs).collect();
    Tried { result, seconds, took: script.start.elapsed().as_secs(), events: lines }
}

async fn tried(name: &str, steps: Vec<Step>) -> Tried {
    tried_with(name, steps, |dispatcher| dispatcher).await
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_says_so_is_tried_again_after_the_delays_of_the_backoff() {
    let tried = tried("follow", vec![busy(), busy(), busy(), succeed()]).await;
    assert_eq!((&*tried.result.text(), tried.result.attempts, tried.took), ("done", 4, 6));
    assert_eq!(tried.seconds, [0, 1, 3, 6]);
    assert_eq!(
        tried.events,
        ["1 failed: busy; again in 1", "2 failed: busy; again in 2", "3 failed: busy; again in 3", "ok after 6"]
    );
}

#[tokio::test(start_paused = true)]
async fn no_more_attempts_are_made_than_the_tool_says() {
    let tried = tried("follow", vec![busy(), busy(), busy(), busy(), succeed()]).await;
    assert_eq!((&*tried.result.text(), tried.result.attempts, tried.took), ("busy", 4, 6));
    assert_eq!(tried.seconds, [0, 1, 3, 6]);
    assert_eq!(tried.events.last().unwrap(), "failed after 6");
}

#[tokio::test(start_paused = true)]
async fn what_the_failure_says_is_waited_for_if_it_is_longer() {
    let tried = tried("follow", vec![busy_for(10), busy_for(1), busy_for(3), succeed()]).await;
    assert_eq!(tried.seconds, [0, 10, 12, 15]);
    assert_eq!(tried.events[..2], ["1 failed: later; again in 10", "2 failed: later; again in 2"]);
}

#[tokio::test(start_paused = true)]
async fn whatever_may_have_done_harm_is_not_tried_again() {
    for (name, first) in [
        ("destroy", busy()),
        ("destroy", busy_for(1)),
        ("follow_once", busy()),
        ("follow", fail()),
        ("follow", panics()),
        ("follow_blocking", fail()),
    ] {
        let tried = tried(name, vec![first, succeed()]).await;
        assert!(tried.result.is_error());
        assert_eq!((tried.result.attempts, tried.seconds, tried.took), (1, vec![0], 0), "{name}");
        assert_eq!(tried.events.len(), 1);
    }
    // Neither is what fails for good after it was tried again.
    let tried = tried("follow", vec![busy(), fail(), succeed()]).await;
    assert_eq!((&*tried.result.text(), tried.result.attempts, tried.seconds), ("no", 2, vec![0, 1]));
}

#[tokio::test(start_paused = true)]
async fn arguments_that_do_not_fit_are_not_tried_again() {
    let (dispatcher, script) = scripted(vec![]);
    let result = dispatcher.call(ToolCall::new("a", "follow", r#"{"x":1}"#)).await;
    assert_eq!((result.outcome.unwrap_err().kind(), result.attempts), ("bad_arguments", 1));
    assert_eq!(*script.times.lock().unwrap(), []);
}

#[tokio::test(start_paused = true)]
async fn a_function_that_blocks_is_tried_again_as_well() {
    let tried = tried("follow_blocking", vec![busy(), busy_for(5), succeed()]).await;
    assert_eq!((&*tried.result.text(), tried.result.attempts), ("done", 3));
    assert_eq!(tried.seconds, [0, 1, 6]);
}

#[tokio::test(start_paused = true)]
async fn a_thread_that_was_given_up_is_not_tried_again() {
    let (shared, mut heard) = Shared::new(1);
    let dispatcher = dispatcher(tools![stubborn_again], &shared).with_timeout(Duration::from_secs(5));
    let turn = tokio::spawn(async move { dispatcher.call(call("a", "stubborn_again")).await });
    assert_eq!(heard.recv().await.unwrap(), "started");
    tokio::time::advance(Duration::from_secs(5)).await;
    let result = turn.await.unwrap();
    assert!(matches!(result.outcome, Err(CallError::TimedOut { blocking: true, .. })));
    assert_eq!(result.attempts, 1);
    shared.release();
    assert_eq!(heard.recv().await.unwrap(), "stopped");
    // Nobody began once more.
    tokio::time::advance(Duration::from_mins(1)).await;
    assert!(heard.try_recv().is_err());
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_for_an_attempt_that_would_come_too_late() {
    let seconds = Duration::from_secs;
    let now = Instant::now();
    // The failure is told at once, and not that time is over.
    let of_call = tried_with("follow", vec![busy(), busy()], |of| of.with_timeout(seconds(3))).await;
    let of_turn = tried_with("follow", vec![busy(), busy()], |of| of.with_turn_timeout(seconds(3))).await;
    let later = (Instant::now() + seconds(3)).into_std();
    let of_run = tried_with("follow", vec![busy(), busy()], |of| of.with_deadline(later)).await;
    for tried in [of_call, of_turn, of_run] {
        assert_eq!((&*tried.result.text(), tried.result.attempts, tried.took), ("busy", 2, 1));
        assert_eq!(tried.events, ["1 failed: busy; again in 1", "failed after 1"]);
    }
    assert_eq!(now.elapsed(), seconds(3));
    // A little more, and there is time for it.
    let tried = tried_with("follow", vec![busy(), busy(), succeed()], |of| {
        of.with_timeout(seconds(3) + Duration::from_millis(1))
    });
    assert_eq!(tried.await.result.text(), "done");
}

#[tokio::test(start_paused = true)]
async fn a_call_is_cancelled_while_it_waits_for_its_next_attempt() {
    let (dispatcher, script) = scripted(vec![busy(), busy_for(30), succeed()]);
    let token = CancellationToken::new();
    let dispatcher = dispatcher.with_cancellation(token.clone());
    let mut events = dispatcher.events();
    let turn = tokio::spawn(async move { dispatcher.call(call("a", "follow")).await });
    tokio::time::sleep(Duration::from_secs(5)).await;
    token.cancel();
    let result = turn.await.unwrap();
    assert!(matches!(result.outcome, Err(CallError::Cancelled { blocking: false })));
    assert_eq!((result.attempts, script.start.elapsed()), (2, Duration::from_secs(5)));
    assert_eq!(script.times.lock().unwrap().len(), 2);
    let mut lines = Vec::new();
    while let Some(event) = events.next().await {
        lines.extend(line(&event));
    }
    assert_eq!(lines, ["1 failed: busy; again in 1", "2 failed: later; again in 30", "cancelled after 5"]);
}

/// Is busy once, and then takes forever.
#[tool(retries = 1, timeout = "4s")]
async fn busy_then_forever(#[context] script: State<Script>) -> Result<String, ToolError> {
    if script.times.lock().unwrap().is_empty() {
        return script.next();
    }
    pending().await
}

#[tokio::test(start_paused = true)]
async fn all_attempts_share_the_time_of_the_call() {
    let (dispatcher, _script) = scripted(vec![]);
    let inner = Dispatcher::new(tools![busy_then_forever]).unwrap();
    let inner = inner.with_context(dispatcher.context.clone().unwrap()).with_backoff(dispatcher.backoff);
    let start = Instant::now();
    let result = inner.call(call("a", "busy_then_forever")).await;
    assert_eq!(result.text(), "the call timed out after 4 seconds");
    assert_eq!((result.attempts, start.elapsed()), (2, Duration::from_secs(4)));
}
