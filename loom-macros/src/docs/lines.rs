//! Lines with what a reader needs to know about each: how deep it stands, and whether a code fence hides it.

use super::DocLine;

/// Where a tab takes the text. Markdown counts in fours, and so does rustdoc.
const TAB: usize = 4;

#[derive(Debug)]
pub(super) struct Line {
    /// Without the indentation that all lines share, and without anything trailing.
    pub(super) text: String,
    /// The columns before the first character; inside a fence those of the line that opened it, because a fence moves
    /// as one piece and what it holds says nothing about the structure around it.
    pub(super) level: usize,
    /// Inside a fence, or one of its two ends.
    pub(super) fenced: bool,
    /// Which [`DocLine`] it came from.
    pub(super) source: usize,
}

impl Line {
    pub(super) fn body(&self) -> &str {
        self.text.trim_start_matches([' ', '\t'])
    }

    /// An empty line of a fence is part of the code, and so separates nothing.
    pub(super) fn is_blank(&self) -> bool {
        !self.fenced && self.text.is_empty()
    }
}

pub(super) fn prepare(docs: &[DocLine]) -> Vec<Line> {
    let raw: Vec<(usize, &str)> = docs
        .iter()
        .enumerate()
        .flat_map(|(source, doc)| doc.text.split('\n').map(move |text| (source, text.trim_end())))
        .collect();
    let shared = shared_indent(raw.iter().map(|(_, text)| *text));
    let mut fence: Option<Fence> = None;
    raw.iter()
        .map(|&(source, text)| {
            let text = strip_columns(text, shared);
            let body = text.trim_start_matches([' ', '\t']);
            let own = columns(&text);
            let (level, fenced) = if let Some(open) = &fence {
                let level = open.level;
                if open.is_closed_by(body) {
                    fence = None;
                }
                (level, true)
            } else {
                fence = Fence::opened_by(body, own);
                (own, fence.is_some())
            };
            Line { text, level, fenced, source }
        })
        .collect()
}

struct Fence {
    mark: char,
    length: usize,
    level: usize,
}

impl Fence {
    fn opened_by(body: &str, level: usize) -> Option<Self> {
        let body = item(body).unwrap_or(body);
        let mark = body.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let info = body.trim_start_matches(mark);
        let length = body.len().saturating_sub(info.len());
        // A backtick further on makes it a code span that happens to start the line.
        (length >= 3 && !(mark == '`' && info.contains('`'))).then_some(Self { mark, length, level })
    }

    fn is_closed_by(&self, body: &str) -> bool {
        body.len() >= self.length && body.chars().all(|found| found == self.mark)
    }
}

/// What follows the marker of a list item, if the line is one.
pub(super) fn item(body: &str) -> Option<&str> {
    let after = body.strip_prefix(['*', '-', '+']).or_else(|| {
        let after = body.trim_start_matches(|c: char| c.is_ascii_digit());
        // More digits than this are a number that starts a sentence.
        let digits = body.len().saturating_sub(after.len());
        after.strip_prefix(['.', ')']).filter(|_| (1..=9).contains(&digits))
    })?;
    (after.is_empty() || after.starts_with([' ', '\t'])).then(|| after.trim_start())
}

pub(super) fn columns(text: &str) -> usize {
    let mut column = 0;
    for found in text.chars() {
        match found {
            ' ' => column += 1,
            '\t' => column = tab_stop(column),
            _ => break,
        }
    }
    column
}

/// Removes up to `count` columns of indentation. A tab that reaches further leaves its remainder behind as spaces, so
/// that lines indented in different ways keep their positions relative to each other.
pub(super) fn strip_columns(text: &str, count: usize) -> String {
    let mut column = 0;
    let mut rest = text;
    while column < count {
        if let Some(after) = rest.strip_prefix(' ') {
            column += 1;
            rest = after;
        } else if let Some(after) = rest.strip_prefix('\t') {
            column = tab_stop(column);
            rest = after;
        } else {
            break;
        }
    }
    let mut stripped = " ".repeat(column.saturating_sub(count));
    stripped.push_str(rest);
    stripped
}

fn tab_stop(column: usize) -> usize {
    (column / TAB + 1) * TAB
}

fn shared_indent<'a>(lines: impl Iterator<Item = &'a str>) -> usize {
    lines.filter(|line| !line.trim().is_empty()).map(columns).min().unwrap_or(0)
}

/// The lines of a `#[doc]` text that has several.
///
/// A macro sees a block comment raw, with the ` * ` that editors draw down its left edge, and with a first line that
/// starts right behind the opening while the others are indented like the code around them. Both are undone here, and
/// the lines come back as `///` would have given them. A text that does not start with a space was more likely written
/// out as `#[doc = "…"]`, where every column is meant.
pub(crate) fn block_lines(text: &str) -> Vec<String> {
    let mut lines = text.split('\n').map(str::trim_end);
    let first = lines.next().unwrap_or_default();
    let rest: Vec<&str> = lines.collect();
    let bare = without_edge(first, &rest);
    if bare.is_none() && !text.starts_with(char::is_whitespace) {
        return std::iter::once(first).chain(rest).map(str::to_owned).collect();
    }
    let rest = bare.unwrap_or(rest);
    let shared = shared_indent(rest.iter().copied());
    std::iter::once(first.trim_start().to_owned())
        .chain(rest.iter().map(|line| strip_columns(line, shared)))
        .map(|line| if line.is_empty() { line } else { format!(" {line}") })
        .collect()
}

/// The lines behind the decorated edge of a block comment, or nothing if it has none.
///
/// The stars have to stand below each other, or a nested list would pass for an edge; and a first line with a star of
/// its own makes all of it a list. A single star in the first column below some text is a list of one.
fn without_edge<'a>(first: &str, rest: &[&'a str]) -> Option<Vec<&'a str>> {
    if item(first.trim_start()).is_some() {
        return None;
    }
    let mut edge = None;
    let mut count = 0;
    let mut bare = Vec::with_capacity(rest.len());
    for line in rest {
        let body = line.trim_start_matches([' ', '\t']);
        if body.is_empty() {
            bare.push(body);
            continue;
        }
        let after = body.strip_prefix('*').filter(|after| after.is_empty() || after.starts_with([' ', '\t']))?;
        let column = columns(line);
        if *edge.get_or_insert(column) != column {
            return None;
        }
        count += 1;
        bare.push(after);
    }
    let column = edge?;
    (count > 1 || column > 0 || first.trim().is_empty()).then_some(bare)
}
