//! What a tool may return, and how it becomes content.
//!
//! One rule for everything that implements [`Serialize`]: a value that serialises as a string is that text, without
//! quotes; nothing (`()`, a unit struct) is `ok`; everything else is its JSON. Rich content says so by its own type.

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;

mod checked;
mod limit;
mod outcome;

pub use checked::OutputError;
pub(crate) use checked::serialize;
pub(crate) use limit::cut;
pub use limit::{ResultLimits, Truncation};
pub use outcome::{IntoOutcome, Json};

/// What a call gives back: text, JSON, or a list of content parts.
#[derive(Debug, Clone, PartialEq)]
pub struct Output(Repr);

#[derive(Debug, Clone, PartialEq)]
enum Repr {
    Text(String),
    Json(String),
    Parts(Vec<Content>),
}

/// What a tool that returns nothing answers: some providers refuse an empty result.
const NOTHING: &str = "ok";

impl Output {
    /// Plain text, as it stands.
    pub fn text(text: impl Into<String>) -> Self {
        Self(Repr::Text(text.into()))
    }

    /// The answer of a tool that returns nothing.
    pub fn nothing() -> Self {
        Self::text(NOTHING)
    }

    /// Anything serialisable, under the rule at the head of this module.
    ///
    /// # Errors
    /// When the value cannot be said in JSON: a NaN or an infinity (its path is named), a map whose keys are no
    /// strings, or a `Serialize` implementation that fails.
    ///
    /// ```
    /// use loom_core::Output;
    ///
    /// assert_eq!(Output::serialize("plain")?.as_text(), "plain");
    /// assert_eq!(Output::serialize(&["a", "b"])?.as_text(), r#"["a","b"]"#);
    /// assert_eq!(Output::serialize(&Vec::<u8>::new())?.as_text(), "[]");
    /// assert_eq!(Output::serialize(&())?.as_text(), "ok");
    ///
    /// let error = Output::serialize(&[("ratio", f64::NAN)]).unwrap_err();
    /// assert_eq!(error.to_string(), "the value at /0/1 is NaN, which JSON cannot say");
    /// # Ok::<(), loom_core::OutputError>(())
    /// ```
    #[inline]
    pub fn serialize<T: Serialize + ?Sized>(value: &T) -> Result<Self, OutputError> {
        serialize(value)
    }

    pub(crate) fn json(text: String) -> Self {
        Self(Repr::Json(text))
    }

    /// The text that a model reads: the text itself, the JSON, or the text parts joined by line breaks with a short
    /// mark in the place of every other part.
    pub fn as_text(&self) -> Cow<'_, str> {
        match &self.0 {
            Repr::Text(text) | Repr::Json(text) => Cow::Borrowed(text),
            Repr::Parts(parts) => match parts.as_slice() {
                [Content::Text(text)] => Cow::Borrowed(text),
                parts => Cow::Owned(parts.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")),
            },
        }
    }

    /// The JSON text of the value, where the tool returned a structured one.
    pub fn as_json(&self) -> Option<&str> {
        match &self.0 {
            Repr::Json(text) => Some(text),
            Repr::Text(_) | Repr::Parts(_) => None,
        }
    }

    /// The value as content parts; text and JSON are one text part.
    pub fn parts(&self) -> Cow<'_, [Content]> {
        match &self.0 {
            Repr::Text(text) | Repr::Json(text) => Cow::Owned(vec![Content::Text(text.clone())]),
            Repr::Parts(parts) => Cow::Borrowed(parts),
        }
    }
}

impl From<String> for Output {
    fn from(text: String) -> Self {
        Self(Repr::Text(text))
    }
}

impl From<&str> for Output {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<Content> for Output {
    fn from(part: Content) -> Self {
        Self(Repr::Parts(vec![part]))
    }
}

impl From<Vec<Content>> for Output {
    fn from(parts: Vec<Content>) -> Self {
        Self(Repr::Parts(parts))
    }
}

impl<const N: usize> From<[Content; N]> for Output {
    fn from(parts: [Content; N]) -> Self {
        Self(Repr::Parts(parts.into()))
    }
}

/// One part of a rich answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Content {
    /// Text.
    Text(String),
    /// An image.
    Image(Media),
    /// A sound.
    Audio(Media),
    /// A resource: a link, or a link with its text.
    Resource(Resource),
}

impl Content {
    /// A text part.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// An image from its bytes.
    pub fn image(mime_type: impl Into<String>, data: impl Into<Vec<u8>>) -> Self {
        Self::Image(Media { mime_type: mime_type.into(), data: data.into() })
    }

    /// A sound from its bytes.
    pub fn audio(mime_type: impl Into<String>, data: impl Into<Vec<u8>>) -> Self {
        Self::Audio(Media { mime_type: mime_type.into(), data: data.into() })
    }

    /// A link to a resource.
    pub fn resource(uri: impl Into<String>) -> Self {
        Self::Resource(Resource { uri: uri.into(), mime_type: None, text: None })
    }
}

/// What a reader of plain text sees of the part.
impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) | Self::Resource(Resource { text: Some(text), .. }) => f.write_str(text),
            Self::Image(media) => write!(f, "[image, {}, {} bytes]", media.mime_type, media.data.len()),
            Self::Audio(media) => write!(f, "[audio, {}, {} bytes]", media.mime_type, media.data.len()),
            Self::Resource(resource) => write!(f, "[resource {}]", resource.uri),
        }
    }
}

/// Bytes with their media type.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Media {
    /// The media type, such as `image/png`.
    pub mime_type: String,
    /// The bytes themselves; whoever puts them on a wire encodes them.
    pub data: Vec<u8>,
}

/// A resource that the answer points to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Resource {
    /// Where it is.
    pub uri: String,
    /// Its media type, where known.
    pub mime_type: Option<String>,
    /// Its text, where the answer carries it.
    pub text: Option<String>,
}

impl Resource {
    /// A link.
    pub fn new(uri: impl Into<String>) -> Self {
        Self { uri: uri.into(), mime_type: None, text: None }
    }

    /// Says the media type.
    #[must_use]
    pub fn with_mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Carries the text along.
    #[must_use]
    pub fn with_text(mut self, text: impl Into<String>) -> Self {
        self.text = Some(text.into());
        self
    }
}

impl From<Resource> for Output {
    fn from(resource: Resource) -> Self {
        Content::Resource(resource).into()
    }
}

impl From<Resource> for Content {
    fn from(resource: Resource) -> Self {
        Self::Resource(resource)
    }
}

#[cfg(test)]
mod tests;
