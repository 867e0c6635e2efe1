//! From calls to results: one call ([`call`]), one turn ([`turn`]).

use std::sync::Arc;
use std::time::Duration;

use loom_core::{
    ArgumentLimits, CallContext, ContextError, DuplicateToolError, FromContext, IntoTools, RunContext, ToolCall,
    ToolHost, ToolQuery, ToolResult,
};

mod call;
mod events;
mod guard;
mod turn;

#[cfg(test)]
mod tests;

pub use events::{CallEvents, DEFAULT_EVENT_CAPACITY};
use events::{Channel, Telling};

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
    /// Without one, the context that the caller is in.
    context: Option<RunContext>,
    cancellation: Option<CancellationToken>,
    limits: ArgumentLimits,
    /// Shared by the clones.
    events: Arc<Channel>,
}

/// What holds for all calls of one turn.
#[derive(Debug, Clone)]
struct Scope {
    timeout: Duration,
    context: RunContext,
    cancellation: Option<CancellationToken>,
    limits: ArgumentLimits,
}

impl Scope {
    /// The run context that the caller is in already, so that a tool's own calls belong to its run.
    fn current() -> Self {
        Self {
            timeout: DEFAULT_TIMEOUT,
            context: RunContext::current(),
            cancellation: None,
            limits: ArgumentLimits::new(),
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
            context: None,
            cancellation: None,
            limits: ArgumentLimits::new(),
            events: Arc::new(Channel::new(DEFAULT_EVENT_CAPACITY)),
        })
    }

    /// Sets how long a call may take, where its tool does not say; [`DEFAULT_TIMEOUT`] otherwise.
    #[must_use]
    pub const fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
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
    pub const fn with_limits(mut self, limits: ArgumentLimits) -> Self {
        self.limits = limits;
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
        Scope {
            timeout: self.timeout,
            context: self.context.clone().unwrap_or_else(RunContext::current),
            cancellation: self.cancellation.clone(),
            limits: self.limits,
        }
    }

    /// Runs one call. Dropping the future cancels it.
    pub async fn call(&self, call: ToolCall) -> ToolResult {
        let telling = self.events.begin(&call);
        call::run(&self.host.list_tools(&ToolQuery::all()), call, &self.scope(), telling).await
    }

    /// Runs all calls of a turn beside each other and gives exactly one result for each, in the order of the calls.
    /// Dropping the future cancels them all.
    pub async fn dispatch(&self, calls: impl IntoIterator<Item = ToolCall>) -> Vec<ToolResult> {
        let calls: Vec<_> = calls.into_iter().collect();
        let tellings = self.events.begin_all(&calls);
        turn::run(self.host.list_tools(&ToolQuery::all()), calls, &self.scope(), tellings).await
    }
}

impl std::fmt::Debug for Dispatcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dispatcher")
            .field("timeout", &self.timeout)
            .field("context", &self.context)
            .field("cancellation", &self.cancellation)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// Runs calls straight on a host, with the defaults of a [`Dispatcher`].
pub trait HostExt: ToolHost {
    /// Runs one call. Dropping the future cancels it.
    fn call(&self, call: ToolCall) -> impl Future<Output = ToolResult> + Send {
        async { call::run(&self.list_tools(&ToolQuery::all()), call, &Scope::current(), Telling::nobody()).await }
    }

    /// Runs all calls of a turn beside each other and gives exactly one result for each, in the order of the calls.
    /// Dropping the future cancels them all.
    fn dispatch(&self, calls: impl IntoIterator<Item = ToolCall>) -> impl Future<Output = Vec<ToolResult>> + Send {
        let calls = calls.into_iter().collect();
        async { turn::run(self.list_tools(&ToolQuery::all()), calls, &Scope::current(), Vec::new()).await }
    }
}

impl<H: ToolHost + ?Sized> HostExt for H {}

/// Tells work to stop. Clones belong together: cancelling one cancels all.
///
/// A tool gets the token of its own call as a `#[context]` parameter. It is cancelled when the call is, and when the
/// call's time is up: for a blocking function the only sign to stop.
#[derive(Debug, Clone, Default)]
pub struct CancellationToken(tokio_util::sync::CancellationToken);

impl CancellationToken {
    /// A token that is not cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels this token, its clones and its children.
    pub fn cancel(&self) {
        self.0.cancel();
    }

    /// Whether it is cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    /// Waits until it is cancelled.
    pub async fn cancelled(&self) {
        self.0.cancelled().await;
    }

    /// A token that is cancelled with this one, but not the other way round.
    #[must_use]
    pub fn child(&self) -> Self {
        Self(self.0.child_token())
    }
}

impl From<tokio_util::sync::CancellationToken> for CancellationToken {
    fn from(token: tokio_util::sync::CancellationToken) -> Self {
        Self(token)
    }
}

impl FromContext for CancellationToken {
    fn from_context(context: &CallContext<'_>) -> Result<Self, ContextError> {
        context.supply::<Self>().cloned().ok_or_else(|| ContextError::new("whatever runs this call cannot cancel it"))
    }
}
