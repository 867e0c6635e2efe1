//! `edit`: a part of a file.

use std::io::Read;

use loom_core::tool;

use super::workspace::target;
use super::{FileError, Workspace, count};

mod nearest;
mod splice;

use splice::{Edited, Fault};

/// The most bytes of a file that is edited.
const MOST_BYTES: u64 = 16 << 20;
/// The most lines that a message names.
const MOST_LINES: usize = 10;

/// Replace a text in a file of the workspace.
///
/// The old text has to be in the file exactly as it is written here, and once, unless all of its occurrences are to be
/// replaced. A file whose lines end in CRLF keeps them; the texts are written with plain line breaks all the same. Nothing
/// is written inside `.git`.
///
/// # Arguments
/// * `path` - The file, relative to the workspace, such as `src/main.rs`.
/// * `old` - The text to replace, with enough of the lines around it to be there once. Without line numbers.
/// * `new` - The text to put in its place.
/// * `replace_all` - Whether to replace every occurrence.
///
/// # Errors
/// When the path leads out of the workspace or to no file, when the old text is not there or not there once, and when the
/// file is changed by somebody else meanwhile.
#[tool(
    name = "edit",
    destructive,
    zone = workspace,
    writes("{path}"),
    tags("files"),
    ui(
        kind = file_edit,
        summary(verb = "Edited", primary = path),
        preview(content = new, format = code, max_lines = 20),
        open(target = "file-pane", path = path),
    ),
    crate = loom_core,
)]
pub fn edit_file(
    #[context] workspace: &Workspace,
    path: &str,
    #[arg(min_length = 1)] old: &str,
    new: &str,
    #[arg(default = false)] replace_all: bool,
) -> Result<String, FileError> {
    let owned = || path.to_owned();
    let _changing = workspace.changing();
    let way = workspace.resolve(path)?;
    let (file, metadata) = way.file()?;
    let target = target(way)?;
    let too_large = |bytes| FileError::TooLarge { path: owned(), bytes, most: MOST_BYTES };
    if metadata.len() > MOST_BYTES {
        return Err(too_large(metadata.len()));
    }
    let mut before = Vec::new();
    file.take(MOST_BYTES.saturating_add(1)).read_to_end(&mut before).map_err(|error| FileError::io(path, error))?;
    if before.len() as u64 > MOST_BYTES {
        return Err(too_large(before.len() as u64));
    }
    let Edited { content, lines } = splice::edited(&before, old, new, replace_all).map_err(|fault| match fault {
        Fault::None => FileError::NoMatch { path: owned(), hint: nearest::hint(&before, old) },
        Fault::Several(lines) => FileError::Ambiguous { path: owned(), matches: lines.len(), lines: numbers(&lines) },
    })?;
    if content == before {
        return Err(FileError::Unchanged { path: owned() });
    }
    target.replace(&content, Some(&before))?;
    let occurrences = count(lines.len() as u64, "occurrence", "occurrences");
    let lines_word = if lines.len() == 1 { "line" } else { "lines" };
    Ok(format!("replaced {occurrences} in `{path}`, at {lines_word} {}", numbers(&lines)))
}

/// `1, 5 and 9`; of many, the first.
fn numbers(lines: &[u64]) -> String {
    let shown: Vec<_> = lines.iter().take(MOST_LINES).map(ToString::to_string).collect();
    let left_out = lines.len().saturating_sub(shown.len());
    match (shown.split_last(), left_out) {
        (_, 1..) => format!("{} and {left_out} more", shown.join(", ")),
        (Some((last, [])), _) => last.clone(),
        (Some((last, others)), _) => format!("{} and {last}", others.join(", ")),
        (None, _) => String::new(),
    }
}

#[cfg(test)]
mod tests;
