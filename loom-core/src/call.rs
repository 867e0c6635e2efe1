//! What goes into a tool and what comes out: calls, results, and the reasons a call can fail for.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::time::Duration;

use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::args::{Coercion, Problems, Repair};
use crate::context::ContextError;
use crate::output::{Content, Output, OutputError, ResultLimits, Truncation, cut};

/// One call, as a model emitted it.
///
/// Deserialises from `{"id": …, "name": …, "arguments": …}`, where the arguments are an object or, as some providers
/// send them, a string that holds one. Their text is kept as it came, so that nothing is lost before it is checked.
///
/// ```
/// use loom_core::ToolCall;
///
/// let call: ToolCall = serde_json::from_str(r#"{"id": "call_1", "name": "search", "arguments": "{\"query\":\"x\"}"}"#)?;
/// assert_eq!(call.name, "search");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Deserialize)]
#[non_exhaustive]
pub struct ToolCall {
    /// The model's id for the call; the result carries it back.
    #[serde(default)]
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments.
    #[serde(default)]
    pub arguments: Arguments,
    /// How long this call may take, whatever its tool says of all calls. Set by the program; models have no say in it.
    #[serde(skip)]
    pub timeout: Option<Duration>,
}

impl ToolCall {
    /// A call of the tool `name` under the id `id`.
    pub fn new(id: impl Into<String>, name: impl Into<String>, arguments: impl Into<Arguments>) -> Self {
        Self { id: id.into(), name: name.into(), arguments: arguments.into(), timeout: None }
    }

    /// Sets how long this call may take, instead of what its tool or the dispatcher says.
    #[must_use]
    pub const fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }
}

/// The arguments of a call: the text that came, or a value that somebody has parsed already.
///
/// Prefer the text. A parsed [`Value`] has lost duplicate keys and the digits of large numbers before loom sees it.
#[derive(Debug, Clone, PartialEq)]
pub enum Arguments {
    /// The JSON text.
    Text(String),
    /// A parsed value.
    Value(Value),
}

impl Arguments {
    /// The arguments as JSON text.
    pub fn to_text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::Value(value) => Cow::Owned(value.to_string()),
        }
    }
}

/// No arguments at all, which a tool without required parameters accepts.
impl Default for Arguments {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

impl From<String> for Arguments {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Arguments {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<Value> for Arguments {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

impl<'de> Deserialize<'de> for Arguments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Whether the text is an object or a string that holds one is for the arguments' own rules to say.
        Box::<RawValue>::deserialize(deserializer).map(|raw| Self::Text(raw.get().to_owned()))
    }
}

/// The one answer to a call.
#[derive(Debug)]
#[non_exhaustive]
#[must_use = "the result of a call has to reach the model"]
pub struct ToolResult {
    /// The id of the call that this answers.
    pub call_id: String,
    /// The tool's name as the model called it.
    pub tool_name: String,
    /// What the tool returned, or why it did not.
    pub outcome: Result<Output, CallError>,
    /// What was changed in the arguments before they were taken, for the program to know; models are not told.
    pub coercions: Vec<Coercion>,
    /// What was read over in the text of the arguments; models are not told.
    pub repairs: Vec<Repair>,
    /// What is missing of the result because it was too large; the model is told in the text itself.
    pub truncation: Option<Truncation>,
    /// How often the call was tried: 1, or more where it was tried again after a failure that said it may be.
    pub attempts: u32,
}

impl ToolResult {
    /// The answer `outcome` to the call `call_id` of the tool `tool_name`.
    pub fn new(call_id: impl Into<String>, tool_name: impl Into<String>, outcome: Result<Output, CallError>) -> Self {
        Self {
            call_id: call_id.into(),
            tool_name: tool_name.into(),
            outcome,
            coercions: Vec::new(),
            repairs: Vec::new(),
            truncation: None,
            attempts: 1,
        }
    }

    /// Cuts the result, or the text of the failure, down to these limits, and records what it lost.
    pub fn limit(&mut self, limits: ResultLimits) {
        let lost = match &mut self.outcome {
            Ok(output) => output.limit(limits),
            Err(CallError::Failed(error)) => match cut(&mut error.message, limits.characters()) {
                0 => None,
                characters => Some(Truncation { characters, ..Truncation::default() }),
            },
            Err(_) => None,
        };
        if let Some(lost) = lost {
            let before = self.truncation.unwrap_or_default();
            self.truncation = Some(Truncation {
                characters: before.characters.saturating_add(lost.characters),
                media_bytes: before.media_bytes.saturating_add(lost.media_bytes),
            });
        }
    }

    /// Records what was changed in the arguments.
    pub fn with_coercions(mut self, coercions: Vec<Coercion>) -> Self {
        self.coercions = coercions;
        self
    }

    /// Records what was read over in the text of the arguments.
    pub fn with_repairs(mut self, repairs: Vec<Repair>) -> Self {
        self.repairs = repairs;
        self
    }

    /// Whether the call failed.
    pub const fn is_error(&self) -> bool {
        self.outcome.is_err()
    }

    /// The text that the model reads, of a success and of a failure alike. A failure's is never empty.
    pub fn text(&self) -> Cow<'_, str> {
        match &self.outcome {
            Ok(output) => output.as_text(),
            Err(error) => Cow::Owned(error.to_string()),
        }
    }

    /// What the model gets, as content parts.
    pub fn parts(&self) -> Cow<'_, [Content]> {
        match &self.outcome {
            Ok(output) => output.parts(),
            Err(error) => Cow::Owned(vec![Content::Text(error.to_string())]),
        }
    }
}

/// As an object for machines: `callId`, `toolName`, `isError`, the `text` that the model reads, `structured` where the
/// tool returned more than text, `error` with its kind, and where there is something to say `coercions`, `repairs`,
/// `truncation` and `attempts`.
impl Serialize for ToolResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("callId", &self.call_id)?;
        map.serialize_entry("toolName", &self.tool_name)?;
        map.serialize_entry("isError", &self.is_error())?;
        map.serialize_entry("text", &self.text())?;
        match &self.outcome {
            Ok(output) => {
                if let Some(value) = output.as_json().and_then(|json| serde_json::from_str::<Value>(json).ok()) {
                    map.serialize_entry("structured", &value)?;
                }
            }
            Err(error) => map.serialize_entry("error", error.kind())?,
        }
        if !self.coercions.is_empty() {
            map.serialize_entry("coercions", &self.coercions)?;
        }
        if !self.repairs.is_empty() {
            map.serialize_entry("repairs", &self.repairs)?;
        }
        if let Some(truncation) = &self.truncation {
            map.serialize_entry("truncation", truncation)?;
        }
        if self.attempts > 1 {
            map.serialize_entry("attempts", &self.attempts)?;
        }
        map.end()
    }
}

/// Why a call did not succeed. Its text is what the model reads.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// The tool ran and reported a failure of its own.
    #[error(transparent)]
    Failed(#[from] ToolError),
    /// The arguments do not fit; the tool did not run.
    #[error(transparent)]
    BadArguments(#[from] Problems),
    /// There is no tool of that name.
    #[error("{}", UnknownText { name, nearest })]
    UnknownTool {
        /// The name that was called.
        name: String,
        /// The names that come nearest, best first.
        nearest: Vec<String>,
    },
    /// The id of the call was used before in the same turn. It did not run: nobody could tell the two results apart.
    #[error(
        "the id `{id}` was given to an earlier call of the same message, so this call was not run; make it again under \
         an id of its own"
    )]
    DuplicateId {
        /// The id.
        id: String,
    },
    /// The call took longer than it may.
    #[error("{}", StoppedText { what: format_args!("timed out after {}", Seconds(*after)), blocking: *blocking })]
    TimedOut {
        /// How long it was given.
        after: Duration,
        /// Whether the code goes on in a thread that cannot be stopped, so that effects may still happen.
        blocking: bool,
    },
    /// The time of the whole turn or run was over before the call had ended.
    #[error("{}", StoppedText { what: format_args!("was stopped, since the time for all calls is over"), blocking: *blocking })]
    OutOfTime {
        /// Whether the code goes on in a thread that cannot be stopped, so that effects may still happen.
        blocking: bool,
    },
    /// The call was cancelled.
    #[error("{}", StoppedText { what: format_args!("was cancelled"), blocking: *blocking })]
    Cancelled {
        /// Whether the code goes on in a thread that cannot be stopped, so that effects may still happen.
        blocking: bool,
    },
    /// The tool panicked. The payload is not told: it may hold anything.
    #[error("the tool `{tool}` stopped with an internal error")]
    Panicked {
        /// The tool's name.
        tool: String,
    },
    /// What the tool returned cannot be told to a model.
    #[error("the tool ran, but its result cannot be sent: {0}")]
    BadOutput(#[from] OutputError),
    /// A `#[context]` parameter could not be supplied; the tool did not run.
    #[error("the tool cannot run here: {0}")]
    Context(#[from] ContextError),
    /// The call needs an executor, and there is none where it was made.
    #[error("the tool cannot run here: there is no executor")]
    NoExecutor,
    /// The executor shut down before the call was done.
    #[error("the program is shutting down; the call may not have finished")]
    ShutDown,
}

impl CallError {
    /// The kind of failure as one stable word, for logs, events and machine-readable output.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Failed(_) => "failed",
            Self::BadArguments(_) => "bad_arguments",
            Self::UnknownTool { .. } => "unknown_tool",
            Self::DuplicateId { .. } => "duplicate_id",
            Self::TimedOut { .. } => "timed_out",
            Self::OutOfTime { .. } => "out_of_time",
            Self::Cancelled { .. } => "cancelled",
            Self::Panicked { .. } => "panicked",
            Self::BadOutput(_) => "bad_output",
            Self::Context(_) => "context",
            Self::NoExecutor => "no_executor",
            Self::ShutDown => "shut_down",
        }
    }
}

/// Seconds without a needless fraction.
struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_secs_f64() {
            1.0 => f.write_str("1 second"),
            seconds => write!(f, "{seconds} seconds"),
        }
    }
}

struct UnknownText<'a> {
    name: &'a str,
    nearest: &'a [String],
}

impl fmt::Display for UnknownText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, nearest } = self;
        match nearest {
            [] => write!(f, "there is no tool named `{name}`"),
            nearest => {
                write!(f, "there is no tool named `{name}`; did you mean ")?;
                crate::args::write_alternatives(f, nearest)?;
                f.write_str("?")
            }
        }
    }
}

struct StoppedText<'a> {
    what: fmt::Arguments<'a>,
    blocking: bool,
}

impl fmt::Display for StoppedText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the call {}", self.what)?;
        if self.blocking {
            f.write_str("; it may still be running, and its effects may still happen")?;
        }
        Ok(())
    }
}

/// A failure that a tool reports: the text that the model reads, and for the program the error it came from.
///
/// Tools need not name this type: any error that is `Display` becomes one.
#[derive(Debug)]
pub struct ToolError {
    message: String,
    source: Option<Box<dyn Error + Send + Sync>>,
    retry: Option<Retry>,
}

/// That a call may be tried again, and when.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Retry {
    after: Option<Duration>,
}

impl ToolError {
    /// A failure with this text.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), source: None, retry: None }
    }

    /// A failure that keeps `error`, and with it the chain of its sources.
    pub fn from_error(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        match error.into().downcast::<Self>() {
            Ok(own) => *own,
            Err(error) => Self { message: error.to_string(), source: Some(error), retry: None },
        }
    }

    /// Says that the same call may succeed when it is tried again. A tool that says `retries` is then tried again by
    /// itself, that often at most.
    ///
    /// ```
    /// use loom_core::ToolError;
    ///
    /// fn busy() -> Result<String, ToolError> {
    ///     std::fs::read_to_string("/a/file/that/is/locked").map_err(|error| ToolError::from_error(error).retryable())
    /// }
    /// assert!(busy().unwrap_err().is_retryable());
    /// assert!(!ToolError::new("there is no such city").is_retryable());
    /// ```
    #[must_use]
    pub fn retryable(mut self) -> Self {
        self.retry.get_or_insert_default();
        self
    }

    /// Says that the same call may succeed when it is tried again, but not before this time has passed: what a server
    /// said in `Retry-After`.
    #[must_use]
    pub const fn retryable_after(mut self, after: Duration) -> Self {
        self.retry = Some(Retry { after: Some(after) });
        self
    }

    /// Whether the same call may be tried again.
    pub const fn is_retryable(&self) -> bool {
        self.retry.is_some()
    }

    /// How long to wait at least before the call is tried again, where the failure says so.
    pub const fn retry_after(&self) -> Option<Duration> {
        match self.retry {
            Some(retry) => retry.after,
            None => None,
        }
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // An empty answer tells a model nothing, and some providers refuse it.
        f.write_str(if self.message.trim().is_empty() { "the tool failed without saying why" } else { &self.message })
    }
}

impl Error for ToolError {
    /// The error that the tool returned.
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as &(dyn Error + 'static))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_tools_name_the_nearest() {
        let error = |nearest: &[&str]| CallError::UnknownTool {
            name: "serch".into(),
            nearest: nearest.iter().map(|&name| name.to_owned()).collect(),
        };
        assert_eq!(error(&[]).to_string(), "there is no tool named `serch`");
        assert_eq!(error(&["search"]).to_string(), "there is no tool named `serch`; did you mean `search`?");
        assert_eq!(
            error(&["search", "fetch", "perch"]).to_string(),
            "there is no tool named `serch`; did you mean `search`, `fetch` or `perch`?"
        );
    }

    #[test]
    fn a_stopped_call_says_whether_it_goes_on() {
        let timeout = |blocking| CallError::TimedOut { after: Duration::from_millis(1500), blocking }.to_string();
        assert_eq!(timeout(false), "the call timed out after 1.5 seconds");
        assert_eq!(
            timeout(true),
            "the call timed out after 1.5 seconds; it may still be running, and its effects may still happen"
        );
        assert_eq!(CallError::Cancelled { blocking: false }.to_string(), "the call was cancelled");
    }

    #[test]
    fn an_error_keeps_its_chain_and_is_never_empty() {
        let io = std::io::Error::new(std::io::ErrorKind::NotFound, "no such file");
        let error = CallError::from(ToolError::from_error(io));
        assert_eq!(error.to_string(), "no such file");
        let source = error.source().and_then(|source| source.downcast_ref::<std::io::Error>());
        assert_eq!(source.map(std::io::Error::kind), Some(std::io::ErrorKind::NotFound));

        assert_eq!(ToolError::new(" \n").to_string(), "the tool failed without saying why");
        let own = ToolError::from_error(ToolError::new("mine"));
        assert_eq!(own.to_string(), "mine");
        assert!(own.source().is_none());
    }

    #[test]
    fn a_failure_says_whether_and_when_it_may_be_tried_again() {
        let (never, soon) = (ToolError::new("no"), ToolError::new("busy").retryable());
        let later = ToolError::new("busy").retryable_after(Duration::from_secs(2));
        assert_eq!((never.is_retryable(), never.retry_after()), (false, None));
        assert_eq!((soon.is_retryable(), soon.retry_after()), (true, None));
        assert_eq!((later.is_retryable(), later.retry_after()), (true, Some(Duration::from_secs(2))));
        // Neither saying it again nor the way through another error loses it.
        assert_eq!(ToolError::from_error(later.retryable()).retry_after(), Some(Duration::from_secs(2)));
    }

    #[test]
    fn the_text_of_a_failure_is_limited_too() {
        let limits = ResultLimits::new().with_characters(4);
        let mut failed = ToolResult::new("1", "t", Err(CallError::Failed(ToolError::new("abcdefg"))));
        failed.limit(limits);
        assert_eq!(failed.text(), "ab\n[… 3 characters left out …]\nfg");
        assert_eq!(failed.truncation.map(|lost| lost.characters), Some(3));
        let mut whole = ToolResult::new("1", "t", Ok(Output::text("abcd")));
        whole.limit(limits);
        assert_eq!((whole.text().as_ref(), whole.truncation), ("abcd", None));
        assert_eq!(
            serde_json::to_value(failed).unwrap(),
            serde_json::json!({
                "callId": "1", "toolName": "t", "isError": true, "error": "failed",
                "text": "ab\n[… 3 characters left out …]\nfg", "truncation": {"characters": 3, "mediaBytes": 0},
            })
        );
    }

    #[test]
    fn arguments_keep_the_text_that_came() {
        let call: ToolCall = serde_json::from_str(r#"{"name":"t","arguments":{"a": 1, "a": 2}}"#).unwrap();
        assert_eq!(call.arguments, Arguments::Text(r#"{"a": 1, "a": 2}"#.into()));
        assert_eq!(call.id, "");
        let call: ToolCall = serde_json::from_value(serde_json::json!({"id": "1", "name": "t"})).unwrap();
        assert_eq!(call.arguments, Arguments::Text(String::new()));
    }
}
