//! Where the parts of a doc comment end.

use super::entry::{Head, head};
use super::lines::{Line, item};
use super::section;

/// A read-only view of all lines. Line numbers past the end are answered, never refused.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body<'a>(pub(super) &'a [Line]);

impl<'a> Body<'a> {
    pub(super) fn get(self, at: usize) -> Option<&'a Line> {
        self.0.get(at)
    }

    pub(super) fn range(self, from: usize, to: usize) -> &'a [Line] {
        self.0.get(from..to).unwrap_or_default()
    }

    fn from(self, at: usize) -> impl Iterator<Item = (usize, &'a Line)> {
        self.0.get(at..).unwrap_or_default().iter().enumerate().map(move |(n, line)| (at + n, line))
    }

    pub(super) fn next_filled(self, at: usize) -> Option<(usize, &'a Line)> {
        self.from(at).find(|(_, line)| !line.is_blank())
    }

    /// The first line counts as standing after a blank one.
    pub(super) fn follows_blank(self, at: usize) -> bool {
        at.checked_sub(1).and_then(|before| self.get(before)).is_none_or(Line::is_blank)
    }

    /// Whether the line has something indented below it.
    pub(super) fn is_parent(self, at: usize) -> bool {
        let next = self.next_filled(at.saturating_add(1));
        self.get(at).zip(next).is_some_and(|(line, (_, next))| next.level > line.level)
    }

    /// The heading made of this line and the dashes below it.
    ///
    /// A title that means something here is taken wherever it stands. Any other has to start a paragraph: dashes under
    /// running text are a rule that someone drew.
    pub(super) fn underlined(self, at: usize) -> Option<section::Heading> {
        let heading = section::underlined(self.get(at)?, self.get(at.checked_add(1)?)?)?;
        (heading.section.is_some() || self.follows_blank(at)).then_some(heading)
    }

    /// Whether a section starts here, as far as one line and the next can tell.
    pub(super) fn opens_section(self, at: usize) -> bool {
        self.get(at).is_some_and(|line| {
            section::heading(line).is_some()
                || section::label(line).is_some()
                || section::field(line).is_some()
                || self.underlined(at).is_some()
        })
    }

    /// Whether a section starts where an entry could stand as well. Alone on its line, `returns:` may be one,
    /// `Returns:` not.
    pub(super) fn interrupts(self, at: usize) -> bool {
        self.opens_section(at)
            && self
                .get(at)
                .is_some_and(|line| section::label(line).is_none() || !line.body().starts_with(char::is_lowercase))
    }

    /// The line after the last one that is indented deeper than the one at `at`, blank lines between them included.
    pub(super) fn end_of_indented(self, at: usize) -> usize {
        self.end(at, |_, line, _, base| line.level > base)
    }

    /// The end of a list item. One column more than the marker is not yet inside of it.
    ///
    /// Markdown continues an item with any line of text right below it. Here a capital ends it: that is more often a
    /// sentence of its own than the rest of a wrapped one.
    pub(super) fn end_of_item(self, at: usize) -> usize {
        self.end(at, |n, line, gap, base| {
            let apart = line.fenced || item(line.body()).is_some() || self.opens_section(n);
            match line.level.saturating_sub(base) {
                0 | 1 if apart => false,
                0 => {
                    let after_text =
                        !gap && n.checked_sub(1).and_then(|n| self.get(n)).is_some_and(|line| !line.fenced);
                    after_text && !line.body().starts_with(char::is_uppercase) && marked(line).is_none()
                }
                _ => true,
            }
        })
    }

    /// Walks down from `at` for as long as `inside` agrees: asked with the number of the line, the line, whether a
    /// blank one came before it, and the level of the line at `at`.
    pub(super) fn end(self, at: usize, inside: impl Fn(usize, &'a Line, bool, usize) -> bool) -> usize {
        let base = self.get(at).map_or(0, |line| line.level);
        let mut end = at.saturating_add(1);
        let mut gap = false;
        for (n, line) in self.from(end) {
            if line.is_blank() {
                gap = true;
            } else if inside(n, line, gap, base) {
                end = n + 1;
                gap = false;
            } else {
                break;
            }
        }
        end
    }
}

/// A head without a bullet, but so clearly one that it needs none.
pub(super) fn marked(line: &Line) -> Option<Head<'_>> {
    head(line.body()).filter(|head| !line.fenced && head.marked && head.is_separated())
}
