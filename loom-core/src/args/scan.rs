//! The fast path: one pass over the top level of the arguments.
//!
//! It understands what a well-behaved model sends and nothing else. Whatever is unusual (an escape in a key, a
//! parameter twice, a name that is not known, a value that does not fit) makes it say [`Scan::Doubt`]: the planned
//! path then finds out whether that is a problem and which one.

use serde_json::{Map, Value};

use super::coerce::{AtRoot, Walk, steps};
use super::json::Json;
use super::plan::{Guide, Look};
use super::{Compiled, Parameter, Reading, Shape, Slots};

mod reword;

use reword::Reworded;

/// Whether the arguments were read to their end without doubt.
#[derive(Debug)]
pub(crate) enum Scan {
    /// As they were sent.
    Done,
    /// With texts read as what they spell.
    Reworded(Reading),
    /// Not to their end.
    Doubt(Tried),
}

/// How far the arguments were read, a bit for each slot.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tried {
    /// Read as they were sent.
    pub(super) taken: u64,
    /// Looked at, and not to be read as they were sent.
    pub(super) refused: u64,
}

/// Reads the parameters of one call one by one, each as it was sent.
pub(super) struct Direct<'s> {
    compiled: &'s Compiled,
    parameters: &'s [Parameter],
    whole: bool,
    max_depth: usize,
}

impl<'s> Direct<'s> {
    pub(super) fn new(shape: &'s Shape, max_depth: usize) -> Self {
        Self { compiled: shape.compiled(), parameters: &shape.parameters, whole: shape.whole, max_depth }
    }

    /// Reads arguments that are still text.
    pub(super) fn text(&self, text: &str, slots: &mut dyn Slots) -> Scan {
        let mut cursor = Cursor { text, at: 0, tried: Tried::default(), reworded: Reworded::default() };
        let read = if self.whole { cursor.whole(self, slots) } else { cursor.object(self, slots) };
        let doubt = Scan::Doubt(cursor.tried);
        match read {
            Some(()) if cursor.reworded.is_empty() => Scan::Done,
            Some(()) => cursor.reworded.into_reading(text).map_or(doubt, Scan::Reworded),
            None => doubt,
        }
    }

    /// Reads arguments that somebody has parsed.
    pub(super) fn value(&self, value: &Value, slots: &mut dyn Slots) -> Scan {
        let mut tried = Tried::default();
        let read = match value {
            Value::Object(_) if self.whole => self.take_value(0, value, slots),
            Value::Object(entries) => self.entries(entries, slots, &mut tried),
            _ => None,
        };
        read.map_or(Scan::Doubt(tried), |()| Scan::Done)
    }

    fn entries(&self, entries: &Map<String, Value>, slots: &mut dyn Slots, tried: &mut Tried) -> Option<()> {
        for (name, value) in entries {
            let index = self.parameters.iter().position(|parameter| parameter.name == *name)?;
            let bit = bit(index)?;
            if self.take_value(index, value, slots).is_none() {
                tried.refused |= bit;
                return None;
            }
            tried.taken |= bit;
        }
        let required = self.compiled.required?;
        (tried.taken & required == required).then_some(())
    }

    /// Whether the value is of a kind that the parameter at `index` takes.
    pub(super) fn may_take(&self, index: usize, value: &Json<'_>) -> bool {
        self.compiled.guides.get(index).is_some_and(|guide| guide.takes(value.first_byte()))
    }

    /// Reads the parameter at `index` from the start of `text` and says how many bytes it took, unless the walk along
    /// the plan might have something to say of it.
    pub(super) fn take(&self, index: usize, text: &str, slots: &mut dyn Slots) -> Option<usize> {
        let guide = self.compiled.guides.get(index)?;
        if !guide.takes(*text.as_bytes().first()?) {
            return None;
        }
        if guide.look == Look::Before {
            let (mut value, length) = Json::parse_start(text, self.max_depth).ok()?;
            self.holds(guide, &mut value, length, false).then_some(())?;
        }
        let read = slots.read(index, text, self.max_depth).ok()?;
        if read.ignored {
            return None;
        }
        if guide.look == Look::After || (read.buffered && guide.look != Look::Before) {
            let mut value = Json::parse_within(text.get(..read.length)?, self.max_depth).ok()?;
            self.holds(guide, &mut value, read.length, !read.unseen).then_some(())?;
        }
        Some(read.length)
    }

    fn take_value(&self, index: usize, value: &Value, slots: &mut dyn Slots) -> Option<()> {
        let guide = self.compiled.guides.get(index)?;
        if !guide.takes(first_byte(value)) {
            return None;
        }
        let holds = |names_known| {
            let mut tree = Json::from_value(value, self.max_depth)?;
            // No text says how long it is: its values are counted.
            self.holds(guide, &mut tree, size(value), names_known).then_some(())
        };
        if guide.look == Look::Before {
            holds(false)?;
        }
        let read = slots.read_value(index, value, self.max_depth).ok()?;
        if read.ignored {
            return None;
        }
        if guide.look == Look::After || (read.buffered && guide.look != Look::Before) {
            holds(!read.unseen)?;
        }
        Some(())
    }

    /// Whether the plan takes the value as it is. With `names_known` the type has looked at every name in it already.
    fn holds(&self, guide: &Guide, value: &mut Json<'_>, bytes: usize, names_known: bool) -> bool {
        let mut walk = Walk::new(&self.compiled.plan, steps(bytes), AtRoot::NOTHING);
        if names_known {
            walk = walk.with_names_known();
        }
        walk.takes(guide.node, value)
    }
}

/// What the JSON text of the value begins with.
const fn first_byte(value: &Value) -> u8 {
    match value {
        Value::Null => b'n',
        Value::Bool(_) => b't',
        Value::Number(_) => b'0',
        Value::String(_) => b'"',
        Value::Array(_) => b'[',
        Value::Object(_) => b'{',
    }
}

/// About how many bytes a parsed value has: texts and keys by their length, everything else by one number for it.
pub(super) fn size(value: &Value) -> usize {
    const SCALAR: usize = 4;
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => SCALAR,
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(size).fold(SCALAR, usize::saturating_add),
        Value::Object(entries) => {
            let entries = entries.iter().map(|(key, value)| size(value).saturating_add(key.len()));
            entries.fold(SCALAR, usize::saturating_add)
        }
    }
}

struct Cursor<'a> {
    text: &'a str,
    at: usize,
    tried: Tried,
    reworded: Reworded<'a>,
}

impl Cursor<'_> {
    /// The arguments are one value.
    fn whole(&mut self, direct: &Direct<'_>, slots: &mut dyn Slots) -> Option<()> {
        (self.peek()? == b'{').then_some(())?;
        self.value(0, direct, slots)?;
        self.end()
    }

    /// Each property of the arguments is a parameter.
    fn object(&mut self, direct: &Direct<'_>, slots: &mut dyn Slots) -> Option<()> {
        self.expect(b'{')?;
        // Models mostly send the parameters in the order of the schema: the next one is the first guess.
        let mut guess = 0;
        let mut filled: u64 = 0;
        let mut next = self.peek()?;
        if next == b'}' {
            self.at += 1;
        }
        while next != b'}' {
            let index = self.key(direct.parameters, guess)?;
            guess = index + 1;
            self.expect(b':')?;
            self.peek()?;
            let bit = bit(index)?;
            if filled & bit != 0 {
                return None;
            }
            filled |= bit;
            self.tried.refused |= bit;
            let as_sent = self.value(index, direct, slots)?;
            next = self.peek()?;
            self.at += 1;
            // Of a number such as `1e9` an integer takes the start: only what ends here has been read.
            if next != b',' && next != b'}' {
                return None;
            }
            if as_sent {
                self.tried.refused ^= bit;
                self.tried.taken |= bit;
            }
        }
        let required = direct.compiled.required?;
        (filled & required == required).then_some(())?;
        self.end()
    }

    /// Reads the value that stands here into its slot, and tells whether as it was sent.
    fn value(&mut self, index: usize, direct: &Direct<'_>, slots: &mut dyn Slots) -> Option<bool> {
        let text = self.text.get(self.at..)?;
        let (length, as_sent) = match direct.take(index, text, slots) {
            Some(length) => (length, true),
            None if text.starts_with('"') => (self.reworded.take(index, self.text, self.at, direct, slots)?, false),
            None => return None,
        };
        self.at = self.at.checked_add(length)?;
        Some(as_sent)
    }

    /// The index of the parameter whose name stands here.
    fn key(&mut self, parameters: &[Parameter], guess: usize) -> Option<usize> {
        self.expect(b'"')?;
        let rest = self.text.as_bytes().get(self.at..)?;
        if let Some(guessed) = parameters.get(guess)
            && let Some([b'"', ..]) = rest.strip_prefix(guessed.name.as_bytes())
        {
            self.at += guessed.name.len() + 1;
            return Some(guess);
        }
        let end = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20))?;
        let key = rest.get(..end)?;
        // No blank may stand between the name and its quote.
        (rest.get(end) == Some(&b'"')).then_some(())?;
        self.at += end + 1;
        parameters.iter().position(|parameter| parameter.name.as_bytes() == key)
    }

    fn end(&mut self) -> Option<()> {
        match self.peek() {
            None => Some(()),
            Some(_) => None,
        }
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    /// The next byte that is no whitespace; the cursor stands on it.
    fn peek(&mut self) -> Option<u8> {
        loop {
            let byte = *self.text.as_bytes().get(self.at)?;
            if !matches!(byte, b' ' | b'\n' | b'\t' | b'\r') {
                return Some(byte);
            }
            self.at += 1;
        }
    }
}

/// The bit of a slot; beyond 64 there is none, and the planned path counts.
pub(super) fn bit(index: usize) -> Option<u64> {
    1_u64.checked_shl(u32::try_from(index).ok()?)
}
