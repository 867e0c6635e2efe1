//! How much is looked at before it is refused.

use super::json::MAX_DEPTH;

/// How large the arguments of one call may be. What is larger is refused before it is read.
///
/// ```
/// use loom_core::{Arguments, ArgumentLimits, CallContext, RunContext, tool};
///
/// /// Counts characters.
/// #[tool(blocking = false)]
/// fn count(text: String) -> usize {
///     text.chars().count()
/// }
///
/// let run = RunContext::new();
/// let context = CallContext::new("call_1", "count", &run).with_limits(ArgumentLimits::new().with_max_bytes(16));
/// let error = count::tool().prepare(&Arguments::from(r#"{"text":"much too long"}"#), &context).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "the arguments do not fit, and the tool was not called:\n\
///      - the arguments are too long: 24 bytes, and at most 16 are taken; send less in one call"
/// );
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArgumentLimits {
    max_bytes: usize,
    max_depth: usize,
}

impl ArgumentLimits {
    /// The most bytes where nothing else is said: 4 MiB, several times what a model can write in one answer.
    pub const DEFAULT_MAX_BYTES: usize = 4 * 1024 * 1024;

    /// The most lists and objects inside one another: 127, which is all that `serde_json` reads. It can be lowered, not
    /// raised.
    pub const DEFAULT_MAX_DEPTH: usize = MAX_DEPTH;

    /// The defaults.
    pub const fn new() -> Self {
        Self { max_bytes: Self::DEFAULT_MAX_BYTES, max_depth: Self::DEFAULT_MAX_DEPTH }
    }

    /// Sets how many bytes of JSON text the arguments may have. Of a value that was parsed already, the texts, keys and
    /// numbers in it are counted.
    #[must_use]
    pub const fn with_max_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// Sets how many lists and objects may stand inside one another, the arguments themselves being the first; more than
    /// [`DEFAULT_MAX_DEPTH`](Self::DEFAULT_MAX_DEPTH) counts as that.
    #[must_use]
    pub const fn with_max_depth(mut self, depth: usize) -> Self {
        self.max_depth = if depth < MAX_DEPTH { depth } else { MAX_DEPTH };
        self
    }

    /// How many bytes the arguments may have.
    pub const fn max_bytes(&self) -> usize {
        self.max_bytes
    }

    /// How many lists and objects may stand inside one another.
    pub const fn max_depth(&self) -> usize {
        self.max_depth
    }
}

impl Default for ArgumentLimits {
    fn default() -> Self {
        Self::new()
    }
}
