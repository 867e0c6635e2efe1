//! The fast path: one pass over the top level of the text.
//!
//! It understands what a well-behaved model sends and nothing else. Whatever is unusual (an escape in a key, a
//! parameter twice, a name that is not known, a value that does not fit) makes it say [`Scan::Doubt`]: the planned
//! path then finds out whether that is a problem and which one.

use super::{Shape, Slots};

/// Whether the text was read to its end without doubt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scan {
    Done,
    Doubt,
}

/// Reads `text` into the slots.
pub(super) fn scan(text: &str, shape: &Shape, slots: &mut dyn Slots) -> Scan {
    let mut cursor = Cursor { text, at: 0 };
    match cursor.object(shape, slots) {
        Some(()) => shape.complete(slots),
        None => Scan::Doubt,
    }
}

struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl Cursor<'_> {
    fn object(&mut self, shape: &Shape, slots: &mut dyn Slots) -> Option<()> {
        self.expect(b'{')?;
        // Models mostly send the parameters in the order of the schema: the next one is the first guess.
        let mut guess = 0;
        let mut next = self.peek()?;
        if next == b'}' {
            self.at += 1;
        }
        while next != b'}' {
            let index = self.key(shape, guess)?;
            guess = index + 1;
            self.expect(b':')?;
            self.skip_whitespace();
            if slots.is_filled(index) {
                return None;
            }
            let read = slots.read(index, self.text.get(self.at..)?).ok()?;
            if read.ignored || read.buffered {
                return None;
            }
            self.at = self.at.checked_add(read.length)?;
            next = self.peek()?;
            self.at += 1;
            if next != b',' && next != b'}' {
                return None;
            }
        }
        self.skip_whitespace();
        (self.at == self.text.len()).then_some(())
    }

    /// The index of the parameter whose name stands here.
    fn key(&mut self, shape: &Shape, guess: usize) -> Option<usize> {
        self.expect(b'"')?;
        let rest = self.text.get(self.at..)?;
        let end = rest.bytes().position(|byte| byte == b'"' || byte == b'\\' || byte < 0x20)?;
        let key = rest.get(..end)?;
        self.at = self.at.checked_add(end)?;
        self.expect(b'"')?;
        match shape.parameters.get(guess) {
            Some(parameter) if parameter.name == key => Some(guess),
            _ => shape.parameters.iter().position(|parameter| parameter.name == key),
        }
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
