//! What `.gitignore` files name. They are read through the directory that a walk has open, so one that is a link to
//! somewhere else counts for nothing, as it does for git.

use std::io::Read;

use cap_std::fs::Dir;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::super::workspace::{Resolved, reading};

/// The most bytes that are read of one `.gitignore`.
const MOST_BYTES: u64 = 1 << 20;

/// The rules on the way to where a walk is.
pub(super) struct Ignored(Vec<Rules>);

/// Those of one directory.
struct Rules {
    rules: Gitignore,
    /// How many bytes of a path lead to the directory.
    prefix: usize,
}

/// How many rules there were before a directory was gone into.
#[must_use]
pub(super) struct Outer(usize);

impl Ignored {
    /// Those of the directories above where this way leads.
    pub(super) fn above(way: &Resolved) -> Self {
        let mut ignored = Self(Vec::new());
        let mut ways: Vec<_> = way.ways().collect();
        ways.pop();
        for (path, dir) in ways {
            let _outer = ignored.enter(dir, &path);
        }
        ignored
    }

    /// Adds those of a directory.
    pub(super) fn enter(&mut self, dir: &Dir, path: &str) -> Outer {
        let outer = Outer(self.0.len());
        if let Some(rules) = rules(dir) {
            let prefix = if path.is_empty() { 0 } else { path.len().saturating_add(1) };
            self.0.push(Rules { rules, prefix });
        }
        outer
    }

    /// Takes them away again.
    pub(super) fn leave(&mut self, Outer(rules): Outer) {
        self.0.truncate(rules);
    }

    /// Whether a path is left out. The innermost rule that says something about it counts.
    pub(super) fn names(&self, path: &str, is_directory: bool) -> bool {
        let said = self.0.iter().rev().find_map(|Rules { rules, prefix }| {
            match rules.matched(path.get(*prefix..)?, is_directory) {
                Match::None => None,
                Match::Ignore(_) => Some(true),
                Match::Whitelist(_) => Some(false),
            }
        });
        said.unwrap_or(false)
    }
}

fn rules(dir: &Dir) -> Option<Gitignore> {
    let (file, _) = reading(dir, ".gitignore".as_ref()).ok()??;
    let mut text = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut text).ok()?;
    let text = String::from_utf8_lossy(&text);
    let mut builder = GitignoreBuilder::new(".");
    for line in text.trim_start_matches('\u{feff}').lines() {
        // A line that is no rule is none for git either.
        let _understood = builder.add_line(None, line);
    }
    builder.build().ok().filter(|rules| !rules.is_empty())
}
