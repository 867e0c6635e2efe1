//! Sections that open with `Args:`.

use super::body::{Body, marked};
use super::entry::{Head, Separator, head};
use super::lines::{Line, item};
use super::section;

#[derive(Debug)]
pub(super) enum Part<'a> {
    /// The head, the line it stands on, and the line after its last one.
    Entry(Head<'a>, usize, usize),
    /// Lines that belong to no entry.
    Prose(usize, usize),
}

#[derive(Debug)]
pub(super) struct Google<'a> {
    pub(super) parts: Vec<Part<'a>>,
    pub(super) end: usize,
    /// Of the first line below the label.
    pub(super) level: usize,
}

/// The section below the label at `at`. Without an entry it is none, because `Parameters:` may well introduce prose.
pub(super) fn params(body: Body<'_>, at: usize) -> Option<Google<'_>> {
    let label = body.get(at)?;
    let (first, line) = body.next_filled(at + 1)?;
    let (parts, end) = if line.level > label.level {
        indented(body, first, label.level)
    } else if line.level < label.level || line.fenced {
        return None;
    } else if item(line.body()).is_some() {
        listed(body, first)
    } else if first == at + 1 {
        unindented(body, first)
    } else {
        return None;
    };
    let found = parts.iter().any(|part| matches!(part, Part::Entry(..)));
    found.then_some(Google { parts, end, level: line.level })
}

/// The first entry tells how the others look: with list markers or without.
fn indented(body: Body<'_>, first: usize, outer: usize) -> (Vec<Part<'_>>, usize) {
    let mut parts = Vec::new();
    let mut style: Option<Style> = None;
    let mut at = first;
    let mut end = first;
    while let Some((n, line)) = body.next_filled(at) {
        if line.level <= outer || body.interrupts(n) {
            break;
        }
        at = n + 1;
        let found = Style::of(line, style).and_then(|now| now.head(body, n).map(|head| (now, head)));
        if let Some((now, head)) = found {
            at = now.end(body, n, outer);
            parts.push(Part::Entry(head, n, at));
            style = style.or(Some(now));
        } else {
            parts.push(Part::Prose(n, at));
        }
        end = at;
    }
    (parts, end)
}

#[derive(Clone, Copy)]
struct Style {
    level: usize,
    listed: bool,
}

impl Style {
    /// What an entry on this line would look like, if the style found so far lets one stand here.
    fn of(line: &Line, style: Option<Self>) -> Option<Self> {
        let now = Self { level: line.level, listed: item(line.body()).is_some() };
        let fits = style.is_none_or(|style| {
            style.listed == now.listed && now.level <= style.level.saturating_add(usize::from(style.listed))
        });
        (fits && !line.fenced).then_some(now)
    }

    fn head(self, body: Body<'_>, at: usize) -> Option<Head<'_>> {
        let text = body.get(at)?.body();
        if self.listed {
            head(item(text)?).filter(Head::fits_item)
        } else {
            head(text).filter(|head| body.is_parent(at) || (head.is_separated() && !introduces(body, at)))
        }
    }

    /// A line that stands where entries do, but is none, goes on with the entry above. So does a list, which many
    /// write without indenting it further.
    fn end(self, body: Body<'_>, at: usize, outer: usize) -> usize {
        body.end(at, |n, line, gap, base| {
            if line.level > base {
                return !(self.listed && line.level == base + 1 && item(line.body()).is_some());
            }
            if line.level <= outer || body.interrupts(n) {
                return false;
            }
            if item(line.body()).is_some() && !line.fenced {
                return !self.listed;
            }
            !gap && Self::of(line, Some(self)).is_none_or(|style| style.head(body, n).is_none())
        })
    }
}

/// A last word that wrapped, and a list or code below it: `following:` is then no name.
fn introduces(body: Body<'_>, at: usize) -> bool {
    let introduced = |line: &Line| line.fenced || item(line.body()).is_some();
    body.get(at).is_some_and(|line| line.body().ends_with(':')) && body.get(at + 1).is_some_and(introduced)
}

/// List items in the same column as the label.
fn listed(body: Body<'_>, first: usize) -> (Vec<Part<'_>>, usize) {
    let mut parts = Vec::new();
    let level = body.get(first).map_or(0, |line| line.level);
    let mut at = first;
    let mut end = first;
    while let Some((n, line)) = body.next_filled(at) {
        let Some(text) = item(line.body()).filter(|_| !line.fenced && line.level >= level) else {
            break;
        };
        at = body.end_of_item(n);
        end = at;
        parts.push(match head(text).filter(Head::fits_item) {
            Some(head) => Part::Entry(head, n, at),
            None => Part::Prose(n, at),
        });
    }
    (parts, end)
}

/// Entries in the same column as the label. So little tells them from prose that the first line in doubt ends the
/// section.
fn unindented(body: Body<'_>, first: usize) -> (Vec<Part<'_>>, usize) {
    let mut parts = Vec::new();
    let level = body.get(first).map_or(0, |line| line.level);
    let mut at = first;
    while let Some(line) =
        body.get(at).filter(|line| line.level == level && !line.fenced && section::label(line).is_none())
    {
        let bare = || head(line.body()).filter(|head| head.separator == Separator::Colon && head.is_lower());
        let Some(head) = marked(line).or_else(bare) else {
            break;
        };
        let end = body.end_of_indented(at);
        parts.push(Part::Entry(head, at, end));
        at = end;
    }
    (parts, at)
}
