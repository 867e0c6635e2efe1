//! `list`: what is in a directory.

use loom_core::tool;

use super::walk::{Kind, Next, Walk};
use super::workspace::Last;
use super::{FileError, MOST_CHARACTERS, Workspace, count};
use crate::CancellationToken;

/// The most entries that are listed.
const MOST_ENTRIES: usize = 1000;

/// List what is in a directory of the workspace.
///
/// Each line is a path from the workspace; that of a directory ends in `/`, that of a symbolic link in `@`. What
/// `.gitignore` files name is left out.
///
/// # Arguments
/// * `path` - The directory, relative to the workspace.
/// * `depth` - How many levels of directories inside one another to list; 1 lists the directory itself only.
///
/// # Errors
/// When the path leads out of the workspace or to no directory.
#[tool(
    name = "list",
    read_only,
    idempotent,
    zone = workspace,
    reads("{path}"),
    tags("files"),
    ui(kind = search, summary(verb = "Listed", primary = path)),
    crate = loom_core,
)]
pub fn list_files(
    #[context] workspace: &Workspace,
    #[context] cancelled: &CancellationToken,
    #[arg(default = ".")] path: &str,
    #[arg(default = 1, min = 1, max = 16)] depth: usize,
) -> Result<String, FileError> {
    if matches!(workspace.resolve(path)?.last, Last::Entry(..)) {
        return Err(FileError::NotDirectory { path: path.to_owned() });
    }
    let (mut text, mut characters) = (String::new(), 0_usize);
    let (mut listed, mut left_out) = (0_u64, 0_u64);
    let passed = Walk::new(workspace, cancelled).with_depth(depth).go(path, &mut |entry| {
        let mark = match entry.kind {
            Kind::Directory => "/",
            Kind::Link => "@",
            Kind::File | Kind::Special => "",
        };
        let line = format!("{}{mark}\n", entry.path);
        characters = characters.saturating_add(line.chars().count());
        if left_out > 0 || listed >= MOST_ENTRIES as u64 || characters > MOST_CHARACTERS {
            left_out = left_out.saturating_add(1);
        } else {
            listed = listed.saturating_add(1);
            text.push_str(&line);
        }
        Ok(Next::On)
    })?;
    if listed == 0 {
        text = format!("`{path}` has no entries to list\n");
    }
    let mut notes = passed.notes();
    if left_out > 0 {
        notes.insert(0, format!("{} more left out: list one of the directories", count(left_out, "entry", "entries")));
    }
    super::note(&mut text, &notes);
    Ok(text)
}

#[cfg(test)]
mod tests;
