//! `Args:` and what is indented below it.

use super::check;

#[test]
fn entries_with_and_without_types() {
    check(
        concat!(
            "Reads.\n\n",
            "Args:\n",
            "    path: The file.\n",
            "    mode (str): How.\n",
            "    limit (int, optional): Most.\n",
            "    f (Callable[[int], str]): Called.\n",
            "    *args: Rest.\n",
            "    **kwargs: Named."
        ),
        "Reads.",
        &[
            ("path", "The file."),
            ("mode", "How."),
            ("limit", "Most."),
            ("f", "Called."),
            ("args", "Rest."),
            ("kwargs", "Named."),
        ],
    );
}

#[test]
fn every_spelling_of_the_label() {
    for label in [
        "Args:",
        "Arguments:",
        "Parameters:",
        "Params:",
        "Keyword Args:",
        "Keyword Arguments:",
        "args:",
        "ARGS:",
        "**Args:**",
        "**Parameters**:",
        "**Parameters**",
    ] {
        check(&format!("Does it.\n{label}\n  a: A."), "Does it.", &[("a", "A.")]);
    }
}

#[test]
fn a_label_has_its_line_to_itself() {
    check("Args: none\n    a: A.", "Args: none\n    a: A.", &[]);
    check("The Args:\n    a: A.", "The Args:\n    a: A.", &[]);
    check("Args\n    a: A.", "Args\n    a: A.", &[]);
}

#[test]
fn continuation_lines() {
    check(
        "Args:\n    path: The file\n        to read,\n      always.\n    mode:\n        How to\n        read.",
        "",
        &[("path", "The file to read, always."), ("mode", "How to read.")],
    );
}

#[test]
fn continuation_lines_without_more_indent() {
    check(
        "Args:\n    path: The file\n    to read. Must\n    Exist.\n    mode: How.",
        "",
        &[("path", "The file to read. Must Exist."), ("mode", "How.")],
    );
}

#[test]
fn paragraphs_and_blank_lines_between_entries() {
    check(
        "Args:\n\n    path: The file.\n\n        It must exist.\n\n    mode: How.\n\nThen more.",
        "Then more.",
        &[("path", "The file.\n\nIt must exist."), ("mode", "How.")],
    );
}

#[test]
fn ends_where_the_indent_does() {
    check("Args:\n    a: A.\nReads it.\n    b: not an entry", "Reads it.\n    b: not an entry", &[("a", "A.")]);
}

#[test]
fn a_section_first() {
    check("Args:\n    a: A.\n\nReads it.", "Reads it.", &[("a", "A.")]);
}

#[test]
fn prose_in_the_section_stays() {
    check(
        "Reads.\n\nArgs:\n    All are paths.\n    a: A.\n\n    None may be empty.\n\n    b: B.",
        "Reads.\n\nAll are paths.\n\nNone may be empty.",
        &[("a", "A."), ("b", "B.")],
    );
}

#[test]
fn prose_in_the_section_keeps_its_lines() {
    check(
        "Args:\n    All are\n    paths:\n    ```\n    a: b\n\n      c\n    ```\n    a: A.\nReads.",
        "All are\npaths:\n```\na: b\n\n  c\n```\n\nReads.",
        &[("a", "A.")],
    );
}

#[test]
fn a_wrapped_word_that_introduces_a_list() {
    check(
        "Args:\n    a: One of the\n    following:\n    - x\n    - y\n    b: Like\n    this:\n    ```\n    z\n    ```\n    c:\n    d: D.",
        "",
        &[("a", "One of the following:\n- x\n- y"), ("b", "Like this:\n```\nz\n```"), ("c", ""), ("d", "D.")],
    );
}

#[test]
fn without_entries_it_is_prose() {
    check("Args:\n    None.", "Args:\n    None.", &[]);
    check("Parameters:\nThere are two of them.", "Parameters:\nThere are two of them.", &[]);
    check("Parameters:\n- fast\n- safe", "Parameters:\n- fast\n- safe", &[]);
    check("Args:\n```\na: A.\n```", "Args:\n```\na: A.\n```", &[]);
}

#[test]
fn an_empty_section_is_dropped() {
    check("Reads.\n\nArgs:\n\nReturns:\n    It.", "Reads.", &[]);
    check("Reads.\n\nArgs:", "Reads.", &[]);
    check("Reads.\n\nArgs:\n\n# Details\nText.", "Reads.\n\n# Details\nText.", &[]);
}

#[test]
fn indented_bullets() {
    check(
        concat!(
            "Args:\n",
            "    * a: A,\n",
            "      wrapped.\n",
            "    - `b` (int): B\n",
            "      - nested: x\n",
            "    * **c** - C.\n",
            "    - not an entry"
        ),
        "- not an entry",
        &[("a", "A, wrapped."), ("b", "B\n- nested: x"), ("c", "C.")],
    );
}

#[test]
fn bullets_below_the_label() {
    check(
        "Args:\n- a: A,\n  wrapped.\n- `b`: B.\n- plain\n\n* c - C.\nReads it.",
        "- plain\n\nReads it.",
        &[("a", "A, wrapped."), ("b", "B."), ("c", "C.")],
    );
    check("**Parameters**\n\n1. `a`: A.\n2. `b`: B.", "", &[("a", "A."), ("b", "B.")]);
}

#[test]
fn entries_without_indent() {
    check(
        "Args:\na: A.\nb (int): B,\n  wrapped.\n\nc: not an entry",
        "c: not an entry",
        &[("a", "A."), ("b", "B, wrapped.")],
    );
    check("Args:\na: A.\nReads it.\nb: prose", "Reads it.\nb: prose", &[("a", "A.")]);
    check("Args:\na: A.\nNote: prose", "Note: prose", &[("a", "A.")]);
    check("Args:\n\na: prose", "Args:\n\na: prose", &[]);
    check("Args:\na: A.\nReturns:\n    It.", "", &[("a", "A.")]);
}

#[test]
fn nested_lists_indented_or_not() {
    check(
        concat!(
            "Args:\n",
            "    mode: One of\n",
            "        - r: read\n",
            "        - w: write\n",
            "          all\n",
            "    kind: One of\n",
            "    - file\n",
            "      - deep\n",
            "    - x: other\n\n",
            "    last: L."
        ),
        "",
        &[
            ("mode", "One of\n- r: read\n- w: write all"),
            ("kind", "One of\n- file\n  - deep\n- x: other"),
            ("last", "L."),
        ],
    );
}

#[test]
fn code_in_an_entry() {
    check(
        "Args:\n    a: Like\n        ```\n        Args:\n            x: y\n        ```\n        this.\n    b: B.",
        "",
        &[("a", "Like\n```\nArgs:\n    x: y\n```\nthis."), ("b", "B.")],
    );
}

#[test]
fn colons_in_the_text() {
    check(
        "Args:\n    a: At 12:30: on time.\n    url: http://x:80/",
        "",
        &[("a", "At 12:30: on time."), ("url", "http://x:80/")],
    );
}

#[test]
fn a_dash_or_a_lone_name() {
    check("Args:\n    a - A.\n    b\n        B.\n    `c`\n        C.", "", &[("a", "A."), ("b", "B."), ("c", "C.")]);
}

#[test]
fn dotted_names_are_prose() {
    check("Args:\n    a: A.\n\n    b.c: prose", "b.c: prose", &[("a", "A.")]);
}

#[test]
fn several_names() {
    check("Args:\n    x, y (int): Where.", "", &[("x", "Where."), ("y", "Where.")]);
}

#[test]
fn another_label_in_the_same_column() {
    check("Args:\n    a: A.\n    Returns:\n        It.\n    b: prose", "b: prose", &[("a", "A.")]);
    check("Args:\n    a: A.\n    notes:\n        What to note.", "", &[("a", "A."), ("notes", "What to note.")]);
}

#[test]
fn remarks_are_no_entries() {
    check(
        "Args:\n    a: A.\n    Note: of a.\n\n    Note: of all.\n\n    b: B.",
        "Note: of all.",
        &[("a", "A. Note: of a."), ("b", "B.")],
    );
    check("# Arguments\n- a: A.\n- **Note**: of all.", "- **Note**: of all.", &[("a", "A.")]);
}

#[test]
fn a_field_or_heading_in_the_same_column() {
    check("Args:\n    a: A.\n    :param b: B.", "", &[("a", "A."), ("b", "B.")]);
    check("Args:\n  a: A.\n  # Returns\n  It.", "", &[("a", "A.")]);
    check("Args:\n    a: A.\n\n    Returns\n    -------\n    int", "", &[("a", "A.")]);
}

#[test]
fn dropped_sections() {
    check(
        concat!(
            "Reads.\n\n",
            "Returns:\n",
            "    The text.\n\n",
            "    All of it.\n\n",
            "More.\n",
            "Raises:\n",
            "    ValueError: if not.\n",
            "Yields:\n",
            "  x\n",
            "Example:\n\n",
            "    run()\n",
            "Note:\n",
            "    Slow.\n",
            "See Also:\n",
            "    read\n",
            "The end."
        ),
        "Reads.\n\nMore.\n\nThe end.",
        &[],
    );
}

#[test]
fn labels_without_indented_text_are_prose() {
    check("Returns: the text.", "Returns: the text.", &[]);
    check("Note:\nThis is slow.", "Note:\nThis is slow.", &[]);
    check("Note: This is slow,\n    very.", "Note: This is slow,\n    very.", &[]);
    check("Errors:", "Errors:", &[]);
}

#[test]
fn two_sections() {
    check(
        "Args:\n    a: A.\n\nKeyword Args:\n    b: B.\n    a: Again.",
        "",
        &[("a", "A."), ("b", "B."), ("a", "Again.")],
    );
}

#[test]
fn an_indented_section() {
    check(
        "Reads.\n    Args:\n        a: A.\n    Returns:\n        It.\n    Done.",
        "Reads.\n\n    Done.",
        &[("a", "A.")],
    );
}
