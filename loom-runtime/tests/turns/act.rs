//! Tools that do what the plan says, and note when they began and ended.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Once};
use std::time::Duration;

use loom_runtime::{
    Arguments, CallContext, CallError, HostExt, Prepared, Tool, ToolCall, ToolError, ToolHandler, ToolList, Work,
};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::time::Instant;

use crate::plan::{KINDS, Kind, Plan, Step, Then, Way};

/// One attempt of a call, or a call of its own.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run {
    pub(crate) number: usize,
    pub(crate) began: u64,
    pub(crate) ended: u64,
    /// The places of the beginning and the end among all that happened.
    pub(crate) order: (usize, usize),
}

/// What the tools do and did.
#[derive(Debug)]
pub(crate) struct Log {
    plan: Plan,
    since: Instant,
    happened: AtomicUsize,
    attempts: Mutex<Vec<usize>>,
    runs: Mutex<Vec<Run>>,
    alive: AtomicUsize,
}

impl Log {
    pub(crate) fn new(plan: Plan) -> Arc<Self> {
        let attempts = Mutex::new(vec![0; plan.calls.len()]);
        let (since, runs) = (Instant::now(), Mutex::default());
        Arc::new(Self { plan, since, happened: AtomicUsize::new(0), attempts, runs, alive: AtomicUsize::new(0) })
    }

    pub(crate) fn now(&self) -> u64 {
        let elapsed = self.since.elapsed();
        assert_eq!(elapsed.subsec_nanos() % 1_000_000, 0, "the clock moves in whole milliseconds");
        u64::try_from(elapsed.as_millis()).unwrap()
    }

    pub(crate) fn at(&self, time: u64) -> Instant {
        self.since + Duration::from_millis(time)
    }

    /// How many attempts are under way.
    pub(crate) fn alive(&self) -> usize {
        self.alive.load(Ordering::SeqCst)
    }

    /// The attempts that are over, in the order of their ends.
    pub(crate) fn runs(&self) -> Vec<Run> {
        self.runs.lock().unwrap().clone()
    }

    fn begin(self: &Arc<Self>, number: usize) -> Running {
        self.alive.fetch_add(1, Ordering::SeqCst);
        Running {
            log: Arc::clone(self),
            number,
            began: self.now(),
            order: self.happened.fetch_add(1, Ordering::SeqCst),
        }
    }

    fn next_step(&self, number: usize) -> Step {
        let mut attempts = self.attempts.lock().unwrap();
        attempts[number] += 1;
        self.plan.calls[number].step(attempts[number])
    }
}

/// An attempt that is under way.
struct Running {
    log: Arc<Log>,
    number: usize,
    began: u64,
    order: usize,
}

impl Drop for Running {
    fn drop(&mut self) {
        let Self { log, number, began, order } = self;
        let order = (*order, log.happened.fetch_add(1, Ordering::SeqCst));
        log.runs.lock().unwrap().push(Run { number: *number, began: *began, ended: log.now(), order });
        log.alive.fetch_sub(1, Ordering::SeqCst);
    }
}

const STAGED: &str = "staged";

fn panic() -> ! {
    std::panic::panic_any(STAGED)
}

struct PanicsInDrop;

impl Drop for PanicsInDrop {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            panic();
        }
    }
}

/// Keeps panics that belong to a plan from being printed.
pub(crate) fn hush() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if info.payload().downcast_ref::<&str>() != Some(&STAGED) {
                before(info);
            }
        }));
    });
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Act {
    number: usize,
    #[serde(rename = "path")]
    _path: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct Wait {
    time: u64,
}

fn ending(then: Then) -> Result<String, ToolError> {
    match then {
        Then::Succeed | Then::PanicInDrop => Ok("done".into()),
        Then::Fail => Err(ToolError::new("failed")),
        Then::Busy => Err(ToolError::new("busy").retryable()),
        Then::BusyFor(time) => Err(ToolError::new("busy").retryable_after(Duration::from_millis(time))),
        Then::PanicAtOnce | Then::Panic => panic(),
    }
}

fn at_once(log: &Arc<Log>, number: usize) -> Result<String, ToolError> {
    // Whatever panics in its drop goes first, so that the attempt is noted even then.
    let _running = log.begin(number);
    let step = log.next_step(number);
    let _panics = (step.then == Then::PanicInDrop).then(|| PanicsInDrop);
    ending(step.then)
}

async fn with_time(log: Arc<Log>, number: usize, inner: Option<ToolList>) -> Result<String, ToolError> {
    let _running = log.begin(number);
    let step = log.next_step(number);
    let _panics = (step.then == Then::PanicInDrop).then(|| PanicsInDrop);
    if step.then == Then::PanicAtOnce {
        panic();
    }
    match inner {
        Some(inner) => {
            let times = [step.delay, step.delay / 2, step.delay];
            let wait = |time| ToolCall::new("same", "wait", format!(r#"{{"time":{time}}}"#));
            let results = inner.dispatch(times.map(wait)).await;
            let kinds = results.iter().map(|result| result.outcome.as_ref().map_or_else(CallError::kind, |_| "ok"));
            assert_eq!(kinds.collect::<Vec<_>>(), ["ok", "duplicate_id", "duplicate_id"]);
        }
        None if step.delay == 0 => {}
        None => tokio::time::sleep(Duration::from_millis(step.delay)).await,
    }
    ending(step.then)
}

/// Runs the code of a blocking tool where a future would be polled.
struct Inline(Tool);

impl ToolHandler for Inline {
    fn prepare(&self, arguments: &Arguments, context: &CallContext<'_>) -> Result<Prepared, CallError> {
        let mut prepared = self.0.prepare(arguments, context)?;
        if let Work::Blocking(code) = prepared.work {
            prepared.work = Work::Inline(code);
        }
        Ok(prepared)
    }
}

pub(crate) fn tools(log: &Arc<Log>) -> Vec<Tool> {
    KINDS.iter().map(|kind| tool(kind, Arc::clone(log))).collect()
}

fn tool(kind: &Kind, log: Arc<Log>) -> Tool {
    let mut builder = Tool::builder(kind.name).description("Does what is planned.").retries(kind.retries);
    if kind.sequential {
        builder = builder.sequential();
    }
    if kind.destructive {
        builder = builder.destructive();
    }
    if kind.reads {
        builder = builder.reads(["{path}"]);
    }
    if kind.writes {
        builder = builder.writes(["{path}"]);
    }
    if let Some(timeout) = kind.timeout {
        builder = builder.timeout(Duration::from_millis(timeout));
    }
    if let Some(calls) = kind.concurrency {
        builder = builder.concurrency(u32::try_from(calls).unwrap());
    }
    match kind.way {
        Way::Async => builder.build(async move |act: Act| with_time(log, act.number, None).await).unwrap(),
        Way::Nested => {
            let inner = Arc::clone(&log);
            let wait = Tool::from_fn("wait", "Waits.", async move |wait: Wait| {
                let _running = inner.begin(usize::MAX);
                if wait.time > 0 {
                    tokio::time::sleep(Duration::from_millis(wait.time)).await;
                }
            });
            let inner = ToolList::new(vec![wait.unwrap()]).unwrap();
            builder.build(async move |act: Act| with_time(log, act.number, Some(inner)).await).unwrap()
        }
        Way::Blocking => builder.build_blocking(move |act: Act| at_once(&log, act.number)).unwrap(),
        Way::Inline => {
            let blocking = builder.build_blocking(move |act: Act| at_once(&log, act.number)).unwrap();
            blocking.derive(blocking.definition().clone(), Inline(blocking.clone()))
        }
    }
}
