//! Texts that spell a number, a boolean or null where one is declared, read on the fast path: the commonest coercion by
//! far. It is the planned path's own rule, bounds and words; anything beyond a plain text at the top level is left to
//! that path.

use std::borrow::Cow;
use std::ops::Range;

use super::super::coerce::{Coercion, Findings, fits_bounds, reading, shortened};
use super::super::json::Json;
use super::super::path::Path;
use super::super::{Reading, Slots};
use super::Direct;

/// What was read in other words than it was sent in.
#[derive(Debug, Default)]
pub(super) struct Reworded<'t> {
    found: Findings,
    /// Where the texts stand, quotes included, and what was read in their place.
    places: Vec<(Range<usize>, Cow<'t, str>)>,
}

impl<'t> Reworded<'t> {
    /// Reads the text that stands at `at` into the slot at `index` as what it spells, and says how many bytes it took.
    pub(super) fn take(
        &mut self,
        index: usize,
        sent: &'t str,
        at: usize,
        direct: &Direct<'_>,
        slots: &mut dyn Slots,
    ) -> Option<usize> {
        let guide = direct.compiled.guides.get(index)?;
        let node = guide.spells.then(|| direct.compiled.plan.node(guide.node))?;
        let text = sent.get(at.checked_add(1)?..)?;
        let end = text.bytes().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20))?;
        let length = end.checked_add(2).filter(|_| text.as_bytes().get(end) == Some(&b'"'))?;
        let text = text.get(..end)?;
        let (rule, value, _) = reading(node, text, 0)?;
        fits_bounds(node, &value).then_some(())?;
        let spelled = match &value {
            Json::Number(number) => number.clone(),
            Json::Bool(true) => Cow::Borrowed("true"),
            Json::Bool(false) => Cow::Borrowed("false"),
            Json::Null => Cow::Borrowed("null"),
            _ => return None,
        };
        let read = slots.read(index, &spelled, direct.max_depth).ok()?;
        if read.ignored || read.buffered || read.length != spelled.len() {
            return None;
        }
        let from = shortened(&Json::String(Cow::Borrowed(text)));
        let name = &direct.parameters.get(index)?.name;
        self.found.coerced(&Path::Key(&Path::Root, name), rule, from, shortened(&value));
        self.places.push((at..at.checked_add(length)?, spelled));
        Some(length)
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// What was changed, with the arguments as they were taken.
    pub(super) fn into_reading(self, sent: &str) -> Option<Reading> {
        // Written anew, an escape may be another one.
        if sent.contains('\\') {
            return None;
        }
        let mut taken = String::with_capacity(sent.len());
        let mut from = 0;
        for (place, spelled) in &self.places {
            compact(sent.get(from..place.start)?, &mut taken);
            taken.push_str(spelled);
            from = place.end;
        }
        compact(sent.get(from..)?, &mut taken);
        let coercions: Vec<Coercion> = self.found.into_coercions();
        Some(Reading { coercions, repairs: Vec::new(), coerced: Some(taken) })
    }
}

/// Appends JSON text without an escape, and without the blanks outside of its strings.
fn compact(text: &str, out: &mut String) {
    for (index, part) in text.split('"').enumerate() {
        if index > 0 {
            out.push('"');
        }
        // Every other part stands within quotes.
        if index % 2 == 1 || !part.contains([' ', '\n', '\t', '\r']) {
            out.push_str(part);
        } else {
            out.extend(part.split([' ', '\n', '\t', '\r']));
        }
    }
}
