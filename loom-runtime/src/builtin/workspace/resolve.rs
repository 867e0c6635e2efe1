//! From a path that a model wrote to directories that are open.
//!
//! The way is gone one name at a time, each opened from the directory before it, and never through a link: where a link
//! stands, its text is put in the place of its name. `..` goes back to the directory that was open before. So nothing
//! depends on what a path means a moment later, and there is no step that could leave the workspace.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Component, Path};

use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::fs::{Dir, File, Metadata, OpenOptions};

use super::super::FileError;

/// The most links that are followed on one way.
const MOST_LINKS: usize = 40;
/// The most directories that are open on one way.
const MOST_DEPTH: usize = 128;
/// The longest path, in bytes.
const MOST_BYTES: usize = 4096;

/// Where a path leads.
pub(in crate::builtin) struct Resolved {
    /// The path as it was given.
    pub(in crate::builtin) path: String,
    /// The workspace.
    root: Dir,
    /// The directories from the workspace on, each with its name in the one before.
    dirs: Vec<(OsString, Dir)>,
    /// What stands at the end, in the last of the directories.
    pub(in crate::builtin) last: Last,
}

/// What stands at the end of a path.
pub(in crate::builtin) enum Last {
    /// The last of the directories itself.
    Directory,
    /// Something else than a directory or a link.
    Entry(OsString, Metadata),
    /// Nothing: the first of these names is not there.
    Missing(Vec<OsString>),
}

impl Resolved {
    /// The directory that is open last.
    pub(in crate::builtin) fn dir(&self) -> &Dir {
        self.dirs.last().map_or(&self.root, |(_, dir)| dir)
    }

    /// The same, to keep.
    pub(in crate::builtin) fn into_dir(mut self) -> Dir {
        self.dirs.pop().map_or(self.root, |(_, dir)| dir)
    }

    /// The directories on the way, from the workspace on, each with its path from there.
    pub(in crate::builtin) fn ways(&self) -> impl Iterator<Item = (String, &Dir)> {
        let mut path = String::new();
        let below = self.dirs.iter().map(move |(name, dir)| {
            join(&mut path, name);
            (path.clone(), dir)
        });
        std::iter::once((String::new(), &self.root)).chain(below)
    }

    /// The path of the directory that is open last, from the workspace on; of the workspace itself it is empty.
    pub(in crate::builtin) fn dir_path(&self) -> String {
        let mut path = String::new();
        self.dirs.iter().for_each(|(name, _)| join(&mut path, name));
        path
    }

    /// The names on the whole way.
    pub(super) fn names(&self) -> impl Iterator<Item = &OsStr> {
        let last = match &self.last {
            Last::Directory => &[][..],
            Last::Entry(name, _) => std::slice::from_ref(name),
            Last::Missing(names) => names,
        };
        self.dirs.iter().map(|(name, _)| name).chain(last).map(OsString::as_os_str)
    }

    /// That there is nothing at the end of the path.
    pub(in crate::builtin) fn missing(&self) -> FileError {
        let there = match self.dir_path() {
            path if path.is_empty() => ".".to_owned(),
            path => path,
        };
        FileError::Missing { path: self.path.clone(), there }
    }

    /// The file at the end of the path, open for reading.
    pub(in crate::builtin) fn file(&self) -> Result<(File, Metadata), FileError> {
        let path = || self.path.clone();
        match &self.last {
            Last::Directory => Err(FileError::Directory { path: path() }),
            Last::Missing(_) => Err(self.missing()),
            Last::Entry(_, metadata) if !metadata.is_file() => Err(FileError::Special { path: path() }),
            Last::Entry(name, _) => {
                let file = reading(self.dir(), name).map_err(|error| FileError::io(&self.path, error))?;
                file.ok_or_else(|| FileError::Special { path: path() })
            }
        }
    }

    /// The directory at the end of the path.
    pub(in crate::builtin) fn directory(self) -> Result<Self, FileError> {
        match self.last {
            Last::Directory => Ok(self),
            Last::Missing(_) => Err(self.missing()),
            Last::Entry(..) => Err(FileError::NotDirectory { path: self.path }),
        }
    }
}

/// Opens a file for reading, if it is one, and its own name is no link. A pipe that nobody writes to is not waited for.
pub(in crate::builtin) fn reading(dir: &Dir, name: &OsStr) -> io::Result<Option<(File, Metadata)>> {
    let mut options = OpenOptions::new();
    options.read(true).follow(FollowSymlinks::No).nonblock(true);
    let file = dir.open_with(name, &options)?;
    let metadata = file.metadata()?;
    Ok(metadata.is_file().then_some((file, metadata)))
}

/// Opens a directory, if its own name is no link.
pub(in crate::builtin) fn entered(dir: &Dir, name: &OsStr) -> io::Result<Dir> {
    dir.open_dir_nofollow(name)
}

/// A step of the way.
enum Step {
    Up,
    /// To an entry of this name.
    Into(OsString),
    /// Nowhere, but what is here has to be a directory.
    Stay,
}

/// Goes along a path as far as it exists.
pub(super) fn resolve(root: &Dir, root_path: &Path, path: &str) -> Result<Resolved, FileError> {
    check_form(root_path, path)?;
    let io = |error| FileError::io(path, error);
    let form = |reason| FileError::Form { path: path.to_owned(), reason };
    let last = Last::Directory;
    let mut way = Resolved { path: path.to_owned(), root: root.try_clone().map_err(io)?, dirs: Vec::new(), last };
    let mut steps: VecDeque<_> = path.split('/').map(step).collect();
    let mut links = 0_usize;
    while let Some(step) = steps.pop_front() {
        let name = match step {
            Step::Stay => continue,
            Step::Up => {
                way.dirs.pop().ok_or_else(|| FileError::Outside { path: path.to_owned() })?;
                continue;
            }
            Step::Into(name) => name,
        };
        let metadata = match way.dir().symlink_metadata(&name) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                way.last = missing(name, steps).ok_or_else(|| way.missing())?;
                return Ok(way);
            }
            Err(error) => return Err(io(error)),
        };
        if metadata.is_dir() {
            if way.dirs.len() >= MOST_DEPTH {
                return Err(form("it goes through too many directories"));
            }
            let dir = entered(way.dir(), &name).map_err(io)?;
            way.dirs.push((name, dir));
        } else if metadata.is_symlink() {
            links = links.saturating_add(1);
            if links > MOST_LINKS {
                return Err(form("it goes through too many symbolic links"));
            }
            let target = way.dir().read_link_contents(&name).map_err(io)?;
            let target = link(&target).ok_or_else(|| FileError::Outside { path: path.to_owned() })?;
            target.into_iter().rev().for_each(|step| steps.push_front(step));
        } else if steps.is_empty() {
            way.last = Last::Entry(name, metadata);
            return Ok(way);
        } else {
            return Err(FileError::NotDirectory { path: path.to_owned() });
        }
    }
    Ok(way)
}

/// The names that are left where the first is not there; none where they go back, or end in a `/`: that would be no file.
fn missing(first: OsString, steps: VecDeque<Step>) -> Option<Last> {
    let mut names = vec![first];
    let mut is_directory = false;
    for step in steps {
        is_directory = matches!(step, Step::Stay);
        match step {
            Step::Into(name) => names.push(name),
            Step::Stay => {}
            Step::Up => return None,
        }
    }
    (!is_directory).then_some(Last::Missing(names))
}

fn step(part: &str) -> Step {
    match part {
        "" | "." => Step::Stay,
        ".." => Step::Up,
        name => Step::Into(name.into()),
    }
}

/// The steps of a link's text; none where it begins at a root.
fn link(target: &Path) -> Option<Vec<Step>> {
    let step = |component| match component {
        Component::Prefix(_) | Component::RootDir => None,
        Component::CurDir => Some(Step::Stay),
        Component::ParentDir => Some(Step::Up),
        Component::Normal(name) => Some(Step::Into(name.to_owned())),
    };
    target.components().map(step).collect()
}

/// Refuses what is no path within a workspace on any system, so that a path means the same on all of them.
fn check_form(root_path: &Path, path: &str) -> Result<(), FileError> {
    let form = |reason| Err(FileError::Form { path: path.to_owned(), reason });
    if path.len() > MOST_BYTES {
        return form("it is too long");
    }
    if path.chars().any(char::is_control) {
        return form("it holds a control character");
    }
    if path.starts_with('/') {
        let inside = Path::new(path).strip_prefix(root_path).ok().and_then(Path::to_str);
        let inside = inside.map(|inside| if inside.is_empty() { "." } else { inside }.to_owned());
        return Err(FileError::Absolute { path: path.to_owned(), inside });
    }
    if path.contains('\\') {
        return form("the parts of a path have `/` between them");
    }
    if path.contains("://") {
        return form("it is a URL");
    }
    let mut letters = path.chars();
    if letters.next().is_some_and(|letter| letter.is_ascii_alphabetic()) && letters.next() == Some(':') {
        return form("it begins with a drive");
    }
    if cfg!(windows) && path.contains(':') {
        return form("it holds a `:`");
    }
    if path == "~" || path.starts_with('~') && path.contains('/') {
        return form("`~` stands for no directory here");
    }
    Ok(())
}

/// Adds a name to a path.
fn join(path: &mut String, name: &OsStr) {
    if !path.is_empty() {
        path.push('/');
    }
    path.push_str(&name_text(name));
}

/// A name as text, on one line whatever it holds.
pub(in crate::builtin) fn name_text(name: &OsStr) -> String {
    super::super::error::shown(&name.to_string_lossy())
}

/// Whether a name is that of git's own directory, on any file system: some fold the case, drop dots and spaces at the
/// end, pass over characters that nobody sees, or know a second, short name.
pub(super) fn is_git(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let seen: String = name.chars().filter(|character| !is_unseen(*character)).collect();
    let name = seen.split(':').next().unwrap_or_default().trim_end_matches(['.', ' ']).to_lowercase();
    matches!(name.as_str(), ".git" | "git~1")
}

fn is_unseen(character: char) -> bool {
    matches!(character, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}
