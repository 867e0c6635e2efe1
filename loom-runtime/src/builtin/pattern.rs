//! Patterns of paths.

use globset::{GlobBuilder, GlobMatcher};

use super::FileError;

/// A pattern of paths. One without `/` is a pattern of names, in whatever directory.
pub(super) struct Pattern {
    matcher: GlobMatcher,
    of_names: bool,
}

impl Pattern {
    pub(super) fn new(pattern: &str) -> Result<Self, FileError> {
        let refused = |reason: &str| FileError::Pattern { pattern: pattern.to_owned(), reason: reason.to_owned() };
        let relative = pattern.strip_prefix("./").unwrap_or(pattern);
        if relative.is_empty() {
            return Err(refused("it is empty"));
        }
        if relative.starts_with('/') || relative.split(['/', '{', ',', '}']).any(|part| part == "..") {
            return Err(refused("it leads out of the workspace; patterns are relative to where the search begins"));
        }
        // `src/` stands for what is in it.
        let whole = if relative.ends_with('/') { format!("{relative}**") } else { relative.to_owned() };
        let glob = GlobBuilder::new(&whole).literal_separator(true).build();
        let glob = glob.map_err(|error| refused(&error.kind().to_string()))?;
        Ok(Self { matcher: glob.compile_matcher(), of_names: !whole.contains('/') })
    }

    /// Whether this is a path that is meant.
    pub(super) fn matches(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().filter(|_| self.of_names);
        self.matcher.is_match(name.unwrap_or(path))
    }
}
