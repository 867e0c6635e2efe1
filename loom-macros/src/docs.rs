//! Doc comment -> description and parameter texts, spans kept.
//!
//! People document parameters in four ways, often in more than one at once, and rarely by the book. The rule for what
//! is unclear: only what is certainly an entry or a dropped section leaves the description, so nothing that was
//! written is lost.

mod body;
mod entry;
mod google;
mod lines;
mod section;
#[cfg(test)]
mod tests;
mod text;

use proc_macro2::Span;

use self::body::{Body, marked};
use self::entry::{Head, Separator, head, is_type};
use self::google::Part;
use self::lines::{Line, item};
use self::section::{Field, Heading, Section, Shape};
use self::text::Description;

pub(crate) use self::lines::block_lines;

/// One line of a doc comment, as rustc hands it over. When one `#[doc = "…"]` holds several lines, the caller has
/// split them, with [`block_lines`], and they share its span.
#[derive(Clone, Debug)]
pub(crate) struct DocLine {
    pub(crate) text: String,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct ParamDoc {
    pub(crate) name: String,
    pub(crate) text: String,
    /// Of the entry's first line, where errors about it are underlined.
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Docs {
    pub(crate) description: String,
    /// In the order of the doc comment. A name that comes twice stays twice: whoever checks them can then say so.
    pub(crate) params: Vec<ParamDoc>,
}

/// Reads any text without failing: what is wrong with the entries can only be said by who knows the parameters.
pub(crate) fn parse(lines: &[DocLine]) -> Docs {
    let prepared = lines::prepare(lines);
    let (description, entries) = Reader::new(&prepared).read();
    let params = entries
        .into_iter()
        .map(|entry| ParamDoc {
            span: lines.get(entry.source).map_or_else(Span::call_site, |line| line.span),
            name: entry.name,
            text: entry.text,
        })
        .collect();
    Docs { description, params }
}

#[derive(Debug)]
struct Entry {
    name: String,
    text: String,
    /// Which [`DocLine`] it starts on.
    source: usize,
}

/// A section that a heading opened. It lasts until a heading that is not below it.
#[derive(Debug)]
struct Open {
    level: usize,
    section: Section,
    /// The heading is a title with a line under it, so its text may go by columns, as in Python.
    underlined: bool,
    /// How deep the heading stands.
    column: usize,
    /// Something of the section has been met already.
    begun: bool,
    /// A heading inside the section, from line to line, and whether entries came below it. If they were all it had, it
    /// is left out with them.
    inner: Option<(usize, usize, bool)>,
}

struct Reader<'a> {
    body: Body<'a>,
    at: usize,
    open: Vec<Open>,
    description: Description,
    entries: Vec<Entry>,
}

impl<'a> Reader<'a> {
    fn new(lines: &'a [Line]) -> Self {
        Self { body: Body(lines), at: 0, open: Vec::new(), description: Description::default(), entries: Vec::new() }
    }

    fn read(mut self) -> (String, Vec<Entry>) {
        while let Some(line) = self.body.get(self.at) {
            if line.is_blank() {
                self.description.cut();
                self.at += 1;
            } else if line.fenced {
                self.prose(self.at + 1, 0);
            } else if let Some(heading) = section::heading(line) {
                self.heading(heading, 1);
            } else if let Some(heading) = self.body.underlined(self.at) {
                self.heading(heading, 2);
            } else if let Some(field) = section::field(line) {
                self.field(field);
            } else if let Some(section) = section::label(line) {
                self.labelled(section, line);
            } else if self.open.last().is_some_and(|open| open.section == Section::Params) {
                self.in_params(line);
            } else {
                self.prose(self.at + 1, 0);
            }
        }
        while !self.open.is_empty() {
            self.close();
        }
        (self.description.finish(), self.entries)
    }

    fn heading(&mut self, heading: Heading, lines: usize) {
        let end = self.at + lines;
        let underlined = lines == 2;
        // NumPy's sections are never nested, so its parameters can't be part of something that is dropped.
        let flat = underlined && heading.section == Some(Section::Params);
        while let Some(open) = self.open.last()
            && (open.level >= heading.level || (flat && open.section != Section::Params))
        {
            self.close();
        }
        match (self.open.last_mut(), heading.section) {
            (Some(Open { section: Section::Dropped(_), .. }), _) => self.description.cut(),
            (_, Some(section)) => {
                let level = heading.level;
                let column = self.body.get(self.at).map_or(0, |line| line.level);
                self.open.push(Open { level, section, underlined, column, begun: false, inner: None });
                self.description.cut();
            }
            (Some(_), None) => {
                self.settle_inner();
                if let Some(open) = self.open.last_mut() {
                    open.inner = Some((self.at, end, false));
                }
            }
            (None, None) => self.keep(self.at, end, 0),
        }
        self.at = end;
    }

    fn close(&mut self) {
        self.settle_inner();
        self.open.pop();
    }

    /// The inner heading has been met in full: it stays if nothing was taken from below it.
    fn settle_inner(&mut self) {
        if let Some((from, to, emptied)) = self.open.last_mut().and_then(|open| open.inner.take())
            && !emptied
        {
            self.keep(from, to, 0);
        }
    }

    /// The lines from here to `end` are not part of any entry.
    fn prose(&mut self, end: usize, indent: usize) {
        if self.ends_underlined() {
            self.close();
        }
        match self.open.last_mut() {
            Some(Open { section: Section::Dropped(_), begun, .. }) => {
                *begun = true;
                self.description.cut();
            }
            open => {
                if let Some((from, to, _)) = open.and_then(|open| open.inner.take()) {
                    self.keep(from, to, 0);
                }
                self.keep(self.at, end, indent);
            }
        }
        self.at = end;
    }

    /// An underlined section that consists of entries is over at the first paragraph that is none.
    fn ends_underlined(&self) -> bool {
        let Some((open, line)) = self.open.last().zip(self.body.get(self.at)) else {
            return false;
        };
        let entries = open.section != Section::Dropped(Shape::Free);
        let apart =
            open.underlined && entries && open.begun && line.level <= open.column && self.body.follows_blank(self.at);
        let dropped_entry = open.section != Section::Params
            && !line.fenced
            && (self.body.is_parent(self.at) || line.body().contains(" : "));
        apart && !dropped_entry
    }

    fn keep(&mut self, from: usize, to: usize, indent: usize) {
        for line in self.body.range(from, to) {
            if line.is_blank() {
                self.description.cut();
            } else {
                self.description.keep(&lines::strip_columns(&line.text, indent));
            }
        }
    }

    fn entry(&mut self, names: Vec<String>, first: &str, at: usize, end: usize) {
        let Some(line) = self.body.get(at) else {
            return;
        };
        let text = text::of_entry(first, self.body.range(at + 1, end), line.level);
        let source = line.source;
        self.entries.extend(names.into_iter().map(|name| Entry { name, text: text.clone(), source }));
        if let Some(open) = self.open.last_mut() {
            open.begun = true;
            if let Some((_, _, emptied)) = &mut open.inner {
                *emptied = true;
            }
        }
        self.description.cut();
        self.at = end;
    }

    fn field(&mut self, field: Field<'a>) {
        let end = self.body.end_of_indented(self.at);
        match field {
            Field::Param(names, text) => self.entry(names, text, self.at, end),
            Field::Dropped => {
                self.description.cut();
                self.at = end;
            }
        }
    }

    fn labelled(&mut self, section: Section, label: &Line) {
        let next = self.body.next_filled(self.at + 1);
        if let Section::Dropped(_) = section {
            if next.is_some_and(|(_, line)| line.level > label.level) {
                self.description.cut();
                self.at = self.body.end_of_indented(self.at);
            } else {
                self.prose(self.at + 1, 0);
            }
        } else if let Some(google) = google::params(self.body, self.at) {
            self.description.cut();
            for part in google.parts {
                match part {
                    Part::Entry(head, from, to) => self.entry(head.names, head.text, from, to),
                    Part::Prose(from, to) => {
                        if self.body.follows_blank(from) {
                            self.description.cut();
                        }
                        self.at = from;
                        self.prose(to, google.level);
                    }
                }
            }
            self.at = google.end;
        } else if next.is_none_or(|(n, _)| self.body.opens_section(n)) {
            // Nothing stands below it, so there is nothing to introduce.
            self.description.cut();
            self.at += 1;
        } else {
            self.prose(self.at + 1, 0);
        }
    }

    fn in_params(&mut self, line: &'a Line) {
        let at = self.at;
        if let Some(text) = item(line.body()) {
            let end = self.body.end_of_item(at);
            match head(text).filter(Head::fits_item) {
                Some(head) => self.entry(head.names, head.text, at, end),
                None => self.prose(end, 0),
            }
        } else if self.open.last().is_some_and(|open| open.underlined)
            && let Some(head) = self.numpy_head(line)
        {
            let end = self.body.end_of_indented(at);
            let first = numpy_text(&head, end > at + 1);
            self.entry(head.names, first, at, end);
        } else if let Some(head) = marked(line) {
            self.entry(head.names, head.text, at, self.body.end_of_item(at));
        } else {
            self.prose(at + 1, 0);
        }
    }

    fn numpy_head(&self, line: &'a Line) -> Option<Head<'a>> {
        head(line.body()).filter(|head| {
            let clear = self.body.is_parent(self.at) || (head.marked && head.is_separated());
            match head.separator {
                Separator::SpacedColon => true,
                Separator::Colon | Separator::Dash => clear || head.is_lower(),
                Separator::Missing => clear || (head.is_lower() && !self.body.follows_blank(self.at)),
            }
        })
    }
}

/// What stands behind the name below an underlined title: a type, which the schema says better, or what people write
/// there instead.
fn numpy_text<'a>(head: &Head<'a>, has_more: bool) -> &'a str {
    let only_text = head.separator == Separator::Colon && !has_more;
    if head.separator == Separator::Dash || only_text || !is_type(head.text) { head.text } else { "" }
}
