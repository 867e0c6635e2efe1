//! Titles with dashes below.

use super::check;

#[test]
fn types_are_left_out() {
    check(
        concat!(
            "Reads.\n\n",
            "Parameters\n",
            "----------\n",
            "path : str\n",
            "    The file\n",
            "    to read.\n",
            "mode : {'r', 'w'}, optional\n",
            "    How.\n",
            "limit: int\n",
            "    Most.\n",
            "*args\n",
            "    Rest.\n",
            "**kwargs : dict of str\n",
            "    Named."
        ),
        "Reads.",
        &[("path", "The file to read."), ("mode", "How."), ("limit", "Most."), ("args", "Rest."), ("kwargs", "Named.")],
    );
}

#[test]
fn every_spelling_of_the_title() {
    for title in ["Parameters", "Other Parameters", "Arguments", "Args", "params", "**Parameters**", "Parameters:"] {
        check(&format!("Does it.\n\n{title}\n---\na : int\n    A."), "Does it.", &[("a", "A.")]);
    }
}

#[test]
fn two_dashes_are_no_underline() {
    check("Parameters\n--\na : int", "Parameters\n--\na : int", &[]);
}

#[test]
fn names_alone() {
    check("Parameters\n----------\na\n    A.\nb\nc\n    C.", "", &[("a", "A."), ("b", ""), ("c", "C.")]);
}

#[test]
fn several_names_share_a_text() {
    check(
        "Parameters\n----------\na, b : int\n    Both.\nc, d\n    Too.",
        "",
        &[("a", "Both."), ("b", "Both."), ("c", "Too."), ("d", "Too.")],
    );
}

#[test]
fn a_sentence_in_place_of_the_type() {
    check(
        concat!(
            "Parameters\n",
            "----------\n",
            "a: The first,\n",
            "    wrapped.\n",
            "b: second\n",
            "c : The third.\n",
            "d : int\n",
            "e : int, must be positive\n",
            "    E."
        ),
        "",
        &[
            ("a", "The first, wrapped."),
            ("b", "second"),
            ("c", "The third."),
            ("d", ""),
            ("e", "int, must be positive E."),
        ],
    );
}

#[test]
fn blank_lines_and_paragraphs() {
    check(
        "Parameters\n----------\n\na : int\n\n    First.\n\n    Second.\n\nb : int\n    B.",
        "",
        &[("a", "First.\n\nSecond."), ("b", "B.")],
    );
}

#[test]
fn ends_at_a_paragraph() {
    check(
        "Parameters\n----------\na : int\n    A.\n\nReads it.\n\nb : int\n    prose",
        "Reads it.\n\nb : int\n    prose",
        &[("a", "A.")],
    );
}

#[test]
fn ends_at_a_heading() {
    check("Parameters\n----------\na : int\n    A.\n# Then\nb : int", "# Then\nb : int", &[("a", "A.")]);
    check("Parameters\n----------\na : int\n    A.\n\nThen\n----\nb : int", "Then\n----\nb : int", &[("a", "A.")]);
}

#[test]
fn prose_before_the_entries_stays() {
    check("Parameters\n----------\nAll are numbers.\na : int\n    A.", "All are numbers.", &[("a", "A.")]);
    check("Parameters\n----------\n\nAll are numbers.\n\na : int\n    A.", "All are numbers.", &[("a", "A.")]);
}

#[test]
fn capitals_are_prose() {
    check("Parameters\n----------\nNone", "None", &[]);
    check("Parameters\n----------\na : int\n    A.\n\nNote: slow.", "Note: slow.", &[("a", "A.")]);
}

#[test]
fn bullets_work_as_well() {
    check("Arguments\n---------\n\n* `a` - A,\n  wrapped.\n- b: B.", "", &[("a", "A, wrapped."), ("b", "B.")]);
}

#[test]
fn nested_lists_and_code() {
    check(
        concat!(
            "Parameters\n",
            "----------\n",
            "mode : str\n",
            "    One of:\n\n",
            "    - r: read\n",
            "    - w: write\n\n",
            "    ```\n",
            "    x : y\n",
            "    ```\n",
            "b : int\n",
            "    B."
        ),
        "",
        &[("mode", "One of:\n\n- r: read\n- w: write\n\n```\nx : y\n```"), ("b", "B.")],
    );
}

#[test]
fn dropped_sections() {
    check(
        concat!(
            "Reads.\n\n",
            "Returns\n",
            "-------\n",
            "str\n",
            "    The text.\n\n",
            "int : n\n",
            "    Its length.\n\n",
            "More.\n\n",
            "Examples\n",
            "--------\n",
            ">>> read()\n",
            "1\n\n",
            ">>> read()\n",
            "2\n\n",
            "Notes\n",
            "-----\n",
            "One.\n\n",
            "Two.\n\n",
            "Parameters\n",
            "----------\n",
            "a : int\n",
            "    A."
        ),
        "Reads.\n\nMore.",
        &[("a", "A.")],
    );
}

#[test]
fn a_section_first_and_no_blank_lines() {
    check(
        "Parameters\n----------\na : int\n    A.\nReturns\n-------\nint\n    It.\n\nReads it.",
        "Reads it.",
        &[("a", "A.")],
    );
    check("Reads it.\nParameters\n----------\na : int\n    A.", "Reads it.", &[("a", "A.")]);
}

#[test]
fn other_underlined_titles_stay() {
    check("Title\n=====\n\nText.\n\nMore\n----\nText.", "Title\n=====\n\nText.\n\nMore\n----\nText.", &[]);
}

#[test]
fn a_rule_under_text_is_no_title() {
    check("# Arguments\n\nSome\ntext\n---\n\n* `a` - A.", "Some\ntext\n---", &[("a", "A.")]);
}

#[test]
fn an_indented_section() {
    check(
        "Reads.\n\n    Parameters\n    ----------\n    a : int\n        A.\n\n    More.",
        "Reads.\n\n    More.",
        &[("a", "A.")],
    );
}
