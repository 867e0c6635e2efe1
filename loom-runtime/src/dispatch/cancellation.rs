//! What tells work to stop.

use loom_core::{CallContext, ContextError, FromContext};

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
