//! The head of an entry: which parameters it names, and where its text starts.

use super::section;

#[derive(Debug)]
pub(super) struct Head<'a> {
    pub(super) names: Vec<String>,
    /// All names are set off as code or in bold or italics, which prose does not do by accident.
    pub(super) marked: bool,
    pub(super) separator: Separator,
    pub(super) text: &'a str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separator {
    /// `name: text`
    Colon,
    /// `name : type`
    SpacedColon,
    Dash,
    /// The name is all there is.
    Missing,
}

impl Head<'_> {
    pub(super) fn is_separated(&self) -> bool {
        self.separator != Separator::Missing
    }

    /// Rust names its parameters in lower case. Where nothing else sets an entry apart, a capital rather starts a
    /// sentence such as `Note: …`.
    pub(super) fn is_lower(&self) -> bool {
        self.names.iter().all(|name| !name.starts_with(char::is_uppercase))
    }

    /// A list item is more often prose than a line that an indented section consists of, so it has to be more
    /// explicit.
    pub(super) fn fits_item(&self) -> bool {
        self.marked || (self.is_separated() && self.names.len() == 1)
    }
}

/// `Note: …` and its like are remarks in any style, because no parameter starts with a capital.
pub(super) fn head(body: &str) -> Option<Head<'_>> {
    any_head(body).filter(|head| !head.names.iter().any(|name| section::is_capital_name(name)))
}

fn any_head(body: &str) -> Option<Head<'_>> {
    let mut names = Vec::new();
    let mut marked = true;
    let mut rest = body;
    loop {
        let found = name(rest)?;
        names.push(found.name);
        marked &= found.marked;
        if found.ended {
            return Some(Head { names, marked, separator: Separator::Colon, text: found.rest.trim() });
        }
        let Some(after) = found.rest.trim_start().strip_prefix(',') else {
            rest = found.rest;
            break;
        };
        rest = after.trim_start();
    }
    let (typed, rest) = match after_type(rest) {
        Some(after) => (true, after),
        None => (false, rest),
    };
    let (separator, text) = separator(rest, marked || typed)?;
    Some(Head { names, marked, separator, text: text.trim() })
}

struct Named<'a> {
    name: String,
    marked: bool,
    /// The colon stood inside the bold face, as in `**name:** text`.
    ended: bool,
    rest: &'a str,
}

fn name(text: &str) -> Option<Named<'_>> {
    // A star in front is emphasis if there is one to end it, and otherwise Python's mark of a variable argument list.
    in_code(text).or_else(|| emphasised(text, "**")).or_else(|| emphasised(text, "*")).or_else(|| bare(text))
}

fn in_code(text: &str) -> Option<Named<'_>> {
    let (inner, rest) = text
        .strip_prefix("``")
        .and_then(|text| text.split_once("``"))
        .or_else(|| text.strip_prefix('`').and_then(|text| text.split_once('`')))?;
    // `name: Type`, as it stands in the signature.
    let (inner, kind) = inner.split_once(':').unwrap_or((inner, ""));
    let name = identifier(inner).or_else(|| dashed(inner)).filter(|_| !kind.starts_with(':'))?;
    Some(Named { name, marked: true, ended: false, rest })
}

fn emphasised<'a>(text: &'a str, mark: &str) -> Option<Named<'a>> {
    let (inner, rest) = text.strip_prefix(mark)?.split_once(mark)?;
    let (inner, ended) = match inner.trim_end().strip_suffix(':') {
        Some(inner) => (inner, true),
        None => (inner, false),
    };
    let found = in_code(inner).or_else(|| bare(inner))?;
    let after = after_type(found.rest).unwrap_or(found.rest);
    after.trim().is_empty().then_some(Named { marked: true, ended, rest, ..found })
}

fn bare(text: &str) -> Option<Named<'_>> {
    let text = without_prefixes(text);
    let rest = text.trim_start_matches(is_part);
    let name = identifier(text.strip_suffix(rest)?)?;
    Some(Named { name, marked: false, ended: false, rest })
}

/// The name in what may also hold what Rust or Python write in front of one.
fn identifier(text: &str) -> Option<String> {
    let text = without_prefixes(text.trim());
    let starts = text.starts_with(|first: char| first == '_' || first.is_alphabetic());
    let named = text.chars().any(|part| part != '_');
    (starts && named && text.chars().all(is_part)).then(|| text.to_owned())
}

/// A name that only exists on the wire, such as `max-results`. Outside of code a dash rather belongs to prose.
fn dashed(text: &str) -> Option<String> {
    let is_word = |word: &str| !word.is_empty() && word.chars().all(is_part);
    let starts = text.starts_with(|first: char| first == '_' || first.is_alphabetic());
    (starts && text.split('-').all(is_word)).then(|| text.to_owned())
}

fn is_part(part: char) -> bool {
    part == '_' || part.is_alphanumeric()
}

fn without_prefixes(text: &str) -> &str {
    let text = text.trim_start_matches(['*', '&']);
    let text = text.strip_prefix("mut ").map_or(text, str::trim_start);
    text.strip_prefix("r#").unwrap_or(text)
}

/// What follows a type in parentheses, which may hold others.
fn after_type(text: &str) -> Option<&str> {
    let inner = text.trim_start().strip_prefix('(')?;
    let mut depth = 1_usize;
    for (at, found) in inner.char_indices() {
        match found {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return inner.get(at..)?.strip_prefix(')');
        }
    }
    None
}

/// `apart` says that the name can't be part of a word, so the separator needs no space to be one.
fn separator(text: &str, apart: bool) -> Option<(Separator, &str)> {
    let rest = text.trim_start();
    if rest.is_empty() {
        return Some((Separator::Missing, ""));
    }
    let spaced = rest.len() < text.len();
    let ends = |after: &str| after.is_empty() || after.starts_with(char::is_whitespace);
    if let Some(after) = rest.strip_prefix(':') {
        let found = if spaced { Separator::SpacedColon } else { Separator::Colon };
        return (ends(after) || (apart && !after.starts_with(':'))).then_some((found, after));
    }
    let after = rest.trim_start_matches('-');
    if after.len() < rest.len() {
        let few = rest.len().saturating_sub(after.len()) <= 3;
        return (few && (spaced || apart) && ends(after)).then_some((Separator::Dash, after));
    }
    let after = rest.strip_prefix(['–', '—'])?;
    (apart || (spaced && ends(after))).then_some((Separator::Dash, after))
}

/// The names in `:param name:`, `:param type name:` or `:param a, b:`.
pub(super) fn field_names(text: &str) -> Option<Vec<String>> {
    let unquoted = |name: &str| identifier(name.trim().trim_matches('`').trim_start_matches('*'));
    let listed: Option<Vec<String>> = text.split(',').map(unquoted).collect();
    listed.or_else(|| text.split_whitespace().next_back().and_then(unquoted).map(|name| vec![name]))
}

/// Whether what follows `name :` under a dashed underline is a type rather than a sentence. A type puts no two words
/// side by side except through `or`, `of` and the like.
pub(super) fn is_type(text: &str) -> bool {
    let mut depth = 0_usize;
    let mut flat = String::with_capacity(text.len());
    for found in text.chars() {
        match found {
            '[' | '(' | '{' | '<' => {
                depth += 1;
                flat.push('_');
            }
            ']' | ')' | '}' | '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 => flat.push(found),
            _ => {}
        }
    }
    let mut after_word = false;
    for word in flat.split_whitespace() {
        let joins = matches!(word.trim_end_matches([',', ':']), "or" | "of" | "and" | "optional" | "default");
        if after_word && !joins {
            return false;
        }
        after_word = !joins && !word.ends_with(',');
    }
    !text.ends_with('.')
}
