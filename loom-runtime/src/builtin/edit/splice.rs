//! Finding a text in a file, and putting another in its place.
//!
//! Texts come with plain line breaks, files may have others. So a file is searched without the carriage returns of its
//! line ends, and where they stood is known: what is found is replaced in the file as it is, and what is put there gets the
//! line ends of the place. A text that holds a carriage return itself means the file to the letter.

use memchr::memmem;

/// A file with its new content.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Edited {
    pub(super) content: Vec<u8>,
    /// The lines at which the old texts began.
    pub(super) lines: Vec<u64>,
}

/// Why there is none.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The old text is not there.
    None,
    /// It is there more than once, at these lines; or never mind how often, in parts that overlap.
    Several(Vec<u64>),
}

/// A file with `new` in the place of `old`.
pub(super) fn edited(before: &[u8], old: &str, new: &str, all: bool) -> Result<Edited, Fault> {
    if old.contains('\r') {
        match Searched::to_the_letter(before).edited(old, new, all) {
            Err(Fault::None) => {}
            found => return found,
        }
    }
    let (old, new) = (old.replace("\r\n", "\n"), new.replace("\r\n", "\n"));
    let searched = Searched::without_returns(before);
    match searched.edited(&old, &new, all) {
        Err(Fault::None) => searched.edited_at_end(&old, &new).ok_or(Fault::None),
        found => found,
    }
}

/// A file as it is searched.
struct Searched<'f> {
    file: &'f [u8],
    text: Vec<u8>,
    /// Where carriage returns are left out of the text, as places in it, in order.
    returns: Vec<usize>,
    /// Whether what is put in gets the line ends of the place.
    fits_line_ends: bool,
}

impl<'f> Searched<'f> {
    fn to_the_letter(file: &'f [u8]) -> Self {
        Self { file, text: file.to_vec(), returns: Vec::new(), fits_line_ends: false }
    }

    fn without_returns(file: &'f [u8]) -> Self {
        let (mut text, mut returns) = (Vec::with_capacity(file.len()), Vec::new());
        let mut rest = file;
        while let Some(at) = memmem::find(rest, b"\r\n") {
            let (before, after) = rest.split_at(at);
            text.extend_from_slice(before);
            returns.push(text.len());
            text.push(b'\n');
            rest = after.get(2..).unwrap_or_default();
        }
        text.extend_from_slice(rest);
        Self { file, text, returns, fits_line_ends: true }
    }

    fn edited(&self, old: &str, new: &str, all: bool) -> Result<Edited, Fault> {
        let found: Vec<_> = memmem::find_iter(&self.text, old).collect();
        match (found.as_slice(), all) {
            ([], _) => return Err(Fault::None),
            ([only], false) => {
                // Another one may overlap it.
                let behind = self.text.get(only.saturating_add(1)..).unwrap_or_default();
                if let Some(other) = memmem::find(behind, old.as_bytes()) {
                    let other = only.saturating_add(1).saturating_add(other);
                    return Err(Fault::Several(self.lines(&[*only, other])));
                }
            }
            (_, false) => return Err(Fault::Several(self.lines(&found))),
            (_, true) => {}
        }
        let spans: Vec<_> = found.iter().map(|at| (*at, at.saturating_add(old.len()))).collect();
        Ok(Edited { content: self.spliced(&spans, new), lines: self.lines(&found) })
    }

    /// Who reads a file by its lines does not see that the last one has no end. So a text that ends in a line break may
    /// stand for the end of such a file, which then still has none.
    fn edited_at_end(&self, old: &str, new: &str) -> Option<Edited> {
        let old = old.strip_suffix('\n').filter(|old| !old.is_empty() && !old.ends_with('\n'))?;
        let at = self.text.len().checked_sub(old.len()).filter(|_| self.text.ends_with(old.as_bytes()))?;
        let new = new.strip_suffix('\n').unwrap_or(new);
        Some(Edited { content: self.spliced(&[(at, self.text.len())], new), lines: self.lines(&[at]) })
    }

    /// The file with `new` in these places of the text.
    fn spliced(&self, spans: &[(usize, usize)], new: &str) -> Vec<u8> {
        let mut content = Vec::with_capacity(self.file.len());
        let mut done = 0;
        for &(start, end) in spans {
            content.extend_from_slice(self.file.get(done..self.in_file(start)).unwrap_or_default());
            if self.fits_line_ends && self.ends_in_returns(start) {
                content.extend_from_slice(new.replace('\n', "\r\n").as_bytes());
            } else {
                content.extend_from_slice(new.as_bytes());
            }
            done = self.in_file(end);
        }
        content.extend_from_slice(self.file.get(done..).unwrap_or_default());
        content
    }

    /// The place in the file of a place in the text; at a line end, that before its carriage return.
    fn in_file(&self, at: usize) -> usize {
        at.saturating_add(self.returns.partition_point(|place| *place < at))
    }

    /// Whether the line at this place ends in a carriage return too; of the last line, which has no end, the one before.
    fn ends_in_returns(&self, at: usize) -> bool {
        let behind = self.text.get(at..).unwrap_or_default();
        let end = memchr::memchr(b'\n', behind).map(|end| at.saturating_add(end));
        let end = end.or_else(|| memchr::memrchr(b'\n', self.text.get(..at).unwrap_or_default()));
        end.is_some_and(|end| self.returns.binary_search(&end).is_ok())
    }

    /// The lines of these places, which are in order.
    fn lines(&self, places: &[usize]) -> Vec<u64> {
        let (mut line, mut counted) = (1_u64, 0);
        let number = |at: &usize| {
            let between = self.text.get(counted..*at).unwrap_or_default();
            line = line.saturating_add(memchr::memchr_iter(b'\n', between).count() as u64);
            counted = *at;
            line
        };
        places.iter().map(number).collect()
    }
}
