//! The lines that a search found, as many as are shown, and how many there are.

use std::io;
use std::ops::Range;

use grep_matcher::Matcher;
use grep_regex::RegexMatcher;
use grep_searcher::{Searcher, Sink, SinkContext, SinkContextKind, SinkFinish, SinkMatch};

use super::super::{MOST_CHARACTERS, count};
use crate::CancellationToken;

/// The most matching lines that are counted.
const MOST_COUNTED: u64 = 10_000;
/// The most characters of a line that are shown.
const MOST_LINE: usize = 400;
/// How many characters are shown before a match in a line that is longer.
const BEFORE_MATCH: usize = 100;

/// What was found in all files.
pub(super) struct Report {
    text: String,
    characters: usize,
    max: u64,
    /// Matching lines that are shown.
    shown: u64,
    /// Matching lines in all.
    matches: u64,
    /// Files that were searched, and those of them with matches.
    files: u64,
    matching_files: u64,
    binary: u64,
    full: bool,
}

impl Report {
    pub(super) const fn new(max: u64) -> Self {
        Self {
            text: String::new(),
            characters: 0,
            max,
            shown: 0,
            matches: 0,
            files: 0,
            matching_files: 0,
            binary: 0,
            full: false,
        }
    }

    /// Whether enough matches are counted.
    pub(super) const fn has_enough(&self) -> bool {
        self.matches >= MOST_COUNTED
    }

    /// How many files were searched.
    pub(super) const fn files(&self) -> u64 {
        self.files
    }

    /// The lines, and how many are left out.
    pub(super) fn finish(&mut self) -> (String, Vec<String>) {
        let left_out = self.matches.saturating_sub(self.shown);
        let text = std::mem::take(&mut self.text);
        if left_out == 0 {
            return (text, Vec::new());
        }
        let more = if self.has_enough() { "at least " } else { "" };
        let files = count(self.matching_files, "file", "files");
        let note = format!(
            "{} of {more}{} in {files} shown: narrow the pattern, the path or the glob",
            self.shown,
            count(self.matches, "matching line", "matching lines")
        );
        (text, vec![note])
    }

    pub(super) fn note_of_binaries(&self) -> Option<String> {
        (self.binary > 0).then(|| format!("{} left out", count(self.binary, "binary file", "binary files")))
    }
}

/// What was found in one file. Nothing of it counts until the file turns out to be text.
pub(super) struct InFile<'r> {
    report: &'r mut Report,
    matcher: &'r RegexMatcher,
    path: &'r str,
    cancelled: &'r CancellationToken,
    text: String,
    /// Lines before a match that has not come yet.
    pending: String,
    characters: usize,
    shown: u64,
    matches: u64,
    full: bool,
    binary: bool,
}

impl<'r> InFile<'r> {
    pub(super) fn new(
        report: &'r mut Report,
        matcher: &'r RegexMatcher,
        path: &'r str,
        cancelled: &'r CancellationToken,
    ) -> Self {
        let (characters, full) = (report.characters, report.full);
        Self {
            report,
            matcher,
            path,
            cancelled,
            text: String::new(),
            pending: String::new(),
            characters,
            shown: 0,
            matches: 0,
            full,
            binary: false,
        }
    }

    /// Adds what was found to the report.
    pub(super) fn finish(self) {
        let report = self.report;
        report.files = report.files.saturating_add(1);
        if self.binary {
            report.binary = report.binary.saturating_add(1);
            return;
        }
        if self.matches > 0 {
            report.matching_files = report.matching_files.saturating_add(1);
        }
        report.text.push_str(&self.text);
        report.characters = self.characters;
        report.full = self.full;
        report.shown = report.shown.saturating_add(self.shown);
        report.matches = report.matches.saturating_add(self.matches);
    }

    fn line(&self, mark: char, number: Option<u64>, line: &[u8], found: Option<Range<usize>>) -> String {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line));
        let (path, number) = (self.path, number.unwrap_or_default());
        format!("{path}{mark}{number}{mark}{}\n", part(&line, found))
    }

    /// Adds lines, unless there is no more place.
    fn push(&mut self, lines: &str) {
        self.characters = self.characters.saturating_add(lines.chars().count());
        self.full |= self.characters > MOST_CHARACTERS;
        if !self.full {
            self.text.push_str(lines);
        }
    }
}

impl Sink for InFile<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> Result<bool, io::Error> {
        if self.cancelled.is_cancelled() {
            return Ok(false);
        }
        self.matches = self.matches.saturating_add(1);
        let all = self.report.matches.saturating_add(self.matches);
        self.full |= self.report.shown.saturating_add(self.shown) >= self.report.max;
        let place = self.matcher.find(found.bytes()).ok().flatten().map(|place| place.start()..place.end());
        let mut lines = std::mem::take(&mut self.pending);
        if !self.full {
            lines.push_str(&self.line(':', found.line_number(), found.bytes(), place));
            self.push(&lines);
            self.shown = self.shown.saturating_add(u64::from(!self.full));
        }
        Ok(all < MOST_COUNTED)
    }

    fn context(&mut self, _: &Searcher, line: &SinkContext<'_>) -> Result<bool, io::Error> {
        if !self.full {
            let text = self.line('-', line.line_number(), line.bytes(), None);
            match line.kind() {
                SinkContextKind::Before => self.pending.push_str(&text),
                _ => self.push(&text),
            }
        }
        Ok(true)
    }

    fn context_break(&mut self, _: &Searcher) -> Result<bool, io::Error> {
        self.pending.push_str("--\n");
        Ok(true)
    }

    fn finish(&mut self, _: &Searcher, end: &SinkFinish) -> Result<(), io::Error> {
        self.binary = end.binary_byte_offset().is_some();
        Ok(())
    }
}

/// The part of a line around the match, if all of it is too long.
fn part(line: &str, found: Option<Range<usize>>) -> String {
    let length = line.chars().count();
    if length <= MOST_LINE {
        return line.to_owned();
    }
    let before = found.and_then(|found| line.get(..found.start)).map_or(0, |before| before.chars().count());
    let first = before.saturating_sub(BEFORE_MATCH).min(length.saturating_sub(MOST_LINE));
    let shown: String = line.chars().skip(first).take(MOST_LINE).collect();
    let head = if first > 0 { "… " } else { "" };
    let tail = length.saturating_sub(first).saturating_sub(MOST_LINE);
    let tail =
        if tail > 0 { format!(" [… {} more]", count(tail as u64, "character", "characters")) } else { String::new() };
    format!("{head}{shown}{tail}")
}
