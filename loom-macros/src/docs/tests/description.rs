//! What is left after the sections.

use super::check;

#[test]
fn nothing() {
    check("", "", &[]);
    check("\n\n   \n", "", &[]);
}

#[test]
fn lines_paragraphs_and_lists_stay_as_written() {
    let text =
        "Reads a file\nand returns it.\n\n- one\n  - two\n\n1. three\n\n> quote\n\n| a | b |\n|---|---|\n\n***\n\nEnd.";
    check(text, text, &[]);
}

#[test]
fn blank_lines_and_trailing_space_collapse() {
    check("\n\nOne.  \n\n\n\nTwo.\t\n\n", "One.\n\nTwo.", &[]);
}

#[test]
fn code_stays_as_written() {
    let text = concat!(
        "```text\n",
        "Args:\n",
        "    a: A.\n\n\n",
        "# Arguments\n",
        "* `b` - B.\n",
        ":param c: C.\n",
        "Returns\n",
        "-------\n",
        "```\n\n",
        "~~~~\n",
        "~~~\n",
        "# Returns\n",
        "~~~~\n",
        "End."
    );
    check(text, text, &[]);
}

#[test]
fn an_open_fence_runs_to_the_end() {
    check("One.\n```\n# Arguments\n* `a` - A.", "One.\n```\n# Arguments\n* `a` - A.", &[]);
}

#[test]
fn a_code_span_opens_no_fence() {
    check("```not a fence``` here\n# Arguments\n* `a` - A.", "```not a fence``` here", &[("a", "A.")]);
}

#[test]
fn a_fence_in_a_list_item() {
    check("- ```\n  # Arguments\n  ```\n# Arguments\n* `a` - A.", "- ```\n  # Arguments\n  ```", &[("a", "A.")]);
}

#[test]
fn every_dropped_heading() {
    for name in [
        "Returns",
        "Return",
        "Yields",
        "Yield",
        "Raises",
        "Raise",
        "Errors",
        "Panics",
        "Panic",
        "Safety",
        "Examples",
        "Example",
        "See Also",
        "Attributes",
        "Notes",
        "Note",
        "see also",
        "**RETURNS:**",
    ] {
        check(
            &format!("One.\n# {name}\nText.\n\n* `a` - A.\n## Deeper\nText.\n# Kept\nTwo."),
            "One.\n\n# Kept\nTwo.",
            &[],
        );
        check(&format!("One.\n\n{name}\n---\nText.\n\n# Kept\nTwo."), "One.\n\n# Kept\nTwo.", &[]);
    }
}

#[test]
fn a_deeper_dropped_heading_ends_at_its_own_level() {
    check(
        "# A\nOne.\n## Returns\nText.\n### Deeper\nText.\n## B\nTwo.\n### Panics\nText.\n# C",
        "# A\nOne.\n\n## B\nTwo.\n\n# C",
        &[],
    );
}

#[test]
fn code_in_a_dropped_section_is_dropped() {
    check("One.\n\n# Examples\n\n```\n# Kept?\nrun();\n```\n\n# Kept\nTwo.", "One.\n\n# Kept\nTwo.", &[]);
}

#[test]
fn headings_that_mean_nothing_stay() {
    check("# Title\n\nOne.\n\n## Returns and more\n\nTwo.", "# Title\n\nOne.\n\n## Returns and more\n\nTwo.", &[]);
}

#[test]
fn a_section_in_the_middle() {
    check(
        "One.\n\n# Arguments\n\n* `a` - A.\n\n# Details\n\nTwo.\n\n# Returns\n\nIt.\n\n# More\n\nThree.",
        "One.\n\n# Details\n\nTwo.\n\n# More\n\nThree.",
        &[("a", "A.")],
    );
}

#[test]
fn only_a_section() {
    check("# Returns\nIt.", "", &[]);
    check("# Arguments\n", "", &[]);
}
