//! Why a file cannot be reached, read or changed, in words that a model can act on.

use std::io;

/// Why a tool of this module did not do what it was asked to.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The path, or a link on it, leads out of the workspace.
    #[error("`{}` leads out of the workspace, and nothing there can be reached", shown(path))]
    Outside {
        /// The path as it was given.
        path: String,
    },
    /// The path begins at a root.
    #[error("`{}` is absolute, and paths are relative to the workspace{}", shown(path), inside_hint(inside.as_deref()))]
    Absolute {
        /// The path as it was given.
        path: String,
        /// The same path from the workspace, where it begins with the workspace's own.
        inside: Option<String>,
    },
    /// The text is no path.
    #[error("`{}` cannot be used as a path: {reason}", shown(path))]
    Form {
        /// The path as it was given.
        path: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// There is nothing of this name.
    #[error("there is no `{}`; the part of it that is there is `{}`", shown(path), shown(there))]
    Missing {
        /// The path as it was given.
        path: String,
        /// The directory up to which it exists, from the workspace; `.` is the workspace.
        there: String,
    },
    /// A directory, where a file is needed.
    #[error("`{}` is a directory, not a file", shown(path))]
    Directory {
        /// The path as it was given.
        path: String,
    },
    /// A file, where a directory is needed.
    #[error("`{}` is not a directory", shown(path))]
    NotDirectory {
        /// The path as it was given.
        path: String,
    },
    /// A pipe, a socket or a device.
    #[error("`{}` is neither a file nor a directory, and is left alone", shown(path))]
    Special {
        /// The path as it was given.
        path: String,
    },
    /// Nothing is written inside `.git`.
    #[error("`{}` is inside `.git`, where nothing may be written", shown(path))]
    Git {
        /// The path as it was given.
        path: String,
    },
    /// The file may be read only.
    #[error("`{}` is write-protected", shown(path))]
    ReadOnly {
        /// The path as it was given.
        path: String,
    },
    /// The file is larger than what can be edited.
    #[error("`{}` has {bytes} bytes, and files of more than {most} bytes are not edited", shown(path))]
    TooLarge {
        /// The path as it was given.
        path: String,
        /// How large it is.
        bytes: u64,
        /// How large it may be.
        most: u64,
    },
    /// The file ends before the line that was asked for.
    #[error("`{}` has {lines} lines, so there is no line {offset}", shown(path))]
    BeyondEnd {
        /// The path as it was given.
        path: String,
        /// How many lines there are.
        lines: u64,
        /// The line that was asked for.
        offset: u64,
    },
    /// The text that is to be replaced is not there.
    #[error("the text to replace is not in `{}`{hint}", shown(path))]
    NoMatch {
        /// The path as it was given.
        path: String,
        /// What comes near it.
        hint: String,
    },
    /// The text that is to be replaced is there more than once.
    #[error(
        "the text to replace is in `{}` {matches} times, at lines {lines}: add lines around it until it is there once, or \
         replace all",
        shown(path)
    )]
    Ambiguous {
        /// The path as it was given.
        path: String,
        /// How often it is there.
        matches: usize,
        /// The lines at which it begins.
        lines: String,
    },
    /// What is to be replaced and what replaces it are the same.
    #[error("nothing would change in `{}`: the old text and the new one are the same", shown(path))]
    Unchanged {
        /// The path as it was given.
        path: String,
    },
    /// Somebody else changed the file meanwhile.
    #[error("`{}` was changed by somebody else meanwhile, and was not written: read it again", shown(path))]
    Changed {
        /// The path as it was given.
        path: String,
    },
    /// A pattern that cannot be used.
    #[error("`{}` cannot be used as a pattern: {reason}", shown(pattern))]
    Pattern {
        /// The pattern as it was given.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The call was cancelled.
    #[error("stopped before the end, since the call was cancelled")]
    Stopped,
    /// The system refused.
    #[error("`{}` cannot be used: {source}", shown(path))]
    Io {
        /// The path as it was given.
        path: String,
        /// What the system says.
        source: io::Error,
    },
}

impl FileError {
    /// What went wrong at this path.
    pub(super) fn io(path: &str, source: io::Error) -> Self {
        let path = path.to_owned();
        // The library that opens files says so where a path leads out; the system never says it without a code.
        if source.kind() == io::ErrorKind::PermissionDenied && source.raw_os_error().is_none() {
            return Self::Outside { path };
        }
        match source.downcast::<Self>() {
            Ok(own) => own,
            Err(source) => Self::Io { path, source },
        }
    }
}

fn inside_hint(inside: Option<&str>) -> String {
    inside.map_or_else(String::new, |inside| format!("; write `{}`", shown(inside)))
}

/// The most characters of a path that are repeated.
const MOST_SHOWN: usize = 300;

/// A path or a pattern on one line: what would break the line is escaped, and what is very long is cut.
pub(super) fn shown(path: &str) -> String {
    let mut text = String::new();
    for (at, character) in path.chars().enumerate() {
        if at == MOST_SHOWN {
            text.push('…');
            break;
        }
        if character.is_control() {
            text.extend(character.escape_default());
        } else {
            text.push(character);
        }
    }
    text
}
