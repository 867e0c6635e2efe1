//! What people really write: several styles at once.

use super::{check, starts};

#[test]
fn google_and_rustdoc() {
    check(
        concat!(
            "Adds.\n\n",
            "Args:\n",
            "    a: A.\n\n",
            "# Arguments\n\n",
            "* `b` - B.\n\n",
            "# Returns\n\n",
            "The sum.\n\n",
            "# Examples\n\n",
            "```\n",
            "add(1, 2);\n",
            "```"
        ),
        "Adds.",
        &[("a", "A."), ("b", "B.")],
    );
}

#[test]
fn fields_after_a_list() {
    check(
        "# Arguments\n* `a` - A.\n:param b: B.\n\n:returns: It.\n* `c` - C.",
        "",
        &[("a", "A."), ("b", "B."), ("c", "C.")],
    );
}

#[test]
fn parameters_below_a_dropped_heading() {
    check(
        concat!(
            "One.\n\n",
            "# Notes\n\n",
            "Text.\n\n",
            "Args:\n",
            "    a: A.\n\n",
            "Text.\n",
            ":param b: B.\n\n",
            "Parameters\n",
            "----------\n",
            "c : int\n",
            "    C."
        ),
        "One.",
        &[("a", "A."), ("b", "B."), ("c", "C.")],
    );
}

#[test]
fn a_dropped_label_in_a_list_section() {
    check(
        "# Arguments\n* `a` - A.\n\nReturns:\n    It.\n\n* `b` - B.\n\nRaises\n------\nError\n    Never.",
        "",
        &[("a", "A."), ("b", "B.")],
    );
}

#[test]
fn all_four_styles() {
    check(
        concat!(
            "Args:\n",
            "\ta: A.\n\n",
            "Reads.\n\n",
            "Parameters\n",
            "----------\n",
            "b : int\n",
            "    B.\n\n",
            "# Arguments\n",
            "- c: C.\n\n",
            ":param d: D.\n\n",
            "Still the section."
        ),
        "Reads.\n\nStill the section.",
        &[("a", "A."), ("b", "B."), ("c", "C."), ("d", "D.")],
    );
}

#[test]
fn a_long_real_one() {
    check(
        concat!(
            "Search the workspace for a pattern.\n\n",
            "Matches are sorted by path:\n\n",
            "1. hidden files last\n",
            "2. the rest first\n\n",
            "Args:\n",
            "    pattern (str): A regular expression. Examples:\n",
            "        - `fn \\w+`\n",
            "        - `^use`: only at the start\n\n",
            "        Escaped with `\\`.\n",
            "    path (Optional[str]): Where to\n",
            "        look. Default: the root.\n\n",
            "Returns:\n",
            "    list: One match per line::\n\n",
            "        a.rs:1: x\n\n",
            "Raises:\n",
            "    ValueError: When the pattern is bad.\n\n",
            "Use `glob` to find files by name."
        ),
        concat!(
            "Search the workspace for a pattern.\n\n",
            "Matches are sorted by path:\n\n",
            "1. hidden files last\n",
            "2. the rest first\n\n",
            "Use `glob` to find files by name."
        ),
        &[
            (
                "pattern",
                "A regular expression. Examples:\n- `fn \\w+`\n- `^use`: only at the start\n\nEscaped with `\\`.",
            ),
            ("path", "Where to look. Default: the root."),
        ],
    );
}

#[test]
fn entries_know_their_first_line() {
    assert_eq!(
        starts(concat!(
            "One.\n\n",
            "# Arguments\n\n",
            "* `a` - A,\n",
            "  wrapped.\n",
            "* `b`, `c` - B.\n\n",
            "# D\n",
            "Args:\n",
            "    e: E.\n",
            ":param f: F.\n",
            "Parameters\n",
            "---\n",
            "g : int\n",
            "    G."
        )),
        [("a", 4), ("b", 6), ("c", 6), ("e", 10), ("f", 11), ("g", 14)].map(|(name, line)| (name.to_owned(), line))
    );
}
