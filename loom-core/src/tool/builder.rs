//! Tools that are no annotated functions: closures, and schemas that are known only at run time.

use std::borrow::Cow;
use std::future::Future;
use std::num::NonZeroU32;
use std::time::Duration;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
#[cfg(feature = "validate")]
use serde_json::Value;

use super::closure::Closure;
use super::{Flags, Tool, ToolDef, Work, Zone};
use crate::output::IntoOutcome;
use crate::schema::{self, Schema};
use crate::ui::UiDescriptor;

/// Why a tool cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The name is not one that every provider takes.
    #[error("`{name}` is no name for a tool: it takes 1 to 64 characters from A-Z a-z 0-9 _ - only")]
    Name {
        /// The name.
        name: String,
    },
    /// The arguments of a tool are an object, and this schema describes something else.
    #[error("the arguments of `{tool}` have to be an object, and their schema says otherwise: {schema}")]
    NoObject {
        /// The tool's name.
        tool: String,
        /// The start of the schema.
        schema: String,
    },
    /// The schema is no valid JSON schema.
    #[error("the {of} schema of `{tool}` is not valid at {}: {reason}", place(pointer))]
    Schema {
        /// The tool's name.
        tool: String,
        /// Which schema: `input` or `output`.
        of: &'static str,
        /// The JSON pointer of the place in the schema.
        pointer: String,
        /// What is wrong there.
        reason: String,
    },
}

fn place(pointer: &str) -> &str {
    if pointer.is_empty() { "its root" } else { pointer }
}

/// A tool being made; see [`Tool::builder`].
#[derive(Debug, Clone)]
#[must_use = "a tool is made by `build`"]
pub struct ToolBuilder {
    definition: ToolDef,
    #[cfg(feature = "validate")]
    input_schema: Option<Value>,
    #[cfg(feature = "validate")]
    output_schema: Option<Value>,
}

macro_rules! flags {
    ($($(#[$doc:meta])* $flag:ident)*) => {$(
        $(#[$doc])*
        pub const fn $flag(mut self) -> Self {
            self.definition.flags.$flag = true;
            self
        }
    )*};
}

macro_rules! lists {
    ($($(#[$doc:meta])* $list:ident)*) => {$(
        $(#[$doc])*
        pub fn $list(mut self, texts: impl IntoIterator<Item = impl Into<Cow<'static, str>>>) -> Self {
            self.definition.$list = texts.into_iter().map(Into::into).collect();
            self
        }
    )*};
}

impl ToolBuilder {
    pub(crate) fn new(name: impl Into<Cow<'static, str>>) -> Self {
        Self {
            definition: ToolDef::new(name, "", schema::input(Vec::new())),
            #[cfg(feature = "validate")]
            input_schema: None,
            #[cfg(feature = "validate")]
            output_schema: None,
        }
    }

    pub(crate) fn into_definition(self) -> ToolDef {
        self.definition
    }

    flags! {
        /// It may destroy something: the permission layer asks first.
        destructive
        /// A successful call ends the run.
        ends_turn
        /// It changes nothing.
        read_only
        /// Calling it twice with the same arguments does no more than calling it once.
        idempotent
        /// It reaches things beyond the program's own world.
        open_world
        /// It never runs beside another call of its turn.
        sequential
    }

    lists! {
        /// Sets the templates of the resources that a call reads, such as `{path}`.
        reads
        /// Sets the templates of the resources that a call writes.
        writes
        /// Sets the labels to find the tool by.
        tags
    }

    /// Sets all flags at once.
    pub const fn flags(mut self, flags: Flags) -> Self {
        self.definition.flags = flags;
        self
    }

    /// Sets what the model reads about the tool.
    pub fn description(mut self, description: impl Into<Cow<'static, str>>) -> Self {
        self.definition.description = description.into();
        self
    }

    /// Sets the name that people read.
    pub fn title(mut self, title: impl Into<Cow<'static, str>>) -> Self {
        self.definition.title = Some(title.into());
        self
    }

    /// Sets how long one call may take.
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.definition.timeout = Some(timeout);
        self
    }

    /// Sets how often a call may be tried again after an error that says it may.
    pub const fn retries(mut self, retries: u32) -> Self {
        self.definition.retries = retries;
        self
    }

    /// Sets how many calls of the tool may run at a time, in the whole program. None would let no call run, so 0 is
    /// taken as 1.
    pub const fn concurrency(mut self, calls: u32) -> Self {
        self.definition.concurrency = Some(NonZeroU32::MIN.saturating_add(calls.saturating_sub(1)));
        self
    }

    /// Sets where the tool reaches.
    pub const fn zone(mut self, zone: Zone) -> Self {
        self.definition.zone = Some(zone);
        self
    }

    /// Sets how calls are drawn.
    pub fn ui(mut self, ui: UiDescriptor) -> Self {
        self.definition.ui = Some(ui);
        self
    }

    /// Sets the schema of the arguments, where it is known only at run time; without it the type that the closure takes
    /// describes itself. Calls are coerced along it as those of any tool, and checked by a validator that knows every
    /// keyword of the drafts 4 to 2020-12. Nothing is fetched: what the schema refers to has to be in it.
    ///
    /// Feature `validate`.
    ///
    /// ```
    /// use loom_core::{Arguments, CallContext, RunContext, Tool};
    /// use serde_json::{Value, json};
    ///
    /// let schema = json!({
    ///     "type": "object",
    ///     "properties": {"id": {"type": "integer"}, "ids": {"type": "array", "items": {"type": "integer"}}},
    ///     "oneOf": [{"required": ["id"]}, {"required": ["ids"]}]
    /// });
    /// let fetch = Tool::builder("fetch").description("Fetches records.").input_schema(schema);
    /// let fetch = fetch.build(async |arguments: Value| format!("fetched {arguments}"))?;
    ///
    /// let run = RunContext::new();
    /// let context = CallContext::new("call_1", "fetch", &run);
    /// let prepared = fetch.prepare(&Arguments::from(r#"{"id": "7"}"#), &context)?;
    /// assert_eq!(prepared.coerced.as_deref(), Some(r#"{"id":7}"#));
    /// assert!(fetch.prepare(&Arguments::from(r#"{"id": 7, "ids": [8]}"#), &context).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "validate")]
    pub fn input_schema(mut self, schema: Value) -> Self {
        self.input_schema = Some(schema);
        self
    }

    /// Sets the schema of the result, where it is known only at run time.
    ///
    /// Feature `validate`.
    #[cfg(feature = "validate")]
    pub fn output_schema(mut self, schema: Value) -> Self {
        self.output_schema = Some(schema);
        self
    }

    /// Makes the tool: `run` answers its calls. Each call gets a clone of the closure, so that it may own what it
    /// captures; what is not `Clone` goes into an `Arc`.
    ///
    /// # Errors
    /// When the name is not one that every provider takes, or the schema of the arguments describes no object or is no
    /// valid schema.
    ///
    /// ```
    /// use loom_core::{Json, Tool};
    /// use schemars::JsonSchema;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Deserialize, JsonSchema)]
    /// struct Lookup {
    ///     /// The word to look up.
    ///     word: String,
    /// }
    ///
    /// #[derive(Serialize, JsonSchema)]
    /// struct Entry {
    ///     meaning: String,
    /// }
    ///
    /// let dictionary = std::sync::Arc::new([("loom", "a frame for weaving")]);
    /// let lookup = Tool::builder("lookup").description("Looks a word up.").read_only().build(
    ///     async move |Lookup { word }: Lookup| {
    ///         let found = dictionary.iter().find(|(known, _)| *known == word);
    ///         found.map(|(_, meaning)| Json(Entry { meaning: meaning.to_string() })).ok_or("there is no such word")
    ///     },
    /// )?;
    /// assert!(lookup.definition().input_schema.requires("word"));
    /// # Ok::<(), loom_core::BuildError>(())
    /// ```
    pub fn build<T, R, F, C>(self, run: C) -> Result<Tool, BuildError>
    where
        T: DeserializeOwned + JsonSchema + Send + 'static,
        C: FnOnce(T) -> F + Clone + Send + Sync + 'static,
        F: Future<Output = R> + Send + 'static,
        R: IntoOutcome,
    {
        self.finish::<T, R, C>(run, |run, argument| {
            Work::Async(Box::pin(async move { run(argument).await.into_outcome() }))
        })
    }

    /// Makes the tool of a closure that may block: it runs on a thread where that is allowed. Otherwise as
    /// [`build`](Self::build).
    ///
    /// # Errors
    /// As [`build`](Self::build).
    ///
    /// ```
    /// use loom_core::Tool;
    /// use schemars::JsonSchema;
    /// use serde::Deserialize;
    ///
    /// #[derive(Deserialize, JsonSchema)]
    /// struct Count {
    ///     /// The file whose lines are counted.
    ///     path: std::path::PathBuf,
    /// }
    ///
    /// let count = Tool::builder("count_lines").description("Counts the lines of a file.").read_only();
    /// let count = count.build_blocking(|Count { path }: Count| {
    ///     std::fs::read_to_string(path).map(|text| text.lines().count())
    /// })?;
    /// assert!(count.definition().flags.read_only);
    /// # Ok::<(), loom_core::BuildError>(())
    /// ```
    pub fn build_blocking<T, R, C>(self, run: C) -> Result<Tool, BuildError>
    where
        T: DeserializeOwned + JsonSchema + Send + 'static,
        C: FnOnce(T) -> R + Clone + Send + Sync + 'static,
        R: IntoOutcome,
    {
        self.finish::<T, R, C>(run, |run, argument| Work::Blocking(Box::new(move || run(argument).into_outcome())))
    }

    fn finish<T, R, C>(self, run: C, work: fn(C, T) -> Work) -> Result<Tool, BuildError>
    where
        T: DeserializeOwned + JsonSchema + Send + 'static,
        C: Clone + Send + Sync + 'static,
        R: IntoOutcome,
    {
        let mut definition = self.definition;
        if !is_name(&definition.name) {
            return Err(BuildError::Name { name: definition.name.into_owned() });
        }
        definition.output_schema = R::output_schema();
        #[cfg(feature = "validate")]
        if let Some(schema) = self.output_schema {
            super::foreign::validator(&definition.name, "output", &schema)?;
            definition.output_schema = Some(Schema::from_value(schema));
        }
        #[cfg(feature = "validate")]
        if let Some(schema) = self.input_schema {
            let validator = super::foreign::validator(&definition.name, "input", &schema)?;
            let schema = object(&definition.name, Schema::from_value(schema))?;
            definition.input_schema = schema.clone();
            return Ok(Tool::new(definition, Closure::foreign(schema, run, work, validator)));
        }
        let schema = object(&definition.name, schema::whole::<T>())?;
        definition.input_schema = schema.clone();
        Ok(Tool::new(definition, Closure::new(schema, run, work)))
    }
}

/// The schema, if it may describe arguments.
fn object(tool: &str, schema: Schema) -> Result<Schema, BuildError> {
    let value = schema.as_value();
    let kind = value.get("type").and_then(serde_json::Value::as_str);
    if value.is_object() && matches!(kind, None | Some("object")) {
        return Ok(schema);
    }
    let mut text = value.to_string();
    if let Some((at, _)) = text.char_indices().nth(80) {
        text.truncate(at);
        text.push('…');
    }
    Err(BuildError::NoObject { tool: tool.to_owned(), schema: text })
}

/// Whether every provider takes the name.
pub(super) fn is_name(name: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    (1..=64).contains(&name.len()) && name.bytes().all(fits)
}
