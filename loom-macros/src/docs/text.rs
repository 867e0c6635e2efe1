//! From lines to the text that is kept: of one entry, and of the description.

use super::lines::{Line, columns, item, strip_columns};

/// How a line goes on from the ones before it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Sentence,
    Item,
    Code,
    /// A heading, a quote, a row of a table.
    Whole,
}

/// The text of an entry: `first` stands behind the name, `lines` below it.
///
/// Where a source line ends says nothing to a model, so wrapped sentences become one line again. What needs its own
/// line to be understood keeps it: list items, paragraphs, code.
pub(super) fn of_entry(first: &str, lines: &[Line], base: usize) -> String {
    // A list may stand in the entry's own column, and then what is nested in it has to stay deeper. A sentence may as
    // well, but says nothing about where the rest belongs.
    let placed = |line: &&Line| !line.is_blank() && (line.level > base || stands_alone(line.body(), line.fenced));
    let shared = lines.iter().filter(placed).map(|line| line.level).min().unwrap_or(0);
    let mut out = first.trim().to_owned();
    let mut before = Kind::Sentence;
    let mut gap = false;
    // Where the marker of the list item stands that this is part of.
    let mut marker = None;
    for line in lines {
        if line.is_blank() {
            gap = true;
            continue;
        }
        let text = strip_columns(&line.text, shared);
        let body = text.trim_start();
        let indent = columns(&text);
        let kind = if line.fenced {
            Kind::Code
        } else if item(body).is_some() {
            marker = Some(indent);
            Kind::Item
        } else if stands_alone(body, line.fenced) {
            Kind::Whole
        } else if (gap || before == Kind::Code) && indent >= marker.map_or(4, |marker| marker + 6) {
            Kind::Code
        } else {
            Kind::Sentence
        };
        let leaves = marker.is_some_and(|marker| indent <= marker);
        if kind != Kind::Sentence {
            start_line(&mut out, gap, &text);
        } else if !gap && !leaves && !out.is_empty() && matches!(before, Kind::Sentence | Kind::Item) {
            out.push(' ');
            out.push_str(body);
        } else {
            marker = marker.filter(|_| !leaves);
            start_line(&mut out, gap, if marker.is_some() { &text } else { body });
        }
        before = kind;
        gap = false;
    }
    out
}

fn stands_alone(body: &str, fenced: bool) -> bool {
    fenced || item(body).is_some() || body.starts_with(['|', '>', '#'])
}

fn start_line(out: &mut String, gap: bool, text: &str) {
    if !out.is_empty() {
        out.push_str(if gap { "\n\n" } else { "\n" });
    }
    out.push_str(text);
}

/// The description, as its parts are found between the sections.
#[derive(Debug, Default)]
pub(super) struct Description {
    text: String,
    /// Something was left out, or a blank line was met, since the last line.
    gap: bool,
}

impl Description {
    pub(super) fn keep(&mut self, text: &str) {
        start_line(&mut self.text, self.gap, text);
        self.gap = false;
    }

    /// What stood around a section was not one paragraph, blank line or not.
    pub(super) fn cut(&mut self) {
        self.gap = true;
    }

    pub(super) fn finish(self) -> String {
        self.text.trim().to_owned()
    }
}
