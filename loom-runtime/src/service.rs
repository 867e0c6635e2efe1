//! Tools and calls as services of tower, so that its layers apply to them (feature `tower`).
//!
//! - Around everything that a call is: [`ToolService`] answers calls by a [`Dispatcher`].
//! - Around the code of a tool: [`serve_calls`] gives tools whose calls run through a service, within the dispatcher. A turn
//!   keeps its order, its limits and its times then, and each of its calls its one result.

use std::convert::Infallible;
use std::error::Error;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll};

use loom_core::{CallError, IntoTools, Outcome, Output, ToolCall, ToolError, ToolResult};
use tower_service::Service;

use crate::dispatch::{Claims, Dispatcher};
use crate::host::{ComposeError, ComposeHosts, ComposedHost, Wrapped};

/// A future on the heap.
type Boxed<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Answers calls as a service. It is always ready and never fails: what goes wrong is in the result.
///
/// A call belongs to the run in which the service is called, wherever its future is polled then.
///
/// ```
/// use std::time::Duration;
/// use loom_runtime::{prelude::*, service::ToolService};
/// use tower::{ServiceBuilder, ServiceExt};
///
/// /// Adds two numbers.
/// #[tool]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
/// let tools = ToolService::new(Dispatcher::new(tools![add])?);
/// let service = ServiceBuilder::new().concurrency_limit(8).timeout(Duration::from_secs(5)).service(tools);
/// let result = service.oneshot(ToolCall::new("1", "add", r#"{"a": 1, "b": 2}"#)).await?;
/// assert_eq!(result.text(), "3");
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct ToolService {
    dispatcher: Dispatcher,
}

impl ToolService {
    /// Answers calls by this dispatcher.
    pub const fn new(dispatcher: Dispatcher) -> Self {
        Self { dispatcher }
    }
}

impl Service<ToolCall> for ToolService {
    type Response = ToolResult;
    type Error = Infallible;
    type Future = Boxed<Result<ToolResult, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, call: ToolCall) -> Self::Future {
        let answer = self.dispatcher.call_from_here(call);
        Box::pin(async move { Ok(answer.await) })
    }
}

/// The innermost service of [`serve_calls`]: runs the call.
#[derive(Debug, Clone, Copy, Default)]
pub struct RunCalls;

impl Service<Wrapped> for RunCalls {
    type Response = Output;
    type Error = CallError;
    type Future = Boxed<Outcome>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), CallError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, call: Wrapped) -> Self::Future {
        Box::pin(call.run())
    }
}

/// The tools with this service around the code of their calls; see [`ComposeHosts::wrap_calls`] for when it runs.
///
/// Each call has a clone of the service, as the layers of tower expect. A [`CallError`] that comes out of it is what the call
/// fails with; any other error becomes one that says what the layer said, such as that too much is going on. Where it was
/// said of a function that runs on in its thread, the model is told that its effects may still happen.
///
/// # Errors
/// When two tools have the same name.
///
/// ```
/// use loom_runtime::{prelude::*, service::{RunCalls, serve_calls}};
/// use tower::ServiceBuilder;
///
/// /// Adds two numbers.
/// #[tool]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let service = ServiceBuilder::new().load_shed().concurrency_limit(8).service(RunCalls);
/// let host = serve_calls(tools![add], service)?;
/// assert_eq!(host.call(ToolCall::new("1", "add", r#"{"a": 1, "b": 2}"#)).await.text(), "3");
/// # Ok(()) }
/// ```
pub fn serve_calls<S>(tools: impl IntoTools, service: S) -> Result<ComposedHost, ComposeError>
where
    S: Service<Wrapped, Response = Output> + Clone + Send + 'static,
    S::Error: Into<Box<dyn Error + Send + Sync>>,
    S::Future: Send,
{
    // Services need not be shared between threads; their clones are.
    let service = Mutex::new(service);
    tools.wrap_calls(move |call| {
        let mut service = service.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let claims = call.claims().clone();
        async move {
            let told = |error: S::Error| told(error, &claims);
            // Told before anything is waited for, since the error need not be one that may wait on another thread.
            poll_fn(|cx| service.poll_ready(cx).map_err(told)).await?;
            let mut running = std::pin::pin!(service.call(call));
            poll_fn(|cx| running.as_mut().poll(cx).map_err(told)).await
        }
    })
}

/// What the call fails with.
fn told(error: impl Into<Box<dyn Error + Send + Sync>>, claims: &Claims) -> CallError {
    match error.into().downcast() {
        Ok(error) => *error,
        Err(other) => {
            let runs_on =
                if claims.give_up() { "; it may still be running, and its effects may still happen" } else { "" };
            CallError::Failed(ToolError::new(format!("the call did not go through: {other}{runs_on}")))
        }
    }
}

#[cfg(test)]
mod tests;
