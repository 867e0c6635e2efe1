//! Tools for the files of a workspace: a kit to use as it is, and to add to.
//!
//! Each is an ordinary function with the public attribute, and works on a [`Workspace`]: a directory that it cannot
//! leave, whatever path a model writes and whatever symbolic links are in the way.
//!
//! ```
//! use loom_runtime::builtin::Workspace;
//! use loom_runtime::prelude::*;
//!
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let directory = tempfile::tempdir()?;
//! # let path = directory.path();
//! let workspace = Workspace::open(path)?;
//! let tools = Dispatcher::new(workspace.tools())?;
//! let results = tools
//!     .dispatch([
//!         ToolCall::new("call_1", "write", r#"{"path": "notes/todo.txt", "content": "weave\n"}"#),
//!         ToolCall::new("call_2", "edit", r#"{"path": "notes/todo.txt", "old": "weave", "new": "weave a scarf"}"#),
//!         ToolCall::new("call_3", "read", r#"{"path": "notes/todo.txt"}"#),
//!         ToolCall::new("call_4", "read", r#"{"path": "../elsewhere.txt"}"#),
//!     ])
//!     .await;
//! assert_eq!(results[0].text(), "created `notes/todo.txt`: 1 line, 6 bytes");
//! assert_eq!(results[1].text(), "replaced 1 occurrence in `notes/todo.txt`, at line 1");
//! assert_eq!(results[2].text(), "1\tweave a scarf\n");
//! assert_eq!(results[3].text(), "`../elsewhere.txt` leads out of the workspace, and nothing there can be reached");
//! # Ok(()) }
//! ```
//!
//! | tool | function | flags |
//! |---|---|---|
//! | `read` | [`read_file()`] | read-only, idempotent |
//! | `write` | [`write_file()`] | destructive, idempotent |
//! | `edit` | [`edit_file()`] | destructive |
//! | `list` | [`list_files()`] | read-only, idempotent |
//! | `glob` | [`find_files()`] | read-only, idempotent |
//! | `grep` | [`search_files()`] | read-only, idempotent |
//!
//! # What holds for all of them
//! - Paths are relative to the workspace, with `/` between their parts. Absolute paths are refused, and so is whatever
//!   leads out: by `..`, or by a symbolic link on the way. A link that leads to another place of the workspace is
//!   followed, as long as it is a relative one.
//! - Each directory on the way is opened from the one before it and kept open. Who swaps one for a link meanwhile makes
//!   the call fail, and leads it nowhere.
//! - Nothing is written inside `.git`, by whatever name: a file there can be a program that git runs.
//! - What `.gitignore` files name is left out of lists and searches, and so are `.git` and whatever lies behind a link. A
//!   path that a call names itself is reached all the same.
//! - A result is bounded, and says what it leaves out.
//! - `write` and `edit` replace a file as a whole: whoever reads it sees the old or the new one. A hard link to the old one
//!   keeps the old one.
//!
//! The functions take the workspace as a `#[context]` parameter. [`Workspace::tools`] brings it along; `tools![read_file]`
//! needs one from the run: [`RunContext::with_state`](crate::RunContext::with_state).

mod edit;
mod error;
mod glob;
mod grep;
mod list;
mod pattern;
mod read;
mod walk;
mod watched;
mod workspace;
mod write;

#[cfg(test)]
mod tests;

pub use edit::edit_file;
pub use error::FileError;
pub use glob::find_files;
pub use grep::search_files;
pub use list::list_files;
pub use read::read_file;
pub use workspace::Workspace;
pub use write::write_file;

/// Characters of one result, of which a dispatcher cuts nothing by default: a result that loses its middle is of less use
/// than one that says how to go on.
const MOST_CHARACTERS: usize = 40_000;

/// `1 line`, `2 lines`.
fn count(number: impl Into<u64>, one: &str, many: &str) -> String {
    match number.into() {
        1 => format!("1 {one}"),
        number => format!("{number} {many}"),
    }
}

/// Adds what a reader of the text should know of it, each on a line of its own.
fn note(text: &mut String, notes: &[String]) {
    for note in notes {
        text.extend(["[", note, "]\n"]);
    }
}
