//! What to write instead, where a text is no JSON.

use super::{SyntaxError, SyntaxErrorKind};

const WORDS: &str = "the only words in JSON are `true`, `false` and `null`; text stands in double quotes";
const QUOTES: &str = "names and text stand in double quotes";
const NAME: &str = "names stand in double quotes";
const ALONE: &str = "send the JSON object alone, without anything around it";
const COMMENT: &str = "JSON has no comments";
const COMMA: &str = "there is a comma too many";
const INNER_QUOTE: &str = r#"write a double quote inside of text as `\"`"#;
const COMMA_OR_QUOTE: &str = r#"a comma is missing, or a double quote inside of text is not written as `\"`"#;
const BRACKETS: &str = "the brackets do not match: a list ends with `]`, an object with `}`";
const ONE_OBJECT: &str = "send one JSON object";
const NO_CLOSING: &str = "there is a closing bracket too many";

/// What to write instead, where the fault itself does not say it.
pub(crate) fn hint(text: &str, error: &SyntaxError) -> Option<&'static str> {
    let (before, rest) = text.split_at_checked(error.offset)?;
    match error.kind {
        SyntaxErrorKind::Trailing => Some(trailing(rest.trim_start())),
        SyntaxErrorKind::Unexpected(c) => unexpected(before, rest, c),
        _ => None,
    }
}

/// Of what follows a whole document.
fn trailing(rest: &str) -> &'static str {
    match rest.chars().next() {
        Some('{' | '[') => ONE_OBJECT,
        Some('}' | ']') => NO_CLOSING,
        Some('/' | '#') => COMMENT,
        _ => ALONE,
    }
}

fn unexpected(before: &str, rest: &str, c: char) -> Option<&'static str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    // A word that begins like `true` or `null` breaks in its middle.
    let outside = before.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let last = outside.trim_end().chars().next_back();
    match (c, last) {
        (_, None) => Some(ALONE),
        ('`', _) if rest.starts_with("```") => Some(ALONE),
        ('\'' | '`' | '‘' | '’' | '“' | '”', _) => Some(QUOTES),
        ('/' | '#', _) => Some(COMMENT),
        (',' | ']' | '}', Some(',')) | (',', Some('[' | '{' | ':')) => Some(COMMA),
        (']' | '}', _) => Some(BRACKETS),
        ('"', Some('"')) => Some(COMMA_OR_QUOTE),
        ('"', Some(_)) => Some("a comma or a colon is missing"),
        ('0'..='9' | '-' | '[' | '{', Some(_)) => Some("a comma is missing"),
        // A number in another notation.
        (_, Some('0'..='9')) => None,
        (_, Some('"')) => Some(INNER_QUOTE),
        (c, Some('{' | ',')) if is_word(c) && rest.trim_start_matches(is_word).trim_start().starts_with(':') => {
            Some(NAME)
        }
        (c, _) if is_word(c) => Some(WORDS),
        _ => None,
    }
}
