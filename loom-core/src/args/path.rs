//! Where in the arguments something is.

use std::fmt::Write as _;

/// A place within the arguments, as steps from the outside in.
///
/// Nearly all places are visited without a word about them, so the pointer is written only when something is said.
#[derive(Debug, Clone, Copy)]
pub(super) enum Path<'p> {
    /// The arguments themselves.
    Root,
    /// The property of this name.
    Key(&'p Path<'p>, &'p str),
    /// The item at this index.
    Item(&'p Path<'p>, usize),
}

impl Path<'_> {
    /// The place as a JSON pointer (RFC 6901).
    pub(super) fn pointer(&self) -> String {
        let mut pointer = String::with_capacity(self.length());
        self.write(&mut pointer);
        pointer
    }

    /// About how long the pointer is.
    fn length(&self) -> usize {
        match self {
            Path::Root => 0,
            Path::Key(outer, key) => outer.length() + key.len() + 1,
            Path::Item(outer, _) => outer.length() + 4,
        }
    }

    pub(super) const fn is_root(&self) -> bool {
        matches!(self, Path::Root)
    }

    fn write(&self, out: &mut String) {
        match self {
            Path::Root => {}
            Path::Key(outer, key) => {
                outer.write(out);
                out.push('/');
                if key.contains(['~', '/']) {
                    out.push_str(&key.replace('~', "~0").replace('/', "~1"));
                } else {
                    out.push_str(key);
                }
            }
            Path::Item(outer, index) => {
                outer.write(out);
                // Writing to a `String` does not fail.
                let _ = write!(out, "/{index}");
            }
        }
    }
}

/// The pointer to `key` within `pointer`.
pub(super) fn pointer_to(pointer: &str, key: &str) -> String {
    format!("{pointer}{}", Path::Key(&Path::Root, key).pointer())
}
