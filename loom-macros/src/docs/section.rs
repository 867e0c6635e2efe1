//! What opens a section, and what kind of section it is.

use super::entry;
use super::lines::{Line, item};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Params,
    Dropped(Shape),
}

/// How the text of a dropped section looks under a dashed underline, where indentation may or may not mean something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A type or a name, and what it means indented below.
    Entries,
    /// Paragraphs, examples: whatever comes before the next heading.
    Free,
}

fn named(title: &str) -> Option<Section> {
    // Longer than any of the names, so most lines of prose cost no allocation.
    if title.len() > 24 {
        return None;
    }
    let words: Vec<String> = title.split_whitespace().map(str::to_lowercase).collect();
    match words.join(" ").as_str() {
        "arguments" | "args" | "parameters" | "params" | "keyword arguments" | "keyword args"
        | "keyword parameters" | "other arguments" | "other parameters" => Some(Section::Params),
        "returns" | "return" | "yields" | "yield" | "raises" | "raise" | "attributes" => {
            Some(Section::Dropped(Shape::Entries))
        }
        "errors" | "panics" | "panic" | "safety" | "examples" | "example" | "see also" | "notes" | "note" => {
            Some(Section::Dropped(Shape::Free))
        }
        _ => None,
    }
}

pub(super) fn is_capital_name(name: &str) -> bool {
    name.starts_with(char::is_uppercase) && named(name).is_some()
}

/// What is left of a title without the bold face and the colon that people give it, in either order.
fn plain(title: &str) -> &str {
    let title = without_colon(title);
    title.strip_prefix("**").and_then(|title| title.strip_suffix("**")).map_or(title, without_colon)
}

fn without_colon(title: &str) -> &str {
    title.trim().trim_end_matches(':').trim_end()
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Heading {
    pub(super) level: usize,
    pub(super) section: Option<Section>,
}

pub(super) fn heading(line: &Line) -> Option<Heading> {
    // Four columns make it code.
    if line.fenced || line.level > 3 {
        return None;
    }
    let body = line.body();
    let title = body.trim_start_matches('#');
    let level = body.len().saturating_sub(title.len());
    let opens = (1..=6).contains(&level) && (title.is_empty() || title.starts_with([' ', '\t']));
    opens.then(|| Heading { level, section: named(plain(title.trim_end_matches('#'))) })
}

/// The level of the heading that this line makes of the one above it.
fn underline(line: &Line) -> Option<usize> {
    let body = line.body();
    let level = match body.chars().next()? {
        '=' => 1,
        '-' => 2,
        _ => return None,
    };
    let mark = if level == 1 { '=' } else { '-' };
    (!line.fenced && body.len() >= 3 && body.chars().all(|found| found == mark)).then_some(level)
}

/// The heading that the line below makes of this one, if this one can be a title at all.
pub(super) fn underlined(line: &Line, below: &Line) -> Option<Heading> {
    let body = line.body();
    let level = underline(below)?;
    let possible = !line.is_blank()
        && !line.fenced
        && !body.starts_with('|')
        && item(body).is_none()
        && heading(line).is_none()
        && underline(line).is_none()
        && field(line).is_none();
    possible.then(|| Heading { level, section: named(plain(body)) })
}

/// The section that a line like `Args:` opens, with its name alone. In bold, it does without the colon.
pub(super) fn label(line: &Line) -> Option<Section> {
    let body = line.body();
    if line.fenced || !(body.ends_with(':') || (body.starts_with("**") && body.ends_with("**"))) {
        return None;
    }
    named(plain(body))
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Field<'a> {
    Param(Vec<String>, &'a str),
    Dropped,
}

/// A reST field that means something here. `:note:` and other unknown ones are text.
pub(super) fn field(line: &Line) -> Option<Field<'_>> {
    if line.fenced {
        return None;
    }
    let body = line.body().strip_prefix(':')?;
    // A type may hold colons, as in `std::path::Path`, but none with a space behind it.
    let (tag, text) = body
        .split_once(": ")
        .or_else(|| body.split_once(":\t"))
        .or_else(|| body.strip_suffix(':').map(|tag| (tag, "")))
        .or_else(|| body.split_once(':'))?;
    let (keyword, of) = tag.split_once([' ', '\t']).unwrap_or((tag, ""));
    match keyword {
        "param" | "parameter" | "arg" | "argument" | "key" | "keyword" | "kwarg" => {
            Some(Field::Param(entry::field_names(of)?, text))
        }
        "type" | "kwtype" | "returns" | "return" | "rtype" | "raises" | "raise" | "except" | "exception" | "yields"
        | "yield" | "ytype" => Some(Field::Dropped),
        _ => None,
    }
}
