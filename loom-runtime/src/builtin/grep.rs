//! `grep`: lines of files by what they hold.

use grep_matcher::LineTerminator;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use loom_core::{Progress, tool};

use super::pattern::Pattern;
use super::walk::{Entry, Kind, Next, Walk};
use super::watched::Watched;
use super::workspace::reading;
use super::{FileError, Workspace, count};
use crate::CancellationToken;

mod report;

use report::{InFile, Report};

/// The most bytes that the search holds of one line, or of one file's lines around a match.
const MOST_HELD: usize = 16 << 20;
/// The most bytes that a pattern may need once it is compiled.
const MOST_COMPILED: usize = 16 << 20;

/// Search the files of the workspace for lines that match a regular expression.
///
/// Each line of the result is `path:number:text`; lines around a match are `path-number-text`. Files are searched in the
/// order of their paths. What `.gitignore` files name is left out, and so are binary files and what lies behind symbolic
/// links.
///
/// # Arguments
/// * `pattern` - A regular expression as in Rust or RE2, without look-around and back references. It matches within a line.
/// * `path` - The file or directory to search in, relative to the workspace.
/// * `glob` - Only files whose paths match this, relative to `path`, such as `*.rs` or `src/**`.
/// * `max` - How many matching lines to show; the others are counted.
/// * `context` - How many lines to show before and after each match.
/// * `ignore_case` - Whether capital and small letters are the same.
///
/// # Errors
/// When a pattern cannot be used, or the path leads out of the workspace or to nothing.
#[tool(
    name = "grep",
    read_only,
    idempotent,
    zone = workspace,
    reads("{path}"),
    tags("files", "search"),
    ui(kind = search, summary(verb = "Searched for", primary = pattern, meta(path, glob))),
    crate = loom_core,
)]
#[expect(clippy::too_many_arguments, reason = "a model reads them as properties of an object, by their names")]
pub fn search_files(
    #[context] workspace: &Workspace,
    #[context] cancelled: &CancellationToken,
    #[context] progress: &Progress,
    #[arg(min_length = 1)] pattern: &str,
    #[arg(default = ".")] path: &str,
    glob: Option<&str>,
    #[arg(default = 100, min = 1, max = 1000)] max: u64,
    #[arg(default = 0, min = 0, max = 20)] context: usize,
    #[arg(default = false)] ignore_case: bool,
) -> Result<String, FileError> {
    let matcher = matcher(pattern, ignore_case)?;
    let glob = glob.filter(|glob| !glob.is_empty()).map(Pattern::new).transpose()?;
    let mut searcher = SearcherBuilder::new()
        .line_terminator(LineTerminator::crlf())
        .line_number(true)
        .before_context(context)
        .after_context(context)
        .heap_limit(Some(MOST_HELD))
        .binary_detection(BinaryDetection::quit(0))
        .build();
    let mut report = Report::new(max);
    let mut unreadable = 0_usize;
    let mut files = progress.steps(None);
    let mut passed = Walk::new(workspace, cancelled).go(path, &mut |entry| {
        if entry.kind != Kind::File || glob.as_ref().is_some_and(|glob| !glob.matches(entry.below)) {
            return Ok(Next::On);
        }
        files.step_to(entry.below);
        if search(&mut searcher, &matcher, entry, &mut report, cancelled).is_err() {
            unreadable = unreadable.saturating_add(1);
        }
        Ok(if report.has_enough() { Next::Stop } else { Next::On })
    })?;
    if cancelled.is_cancelled() {
        return Err(FileError::Stopped);
    }
    passed.unreadable = passed.unreadable.saturating_add(unreadable);
    let (mut text, mut notes) = report.finish();
    if text.is_empty() && notes.is_empty() {
        text = format!("no line matches in {}\n", count(report.files(), "file", "files"));
    }
    notes.extend(report.note_of_binaries());
    notes.extend(passed.notes());
    super::note(&mut text, &notes);
    Ok(text)
}

fn matcher(pattern: &str, ignore_case: bool) -> Result<RegexMatcher, FileError> {
    let built = RegexMatcherBuilder::new()
        .case_insensitive(ignore_case)
        .multi_line(true)
        .crlf(true)
        .size_limit(MOST_COMPILED)
        .dfa_size_limit(MOST_COMPILED)
        .build(pattern);
    built.map_err(|error| {
        // The text shows the pattern again, with what was put around it; what is wrong comes last.
        let text = error.to_string();
        let reason = text.rsplit("error: ").next().unwrap_or_default().trim_end().to_owned();
        FileError::Pattern { pattern: pattern.to_owned(), reason }
    })
}

/// Searches a file. It is opened here, from the directory that the walk has open, and only if it is no link by now.
fn search(
    searcher: &mut Searcher,
    matcher: &RegexMatcher,
    entry: &Entry<'_>,
    report: &mut Report,
    cancelled: &CancellationToken,
) -> std::io::Result<()> {
    let Some((file, _)) = reading(entry.dir, entry.name)? else { return Ok(()) };
    let mut lines = InFile::new(report, matcher, entry.path, cancelled);
    searcher.search_reader(matcher, Watched::new(file, cancelled), &mut lines)?;
    lines.finish();
    Ok(())
}

#[cfg(test)]
mod tests;
