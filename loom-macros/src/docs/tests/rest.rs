//! `:param name:` and the fields around it.

use super::check;

#[test]
fn every_keyword() {
    check(
        "Reads.\n\n:param a: A.\n:parameter b: B.\n:arg c: C.\n:argument d: D.\n:key e: E.\n:keyword f: F.",
        "Reads.",
        &[("a", "A."), ("b", "B."), ("c", "C."), ("d", "D."), ("e", "E."), ("f", "F.")],
    );
}

#[test]
fn types_are_left_out() {
    check(
        concat!(
            ":param int a: A.\n",
            ":param dict[str, int] b: B.\n",
            ":param std::path::Path c: C.\n",
            ":param `d`: D.\n",
            ":param *args: E.\n",
            ":param _f: F.\n",
            ":param g:G."
        ),
        "",
        &[("a", "A."), ("b", "B."), ("c", "C."), ("d", "D."), ("args", "E."), ("_f", "F."), ("g", "G.")],
    );
}

#[test]
fn continuation_lines() {
    check(
        ":param a: The first\n    of two.\n\n    - x: y\n    - z\n:param b:\n  The second.\nThen more.",
        "Then more.",
        &[("a", "The first of two.\n\n- x: y\n- z"), ("b", "The second.")],
    );
}

#[test]
fn other_fields_are_dropped() {
    check(
        concat!(
            "Reads.\n",
            ":param a: A.\n",
            ":type a: int\n",
            ":returns: The text,\n",
            "    all of it.\n",
            ":return: It.\n",
            ":rtype: str\n",
            ":raises ValueError: If not.\n",
            ":raise X: Never.\n",
            ":yields: Y.\n",
            "More."
        ),
        "Reads.\n\nMore.",
        &[("a", "A.")],
    );
}

#[test]
fn anywhere() {
    check(
        ":param a: A.\nReads.\n:param b: B.\n\n# Details\n:param c: C.\nText.",
        "Reads.\n\n# Details\n\nText.",
        &[("a", "A."), ("b", "B."), ("c", "C.")],
    );
}

#[test]
fn unknown_fields_are_prose() {
    let prose = ":note: this\n:param: no name\n:param a.b: dotted\n:smile:\n:: x\n:param\n:\n:parameters a: A.";
    check(prose, prose, &[]);
}

#[test]
fn colons_in_the_text() {
    check(":param a: At 12:30: on time.", "", &[("a", "At 12:30: on time.")]);
}

#[test]
fn several_names() {
    check(":param a, b: Both.", "", &[("a", "Both."), ("b", "Both.")]);
}

#[test]
fn a_name_twice() {
    check(":param a: A.\n:param a: B.", "", &[("a", "A."), ("a", "B.")]);
}

#[test]
fn an_empty_text() {
    check(":param a:\n:param b: B.", "", &[("a", ""), ("b", "B.")]);
}
