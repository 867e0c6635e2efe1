//! One call: find the tool, wait for a place, try it, and give exactly one answer.

use std::time::Duration;

use loom_core::{CallError, Outcome, RunContext, Tool, ToolCall, ToolError, ToolList, ToolResult};
use tokio::time::Instant;

use super::attempt::{CallToken, Tried, Trying, until};
use super::events::Telling;
use super::gate::{Gate, Ticket};
use super::guard::guarded;
use super::observe::Observed;
use super::{CancellationToken, Scope};

/// Answers one call. The answer bears no names yet: whoever owns the call puts them in.
///
/// The ticket is the call's own, if it has drawn one already.
pub(super) async fn answer(
    tools: &ToolList,
    call: &ToolCall,
    scope: &Scope,
    cancellation: Option<&CancellationToken>,
    ticket: Option<Ticket>,
    telling: &Telling,
) -> ToolResult {
    let Some(tool) = tools.get(&call.name) else {
        let nearest = tools.nearest(&call.name);
        return refuse(call, false, CallError::UnknownTool { name: call.name.clone(), nearest }, scope, telling);
    };
    let token = CallToken::new(cancellation, telling);
    if let Some(ticket) = ticket.or_else(|| self::ticket(tool, scope)) {
        // Kept apart like all that waits, since most calls have no gates to pass.
        return Box::pin(behind_gates(tool, call, scope, ticket, &token, telling)).await;
    }
    run(tool, call, scope, &scope.context, &token, telling).await
}

/// Waits until the call's turn has come. An answer, if it is cancelled or the run is over before that.
pub(super) async fn in_turn(
    turn: impl Future<Output = ()>,
    call: &ToolCall,
    scope: &Scope,
    cancellation: Option<&CancellationToken>,
    telling: &Telling,
) -> Result<(), ToolResult> {
    let mut limit = Limit::of_run(scope);
    let waited = until(turn, &mut limit, &CallToken::new(cancellation, telling)).await;
    waited.map_err(|stop| refuse(call, true, limit.stopped(stop, false), scope, telling))
}

/// What a call of this tool waits for its place by, if it has gates to pass.
pub(super) fn ticket(tool: &Tool, scope: &Scope) -> Option<Ticket> {
    let gates = [scope.turn.as_ref(), scope.host.as_ref(), Gate::of(tool)];
    let has_gates = gates.iter().any(Option::is_some);
    has_gates.then(|| Ticket::draw(gates.into_iter().flatten().cloned(), scope.passed.as_deref()))
}

async fn behind_gates(
    tool: &Tool,
    call: &ToolCall,
    scope: &Scope,
    ticket: Ticket,
    token: &CallToken<'_>,
    telling: &Telling,
) -> ToolResult {
    let passed = scope.passed.as_deref();
    // How long a call may take is counted from when it begins; only the run's own end does not wait.
    let mut limit = Limit::of_run(scope);
    match until(ticket, &mut limit, token).await {
        Ok(place) => run(tool, call, scope, &place.context(&scope.context, passed), token, telling).await,
        Err(stop) => refuse(call, true, limit.stopped(stop, false), scope, telling),
    }
}

/// Runs a call that has its place, as often as it may be tried.
async fn run(
    tool: &Tool,
    call: &ToolCall,
    scope: &Scope,
    context: &RunContext,
    token: &CallToken<'_>,
    telling: &Telling,
) -> ToolResult {
    telling.start();
    let observed = Observed::begin(call, true, scope);
    let trying = Trying { tool, call, scope, context, telling, span: &observed.span };
    let mut limit = Limit::of(tool, call, scope);
    let mut tried = if limit.is_over() {
        Tried::unbegun(limit.stopped(Stop::OutOfTime, false))
    } else {
        trying.once(token, &mut limit).await
    };
    let mut attempts = 1;
    if may_retry(tool) && retryable(&tried.outcome).is_some() {
        let again = Box::pin(retry(&trying, &mut tried, token, &mut limit));
        attempts = again.await;
    }
    let mut result = nameless(tried.outcome);
    result.coercions = tried.coercions;
    result.repairs = tried.repairs;
    result.attempts = attempts;
    finish(&mut result, scope, telling);
    observed.end(&result);
    result
}

/// Answers a call that does not run, or of which nothing is known any more.
pub(super) fn refuse(
    call: &ToolCall,
    is_known: bool,
    error: CallError,
    scope: &Scope,
    telling: &Telling,
) -> ToolResult {
    let observed = Observed::begin(call, is_known, scope);
    let mut result = nameless(Err(error));
    finish(&mut result, scope, telling);
    observed.end(&result);
    result
}

fn nameless(outcome: Outcome) -> ToolResult {
    ToolResult::new(String::new(), String::new(), outcome)
}

fn finish(result: &mut ToolResult, scope: &Scope, telling: &Telling) {
    result.limit(scope.results);
    telling.end(result);
}

/// Whether calls of this tool are ever tried again by themselves.
fn may_retry(tool: &Tool) -> bool {
    let definition = tool.definition();
    definition.retries > 0 && !definition.flags.destructive
}

/// The failure that says that the call may be tried again.
fn retryable(outcome: &Outcome) -> Option<&ToolError> {
    match outcome {
        Err(CallError::Failed(error)) => Some(error).filter(|error| error.is_retryable()),
        _ => None,
    }
}

/// Tries again until the call succeeds, fails for good, or may not be tried any more; how often it was tried in all.
async fn retry(trying: &Trying<'_>, tried: &mut Tried, token: &CallToken<'_>, limit: &mut Limit) -> u32 {
    let mut attempts = 1_u32;
    let mut delays = trying.scope.backoff.delays();
    while attempts <= trying.tool.definition().retries
        && let Some(error) = retryable(&tried.outcome)
    {
        let delay = delays.next().unwrap_or_default().max(error.retry_after().unwrap_or_default());
        // Nobody is better off with an answer that comes later and says less.
        if !limit.has(delay) {
            break;
        }
        // Without a clock nobody can wait.
        let Ok(pause) = guarded(|| tokio::time::sleep(delay)) else { break };
        trying.telling.retry(attempts, error, delay);
        if let Err(stop) = until(pause, limit, token).await {
            // Code around the call may have given up a thread that it had begun.
            forget(std::mem::replace(&mut tried.outcome, Err(limit.stopped(stop, token.runs_on()))));
            break;
        }
        attempts = attempts.saturating_add(1);
        forget(std::mem::replace(tried, trying.once(token, limit).await));
    }
    attempts
}

/// Drops what an attempt came to. Its error may be the user's own, whose drop may panic.
fn forget<T>(tried: T) {
    let _contained = guarded(|| drop(tried));
}

/// Why a call was not waited for any longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    TimedOut,
    /// The time of the whole run is over.
    OutOfTime,
    Cancelled,
}

/// Until when a call may take: its own time, counted from when it is looked at first, and that of its run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limit {
    own: Option<Duration>,
    own_end: Option<Instant>,
    run_end: Option<Instant>,
}

impl Limit {
    /// That of a call that begins. No clock is read before somebody has to wait.
    fn of(tool: &Tool, call: &ToolCall, scope: &Scope) -> Self {
        let own = call.timeout.or(tool.definition().timeout).unwrap_or(scope.timeout);
        Self { own: Some(own), own_end: None, run_end: scope.deadline }
    }

    /// That of a call that has not begun.
    pub(super) const fn of_run(scope: &Scope) -> Self {
        Self { own: None, own_end: None, run_end: scope.deadline }
    }

    /// Whether the run is over already.
    fn is_over(&self) -> bool {
        self.run_end.is_some_and(|end| Instant::now() >= end)
    }

    /// When to stop, and why then. Far ends are none: a clock cannot tell them.
    pub(super) fn end(&mut self) -> (Option<Instant>, Stop) {
        if let (Some(own), None) = (self.own, self.own_end) {
            self.own_end = Instant::now().checked_add(own);
        }
        match (self.own_end, self.run_end) {
            (Some(own), Some(run)) if run < own => (Some(run), Stop::OutOfTime),
            (Some(own), _) => (Some(own), Stop::TimedOut),
            (None, run) => (run, Stop::OutOfTime),
        }
    }

    /// Whether that much time is left.
    fn has(&mut self, delay: Duration) -> bool {
        let (end, _) = self.end();
        end.is_none_or(|end| Instant::now().checked_add(delay).is_some_and(|then| then < end))
    }

    pub(super) fn stopped(&self, stop: Stop, blocking: bool) -> CallError {
        match stop {
            Stop::TimedOut => CallError::TimedOut { after: self.own.unwrap_or_default(), blocking },
            Stop::OutOfTime => CallError::OutOfTime { blocking },
            Stop::Cancelled => CallError::Cancelled { blocking },
        }
    }
}
