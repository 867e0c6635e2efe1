//! Lines of a file of any size, of which no more is kept than asked for.

use std::io::{self, BufRead};

/// The lines of a reader.
pub(super) struct Lines<R> {
    reader: R,
    /// How many bytes were read.
    bytes: u64,
}

/// A line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Its first bytes, without what ends it.
    pub(super) start: Vec<u8>,
    /// How many follow.
    pub(super) left_out: u64,
}

impl<R: BufRead> Lines<R> {
    pub(super) const fn new(reader: R) -> Self {
        Self { reader, bytes: 0 }
    }

    /// How many bytes were read.
    pub(super) const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The next line, with at most this many of its bytes.
    pub(super) fn next(&mut self, most: usize) -> io::Result<Option<Line>> {
        let mut line = Line { start: Vec::new(), left_out: 0 };
        let any = self.line(u64::MAX, |part| {
            let (kept, rest) = part.split_at_checked(most.saturating_sub(line.start.len())).unwrap_or((part, &[]));
            line.start.extend_from_slice(kept);
            line.left_out = line.left_out.saturating_add(rest.len() as u64);
        })?;
        Ok(any.then_some(line))
    }

    /// Passes over a line; whether there was one.
    pub(super) fn skip(&mut self) -> io::Result<bool> {
        self.line(u64::MAX, |_| {})
    }

    /// The same, as long as no more than this many bytes are read in all.
    pub(super) fn skip_within(&mut self, end: u64) -> io::Result<bool> {
        self.line(end, |_| {})
    }

    fn line(&mut self, end: u64, mut part: impl FnMut(&[u8])) -> io::Result<bool> {
        let mut any = false;
        while self.bytes < end {
            let buffer = self.reader.fill_buf()?;
            if buffer.is_empty() {
                return Ok(any);
            }
            any = true;
            let at = memchr::memchr(b'\n', buffer);
            part(at.and_then(|at| buffer.get(..at)).unwrap_or(buffer));
            let used = at.map_or(buffer.len(), |at| at.saturating_add(1));
            self.reader.consume(used);
            self.bytes = self.bytes.saturating_add(used as u64);
            if at.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
