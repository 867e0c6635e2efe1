//! Going through the directories of a workspace, in the order of their names, without what `.gitignore` files name.

use std::ffi::OsString;
use std::io;

use cap_std::fs::{Dir, FileType};

use super::workspace::{Last, entered, name_text};
use super::{FileError, Workspace, count};
use crate::CancellationToken;

mod ignored;

use ignored::Ignored;

/// The most entries that one walk looks at.
const MOST_ENTRIES: usize = 200_000;
/// The most directories inside one another that a walk goes into.
const MOST_DEPTH: usize = 100;

/// Something that a walk comes across.
pub(super) struct Entry<'w> {
    /// The directory that it is in.
    pub(super) dir: &'w Dir,
    /// Its name there.
    pub(super) name: &'w OsString,
    /// Its path from the workspace, as text.
    pub(super) path: &'w str,
    /// Its path from where the walk began.
    pub(super) below: &'w str,
    pub(super) kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    File,
    Directory,
    Link,
    /// A pipe, a socket, a device.
    Special,
}

/// Whether a walk goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    On,
    Stop,
}

/// What a walk passed over.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Passed {
    /// Entries that a `.gitignore` names.
    pub(super) ignored: usize,
    /// Directories and files that could not be opened.
    pub(super) unreadable: usize,
    /// Whether there were too many entries or too many directories inside one another.
    pub(super) endless: bool,
}

impl Passed {
    /// What was passed over, for the model to know.
    pub(super) fn notes(self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.ignored > 0 {
            notes.push(format!("{} named by .gitignore left out", count(self.ignored as u64, "entry", "entries")));
        }
        if self.unreadable > 0 {
            notes.push(format!("{} could not be read", count(self.unreadable as u64, "entry", "entries")));
        }
        if self.endless {
            notes.push("the workspace is too large to go through as a whole: name a directory of it".to_owned());
        }
        notes
    }
}

/// Where a walk begins, and how far it goes.
pub(super) struct Walk<'w> {
    workspace: &'w Workspace,
    cancelled: &'w CancellationToken,
    depth: usize,
    /// How many entries it looks at.
    most: usize,
}

impl<'w> Walk<'w> {
    pub(super) const fn new(workspace: &'w Workspace, cancelled: &'w CancellationToken) -> Self {
        Self { workspace, cancelled, depth: MOST_DEPTH, most: MOST_ENTRIES }
    }

    /// Goes into this many directories inside one another, the first included.
    pub(super) const fn with_depth(mut self, depth: usize) -> Self {
        self.depth = if depth < MOST_DEPTH { depth } else { MOST_DEPTH };
        self
    }

    /// Goes through the directory at this path; of a file, to that file only.
    pub(super) fn go(
        &self,
        path: &str,
        visit: &mut dyn FnMut(&Entry<'_>) -> Result<Next, FileError>,
    ) -> Result<Passed, FileError> {
        let way = self.workspace.resolve(path)?;
        if let Last::Entry(name, metadata) = &way.last {
            if !metadata.is_file() {
                return Err(FileError::Special { path: path.to_owned() });
            }
            let below = name_text(name);
            let path = joined(&way.dir_path(), &below);
            visit(&Entry { dir: way.dir(), name, path: &path, below: &below, kind: Kind::File })?;
            return Ok(Passed::default());
        }
        let way = way.directory()?;
        let mut under_way = UnderWay {
            cancelled: self.cancelled,
            depth: self.depth,
            left: self.most,
            ignored: Ignored::above(&way),
            passed: Passed::default(),
            visit,
        };
        let path = way.dir_path();
        under_way.directory(&way.into_dir(), &path, "", 1)?;
        Ok(under_way.passed)
    }
}

/// A walk that has begun.
struct UnderWay<'w> {
    cancelled: &'w CancellationToken,
    depth: usize,
    ignored: Ignored,
    /// How many more entries are looked at.
    left: usize,
    passed: Passed,
    visit: &'w mut dyn FnMut(&Entry<'_>) -> Result<Next, FileError>,
}

impl UnderWay<'_> {
    /// Goes through a directory.
    fn directory(&mut self, dir: &Dir, path: &str, below: &str, depth: usize) -> Result<Next, FileError> {
        let Ok(names) = self.names(dir) else {
            self.passed.unreadable = self.passed.unreadable.saturating_add(1);
            return Ok(Next::On);
        };
        let outer = self.ignored.enter(dir, path);
        let next = self.entries(dir, path, below, depth, &names);
        self.ignored.leave(outer);
        next
    }

    /// What is in a directory, in order. Git's own is not.
    fn names(&mut self, dir: &Dir) -> io::Result<Vec<(OsString, Kind)>> {
        let mut names = Vec::new();
        for entry in dir.entries()? {
            let Some(left) = self.left.checked_sub(1) else {
                self.passed.endless = true;
                break;
            };
            self.left = left;
            let entry = entry?;
            let (name, listed) = (entry.file_name(), entry.file_type()?);
            if name == ".git" {
                continue;
            }
            // Some file systems do not say in the list what an entry is.
            let kind = match kind(listed) {
                Kind::Special => {
                    dir.symlink_metadata(&name).map_or(Kind::Special, |metadata| kind(metadata.file_type()))
                }
                kind => kind,
            };
            names.push((name, kind));
        }
        names.sort_unstable();
        Ok(names)
    }

    fn entries(
        &mut self,
        dir: &Dir,
        path: &str,
        below: &str,
        depth: usize,
        names: &[(OsString, Kind)],
    ) -> Result<Next, FileError> {
        for (name, kind) in names {
            if self.cancelled.is_cancelled() {
                return Err(FileError::Stopped);
            }
            let text = name_text(name);
            let (path, below) = (joined(path, &text), joined(below, &text));
            if self.ignored.names(&path, *kind == Kind::Directory) {
                self.passed.ignored = self.passed.ignored.saturating_add(1);
                continue;
            }
            if (self.visit)(&Entry { dir, name, path: &path, below: &below, kind: *kind })? == Next::Stop {
                return Ok(Next::Stop);
            }
            if *kind != Kind::Directory || depth >= self.depth {
                self.passed.endless |= *kind == Kind::Directory && depth >= MOST_DEPTH;
                continue;
            }
            let Ok(inner) = entered(dir, name) else {
                self.passed.unreadable = self.passed.unreadable.saturating_add(1);
                continue;
            };
            let next = self.directory(&inner, &path, &below, depth.saturating_add(1))?;
            if next == Next::Stop {
                return Ok(Next::Stop);
            }
        }
        Ok(Next::On)
    }
}

fn kind(listed: FileType) -> Kind {
    if listed.is_dir() {
        Kind::Directory
    } else if listed.is_file() {
        Kind::File
    } else if listed.is_symlink() {
        Kind::Link
    } else {
        Kind::Special
    }
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") }
}

#[cfg(test)]
mod tests;
