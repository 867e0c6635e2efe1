//! The fast path: one pass over the top level of the arguments.
//!
//! It understands what a well-behaved model sends and nothing else. Whatever is unusual (an escape in a key, a
//! parameter twice, a name that is not known, a value that does not fit) makes it say [`Scan::Doubt`]: the planned
//! path then finds out whether that is a problem and which one.

use serde_json::Value;

use super::coerce::{AtRoot, Walk, steps};
use super::json::Json;
use super::plan::{Guide, Look};
use super::{Compiled, Parameter, Shape, Slots};

/// Whether the arguments were read to their end without doubt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scan {
    Done,
    Doubt,
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
        let mut cursor = Cursor { text, at: 0 };
        let read = if self.whole { cursor.whole(self, slots) } else { cursor.object(self, slots) };
        self.done(read, slots)
    }

    /// Reads arguments that somebody has parsed.
    pub(super) fn value(&self, value: &Value, slots: &mut dyn Slots) -> Scan {
        let read = match value {
            Value::Object(_) if self.whole => self.take_value(0, value, slots),
            Value::Object(entries) => entries
                .iter()
                .try_for_each(|(name, value)| self.take_value(index_of(self.parameters, name)?, value, slots)),
            _ => None,
        };
        self.done(read, slots)
    }

    /// Whether every parameter that has to be there is there.
    fn done(&self, read: Option<()>, slots: &dyn Slots) -> Scan {
        let missing = || self.parameters.iter().enumerate().any(|(at, one)| one.required && !slots.is_filled(at));
        if read.is_none() || missing() { Scan::Doubt } else { Scan::Done }
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
            self.holds(guide, &mut value, read.length, !read.buffered).then_some(())?;
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
            holds(!read.buffered)?;
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

fn index_of(parameters: &[Parameter], name: &str) -> Option<usize> {
    parameters.iter().position(|parameter| parameter.name == name)
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
}

impl Cursor<'_> {
    /// The arguments are one value.
    fn whole(&mut self, direct: &Direct<'_>, slots: &mut dyn Slots) -> Option<()> {
        (self.peek()? == b'{').then_some(())?;
        let length = direct.take(0, self.text.get(self.at..)?, slots)?;
        self.at = self.at.checked_add(length)?;
        self.end()
    }

    /// Each property of the arguments is a parameter.
    fn object(&mut self, direct: &Direct<'_>, slots: &mut dyn Slots) -> Option<()> {
        self.expect(b'{')?;
        // Models mostly send the parameters in the order of the schema: the next one is the first guess.
        let mut guess = 0;
        let mut next = self.peek()?;
        if next == b'}' {
            self.at += 1;
        }
        while next != b'}' {
            let index = self.key(direct.parameters, guess)?;
            guess = index + 1;
            self.expect(b':')?;
            self.skip_whitespace();
            if slots.is_filled(index) {
                return None;
            }
            let length = direct.take(index, self.text.get(self.at..)?, slots)?;
            self.at = self.at.checked_add(length)?;
            next = self.peek()?;
            self.at += 1;
            if next != b',' && next != b'}' {
                return None;
            }
        }
        self.end()
    }

    /// The index of the parameter whose name stands here.
    fn key(&mut self, parameters: &[Parameter], guess: usize) -> Option<usize> {
        self.expect(b'"')?;
        let rest = self.text.get(self.at..)?;
        let end = rest.bytes().position(|byte| byte == b'"' || byte == b'\\' || byte < 0x20)?;
        let key = rest.get(..end)?;
        self.at = self.at.checked_add(end)?;
        // No blank may stand between the name and its quote.
        (self.text.as_bytes().get(self.at) == Some(&b'"')).then(|| self.at += 1)?;
        match parameters.get(guess) {
            Some(parameter) if parameter.name == key => Some(guess),
            _ => index_of(parameters, key),
        }
    }

    fn end(&mut self) -> Option<()> {
        self.skip_whitespace();
        (self.at == self.text.len()).then_some(())
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    /// The next byte that is no whitespace; the cursor stands on it.
    fn peek(&mut self) -> Option<u8> {
        self.skip_whitespace();
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_whitespace(&mut self) {
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.text.as_bytes().get(self.at) {
            self.at += 1;
        }
    }
}
