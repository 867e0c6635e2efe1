//! `glob`: files by their names.

use loom_core::tool;

use super::pattern::Pattern;
use super::walk::{Kind, Next, Walk};
use super::{FileError, MOST_CHARACTERS, Workspace, count};
use crate::CancellationToken;

/// The most files that are named.
const MOST_FILES: u64 = 1000;

/// Find files of the workspace by a pattern of their paths, such as `*.rs`, `src/**/*.{ts,tsx}` or `**/tests/*`.
///
/// `*` and `?` stand for characters of one name, `**` for any number of directories, `{a,b}` for one of several, `[a-z]`
/// for one of some characters. Each line is a path from the workspace, in their order. What `.gitignore` files name is
/// left out, and so is what lies behind symbolic links.
///
/// # Arguments
/// * `pattern` - The pattern, relative to `path`. One without `/` matches names in any directory.
/// * `path` - The directory to search in, relative to the workspace.
///
/// # Errors
/// When the pattern cannot be used, or the path leads out of the workspace or to nothing.
#[tool(
    name = "glob",
    read_only,
    idempotent,
    zone = workspace,
    reads("{path}"),
    tags("files", "search"),
    ui(kind = search, summary(verb = "Looked for", primary = pattern, meta(path))),
    crate = loom_core,
)]
pub fn find_files(
    #[context] workspace: &Workspace,
    #[context] cancelled: &CancellationToken,
    #[arg(min_length = 1)] pattern: &str,
    #[arg(default = ".")] path: &str,
) -> Result<String, FileError> {
    let matcher = Pattern::new(pattern)?;
    let (mut text, mut characters) = (String::new(), 0_usize);
    let (mut found, mut left_out) = (0_u64, 0_u64);
    let passed = Walk::new(workspace, cancelled).go(path, &mut |entry| {
        if entry.kind == Kind::File && matcher.matches(entry.below) {
            characters = characters.saturating_add(entry.path.chars().count()).saturating_add(1);
            if left_out > 0 || found >= MOST_FILES || characters > MOST_CHARACTERS {
                left_out = left_out.saturating_add(1);
            } else {
                found = found.saturating_add(1);
                text.push_str(entry.path);
                text.push('\n');
            }
        }
        Ok(Next::On)
    })?;
    if found == 0 {
        text.push_str("no file matches\n");
    }
    let mut notes = passed.notes();
    if left_out > 0 {
        notes.insert(0, format!("{} more left out: narrow the pattern", count(left_out, "file", "files")));
    }
    super::note(&mut text, &notes);
    Ok(text)
}

#[cfg(test)]
mod tests;
