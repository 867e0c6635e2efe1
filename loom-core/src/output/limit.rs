//! Results of a bounded size: what is too long loses its middle, and says so.

use serde::Serialize;

use super::{Content, Media, Output, Repr, Resource};

/// How much of a result a model is given.
///
/// Text that is longer keeps its head and its tail around a mark that says how much is missing; an image or a sound
/// that is larger is replaced by a line that says what it was, since a part of one is worth nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResultLimits {
    characters: usize,
    media_bytes: usize,
}

impl ResultLimits {
    /// Characters of text where nobody says otherwise.
    pub const DEFAULT_CHARACTERS: usize = 50_000;
    /// Bytes of images and sounds where nobody says otherwise: 10 MiB.
    pub const DEFAULT_MEDIA_BYTES: usize = 10 << 20;

    /// [`DEFAULT_CHARACTERS`](Self::DEFAULT_CHARACTERS) of text and
    /// [`DEFAULT_MEDIA_BYTES`](Self::DEFAULT_MEDIA_BYTES) of images and sounds.
    pub const fn new() -> Self {
        Self { characters: Self::DEFAULT_CHARACTERS, media_bytes: Self::DEFAULT_MEDIA_BYTES }
    }

    /// Sets how many characters of text one result may have, all its parts together; the mark comes on top.
    #[must_use]
    pub const fn with_characters(mut self, characters: usize) -> Self {
        self.characters = characters;
        self
    }

    /// Sets how many bytes of images and sounds one result may have, all its parts together.
    #[must_use]
    pub const fn with_media_bytes(mut self, bytes: usize) -> Self {
        self.media_bytes = bytes;
        self
    }

    /// How many characters of text a result may have.
    pub const fn characters(&self) -> usize {
        self.characters
    }

    /// How many bytes of images and sounds a result may have.
    pub const fn media_bytes(&self) -> usize {
        self.media_bytes
    }
}

impl Default for ResultLimits {
    fn default() -> Self {
        Self::new()
    }
}

/// What a result lost because it was too large.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Truncation {
    /// Characters of text that are missing.
    pub characters: usize,
    /// Bytes of images and sounds that are missing.
    pub media_bytes: usize,
}

impl Truncation {
    const fn is_none(self) -> bool {
        self.characters == 0 && self.media_bytes == 0
    }

    fn some(self) -> Option<Self> {
        (!self.is_none()).then_some(self)
    }
}

impl Output {
    /// Cuts the result down to these limits, and says what it lost, if anything.
    ///
    /// JSON that is cut is no JSON any more: it becomes text. Of several parts the first ones come first; where the
    /// room ends, a part loses its middle, and those after it are named only.
    ///
    /// ```
    /// use loom_core::{Output, ResultLimits};
    ///
    /// let mut output = Output::text("abcdefghij");
    /// let lost = output.limit(ResultLimits::new().with_characters(4));
    /// assert_eq!(output.as_text(), "ab\n[… 6 characters left out …]\nij");
    /// assert_eq!(lost.map(|lost| lost.characters), Some(6));
    /// ```
    pub fn limit(&mut self, limits: ResultLimits) -> Option<Truncation> {
        match &mut self.0 {
            // There are no more characters than bytes, so most results need no counting.
            Repr::Text(text) | Repr::Json(text) if text.len() <= limits.characters => None,
            Repr::Text(text) => Truncation { characters: cut(text, limits.characters), media_bytes: 0 }.some(),
            Repr::Json(text) => {
                let lost = Truncation { characters: cut(text, limits.characters), media_bytes: 0 }.some();
                if lost.is_some() {
                    self.0 = Repr::Text(std::mem::take(text));
                }
                lost
            }
            Repr::Parts(parts) => limit_parts(parts, limits),
        }
    }

    /// The size of the result in bytes: its text, and its images and sounds as they are, before anything encodes them.
    pub fn size(&self) -> usize {
        match &self.0 {
            Repr::Text(text) | Repr::Json(text) => text.len(),
            Repr::Parts(parts) => parts.iter().map(Content::size).fold(0, usize::saturating_add),
        }
    }
}

impl Content {
    fn size(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Image(media) | Self::Audio(media) => media.data.len(),
            Self::Resource(Resource { uri, text, .. }) => {
                uri.len().saturating_add(text.as_ref().map_or(0, String::len))
            }
        }
    }
}

fn limit_parts(parts: &mut [Content], limits: ResultLimits) -> Option<Truncation> {
    let mut lost = Truncation::default();
    let (mut characters, mut bytes) = (limits.characters, limits.media_bytes);
    for part in parts {
        match part {
            Content::Text(text) | Content::Resource(Resource { text: Some(text), .. }) => {
                lost.characters = lost.characters.saturating_add(cut(text, characters));
                characters = characters.saturating_sub(text.chars().count());
            }
            Content::Image(media) | Content::Audio(media) if media.data.len() > bytes => {
                lost.media_bytes = lost.media_bytes.saturating_add(media.data.len());
                let left_out = left_out(media);
                *part = Content::Text(left_out);
            }
            Content::Image(media) | Content::Audio(media) => bytes = bytes.saturating_sub(media.data.len()),
            Content::Resource(_) => {}
        }
    }
    lost.some()
}

fn left_out(media: &Media) -> String {
    format!("[{} of {} bytes left out: the result is too large]", media.mime_type, media.data.len())
}

/// Takes the middle out of a text that has more than this many characters, and says how many it was.
pub(crate) fn cut(text: &mut String, most: usize) -> usize {
    if text.len() <= most {
        return 0;
    }
    let count = text.chars().count();
    let missing = count.saturating_sub(most);
    if missing == 0 {
        return 0;
    }
    let head = most.div_ceil(2);
    let at = |character: usize| text.char_indices().nth(character).map_or(text.len(), |(at, _)| at);
    let (head, tail) = (at(head), at(head.saturating_add(missing)));
    let noun = if missing == 1 { "character" } else { "characters" };
    let before = if head == 0 { "" } else { "\n" };
    let after = if tail == text.len() { "" } else { "\n" };
    text.replace_range(head..tail, &format!("{before}[… {missing} {noun} left out …]{after}"));
    missing
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn limited(output: impl Into<Output>, characters: usize) -> (String, usize) {
        let mut output = output.into();
        let lost = output.limit(ResultLimits::new().with_characters(characters));
        (output.as_text().into_owned(), lost.map_or(0, |lost| lost.characters))
    }

    #[test]
    fn head_and_tail_are_kept_on_whole_characters() {
        assert_eq!(limited("abcde", 5), ("abcde".to_owned(), 0));
        assert_eq!(limited("abcdef", 5), ("abc\n[… 1 character left out …]\nef".to_owned(), 1));
        assert_eq!(limited("äöüßé", 5), ("äöüßé".to_owned(), 0));
        assert_eq!(limited("äöüßéè", 3), ("äö\n[… 3 characters left out …]\nè".to_owned(), 3));
        assert_eq!(limited("abc", 1), ("a\n[… 2 characters left out …]".to_owned(), 2));
        assert_eq!(limited("abc", 0), ("[… 3 characters left out …]".to_owned(), 3));
        assert_eq!(limited("", 0), (String::new(), 0));
    }

    #[test]
    fn json_that_is_cut_is_text() {
        let mut output = Output::serialize(&["abcdef", "ghijkl"]).unwrap();
        assert_eq!(output.limit(ResultLimits::new().with_characters(19)), None);
        assert_eq!(output.as_json(), Some(r#"["abcdef","ghijkl"]"#));
        output.limit(ResultLimits::new().with_characters(18)).unwrap();
        assert_eq!(output.as_json(), None);
        assert_eq!(output.as_text(), "[\"abcdef\"\n[… 1 character left out …]\n\"ghijkl\"]");
    }

    #[test]
    fn parts_share_the_room_in_their_order() {
        let resource = Resource::new("file:///a").with_text("ABCD");
        let mut output = Output::from([
            Content::text("abcd"),
            Content::image("image/png", vec![0; 10]),
            Content::Resource(resource.clone()),
            Content::resource("file:///b"),
            Content::audio("audio/wav", vec![0; 11]),
            Content::text("xyz"),
        ]);
        assert_eq!(output.size(), 4 + 10 + 9 + 4 + 9 + 11 + 3);
        let lost = output.limit(ResultLimits::new().with_characters(6).with_media_bytes(20));
        assert_eq!(lost, Some(Truncation { characters: 5, media_bytes: 11 }));
        let expected = [
            Content::text("abcd"),
            Content::image("image/png", vec![0; 10]),
            Content::Resource(resource.with_text("A\n[… 2 characters left out …]\nD")),
            Content::resource("file:///b"),
            Content::text("[audio/wav of 11 bytes left out: the result is too large]"),
            Content::text("[… 3 characters left out …]"),
        ];
        assert_eq!(output.parts().as_ref(), expected);
    }

    proptest! {
        #[test]
        fn what_is_left_is_the_start_and_the_end(text in ".{0,60}", most in 0_usize..70) {
            let mut cut_text = text.clone();
            let missing = cut(&mut cut_text, most);
            let count = text.chars().count();
            prop_assert_eq!(missing, count.saturating_sub(most));
            if missing > 0 {
                let mark = format!("[… {missing} character{} left out …]", if missing == 1 { "" } else { "s" });
                let (head, tail) = cut_text.split_once(&mark).unwrap();
                let (head, tail) = (head.strip_suffix('\n').unwrap_or(head), tail.strip_prefix('\n').unwrap_or(tail));
                prop_assert_eq!(head.chars().count() + tail.chars().count(), most);
                prop_assert!(text.starts_with(head) && text.ends_with(tail));
            } else {
                prop_assert_eq!(cut_text, text);
            }
        }
    }
}
