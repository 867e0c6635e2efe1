//! What `#[tool]` refuses, with the exact text of every refusal, and what it takes.
//!
//! Every case of `ui/fail` uses its tool as well as declaring it, so that an error which draws others after it shows.
//! Every case of `ui/pass` is run: it asserts what the tool does, not only that it compiles.

#[test]
fn wrong_annotations_are_refused() {
    trybuild::TestCases::new().compile_fail("ui/fail/*.rs");
}

#[test]
fn right_annotations_run() {
    trybuild::TestCases::new().pass("ui/pass/*.rs");
}
