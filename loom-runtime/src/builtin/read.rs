//! `read`: some lines of a file, or an image.

use std::io::{BufReader, Read};

use loom_core::{Content, Output, tool};

use super::watched::Watched;
use super::{FileError, MOST_CHARACTERS, Workspace, count};
use crate::CancellationToken;

mod format;
mod lines;

use format::Format;
use lines::{Line, Lines};

/// The most bytes of a line that are shown.
const MOST_LINE: usize = 2000;
/// The most bytes of an image: what providers take, once it is written as text.
const MOST_IMAGE: u64 = 3 << 20;
/// The most bytes that are looked at to know how many lines are left.
const MOST_COUNTED: u64 = 16 << 20;
/// How much of a file is looked at to know what it is.
const HEAD: u64 = 8 << 10;

/// Read a file of the workspace.
///
/// Each line of text comes with its number and a tab before it. A file that is longer is read in parts: the last line then
/// says where to go on. Images come as images; of other files that are no text, only what they are.
///
/// # Arguments
/// * `path` - The file, relative to the workspace, such as `src/main.rs`.
/// * `offset` - The number of the first line to read, counted from 1.
/// * `limit` - How many lines to read.
///
/// # Errors
/// When the path leads out of the workspace or to no file, or the file ends before the first line that is to be read.
#[tool(
    name = "read",
    read_only,
    idempotent,
    zone = workspace,
    reads("{path}"),
    tags("files"),
    ui(
        kind = file_read,
        summary(verb = "Read", primary = path, meta(offset, limit)),
        open(target = "file-pane", path = path),
    ),
    crate = loom_core,
)]
pub fn read_file(
    #[context] workspace: &Workspace,
    #[context] cancelled: &CancellationToken,
    path: &str,
    #[arg(default = 1, min = 1)] offset: u64,
    #[arg(default = 2000, min = 1, max = 10_000)] limit: u64,
) -> Result<Output, FileError> {
    let (file, metadata) = workspace.resolve(path)?.file()?;
    let mut file = Watched::new(file, cancelled);
    let io = |error| FileError::io(path, error);
    let mut head = Vec::new();
    Read::by_ref(&mut file).take(HEAD).read_to_end(&mut head).map_err(io)?;
    match Format::of(&head) {
        Format::Text => text(path, head, file, offset, limit).map(Output::from),
        Format::Image { mime_type, .. } if metadata.len() <= MOST_IMAGE => {
            // It may have grown since it was asked how large it is.
            file.take(MOST_IMAGE).read_to_end(&mut head).map_err(io)?;
            Ok(Content::image(mime_type, head).into())
        }
        Format::Image { name, .. } => {
            let size = count(metadata.len(), "byte", "bytes");
            Ok(format!("`{path}` is {name} of {size}, and images of more than {MOST_IMAGE} bytes are not shown").into())
        }
        Format::Other(name) => {
            let size = count(metadata.len(), "byte", "bytes");
            Ok(format!("`{path}` is {name} of {size}, which cannot be shown as text").into())
        }
    }
}

fn text(path: &str, head: Vec<u8>, file: Watched<'_>, offset: u64, limit: u64) -> Result<String, FileError> {
    let io = |error| FileError::io(path, error);
    let mut lines = Lines::new(BufReader::new(std::io::Cursor::new(head).chain(file)));
    let mut number = 1_u64;
    while number < offset && lines.skip().map_err(io)? {
        number = number.saturating_add(1);
    }
    let (mut text, mut characters, mut garbled, mut shown) = (String::new(), 0_usize, false, 0_u64);
    let mut more = false;
    while shown < limit {
        let Some(line) = lines.next(MOST_LINE).map_err(io)? else { break };
        let line = shown_line(number, &line, &mut garbled);
        characters = characters.saturating_add(line.chars().count());
        if characters > MOST_CHARACTERS {
            more = true;
            break;
        }
        text.push_str(&line);
        shown = shown.saturating_add(1);
        number = number.saturating_add(1);
    }
    if shown == 0 && !more {
        let lines = number.saturating_sub(1);
        if lines == 0 && offset == 1 {
            return Ok("[the file is empty]\n".to_owned());
        }
        return Err(FileError::BeyondEnd { path: path.to_owned(), lines, offset });
    }
    let mut notes = Vec::new();
    if let Some(rest) = rest(&mut lines, more).map_err(io)? {
        let first = number.saturating_sub(shown);
        let last = number.saturating_sub(1);
        notes.push(match rest {
            Rest::Lines(rest) => {
                format!("lines {first} to {last} of {}; go on with offset {number}", last.saturating_add(rest))
            }
            Rest::More => format!("lines {first} to {last} of many more; go on with offset {number}"),
        });
    }
    if garbled {
        notes.push("bytes that are no UTF-8 are shown as �".to_owned());
    }
    super::note(&mut text, &notes);
    Ok(text)
}

/// A line with its number.
fn shown_line(number: u64, line: &Line, garbled: &mut bool) -> String {
    let bytes = line.start.as_slice();
    let bytes = if number == 1 { bytes.strip_prefix(format::BOM).unwrap_or(bytes) } else { bytes };
    let kept = if line.left_out == 0 { bytes.strip_suffix(b"\r").unwrap_or(bytes) } else { whole_characters(bytes) };
    let dropped = bytes.len().saturating_sub(kept.len()) as u64;
    let text = String::from_utf8_lossy(kept);
    *garbled |= matches!(text, std::borrow::Cow::Owned(_));
    let left_out = line.left_out.saturating_add(dropped);
    let cut = (line.left_out > 0).then(|| format!(" [… {} more]", count(left_out, "byte", "bytes")));
    format!("{number}\t{text}{}\n", cut.unwrap_or_default())
}

/// The bytes without the part of a character that was cut.
fn whole_characters(bytes: &[u8]) -> &[u8] {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => bytes.get(..error.valid_up_to()).unwrap_or(bytes),
        _ => bytes,
    }
}

/// What is left of a file.
enum Rest {
    Lines(u64),
    /// More than is counted.
    More,
}

/// What is left; with `more`, one line that was read and not shown is.
fn rest<R: std::io::BufRead>(lines: &mut Lines<R>, more: bool) -> std::io::Result<Option<Rest>> {
    let mut rest = u64::from(more);
    let end = lines.bytes().saturating_add(MOST_COUNTED);
    while lines.skip_within(end)? {
        rest = rest.saturating_add(1);
    }
    Ok(match rest {
        _ if lines.bytes() >= end => Some(Rest::More),
        0 => None,
        rest => Some(Rest::Lines(rest)),
    })
}

#[cfg(test)]
mod tests;
