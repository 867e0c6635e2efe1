//! A tool: its definition, its flags, and its code behind one erased call.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::future::Future;
use std::num::NonZeroU32;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

mod builder;
mod closure;
mod derived;
#[cfg(feature = "validate")]
mod foreign;
mod state;

pub use builder::{BuildError, ToolBuilder};

use crate::args::{Coercion, Repair};
use crate::call::{Arguments, CallError};
use crate::context::CallContext;
use crate::output::{IntoOutcome, Output};
use crate::schema::Schema;
use crate::ui::UiDescriptor;

/// A definition and the code that answers calls. Cheap to clone.
///
/// `#[tool]` on a function makes one: `name::tool()`, or several at once with [`tools!`](crate::tools).
#[derive(Clone)]
pub struct Tool(Arc<Inner<dyn ToolHandler>>);

struct Inner<H: ?Sized> {
    definition: ToolDef,
    /// The tool that this one was derived from first of all.
    origin: Option<Tool>,
    /// What an executor keeps with the tool.
    kept: OnceLock<Box<dyn Any + Send + Sync>>,
    handler: H,
}

impl Tool {
    /// A tool from its definition and the code that answers its calls.
    pub fn new(definition: ToolDef, handler: impl ToolHandler) -> Self {
        Self(Arc::new(Inner { definition, origin: None, kept: OnceLock::new(), handler }))
    }

    /// A tool that answers for this one under another definition, such as another name, or does something around it.
    ///
    /// The two share what an executor [keeps](Self::keep) with a tool, so that a limit on the calls of one counts those
    /// of the other. The handler prepares calls as it likes, mostly by [`Tool::prepare`] of this tool.
    #[must_use]
    pub fn derive(&self, definition: ToolDef, handler: impl ToolHandler) -> Self {
        let origin = Some(self.origin().clone());
        Self(Arc::new(Inner { definition, origin, kept: OnceLock::new(), handler }))
    }

    /// The tool that this one was derived from first of all; itself if it was not derived.
    pub fn origin(&self) -> &Self {
        self.0.origin.as_ref().unwrap_or(self)
    }

    /// Something that an executor keeps with the tool for as long as it is there, whatever hosts it is in: made by the
    /// first who asks, shared by the clones and by everything that is derived from it.
    ///
    /// There is place for one value. An executor that asks for another type than the one that is there gets `None`.
    pub fn keep<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> Option<&T> {
        self.origin().0.kept.get_or_init(|| Box::new(make())).downcast_ref()
    }

    /// Whether both are the very same tool, not only tools that are alike.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// A tool of a closure that takes the arguments as one value and may capture what it likes.
    ///
    /// The argument describes itself: its properties are the parameters, and their doc comments the descriptions. Each
    /// call gets a clone of the closure, so that it may own what it captures; what is not `Clone` goes into an `Arc`.
    /// Use [`Tool::builder`] to say more about the tool.
    ///
    /// # Errors
    /// When the name is not one that every provider takes, or the argument is no object.
    ///
    /// ```
    /// use loom_core::Tool;
    /// use schemars::JsonSchema;
    /// use serde::Deserialize;
    ///
    /// #[derive(Deserialize, JsonSchema)]
    /// struct Greet {
    ///     /// Whom to greet.
    ///     name: String,
    /// }
    ///
    /// let greeting = String::from("Hello");
    /// let greet = Tool::from_fn("greet", "Greets somebody.", async move |args: Greet| {
    ///     format!("{greeting}, {}!", args.name)
    /// })?;
    /// assert_eq!(greet.name(), "greet");
    /// # Ok::<(), loom_core::BuildError>(())
    /// ```
    pub fn from_fn<T, R, F>(
        name: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
        run: impl FnOnce(T) -> F + Clone + Send + Sync + 'static,
    ) -> Result<Self, BuildError>
    where
        T: DeserializeOwned + JsonSchema + Send + 'static,
        F: Future<Output = R> + Send + 'static,
        R: IntoOutcome,
    {
        Self::builder(name).description(description).build(run)
    }

    /// Starts a tool that is no annotated function.
    pub fn builder(name: impl Into<Cow<'static, str>>) -> ToolBuilder {
        ToolBuilder::new(name)
    }

    /// The definition.
    #[inline]
    pub fn definition(&self) -> &ToolDef {
        &self.0.definition
    }

    /// The name that models call.
    #[inline]
    pub fn name(&self) -> &str {
        &self.0.definition.name
    }

    /// Checks the arguments of one call and gets it ready; nothing of the tool's own code has run then, but for
    /// deserialisers, defaults and extractors.
    ///
    /// This is the step below a dispatcher, which guards against panics, asks for permission, and keeps time.
    ///
    /// # Errors
    /// When the arguments do not fit, or something that a `#[context]` parameter needs is missing.
    #[inline]
    pub fn prepare(&self, arguments: &Arguments, context: &CallContext<'_>) -> Result<Prepared, CallError> {
        self.0.handler.prepare(arguments, context)
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Tool").field(&self.name()).finish()
    }
}

/// The code of a tool. Implement it for tools that are no functions.
pub trait ToolHandler: Send + Sync + 'static {
    /// Checks the arguments of one call and gets it ready, without running it.
    ///
    /// # Errors
    /// When the call cannot be run with these arguments, or not here.
    fn prepare(&self, arguments: &Arguments, context: &CallContext<'_>) -> Result<Prepared, CallError>;
}

/// What a finished call gives.
pub type Outcome = Result<Output, CallError>;

/// A call that is ready to run.
#[derive(Debug)]
#[non_exhaustive]
#[must_use = "a prepared call has not run"]
pub struct Prepared {
    /// The work itself.
    pub work: Work,
    /// What was changed in the arguments before they were taken.
    pub coercions: Vec<Coercion>,
    /// What was read over in their text.
    pub repairs: Vec<Repair>,
    /// The arguments as they were taken, as JSON text, where they are not what was sent.
    pub coerced: Option<String>,
}

impl Prepared {
    /// Work whose arguments were taken as they were sent.
    pub const fn new(work: Work) -> Self {
        Self { work, coercions: Vec::new(), repairs: Vec::new(), coerced: None }
    }

    /// Records what was changed in the arguments, and what they became.
    pub fn with_coercions(mut self, coercions: Vec<Coercion>, coerced: Option<String>) -> Self {
        self.coercions = coercions;
        self.coerced = coerced;
        self
    }

    /// Records what was read over in the text of the arguments.
    pub fn with_repairs(mut self, repairs: Vec<Repair>) -> Self {
        self.repairs = repairs;
        self
    }
}

/// The work of one call, and where it may run.
#[non_exhaustive]
pub enum Work {
    /// A future, to be polled by the executor.
    Async(Pin<Box<dyn Future<Output = Outcome> + Send>>),
    /// A function that returns at once, to be run where the future would be polled.
    Inline(Box<dyn FnOnce() -> Outcome + Send>),
    /// A function that may block, to be run on a thread of its own.
    Blocking(Box<dyn FnOnce() -> Outcome + Send>),
}

impl fmt::Debug for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Async(_) => "Async",
            Self::Inline(_) => "Inline",
            Self::Blocking(_) => "Blocking",
        })
    }
}

/// Everything about a tool but its code: what a model is shown, and what the runtime acts on.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ToolDef {
    /// The name that models call.
    pub name: Cow<'static, str>,
    /// The name that people read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Cow<'static, str>>,
    /// What the tool does, for the model to choose by.
    pub description: Cow<'static, str>,
    /// The schema of the arguments.
    pub input_schema: Schema,
    /// The schema of the result, where it is an object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Schema>,
    /// What the permission layer, the dispatcher and the agent loop act on.
    #[serde(skip_serializing_if = "Flags::is_default")]
    pub flags: Flags,
    /// How long one call may take; without it the dispatcher's own limit holds.
    #[serde(rename = "timeoutMs", skip_serializing_if = "Option::is_none", serialize_with = "milliseconds")]
    pub timeout: Option<Duration>,
    /// How often a call may be tried again after an error that says it may.
    #[serde(skip_serializing_if = "is_zero")]
    pub retries: u32,
    /// How many calls of it may run at a time, in the whole program; without it as many as there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub concurrency: Option<NonZeroU32>,
    /// Where the tool reaches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zone: Option<Zone>,
    /// Templates of the resources that a call reads, such as `{path}`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<Cow<'static, str>>,
    /// Templates of the resources that a call writes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<Cow<'static, str>>,
    /// Free labels to find tools by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Cow<'static, str>>,
    /// How a call is drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ui: Option<UiDescriptor>,
}

impl ToolDef {
    /// A definition with everything else left at its default.
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
        input_schema: Schema,
    ) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: description.into(),
            input_schema,
            output_schema: None,
            flags: Flags::default(),
            timeout: None,
            retries: 0,
            concurrency: None,
            zone: None,
            reads: Vec::new(),
            writes: Vec::new(),
            tags: Vec::new(),
            ui: None,
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

#[expect(clippy::ref_option, reason = "the signature that serde calls")]
fn milliseconds<S: serde::Serializer>(timeout: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    timeout.map(|timeout| u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX)).serialize(serializer)
}

/// What is true of every call of a tool. All are false by default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is one word of the attribute")]
pub struct Flags {
    /// It may destroy something: the permission layer asks first.
    pub destructive: bool,
    /// A successful call ends the run.
    pub ends_turn: bool,
    /// It changes nothing.
    pub read_only: bool,
    /// Calling it twice with the same arguments does no more than calling it once.
    pub idempotent: bool,
    /// It reaches things beyond the program's own world, such as the web.
    pub open_world: bool,
    /// It never runs beside another call of its turn.
    pub sequential: bool,
}

impl Flags {
    /// The flags that are set, by the words of the attribute.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let Self { destructive, ends_turn, read_only, idempotent, open_world, sequential } = self;
        [
            (destructive, "destructive"),
            (ends_turn, "ends_turn"),
            (read_only, "read_only"),
            (idempotent, "idempotent"),
            (open_world, "open_world"),
            (sequential, "sequential"),
        ]
        .into_iter()
        .filter_map(|(set, name)| set.then_some(name))
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// As the list of the flags that are set.
impl Serialize for Flags {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.names())
    }
}

/// How far a tool reaches, from nowhere to everywhere. The order is the order of danger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Zone {
    /// Nothing outside the program is touched.
    Safe,
    /// Files of the workspace.
    Workspace,
    /// Programs that build or test the workspace.
    Build,
    /// The network.
    Network,
    /// Services and people outside: mails, tickets, payments.
    External,
    /// The machine beyond the workspace.
    Machine,
    /// Nowhere: calls are always refused.
    Never,
}

#[cfg(test)]
mod tests;
