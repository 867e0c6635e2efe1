//! Replacing a file as a whole.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{MutexGuard, PoisonError};

use cap_std::fs::{Dir, File, OpenOptions, Permissions};

use super::super::FileError;
use super::Workspace;
use super::resolve::{Last, Resolved, entered, is_git, reading};

/// A file that may be written, in the directory that it is in.
pub(in crate::builtin) struct Target {
    /// The path as it was given.
    path: String,
    dir: Dir,
    name: OsString,
    /// Those of the file that is there already.
    permissions: Option<Permissions>,
}

impl Workspace {
    /// Lets nobody else of this workspace change files as long as it is held.
    pub(in crate::builtin) fn changing(&self) -> MutexGuard<'_, ()> {
        self.0.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The file at this path, to be written. Directories that are not there yet are made, once nothing else is in the way.
    pub(in crate::builtin) fn target(&self, path: &str) -> Result<Target, FileError> {
        self.resolve(path).and_then(target)
    }
}

/// The file at the end of this way, to be written.
pub(in crate::builtin) fn target(way: Resolved) -> Result<Target, FileError> {
    if way.names().any(is_git) {
        return Err(FileError::Git { path: way.path });
    }
    match &way.last {
        Last::Directory => Err(FileError::Directory { path: way.path }),
        Last::Entry(_, metadata) if !metadata.is_file() => Err(FileError::Special { path: way.path }),
        Last::Entry(_, metadata) if metadata.permissions().readonly() => Err(FileError::ReadOnly { path: way.path }),
        Last::Entry(name, metadata) => {
            let (name, permissions) = (name.clone(), Some(metadata.permissions()));
            let path = way.path.clone();
            Ok(Target { path, dir: way.into_dir(), name, permissions })
        }
        Last::Missing(names) => {
            let (path, mut names) = (way.path.clone(), names.clone());
            let Some(name) = names.pop() else { return Err(way.missing()) };
            let make = |dir: Dir, name: OsString| {
                match dir.create_dir(&name) {
                    Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                    _ => {}
                }
                entered(&dir, &name)
            };
            let dir = names.into_iter().try_fold(way.into_dir(), make);
            let dir = dir.map_err(|error| FileError::io(&path, error))?;
            Ok(Target { path, dir, name, permissions: None })
        }
    }
}

impl Target {
    /// Whether there is no such file yet.
    pub(in crate::builtin) const fn is_new(&self) -> bool {
        self.permissions.is_none()
    }

    /// Puts this content in the place of the file. With the content that the file had, only if it still has it.
    pub(in crate::builtin) fn replace(&self, content: &[u8], before: Option<&[u8]>) -> Result<(), FileError> {
        let io = |error| FileError::io(&self.path, error);
        let (mut file, draft) = Draft::new(&self.dir).map_err(io)?;
        if let Some(permissions) = &self.permissions {
            // Before there is anything in it to read.
            file.set_permissions(permissions.clone()).map_err(io)?;
        }
        file.write_all(content).map_err(io)?;
        drop(file);
        if let Some(before) = before
            && !self.still_has(before).map_err(io)?
        {
            return Err(FileError::Changed { path: self.path.clone() });
        }
        draft.rename(&self.name).map_err(io)
    }

    fn still_has(&self, before: &[u8]) -> io::Result<bool> {
        let file = match reading(&self.dir, &self.name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            file => file?,
        };
        let Some((file, _)) = file else { return Ok(false) };
        let mut now = Vec::with_capacity(before.len());
        file.take((before.len() as u64).saturating_add(1)).read_to_end(&mut now)?;
        Ok(now == before)
    }
}

/// A file beside the one that it is to replace. Removed, unless it has.
struct Draft<'d> {
    dir: &'d Dir,
    name: Option<OsString>,
}

impl<'d> Draft<'d> {
    fn new(dir: &'d Dir) -> io::Result<(File, Self)> {
        static MADE: AtomicU64 = AtomicU64::new(0);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        loop {
            let number = MADE.fetch_add(1, Ordering::Relaxed);
            let name = OsString::from(format!(".loom-{}-{number}.tmp", std::process::id()));
            match dir.open_with(&name, &options) {
                // Left behind by a program that was killed.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                opened => return Ok((opened?, Self { dir, name: Some(name) })),
            }
        }
    }

    fn rename(mut self, to: &OsString) -> io::Result<()> {
        if let Some(name) = &self.name {
            self.dir.rename(name, self.dir, to)?;
        }
        self.name = None;
        Ok(())
    }
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        if let Some(name) = &self.name {
            // There is nobody left to tell; what made the draft useless is told already.
            let _removed = self.dir.remove_file(name);
        }
    }
}
