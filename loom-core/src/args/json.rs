//! The arguments of a tool call as the model wrote them.
//!
//! A tree that loses nothing: keys keep their order and stay even when they are
//! repeated, and numbers keep their digits. `serde_json::Value` drops repeated keys
//! and digits beyond 64 bits, and what it does with order and numbers depends on
//! features any other crate of the build may switch on.
//!
//! The tree is read only once something did not fit, to say what and where.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use serde_json::Value;

pub(crate) use self::hint::hint;
use self::reader::Reader;
use super::repair::Repairs;

mod hint;
mod reader;
#[cfg(test)]
mod tests;

/// How many lists and objects may stand inside one another.
///
/// The same as `serde_json` allows: its counter starts at 128 and refuses the
/// container that brings it to zero, so the 127th is the last one it reads.
pub(crate) const MAX_DEPTH: usize = 127;

/// How many characters an excerpt has, not counting the ellipses at its ends.
const EXCERPT_WIDTH: usize = 36;

/// How many of those characters may stand after the offset.
const EXCERPT_AFTER: usize = 20;

// What the text can end inside of.
const LIST: &str = "a list";
const OBJECT: &str = "an object";
const STRING: &str = "a string";
const NUMBER: &str = "a number";

/// A JSON value with everything its text said, apart from whitespace and the choice
/// of escapes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as it was written.
    Number(Cow<'a, str>),
    /// A string, its escapes resolved.
    String(Cow<'a, str>),
    /// A list.
    Array(Vec<Json<'a>>),
    /// An object: its entries in the order of the text, repeated keys included.
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
}

impl<'a> Json<'a> {
    /// Parses exactly one JSON document (RFC 8259), surrounded by optional whitespace.
    ///
    /// Strings are borrowed from the text unless they contain an escape; numbers always
    /// are.
    pub(crate) fn parse(text: &'a str) -> Result<Json<'a>, SyntaxError> {
        Self::parse_within(text, MAX_DEPTH)
    }

    /// The same with at most `max_depth` lists and objects inside one another.
    pub(crate) fn parse_within(text: &'a str, max_depth: usize) -> Result<Json<'a>, SyntaxError> {
        Reader::new(text, max_depth).document()
    }

    /// Parses the document at the start of `text`, and says how many bytes it takes.
    pub(super) fn parse_start(text: &'a str, max_depth: usize) -> Result<(Json<'a>, usize), SyntaxError> {
        Reader::new(text, max_depth).start()
    }

    /// Parses a text that is no JSON but leaves no doubt about the values in it, and says what was read over.
    pub(super) fn repair(text: &'a str, max_depth: usize) -> Result<(Json<'a>, Repairs), SyntaxError> {
        Reader::lenient(text, max_depth).repaired()
    }

    /// A parsed value as a tree; `None` where it is nested too deeply.
    pub(super) fn from_value(value: &'a Value, max_depth: usize) -> Option<Json<'a>> {
        Some(match value {
            Value::Null => Json::Null,
            Value::Bool(value) => Json::Bool(*value),
            Value::Number(number) => Json::Number(number.to_string().into()),
            Value::String(text) => Json::String(text.into()),
            Value::Array(items) => {
                let depth = max_depth.checked_sub(1)?;
                Json::Array(items.iter().map(|item| Json::from_value(item, depth)).collect::<Option<_>>()?)
            }
            Value::Object(entries) => {
                let depth = max_depth.checked_sub(1)?;
                let entry = |(key, value): (&'a String, _)| Some((key.into(), Json::from_value(value, depth)?));
                Json::Object(entries.iter().map(entry).collect::<Option<_>>()?)
            }
        })
    }

    /// What the text of the value begins with; of a number a digit stands for all.
    pub(super) const fn first_byte(&self) -> u8 {
        match self {
            Json::Null => b'n',
            Json::Bool(_) => b't',
            Json::Number(_) => b'0',
            Json::String(_) => b'"',
            Json::Array(_) => b'[',
            Json::Object(_) => b'{',
        }
    }

    /// Appends the value to `out` as compact JSON: numbers verbatim, strings escaped as
    /// `serde_json` escapes them.
    pub(crate) fn write(&self, out: &mut String) {
        match self {
            Json::Null => out.push_str("null"),
            Json::Bool(true) => out.push_str("true"),
            Json::Bool(false) => out.push_str("false"),
            Json::Number(digits) => out.push_str(digits),
            Json::String(string) => write_string(string, out),
            Json::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    item.write(out);
                }
                out.push(']');
            }
            Json::Object(entries) => {
                out.push('{');
                for (index, (key, value)) in entries.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    write_string(key, out);
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }

    /// The same value, no longer borrowing from the text.
    pub(crate) fn into_owned(self) -> Json<'static> {
        match self {
            Json::Null => Json::Null,
            Json::Bool(value) => Json::Bool(value),
            Json::Number(digits) => Json::Number(owned(digits)),
            Json::String(string) => Json::String(owned(string)),
            Json::Array(items) => Json::Array(items.into_iter().map(Json::into_owned).collect()),
            Json::Object(entries) => {
                Json::Object(entries.into_iter().map(|(key, value)| (owned(key), value.into_owned())).collect())
            }
        }
    }

    /// The value of the first entry with this key, if this is an object that has one.
    pub(crate) fn get(&self, key: &str) -> Option<&Json<'a>> {
        match self {
            Json::Object(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }
}

/// Why a text is not a JSON document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    /// The byte offset the error is at, always on a character boundary: the length of
    /// the text where it ends too early, the backslash of an escape, the first character
    /// of a number, else the character that cannot stand there.
    pub(crate) offset: usize,
    /// What is wrong there.
    pub(crate) kind: SyntaxErrorKind,
}

/// What is wrong with a text that is not a JSON document.
///
/// The messages are for the model that wrote the text, so they say what to write
/// instead where that is not obvious.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SyntaxErrorKind {
    /// The text ends inside of this.
    CutOff(&'static str),
    /// The text is nothing but whitespace.
    Empty,
    /// Something follows a complete document.
    Trailing,
    /// This character cannot stand here.
    Unexpected(char),
    /// This character stands in a string without being escaped.
    ControlCharacter(char),
    /// A backslash is not followed by what makes an escape.
    BadEscape,
    /// A `\u` escape is one half of a surrogate pair without the other.
    LoneSurrogate,
    /// This is meant as a number but not one in JSON, such as `01`, `+1`, `.5` or `NaN`.
    BadNumber,
    /// More than this many lists and objects stand inside one another.
    TooDeep(usize),
}

impl SyntaxErrorKind {
    /// The error of this kind at that byte offset.
    fn at(self, offset: usize) -> SyntaxError {
        SyntaxError { offset, kind: self }
    }
}

impl fmt::Display for SyntaxErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CutOff(inside) => write!(f, "the text is cut off: it ends inside {inside}"),
            Self::Empty => f.write_str("the text is empty: a JSON value was expected"),
            Self::Trailing => f.write_str("more text follows after the end of the JSON value"),
            Self::Unexpected(c) => write!(f, "unexpected character `{}`", visible(*c)),
            Self::ControlCharacter(c) => {
                write!(f, "a control character stands unescaped in a string: write it as `{}`", visible(*c))
            }
            Self::BadEscape => f.write_str(r"invalid escape in a string: write a backslash itself as `\\`"),
            Self::LoneSurrogate => {
                f.write_str(r"a `\u` escape is only half of a character: write the character itself")
            }
            Self::BadNumber => f.write_str(
                "invalid number: it takes digits around a `.`, and no leading zero, plus sign, \
                 `NaN` or `Infinity`",
            ),
            Self::TooDeep(most) => {
                write!(f, "nested too deeply: at most {most} lists and objects may stand inside one another")
            }
        }
    }
}

/// A few characters of `text` around `offset`, for an error message.
///
/// Control and invisible characters are escaped, so that the excerpt is a single line;
/// an ellipsis stands where the text goes on. An offset inside a character counts as
/// the start of it, and one past the end as the end.
pub(crate) fn excerpt(text: &str, offset: usize) -> String {
    let (before, after) = text.split_at_checked(text.floor_char_boundary(offset)).unwrap_or((text, ""));

    let mut tail = String::new();
    let mut width = 0;
    for c in after.chars() {
        let shown = visible(c);
        let with_it = width + shown.chars().count();
        if with_it > EXCERPT_AFTER {
            tail.push('…');
            break;
        }
        tail.push_str(&shown);
        width = with_it;
    }

    // Near the end of the text, where a cut-off one is reported, what the tail leaves
    // unused goes to the head.
    let mut head = Vec::new();
    for c in before.chars().rev() {
        let shown = visible(c);
        width += shown.chars().count();
        if width > EXCERPT_WIDTH {
            head.push("…".to_owned());
            break;
        }
        head.push(shown);
    }

    head.into_iter().rev().chain([tail]).collect()
}

/// The character as an error message shows it: escaped the way JSON does it if it
/// would be invisible, break the line or change the direction of the text around it.
fn visible(c: char) -> String {
    match c {
        '\n' => r"\n".to_owned(),
        '\r' => r"\r".to_owned(),
        '\t' => r"\t".to_owned(),
        ' ' => " ".to_owned(),
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' => {
            format!(r"\u{:04x}", u32::from(c))
        }
        _ if c.is_control() || c.is_whitespace() => format!(r"\u{:04x}", u32::from(c)),
        _ => c.to_string(),
    }
}

/// Appends `string` as a JSON string.
fn write_string(string: &str, out: &mut String) {
    out.push('"');
    let mut rest = string;
    while let Some(at) = rest.bytes().position(|byte| matches!(byte, b'"' | b'\\' | 0..b' ')) {
        let (plain, special) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(plain);
        let mut special = special.chars();
        match special.next() {
            Some('\u{8}') => out.push_str("\\b"),
            Some('\u{c}') => out.push_str("\\f"),
            Some('\n') => out.push_str("\\n"),
            Some('\r') => out.push_str("\\r"),
            Some('\t') => out.push_str("\\t"),
            Some(c @ ('"' | '\\')) => out.extend(['\\', c]),
            // Writing to a `String` does not fail.
            Some(c) => _ = write!(out, "\\u{:04x}", u32::from(c)),
            None => {}
        }
        rest = special.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

/// The same string, no longer borrowing from the text.
fn owned(string: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(string.into_owned())
}
