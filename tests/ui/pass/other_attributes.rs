//! Other attributes, above and below.
#![deny(warnings)]

use loom_runtime::{tool, tools};

#[allow(unused_variables)]
/// Search.
#[tool]
#[inline(never)]
fn allowed(query: &str) -> u8 {
    5
}

/// Search.
#[deprecated(note = "search elsewhere")]
#[tool]
#[must_use]
fn old(query: &str) -> String {
    query.to_owned()
}

/// Search.
#[must_use = "or why search?"]
#[tool]
#[deprecated]
fn older(query: &str) -> String {
    query.to_owned()
}

/// Neither the function nor its tool is there.
#[cfg(any())]
#[tool]
fn gone(query: &str) -> Missing {}

/// The same, below.
#[tool]
#[cfg(any())]
fn gone_below(query: &str) -> Missing {}

/// One of two.
#[tool]
#[cfg(all())]
fn one_of_two() -> u8 {
    1
}

/// The other of two.
#[tool]
#[cfg(not(all()))]
fn one_of_two() -> u8 {
    2
}

/// Search.
#[tool]
#[cfg_attr(all(), must_use)]
fn conditional(#[allow(unused_variables)] query: &str) -> u8 {
    5
}

fn gone() {}

fn main() {
    gone();
    assert_eq!(allowed(""), 5);
    #[expect(deprecated)]
    let texts = (old("a"), older("b"));
    assert_eq!(texts, ("a".to_owned(), "b".to_owned()));
    assert_eq!(one_of_two(), 1);
    assert_eq!(conditional(""), 5);
    assert_eq!(one_of_two::tool().definition().description, "One of two.");
    assert_eq!(tools![allowed, old, older, one_of_two, conditional].len(), 5);
}
