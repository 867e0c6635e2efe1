//! Bytes as base64 text.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use base64::display::Base64Display;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use base64::{DecodeError, Engine};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Bytes that are sent as base64 text.
///
/// The standard and the URL-safe alphabet (RFC 4648, sections 4 and 5) are taken, one of them at a time. Padding may be
/// left out; where it is there, it is right. Nothing else is taken: no blanks, no line breaks, and no last character
/// with bits that belong to no byte. It is written in the standard alphabet with padding.
///
/// ```
/// use loom_core::types::Base64;
///
/// let bytes: Base64 = "aGk_".parse()?;
/// assert_eq!(*bytes, *b"hi?");
/// assert_eq!(bytes.to_string(), "aGk/");
/// # Ok::<(), loom_core::types::Base64Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Base64(Vec<u8>);

/// Why a text is no base64. Positions count characters from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Base64Error {
    /// A character is of no alphabet.
    #[error("the text is no base64: character {position} is {found:?}; send the bytes as base64, without blanks")]
    Character {
        /// Which character.
        position: usize,
        /// The character.
        found: char,
    },
    /// A character is of the other alphabet than one before it.
    #[error("the text mixes two base64 alphabets: character {position} is {found:?}; use `+` and `/`, or `-` and `_`")]
    Mixed {
        /// Which character.
        position: usize,
        /// The character.
        found: char,
    },
    /// The padding is too short, too long or not at the end.
    #[error("the base64 text is padded wrongly; leave `=` out or put it at the end, up to a multiple of 4 characters")]
    Padding,
    /// A single character is left over, which is less than a byte.
    #[error("the base64 text is cut off: a single character is left over after {length} whole bytes")]
    CutOff {
        /// How many bytes there are before it.
        length: usize,
    },
    /// The last character holds bits that belong to no byte.
    #[error("the base64 text is cut off or altered: its last character {found:?} holds more than the last byte")]
    LastCharacter {
        /// The character.
        found: char,
    },
}

impl Base64 {
    /// The bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

impl Deref for Base64 {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl AsRef<[u8]> for Base64 {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl From<Vec<u8>> for Base64 {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl From<&[u8]> for Base64 {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.to_vec())
    }
}

impl<const N: usize> From<[u8; N]> for Base64 {
    fn from(bytes: [u8; N]) -> Self {
        Self(bytes.to_vec())
    }
}

impl From<Base64> for Vec<u8> {
    fn from(bytes: Base64) -> Self {
        bytes.0
    }
}

impl FromStr for Base64 {
    type Err = Base64Error;

    fn from_str(text: &str) -> Result<Self, Base64Error> {
        let url_safe = text.contains(['-', '_']);
        let engine = match (url_safe, text.ends_with('=')) {
            (false, true) => &STANDARD,
            (false, false) => &STANDARD_NO_PAD,
            (true, true) => &URL_SAFE,
            (true, false) => &URL_SAFE_NO_PAD,
        };
        engine.decode(text).map(Self).map_err(|error| reason(text, &error))
    }
}

/// What is wrong, in terms of characters.
fn reason(text: &str, error: &DecodeError) -> Base64Error {
    let is_of_some_alphabet = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '-' | '_' | '=');
    let mut numbered = (1..).zip(text.chars());
    if let Some((position, found)) = numbered.clone().find(|(_, c)| !is_of_some_alphabet(*c)) {
        return Base64Error::Character { position, found };
    }
    let first = text.chars().find(|c| matches!(c, '+' | '/' | '-' | '_'));
    let standard = matches!(first, Some('+' | '/'));
    let other = |c: char| if standard { matches!(c, '-' | '_') } else { matches!(c, '+' | '/') };
    if let Some(first) = first
        && let Some((position, found)) = numbered.find(|(_, c)| *c != first && other(*c))
    {
        return Base64Error::Mixed { position, found };
    }
    match *error {
        DecodeError::InvalidLength(length) => Base64Error::CutOff { length: length / 4 * 3 },
        DecodeError::InvalidLastSymbol { symbol, .. } => Base64Error::LastCharacter { found: symbol.into() },
        DecodeError::InvalidByte(..) | DecodeError::InvalidPadding => Base64Error::Padding,
    }
}

impl fmt::Display for Base64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Base64Display::new(&self.0, &STANDARD).fmt(f)
    }
}

impl Serialize for Base64 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Base64 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TextVisitor)
    }
}

struct TextVisitor;

impl Visitor<'_> for TextVisitor {
    type Value = Base64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes as base64 text")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Base64, E> {
        text.parse().map_err(E::custom)
    }
}

impl JsonSchema for Base64 {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Base64".into()
    }

    fn schema_id() -> Cow<'static, str> {
        concat!(module_path!(), "::Base64").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        // A pattern would be matched before the text is read, which takes longer, and says less of a bad one.
        json_schema!({"type": "string", "contentEncoding": "base64"})
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;
    use regex_lite::Regex;
    use serde_json::json;

    use super::Base64Error::{Character, CutOff, LastCharacter, Mixed, Padding};
    use super::*;

    fn read(text: &str) -> Result<Vec<u8>, Base64Error> {
        text.parse().map(Base64::into_bytes)
    }

    #[test]
    fn either_alphabet_is_read_with_padding_or_without() {
        let cases: [(&str, &[u8]); 13] = [
            ("", b""),
            ("Zg==", b"f"),
            ("Zg", b"f"),
            ("Zm8=", b"fo"),
            ("Zm8", b"fo"),
            ("Zm9v", b"foo"),
            ("Zm9vYg==", b"foob"),
            ("Zm9vYmFy", b"foobar"),
            ("+/+/", &[0xfb, 0xff, 0xbf]),
            ("-_-_", &[0xfb, 0xff, 0xbf]),
            ("+w==", &[0xfb]),
            ("-w", &[0xfb]),
            ("-_8=", &[0xfb, 0xff]),
        ];
        for (text, bytes) in cases {
            assert_eq!(read(text).as_deref(), Ok(bytes), "{text}");
        }
    }

    #[test]
    fn whatever_else_is_refused_for_its_own_reason() {
        let cases = [
            ("Zm9v Zm9v", Character { position: 5, found: ' ' }),
            ("Zm9v\n", Character { position: 5, found: '\n' }),
            ("éZm9v", Character { position: 1, found: 'é' }),
            ("data:image/png;base64,Zm9v", Character { position: 5, found: ':' }),
            ("+_8=", Mixed { position: 2, found: '_' }),
            ("Zm9v-w/8", Mixed { position: 7, found: '/' }),
            ("Zg=", Padding),
            ("Zg===", Padding),
            ("Zm8==", Padding),
            ("Zm9v=", Padding),
            ("Zm9v====", Padding),
            ("Zg==Zg==", Padding),
            ("Z=g=", Padding),
            ("=", Padding),
            ("====", Padding),
            ("Z", CutOff { length: 0 }),
            ("Zm9vYmFyZ", CutOff { length: 6 }),
            ("Zh==", LastCharacter { found: 'h' }),
            ("Zh", LastCharacter { found: 'h' }),
            ("Zm9", LastCharacter { found: '9' }),
        ];
        for (text, error) in cases {
            assert_eq!(read(text), Err(error), "{text}");
        }
    }

    #[test]
    fn messages_say_what_to_write() {
        let message = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(
            message("Zm9v\n"),
            "the text is no base64: character 5 is '\\n'; send the bytes as base64, without blanks"
        );
        assert_eq!(
            message("+_8="),
            "the text mixes two base64 alphabets: character 2 is '_'; use `+` and `/`, or `-` and `_`"
        );
        assert_eq!(
            message("Zg="),
            "the base64 text is padded wrongly; leave `=` out or put it at the end, up to a multiple of 4 characters"
        );
        assert_eq!(message("Zm9vZ"), "the base64 text is cut off: a single character is left over after 3 whole bytes");
        assert_eq!(
            message("Zh"),
            "the base64 text is cut off or altered: its last character 'h' holds more than the last byte"
        );
    }

    #[test]
    fn only_text_is_taken() {
        assert_eq!(*serde_json::from_str::<Base64>("\"aGk_\"").unwrap(), *b"hi?");
        for (sent, message) in [
            ("[1]", "invalid type: sequence, expected bytes as base64 text at line 1 column 0"),
            (
                "\"Z\"",
                "the base64 text is cut off: a single character is left over after 0 whole bytes at line 1 column 3",
            ),
        ] {
            assert_eq!(serde_json::from_str::<Base64>(sent).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn it_is_bytes_to_the_program() {
        let bytes = Base64::from([0xfb, 0xff]);
        assert_eq!(serde_json::to_value(&bytes).unwrap(), json!("+/8="));
        assert_eq!(format!("{bytes}"), "+/8=");
        assert_eq!(bytes.as_ref(), [0xfb, 0xff]);
        assert_eq!(bytes, Base64::from(vec![0xfb, 0xff]));
        assert_eq!(bytes, Base64::from([0xfb, 0xff].as_slice()));
        assert_eq!(Vec::from(bytes), [0xfb, 0xff]);
        assert!(Base64::default().is_empty());
    }

    /// Exactly what is read: groups of four, then what is left over, with its padding or without; in either alphabet. Of
    /// the last character of what is left over, the lowest bits are 0.
    const PATTERN: &str = "^(?:(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/](?:[AQgw](?:==)?|[A-Za-z0-9+/][AEIMQUYcgkosw048]=?))?\
                           |(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-](?:[AQgw](?:==)?|[A-Za-z0-9_-][AEIMQUYcgkosw048]=?))?)$";

    fn pattern() -> Regex {
        Regex::new(PATTERN).unwrap()
    }

    #[test]
    fn the_schema_says_the_form() {
        assert_eq!(
            SchemaGenerator::default().subschema_for::<Base64>().to_value(),
            json!({"type": "string", "contentEncoding": "base64"})
        );
    }

    #[test]
    fn the_pattern_and_the_reader_take_the_same_short_texts() {
        let pattern = pattern();
        let symbols = ['A', 'Q', 'h', '0', '4', '+', '/', '-', '_', '=', ' '];
        let mut texts = vec![String::new()];
        for length in 0..=5 {
            for text in &texts {
                assert_eq!(pattern.is_match(text), read(text).is_ok(), "{text:?}");
            }
            if length < 5 {
                texts = texts.iter().flat_map(|text| symbols.iter().map(move |c| format!("{text}{c}"))).collect();
            }
        }
    }

    proptest! {
        #[test]
        fn the_pattern_and_the_reader_take_the_same(text in "[A-Za-z0-9+/]{0,12}={0,3}|[A-Za-z0-9_-]{0,12}={0,3}|[A-Za-z0-9+/_=-]{0,9}|.{0,6}") {
            prop_assert_eq!(pattern().is_match(&text), read(&text).is_ok(), "{:?}", text);
        }

        #[test]
        fn what_is_written_is_read_again(bytes: Vec<u8>) {
            let written = Base64::from(bytes.clone()).to_string();
            prop_assert!(pattern().is_match(&written));
            prop_assert_eq!(read(&written), Ok(bytes.clone()));
            let other = written.replace('+', "-").replace('/', "_");
            prop_assert!(pattern().is_match(&other));
            prop_assert_eq!(read(&other), Ok(bytes.clone()));
            prop_assert_eq!(read(other.trim_end_matches('=')), Ok(bytes));
        }
    }
}
