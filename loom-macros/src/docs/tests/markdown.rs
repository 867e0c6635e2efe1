//! `# Arguments` and its list.

use super::check;

#[test]
fn stars_and_dashes_under_a_heading() {
    check(
        concat!(
            "Reads a file.\n\n",
            "# Arguments\n\n",
            "* `path` - The file.\n",
            "- `mode`: How to read.\n",
            "+ `limit` – Most lines.\n",
            "- `skip` — Lines to skip."
        ),
        "Reads a file.",
        &[("path", "The file."), ("mode", "How to read."), ("limit", "Most lines."), ("skip", "Lines to skip.")],
    );
}

#[test]
fn bare_names() {
    check(
        "# Arguments\n* path - The file.\n- mode: How.\n- limit -- Most.\n+ skip — Few.",
        "",
        &[("path", "The file."), ("mode", "How."), ("limit", "Most."), ("skip", "Few.")],
    );
}

#[test]
fn every_spelling_of_the_heading() {
    for heading in [
        "# Arguments",
        "## Parameters",
        "### Args",
        "#### Params",
        "# ARGUMENTS:",
        "# **Arguments**",
        "# **Arguments:**",
        "# **Arguments**:",
        "# arguments #",
        "###### Keyword Arguments",
        "  # Arguments",
    ] {
        check(&format!("Does it.\n\n{heading}\n\n* `a` - A."), "Does it.", &[("a", "A.")]);
    }
}

#[test]
fn not_a_heading() {
    check("#Arguments\n* `a` - A.", "#Arguments\n* `a` - A.", &[]);
    check("####### Arguments\n* `a` - A.", "####### Arguments\n* `a` - A.", &[]);
    check("# Arguments of note\n* `a` - A.", "# Arguments of note\n* `a` - A.", &[]);
}

#[test]
fn types_are_left_out() {
    check(
        concat!(
            "# Arguments\n",
            "* `a` (String) - A.\n",
            "- b (Vec<u8>): B.\n",
            "- `c` (`Option<(u8, u8)>`): C.\n",
            "- d (map (of maps)) — D.\n",
            "- `e: &str` - E.\n",
            "- f (int):F"
        ),
        "",
        &[("a", "A."), ("b", "B."), ("c", "C."), ("d", "D."), ("e", "E."), ("f", "F")],
    );
}

#[test]
fn bold_and_italic_names() {
    check(
        concat!(
            "# Arguments\n",
            "- **a** - A.\n",
            "- **b**: B.\n",
            "- **c:** C.\n",
            "- **`d`**: D.\n",
            "- **e (int)**: E.\n",
            "- **f** (int): F.\n",
            "- *g*: G.\n",
            "- **h (int):** H **now**."
        ),
        "",
        &[
            ("a", "A."),
            ("b", "B."),
            ("c", "C."),
            ("d", "D."),
            ("e", "E."),
            ("f", "F."),
            ("g", "G."),
            ("h", "H **now**."),
        ],
    );
}

#[test]
fn numbered_entries() {
    check("# Arguments\n1. path: The file.\n2) `mode` - How.", "", &[("path", "The file."), ("mode", "How.")]);
}

#[test]
fn what_stands_before_a_name_is_not_part_of_it() {
    check(
        concat!(
            "# Arguments\n",
            "- `mut a`: A.\n",
            "- `r#type`: B.\n",
            "- `&c`: C.\n",
            "- `&mut d`: D.\n",
            "- `*args`: E.\n",
            "- **kwargs: F.\n",
            "- *rest: G.\n",
            "- r#fn: H.\n",
            "- _i: I.\n",
            "- `__j`: J."
        ),
        "",
        &[
            ("a", "A."),
            ("type", "B."),
            ("c", "C."),
            ("d", "D."),
            ("args", "E."),
            ("kwargs", "F."),
            ("rest", "G."),
            ("fn", "H."),
            ("_i", "I."),
            ("__j", "J."),
        ],
    );
}

#[test]
fn names_beyond_ascii() {
    check("# Arguments\n- größe: Wie groß.\n- `路径`: 文件。", "", &[("größe", "Wie groß."), ("路径", "文件。")]);
}

#[test]
fn items_that_are_no_entries_stay() {
    let items = concat!(
        "- just a remark\n",
        "- config.path: dotted\n",
        "- `a::b` - a path\n",
        "- 2x: a number\n",
        "- http://example.com\n",
        "- Path\n",
        "- _: nothing\n",
        "- well-known\n",
        "- fast, cheap: choose\n",
        "-"
    );
    check(&format!("# Arguments\n{items}\n- real: Yes."), items, &[("real", "Yes.")]);
}

#[test]
fn what_belongs_to_an_item_that_is_no_entry_stays_with_it() {
    check(
        "# Arguments\n- All of these are paths:\n  - inner: not an entry\n\n  more\n- a: A.",
        "- All of these are paths:\n  - inner: not an entry\n\n  more",
        &[("a", "A.")],
    );
}

#[test]
fn prose_in_the_section_stays() {
    check(
        concat!(
            "Runs.\n\n",
            "# Arguments\n\n",
            "All paths are relative.\n\n",
            "* `a` - A.\n\n",
            "The rest is optional.\n\n",
            "* `b` - B.\n\n",
            "That is all."
        ),
        "Runs.\n\nAll paths are relative.\n\nThe rest is optional.\n\nThat is all.",
        &[("a", "A."), ("b", "B.")],
    );
}

#[test]
fn entries_right_after_prose() {
    check("Runs.\n# Arguments\nAll given:\n* `a` - A.", "Runs.\n\nAll given:", &[("a", "A.")]);
}

#[test]
fn wrapped_lines_become_one() {
    check(
        "# Arguments\n* `a` - The first\n  of two,\n  or three.\n* `b` -\n  On its own line.",
        "",
        &[("a", "The first of two, or three."), ("b", "On its own line.")],
    );
}

#[test]
fn any_deeper_indent_continues() {
    check("# Arguments\n* `a` - One\n two\n        three\n    four.", "", &[("a", "One two three four.")]);
}

#[test]
fn a_wrapped_line_without_indent_continues_in_lower_case() {
    check(
        "# Arguments\n* `a` - The first\nof two, see\n`b`.\n* `b` - Second.\nReads it all.",
        "Reads it all.",
        &[("a", "The first of two, see `b`."), ("b", "Second.")],
    );
}

#[test]
fn text_below_a_lone_name() {
    check(
        "# Arguments\n* `a`\n  The first.\n* **b** (int)\n\n  The second.\n- `c`",
        "",
        &[("a", "The first."), ("b", "The second."), ("c", "")],
    );
}

#[test]
fn paragraphs_of_an_entry() {
    check(
        "# Arguments\n* `a` - First\n  wrapped.\n\n  Second\n  wrapped.\n\n\n  Third.\n* `b` - B.",
        "",
        &[("a", "First wrapped.\n\nSecond wrapped.\n\nThird."), ("b", "B.")],
    );
}

#[test]
fn nested_lists_of_an_entry() {
    check(
        concat!(
            "# Arguments\n",
            "* `mode` - One of:\n",
            "  - r: read,\n",
            "    the default\n",
            "  - w: write\n",
            "    - and create\n",
            "  Nothing else.\n\n",
            "  1. first\n",
            "  2. second\n",
            "* `b` - B."
        ),
        "",
        &[
            (
                "mode",
                "One of:\n- r: read, the default\n- w: write\n  - and create\nNothing else.\n\n1. first\n2. second",
            ),
            ("b", "B."),
        ],
    );
}

#[test]
fn one_column_is_not_nested() {
    check(
        "# Arguments\n- a: A.\n - b: B.\n  - c: not nested in b",
        "",
        &[("a", "A."), ("b", "B."), ("c", "not nested in b")],
    );
}

#[test]
fn code_of_an_entry() {
    check(
        concat!(
            "# Arguments\n",
            "* `query` - A query:\n\n",
            "  ```json\n",
            "  {\n",
            "    \"a\": 1\n\n",
            "  }\n",
            "  ```\n\n",
            "  or none.\n",
            "* `b` - Like\n",
            "  ~~~\n",
            "  * x: y\n",
            "  ~~~\n",
            "  this."
        ),
        "",
        &[
            ("query", "A query:\n\n```json\n{\n  \"a\": 1\n\n}\n```\n\nor none."),
            ("b", "Like\n~~~\n* x: y\n~~~\nthis."),
        ],
    );
}

#[test]
fn indented_code_of_an_entry() {
    check(
        "# Arguments\n* `a` - Like:\n\n      one\n      two\n\n  or not.",
        "",
        &[("a", "Like:\n\n    one\n    two\n\nor not.")],
    );
}

#[test]
fn tables_and_quotes_of_an_entry() {
    check(
        "# Arguments\n* `a` - One of\n  | x | y |\n  |---|---|\n  | 1 | 2 |\n  > quoted\n  and on.",
        "",
        &[("a", "One of\n| x | y |\n|---|---|\n| 1 | 2 |\n> quoted\nand on.")],
    );
}

#[test]
fn colons_and_dashes_in_the_text() {
    check(
        "# Arguments\n* `a` - Like 12:30 - or so: a time.\n- b: http://x/y: z (or: not).",
        "",
        &[("a", "Like 12:30 - or so: a time."), ("b", "http://x/y: z (or: not).")],
    );
}

#[test]
fn several_names_share_a_text() {
    check(
        "# Arguments\n* `x`, `y` - Where.\n* **a**, **b**: What.",
        "",
        &[("x", "Where."), ("y", "Where."), ("a", "What."), ("b", "What.")],
    );
}

#[test]
fn a_marked_name_needs_no_bullet() {
    check(
        "# Arguments\n\n`path` - The file,\nto read.\n`mode`: How.\n\n`both` are needed.",
        "`both` are needed.",
        &[("path", "The file, to read."), ("mode", "How.")],
    );
}

#[test]
fn the_next_heading_ends_the_section() {
    check(
        "Top.\n\n## Arguments\n* `a` - A.\n\n## Details\n* `b` - not an entry\n\n# More\nText.",
        "Top.\n\n## Details\n* `b` - not an entry\n\n# More\nText.",
        &[("a", "A.")],
    );
}

#[test]
fn a_deeper_heading_does_not() {
    check(
        "# Arguments\n## Required\n* `a` - A.\n## Optional\nMay be missing:\n* `b` - B.\n## None yet",
        "## Optional\nMay be missing:\n\n## None yet",
        &[("a", "A."), ("b", "B.")],
    );
}

#[test]
fn a_heading_directly_below_an_entry() {
    check("# Arguments\n* `a` - A.\n# Then\nText.", "# Then\nText.", &[("a", "A.")]);
    check("# Arguments\n* `a` - A.\n # Returns\n A number.\n# Then", "# Then", &[("a", "A.")]);
}

#[test]
fn an_indented_list() {
    check("# Arguments\n\n  * `a` - A,\n    wrapped.\n  * `b` - B.", "", &[("a", "A, wrapped."), ("b", "B.")]);
}

#[test]
fn two_sections_and_a_name_twice() {
    check(
        "# Arguments\n* `a` - A.\n\nBetween.\n\n# Parameters\n* `b` - B.\n* `a` - Again.",
        "Between.",
        &[("a", "A."), ("b", "B."), ("a", "Again.")],
    );
}

#[test]
fn links_are_left_as_written() {
    check(
        "See [`Foo`] and [`Bar`](crate::Bar).\n\n# Arguments\n* `a` - A [`Foo`](crate::Foo).\n* [`b`] - no name",
        "See [`Foo`] and [`Bar`](crate::Bar).\n\n* [`b`] - no name",
        &[("a", "A [`Foo`](crate::Foo).")],
    );
}

#[test]
fn an_underlined_title_of_level_one() {
    check(
        "Arguments\n=========\n\n* `a` - A.\n\nDetails\n=======\n\nText.",
        "Details\n=======\n\nText.",
        &[("a", "A.")],
    );
}

#[test]
fn a_name_on_the_wire_may_have_dashes_in_code() {
    check(
        "# Arguments\n* `max-results` - Most.\n* follow-up - is prose.\n* `-x` - is prose too.",
        "* follow-up - is prose.\n* `-x` - is prose too.",
        &[("max-results", "Most.")],
    );
}
