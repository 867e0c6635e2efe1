//! From calls to results: one call ([`call`], [`attempt`]), one turn ([`turn`], [`order`]), limits ([`gate`]).

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

use loom_core::{
    ArgumentLimits, DuplicateToolError, IntoTools, ResultLimits, RunContext, ToolCall, ToolHost, ToolQuery, ToolResult,
};

mod attempt;
mod backoff;
mod call;
mod cancellation;
mod events;
mod gate;
mod guard;
mod observe;
mod order;
mod thread;
mod turn;

#[cfg(test)]
mod tests;

pub use backoff::Backoff;
pub use cancellation::CancellationToken;
pub use events::{CallEvents, DEFAULT_EVENT_CAPACITY};
use events::{Channel, Telling};
use gate::{Gate, Passed};
pub(crate) use guard::{GuardedFuture, guarded};
pub(crate) use observe::Parent;
pub(crate) use thread::{Claims, Thread};
pub use turn::{Turn, TurnCanceller};

/// How long a call may take where neither its tool nor the dispatcher says otherwise.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_mins(2);

/// Runs calls against a host: within a time, in a run context, until cancelled.
///
/// Needs a tokio runtime with its clock enabled; without one, calls that need it fail and say so.
///
/// ```
/// use std::time::Duration;
/// use loom_runtime::prelude::*;
///
/// /// Says who asks.
/// #[tool]
/// fn who_am_i(#[context] run: &RunContext) -> String {
///     run.user_id().unwrap_or("nobody").to_owned()
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let dispatcher = Dispatcher::new(tools![who_am_i])?
///     .with_context(RunContext::new().with_user_id("ada"))
///     .with_timeout(Duration::from_secs(5));
/// assert_eq!(dispatcher.call(ToolCall::new("1", "who_am_i", "{}")).await.text(), "ada");
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Dispatcher {
    host: Arc<dyn ToolHost>,
    timeout: Duration,
    turn_timeout: Option<Duration>,
    deadline: Option<Instant>,
    /// Without one, the context that the caller is in.
    context: Option<RunContext>,
    cancellation: Option<CancellationToken>,
    arguments: ArgumentLimits,
    results: ResultLimits,
    turn_concurrency: Option<NonZeroUsize>,
    /// Shared by the clones.
    gate: Option<Gate>,
    backoff: Backoff,
    /// Shared by the clones.
    events: Arc<Channel>,
}

/// What holds for all calls of one turn.
#[derive(Debug, Clone)]
struct Scope {
    timeout: Duration,
    /// When the run is over.
    deadline: Option<tokio::time::Instant>,
    context: RunContext,
    cancellation: Option<CancellationToken>,
    arguments: ArgumentLimits,
    results: ResultLimits,
    /// How many calls of the turn run at a time.
    turn: Option<Gate>,
    /// How many calls of the dispatcher do.
    host: Option<Gate>,
    /// The gates that the code has passed which makes the calls.
    passed: Option<Arc<Passed>>,
    backoff: Backoff,
    parent: Parent,
}

impl Scope {
    /// The run context that the caller is in already, so that a tool's own calls belong to its run.
    fn current() -> Self {
        Self {
            timeout: DEFAULT_TIMEOUT,
            deadline: None,
            context: RunContext::current(),
            cancellation: None,
            arguments: ArgumentLimits::new(),
            results: ResultLimits::new(),
            turn: None,
            host: None,
            passed: Passed::current(),
            backoff: Backoff::default(),
            parent: Parent::current(),
        }
    }
}

impl Dispatcher {
    /// A dispatcher of these tools. Unless it is given a run context, calls belong to the run that they are made in.
    ///
    /// # Errors
    /// When two tools have the same name.
    pub fn new(tools: impl IntoTools) -> Result<Self, DuplicateToolError> {
        let host = tools.into_host()?;
        Ok(Self {
            host,
            timeout: DEFAULT_TIMEOUT,
            turn_timeout: None,
            deadline: None,
            context: None,
            cancellation: None,
            arguments: ArgumentLimits::new(),
            results: ResultLimits::new(),
            turn_concurrency: None,
            gate: None,
            backoff: Backoff::default(),
            events: Arc::new(Channel::new(DEFAULT_EVENT_CAPACITY)),
        })
    }

    /// Sets how long a call may take, where neither it nor its tool says; [`DEFAULT_TIMEOUT`] otherwise.
    ///
    /// The time begins with the call, not while it waits for others, and holds for all of its attempts together.
    #[must_use]
    pub const fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets how long all calls of a turn may take together; as long as they need otherwise. Whatever has not ended by then
    /// is answered with [`CallError::OutOfTime`](crate::CallError::OutOfTime).
    #[must_use]
    pub const fn with_turn_timeout(mut self, timeout: Duration) -> Self {
        self.turn_timeout = Some(timeout);
        self
    }

    /// Sets when the whole run is over; never otherwise. Whatever has not ended by then is answered with
    /// [`CallError::OutOfTime`](crate::CallError::OutOfTime), and nothing begins any more.
    #[must_use]
    pub const fn with_deadline(mut self, deadline: Instant) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Sets how many calls of one turn run at a time; all of them otherwise. The others wait, in their order.
    #[must_use]
    pub const fn with_turn_concurrency(mut self, calls: NonZeroUsize) -> Self {
        self.turn_concurrency = Some(calls);
        self
    }

    /// Sets how many calls of this dispatcher and its clones run at a time, whatever turns they belong to; all of them
    /// otherwise. A call that a call of its own makes has its place already.
    ///
    /// A tool may have a limit as well, which then holds in the whole program: `#[tool(concurrency = 4)]`. A thread that
    /// was given up counts no more.
    #[must_use]
    pub fn with_concurrency(mut self, calls: NonZeroUsize) -> Self {
        self.gate = Some(Gate::new(calls.get()));
        self
    }

    /// Sets how long is waited before a call is tried again; see [`Backoff`].
    ///
    /// A call is tried again if its tool says `retries`, is not `destructive`, and reports a failure that
    /// [says that it may](crate::ToolError::retryable).
    #[must_use]
    pub const fn with_backoff(mut self, backoff: Backoff) -> Self {
        self.backoff = backoff;
        self
    }

    /// Sets how large a result may be; see [`ResultLimits`] for what holds otherwise.
    #[must_use]
    pub const fn with_result_limits(mut self, limits: ResultLimits) -> Self {
        self.results = limits;
        self
    }

    /// Sets the run context of the calls.
    #[must_use]
    pub fn with_context(mut self, context: RunContext) -> Self {
        self.context = Some(context);
        self
    }

    /// Cancels the calls when this token is cancelled.
    #[must_use]
    pub fn with_cancellation(mut self, cancellation: CancellationToken) -> Self {
        self.cancellation = Some(cancellation);
        self
    }

    /// Sets how large the arguments of a call may be; see [`ArgumentLimits`] for what holds otherwise.
    #[must_use]
    pub const fn with_argument_limits(mut self, limits: ArgumentLimits) -> Self {
        self.arguments = limits;
        self
    }

    /// Sets how many events are kept for a listener that does not keep up; [`DEFAULT_EVENT_CAPACITY`] otherwise.
    ///
    /// At least one and at most 2²⁰, rounded up to a power of two. From here on this dispatcher has listeners of its
    /// own: those of its clones, and those that it had, stay with the clones.
    #[must_use]
    pub fn with_event_capacity(mut self, events: usize) -> Self {
        self.events = Arc::new(Channel::new(events));
        self
    }

    /// What happens to calls, while it happens: of every call that this dispatcher and its clones take up from now on.
    ///
    /// There may be any number of listeners, and a call waits for none of them. A listener that is further behind than
    /// [the events that are kept](Self::with_event_capacity) loses the oldest, and the next that it hears is
    /// [`CallEvent::Lagged`], which says how many. Nothing hangs on events alone: whatever they tell is in the results as
    /// well. Without a listener nothing is made and no clock is read.
    ///
    /// ```
    /// use loom_runtime::{CallEvent, prelude::*};
    ///
    /// /// Doubles a number.
    /// #[tool]
    /// async fn double(n: i64) -> i64 {
    ///     n * 2
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let dispatcher = Dispatcher::new(tools![double])?;
    /// let mut events = dispatcher.events();
    /// let listener = tokio::spawn(async move {
    ///     let mut lines = Vec::new();
    ///     while let Some(event) = events.next().await {
    ///         match event {
    ///             CallEvent::Start { call_id, tool_name, .. } => lines.push(format!("{call_id}: {tool_name}")),
    ///             CallEvent::Problems { call_id, problems, .. } => {
    ///                 lines.extend(problems.iter().map(|problem| format!("{call_id}: {problem}")));
    ///             }
    ///             CallEvent::End { call_id, outcome, .. } => lines.push(format!("{call_id}: {outcome}")),
    ///             _ => {}
    ///         }
    ///     }
    ///     lines
    /// });
    /// dispatcher.call(ToolCall::new("1", "double", r#"{"n": 2}"#)).await;
    /// dispatcher.call(ToolCall::new("2", "double", r#"{"n": "two"}"#)).await;
    /// // The events end with the dispatcher.
    /// drop(dispatcher);
    /// assert_eq!(
    ///     listener.await?,
    ///     ["1: double", "1: ok", "2: double", "2: /n: expected an integer, got \"two\"", "2: bad_arguments"]
    /// );
    /// # Ok(()) }
    /// ```
    ///
    /// [`CallEvent::Lagged`]: crate::CallEvent::Lagged
    pub fn events(&self) -> CallEvents {
        self.events.listen()
    }

    fn scope(&self) -> Scope {
        let turn_end = self.turn_timeout.and_then(|timeout| tokio::time::Instant::now().checked_add(timeout));
        let run_end = self.deadline.map(tokio::time::Instant::from_std);
        Scope {
            timeout: self.timeout,
            deadline: turn_end.into_iter().chain(run_end).min(),
            context: self.context.clone().unwrap_or_else(RunContext::current),
            cancellation: self.cancellation.clone(),
            arguments: self.arguments,
            results: self.results,
            turn: self.turn_concurrency.map(|calls| Gate::new(calls.get())),
            host: self.gate.clone(),
            passed: Passed::current(),
            backoff: self.backoff,
            parent: Parent::current(),
        }
    }

    /// Runs one call. Dropping the future cancels it.
    pub async fn call(&self, call: ToolCall) -> ToolResult {
        let telling = self.events.begin(&call);
        alone(&*self.host, call, &self.scope(), telling).await
    }

    /// The same for a future that others poll: what surrounds the call is what surrounds this.
    #[cfg(feature = "tower")]
    pub(crate) fn call_from_here(&self, call: ToolCall) -> impl Future<Output = ToolResult> + Send + use<> {
        let (dispatcher, scope) = (self.clone(), self.scope());
        async move {
            let telling = dispatcher.events.begin(&call);
            alone(&*dispatcher.host, call, &scope, telling).await
        }
    }

    /// Runs all calls of a turn beside each other and gives exactly one result for each, in the order of the calls.
    /// Dropping the future cancels them all.
    ///
    /// Not all run beside each other if their tools say otherwise: a `sequential` one waits for the calls before it, runs
    /// alone, and those behind it wait for it; and where what two calls read or write is the same, by the `reads` and
    /// `writes` of their tools, and one of them writes it, they keep their order.
    ///
    /// A call whose id an earlier one of the turn has is not run: nobody could tell their results apart.
    pub async fn dispatch(&self, calls: impl IntoIterator<Item = ToolCall>) -> Vec<ToolResult> {
        let mut calls: Vec<_> = calls.into_iter().collect();
        match (calls.len(), calls.pop()) {
            // A single call has no siblings to be kept from.
            (1, Some(only)) => vec![self.call(only).await],
            (_, last) => {
                calls.extend(last);
                self.turn(calls).results().await
            }
        }
    }

    /// The same as something that gives each result as soon as it is there, and whose calls can be cancelled one by one.
    pub fn turn(&self, calls: impl IntoIterator<Item = ToolCall>) -> Turn {
        let tools = self.host.list_tools(&ToolQuery::all());
        Turn::new(tools, calls.into_iter().collect(), self.scope(), Some(Arc::clone(&self.events)))
    }
}

/// Answers a call that has no siblings.
async fn alone<H: ToolHost + ?Sized>(host: &H, call: ToolCall, scope: &Scope, telling: Telling) -> ToolResult {
    let tools = host.list_tools(&ToolQuery::all());
    let mut result = call::answer(&tools, &call, scope, scope.cancellation.as_ref(), None, &telling).await;
    (result.call_id, result.tool_name) = (call.id, call.name);
    result
}

impl std::fmt::Debug for Dispatcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dispatcher")
            .field("timeout", &self.timeout)
            .field("context", &self.context)
            .field("cancellation", &self.cancellation)
            .finish_non_exhaustive()
    }
}

/// Runs calls straight on a host, with the defaults of a [`Dispatcher`].
pub trait HostExt: ToolHost {
    /// Runs one call. Dropping the future cancels it.
    fn call(&self, call: ToolCall) -> impl Future<Output = ToolResult> + Send {
        async { alone(self, call, &Scope::current(), Telling::nobody()).await }
    }

    /// Runs all calls of a turn; see [`Dispatcher::dispatch`]. Dropping the future cancels them all.
    fn dispatch(&self, calls: impl IntoIterator<Item = ToolCall>) -> impl Future<Output = Vec<ToolResult>> + Send {
        let mut calls: Vec<_> = calls.into_iter().collect();
        async {
            match (calls.len(), calls.pop()) {
                (1, Some(only)) => vec![self.call(only).await],
                (_, last) => {
                    calls.extend(last);
                    let tools = self.list_tools(&ToolQuery::all());
                    Turn::new(tools, calls, Scope::current(), None).results().await
                }
            }
        }
    }
}

impl<H: ToolHost + ?Sized> HostExt for H {}
