//! The lines as they come: indentation, line ends, block comments.

use proc_macro2::Span;

use super::{DocLine, block_lines, check, pairs, parse};

fn raw(lines: &[&str]) -> Vec<DocLine> {
    lines.iter().map(|text| DocLine { text: (*text).to_owned(), span: Span::call_site() }).collect()
}

#[track_caller]
fn check_raw(lines: &[&str], description: &str, params: &[(&str, &str)]) {
    let docs = parse(&raw(lines));
    assert_eq!((docs.description.as_str(), pairs(&docs)), (description, params.to_vec()));
}

#[track_caller]
fn check_block(text: &str, expected: &[&str]) {
    assert_eq!(block_lines(text), expected);
}

#[test]
fn no_lines() {
    check_raw(&[], "", &[]);
}

#[test]
fn lines_without_a_space() {
    check_raw(&["Reads.", "", "Args:", "  a: A."], "Reads.", &[("a", "A.")]);
}

#[test]
fn more_than_a_space() {
    check_raw(&["   Reads.", "", "     - deeper", "   End."], "Reads.\n\n  - deeper\nEnd.", &[]);
}

#[test]
fn tabs_for_indentation() {
    check(
        "Args:\n\ta: A\n\t\twrapped.\n\tb: B\n\n\t\t- x\n\t\t\t- y\n",
        "",
        &[("a", "A wrapped."), ("b", "B\n\n- x\n\t- y")],
    );
}

#[test]
fn tabs_and_spaces_mixed() {
    check("Args:\n\ta: A\n        wrapped.\n    b: B\n  \t\tand on.", "", &[("a", "A wrapped."), ("b", "B and on.")]);
    check_raw(&[" Reads.", "\tMore."], "Reads.\n   More.", &[]);
}

#[test]
fn tabs_behind_a_bullet() {
    check("# Arguments\n*\t`a`\t-\tA.\n-\tb:\tB.", "", &[("a", "A."), ("b", "B.")]);
}

#[test]
fn tabs_in_code_stay() {
    check("```make\nall:\n\trun\n```", "```make\nall:\n\trun\n```", &[]);
    check("Args:\n\ta: A\n\t\t```\n\t\tall:\n\t\t\trun\n\t\t```", "", &[("a", "A\n```\nall:\n\trun\n```")]);
}

#[test]
fn carriage_returns() {
    check(
        "Reads.\r\n\r\nArgs:\r\n    a: A\r\n        wrapped.\r\n\r\nEnd.\r",
        "Reads.\n\nEnd.",
        &[("a", "A wrapped.")],
    );
}

#[test]
fn several_lines_in_one() {
    check_raw(&["Reads.\nArgs:\n    a: A.\nEnd."], "Reads.\n\nEnd.", &[("a", "A.")]);
}

#[test]
fn a_block_with_an_edge() {
    check_block("\n * Reads.\n *\n * Args:\n *     a: A.\n ", &["", " Reads.", "", " Args:", "     a: A.", ""]);
    check_block(" Reads.\n     * More.\n     ", &[" Reads.", " More.", ""]);
    check_block("\n * Reads.\n ", &["", " Reads.", ""]);
    check_block("Reads.\r\n * More.\r\n *\r\n * * item\r\n *", &[" Reads.", " More.", "", " * item", ""]);
    check_block("\n\t * a\n\t * b\n", &["", " a", " b", ""]);
    check_block("\n *a\n * b", &["", " *a", " * b"]);
}

#[test]
fn a_block_without_an_edge() {
    check_block("\n    Reads.\n\n    Args:\n        a: A.\n", &["", " Reads.", "", " Args:", "     a: A.", ""]);
    check_block(" Reads.\n    More.\n    ", &[" Reads.", " More.", ""]);
    check_block(" one ", &[" one"]);
    check_block("", &[""]);
}

#[test]
fn a_list_is_no_edge() {
    check_block("Of:\n* one", &["Of:", "* one"]);
    check_block("* one\n* two\n* three", &["* one", "* two", "* three"]);
    check_block("\n* one\n  * two", &["", " * one", "   * two"]);
    check_block("\n * one\n text", &["", " * one", " text"]);
    check_block("\n **a**\n **b**", &["", " **a**", " **b**"]);
}

#[test]
fn a_written_out_text_is_left_alone() {
    check_block("Reads.\nArgs:\n    a: A. \n\n  b", &["Reads.", "Args:", "    a: A.", "", "  b"]);
}
