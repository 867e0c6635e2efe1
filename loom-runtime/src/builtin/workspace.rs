//! A directory that tools work in and cannot leave.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use loom_core::{CallContext, ContextError, FromContext, State, Tool, tools};

use super::{edit_file, find_files, list_files, read_file, search_files, write_file};

mod replace;
mod resolve;

pub(super) use replace::target;
pub(super) use resolve::{Last, Resolved, entered, name_text, reading};

/// A directory that tools work in and cannot leave. Cheap to clone.
///
/// It stays the directory that was opened, even when it is moved.
///
/// ```
/// use loom_runtime::builtin::Workspace;
///
/// # fn main() -> std::io::Result<()> {
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path();
/// let tools = Workspace::open(path)?.tools();
/// let names: Vec<_> = tools.iter().map(|tool| tool.name()).collect();
/// assert_eq!(names, ["read", "write", "edit", "list", "glob", "grep"]);
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Workspace(Arc<Inner>);

struct Inner {
    dir: Dir,
    /// As people know it. Nothing is opened by it.
    path: PathBuf,
    /// Held by whoever changes a file, from reading it to replacing it.
    changing: Mutex<()>,
}

impl Workspace {
    /// The workspace at this path.
    ///
    /// # Errors
    /// When there is no directory, or it cannot be opened.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        let dir = Dir::open_ambient_dir(&path, ambient_authority())?;
        let path = std::path::absolute(path)?;
        Ok(Self(Arc::new(Inner { dir, path, changing: Mutex::new(()) })))
    }

    /// Where it was opened, for people to read.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// The tools that work in it: `read`, `write`, `edit`, `list`, `glob` and `grep`.
    pub fn tools(&self) -> Vec<Tool> {
        let all = tools![read_file, write_file, edit_file, list_files, find_files, search_files];
        let shared = Arc::new(self.clone());
        all.iter().map(|tool| tool.with_shared_state(Arc::clone(&shared))).collect()
    }

    /// Goes along a path as far as it exists.
    pub(super) fn resolve(&self, path: &str) -> Result<Resolved, super::FileError> {
        resolve::resolve(&self.0.dir, &self.0.path, path)
    }
}

/// The path only; what is open is nobody's business.
impl fmt::Debug for Workspace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Workspace").field(&self.0.path).finish()
    }
}

/// The tool's own workspace, or else that of the run.
impl FromContext for Workspace {
    fn from_context(context: &CallContext<'_>) -> Result<Self, ContextError> {
        State::<Self>::from_context(context).map(|workspace| (*workspace).clone())
    }
}
