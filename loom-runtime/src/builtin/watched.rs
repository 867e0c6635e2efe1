//! A file that is read no further once the call is cancelled: some files have no end, or one that is very far.

use std::io::{self, Read};

use cap_std::fs::File;

use crate::CancellationToken;

/// A file, and what tells to stop.
pub(super) struct Watched<'t> {
    file: File,
    cancelled: &'t CancellationToken,
}

impl<'t> Watched<'t> {
    pub(super) const fn new(file: File, cancelled: &'t CancellationToken) -> Self {
        Self { file, cancelled }
    }
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.cancelled.is_cancelled() {
            return Err(io::Error::other(super::FileError::Stopped));
        }
        self.file.read(buffer)
    }
}
