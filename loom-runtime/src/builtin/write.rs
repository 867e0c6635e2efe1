//! `write`: a whole file.

use loom_core::tool;

use super::{FileError, Workspace, count};

/// Write a file of the workspace as a whole: make it, or replace what it held.
///
/// Directories that are not there yet are made. To change a part of a file, edit it instead. Nothing is written inside
/// `.git`.
///
/// # Arguments
/// * `path` - The file, relative to the workspace, such as `src/main.rs`.
/// * `content` - All of its text.
///
/// # Errors
/// When the path leads out of the workspace or to something that is no file that may be written.
#[tool(
    name = "write",
    destructive,
    idempotent,
    zone = workspace,
    writes("{path}"),
    tags("files"),
    ui(
        kind = file_write,
        summary(verb = "Wrote", primary = path),
        preview(content = content, format = code, max_lines = 20),
        open(target = "file-pane", path = path),
    ),
    crate = loom_core,
)]
pub fn write_file(#[context] workspace: &Workspace, path: &str, content: &str) -> Result<String, FileError> {
    let _changing = workspace.changing();
    let target = workspace.target(path)?;
    target.replace(content.as_bytes(), None)?;
    let done = if target.is_new() { "created" } else { "replaced" };
    let lines = count(content.lines().count() as u64, "line", "lines");
    Ok(format!("{done} `{path}`: {lines}, {}", count(content.len() as u64, "byte", "bytes")))
}

#[cfg(test)]
mod tests;
