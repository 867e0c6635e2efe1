//! What comes near a text that is not there: mostly the model has a space wrong, or a file as it was before.

use std::cmp::Reverse;
use std::fmt::Write;

/// The most lines that are compared.
const MOST_COMPARED: usize = 20_000;
/// The most lines that are shown.
const MOST_SHOWN: usize = 3;
/// The most characters of a line that are compared and shown.
const MOST_CHARACTERS: usize = 200;
/// How alike a line has to be, of a thousand.
const ALIKE: u64 = 600;

/// The lines that come nearest to the first line of the text, as the end of a sentence.
pub(super) fn hint(file: &[u8], old: &str) -> String {
    let Some(wanted) = old.lines().map(str::trim).find(|line| !line.is_empty()) else {
        return ": it is nothing but blank lines".to_owned();
    };
    let wanted = start(wanted);
    let file = String::from_utf8_lossy(file);
    let mut lines: Vec<_> = file
        .lines()
        .take(MOST_COMPARED)
        .zip(1_u64..)
        .map(|(line, number)| (alike(start(line.trim()), wanted), number, line))
        .filter(|(alike, ..)| *alike >= ALIKE)
        .collect();
    lines.sort_by_key(|(alike, number, _)| (Reverse(*alike), *number));
    lines.truncate(MOST_SHOWN);
    lines.sort_by_key(|(_, number, _)| *number);
    if lines.is_empty() {
        return ", nor is a line like its first one: read the file again".to_owned();
    }
    let mut hint = "; what comes near its first line:".to_owned();
    for (_, number, line) in &lines {
        // Writing to a text cannot fail.
        let _written = write!(hint, "\n{number}\t{}", start(line));
    }
    hint
}

/// How alike two lines are, of a thousand.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number from 0 to 1000")]
fn alike(line: &str, wanted: &str) -> u64 {
    if line == wanted { 1000 } else { (strsim::sorensen_dice(line, wanted) * 999.0) as u64 }
}

fn start(line: &str) -> &str {
    line.char_indices().nth(MOST_CHARACTERS).and_then(|(at, _)| line.get(..at)).unwrap_or(line)
}
