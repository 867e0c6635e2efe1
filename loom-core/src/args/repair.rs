//! What may be wrong with the text of arguments without any doubt about what it says.

use std::fmt;

use serde::Serialize;

/// Something that was read over in a text that is not quite JSON. No repair changes, drops or adds a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Repair {
    /// What was read over.
    pub kind: RepairKind,
    /// Where it stands first, in bytes from the start of the text.
    pub offset: usize,
    /// How often it occurs.
    pub count: usize,
}

/// What is read over. Everything else that is wrong with a text makes the call fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RepairKind {
    /// A control character, such as a line break, that stands unescaped in a string.
    ControlCharacter,
    /// A comma after the last item of a list or the last property of an object.
    TrailingComma,
    /// The same document sent twice, one right after the other.
    RepeatedDocument,
    /// An empty object before the real one.
    LeadingEmptyObject,
    /// One code fence around the whole.
    CodeFence,
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, offset, count } = self;
        let what = match kind {
            RepairKind::ControlCharacter => "a raw control character in a string",
            RepairKind::TrailingComma => "a comma after the last item",
            RepairKind::RepeatedDocument => "the same document once more",
            RepairKind::LeadingEmptyObject => "an empty object before the arguments",
            RepairKind::CodeFence => "a code fence",
        };
        write!(f, "{what} at byte {offset} was read over")?;
        match count.checked_sub(1) {
            None | Some(0) => Ok(()),
            Some(more) => write!(f, ", and {more} more"),
        }
    }
}

/// What was read over so far, each kind once.
#[derive(Debug, Default)]
pub(super) struct Repairs(Vec<Repair>);

impl Repairs {
    pub(super) fn note(&mut self, kind: RepairKind, offset: usize) {
        match self.0.iter_mut().find(|repair| repair.kind == kind) {
            Some(repair) => repair.count = repair.count.saturating_add(1),
            None => self.0.push(Repair { kind, offset, count: 1 }),
        }
    }

    pub(super) fn into_vec(self) -> Vec<Repair> {
        self.0
    }
}

/// Where the content of a text stands that is one code fence as a whole: its start and end.
pub(super) fn fenced(text: &str) -> Option<(usize, usize)> {
    const FENCE: &str = "```";
    let opened = text.trim_start();
    let content = opened.strip_prefix(FENCE)?;
    // The name of the language.
    let content = content.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
    let start = text.len().checked_sub(content.len())?;
    let content = content.trim_end().strip_suffix(FENCE)?;
    Some((start, start.checked_add(content.len())?))
}
