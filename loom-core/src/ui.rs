//! How a call is to be drawn: pure data, carried from the annotation to whatever renders it.
//!
//! A descriptor names parameters of the tool; the attribute checks those names when it is compiled. It travels in
//! listings and events, serialised in camelCase, and a renderer needs nothing else to draw a tool it has never seen.

use std::borrow::Cow;

use serde::Serialize;

/// A string that is almost always a literal of the annotation.
type Text = Cow<'static, str>;

/// What a tool's calls look like to a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct UiDescriptor {
    /// The family of drawing.
    pub kind: UiKind,
    /// The one-line summary of a finished call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<UiSummary>,
    /// The body shown beneath the summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preview: Option<UiPreview>,
    /// What happens when the person opens the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_action: Option<UiOpenAction>,
}

impl UiDescriptor {
    /// A descriptor of `kind` without summary, preview or open action.
    pub const fn new(kind: UiKind) -> Self {
        Self { kind, summary: None, preview: None, open_action: None }
    }

    /// Adds the one-line summary.
    #[must_use]
    pub fn summary(mut self, summary: UiSummary) -> Self {
        self.summary = Some(summary);
        self
    }

    /// Adds the body.
    #[must_use]
    pub fn preview(mut self, preview: UiPreview) -> Self {
        self.preview = Some(preview);
        self
    }

    /// Adds the open action.
    #[must_use]
    pub fn open_action(mut self, open_action: UiOpenAction) -> Self {
        self.open_action = Some(open_action);
        self
    }
}

/// The family of drawing that a renderer picks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum UiKind {
    /// A file is created or overwritten.
    FileWrite,
    /// A file is read.
    FileRead,
    /// A file is changed in place.
    FileEdit,
    /// A command runs.
    Shell,
    /// Something is looked up.
    Search,
    /// An image is made or shown.
    Image,
    /// Something happens outside the program: a mail, a ticket, a payment.
    ExternalAction,
    /// The call is part of the conversation itself.
    Conversational,
}

/// The one-line summary: `Wrote src/main.rs · 12 lines`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct UiSummary {
    /// The past-tense verb.
    pub verb: Text,
    /// The parameter whose value follows the verb.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub primary_field: Option<Text>,
    /// Parameters shown smaller, after it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub meta_fields: Vec<Text>,
}

impl UiSummary {
    /// A summary that begins with `verb`.
    pub fn new(verb: impl Into<Text>) -> Self {
        Self { verb: verb.into(), primary_field: None, meta_fields: Vec::new() }
    }

    /// Shows the value of this parameter after the verb.
    #[must_use]
    pub fn primary_field(mut self, field: impl Into<Text>) -> Self {
        self.primary_field = Some(field.into());
        self
    }

    /// Shows the value of this parameter too, smaller; may be said several times.
    #[must_use]
    pub fn meta_field(mut self, field: impl Into<Text>) -> Self {
        self.meta_fields.push(field.into());
        self
    }
}

/// The body beneath the summary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct UiPreview {
    /// The parameter whose value is shown.
    pub content_field: Text,
    /// How that value is to be read.
    pub format: UiFormat,
    /// Lines shown before the rest is folded; without it the renderer decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truncate_at_lines: Option<u32>,
}

impl UiPreview {
    /// Shows the value of `content_field`, read as `format`.
    pub fn new(content_field: impl Into<Text>, format: UiFormat) -> Self {
        Self { content_field: content_field.into(), format, truncate_at_lines: None }
    }

    /// Folds what comes after this many lines.
    #[must_use]
    pub const fn truncate_at_lines(mut self, lines: u32) -> Self {
        self.truncate_at_lines = Some(lines);
        self
    }
}

/// How a previewed value is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum UiFormat {
    /// Plain text.
    Text,
    /// Source code.
    Code,
    /// A unified diff.
    Diff,
    /// Markdown.
    Markdown,
    /// JSON.
    Json,
}

/// What opening the call does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct UiOpenAction {
    /// Where it opens, in the client's own words (`file-pane`, `browser`).
    pub target: Text,
    /// The parameter that says what to open.
    pub path_field: Text,
}

impl UiOpenAction {
    /// Opens what `path_field` names in `target`.
    pub fn new(target: impl Into<Text>, path_field: impl Into<Text>) -> Self {
        Self { target: target.into(), path_field: path_field.into() }
    }
}
