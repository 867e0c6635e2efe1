//! R8, R9 and syntax: the arguments as a whole.

use serde_json::{Value, json};

use super::{Answer, answer, change, coerced, refused, taken};
use crate::CoercionRule::{NoArguments, QuotedArguments, TextToInteger};
use crate::tool;

/// Takes nothing it needs.
#[tool(blocking = false)]
fn free(v: Option<u8>) -> String {
    format!("{v:?}")
}

/// Needs two values.
#[tool(blocking = false)]
fn needs(a: u8, b: String) -> String {
    format!("{a} {b}")
}

#[test]
fn no_arguments_are_empty_ones() {
    for sent in ["", "   ", "\n\t", "{}", " { } "] {
        assert_eq!(taken(&free::tool(), sent), "None", "{sent:?}");
    }
    assert_eq!(taken(&free::tool(), json!({})), "None");
    for (sent, shown) in [("null", "null"), (r#""""#, r#""""#), (r#""  ""#, r#""""#)] {
        assert_eq!(
            coerced(&free::tool(), sent),
            ("None".to_owned(), vec![change("", NoArguments, shown, "{}")]),
            "{sent:?}"
        );
    }
    assert_eq!(coerced(&free::tool(), Value::Null).1, [change("", NoArguments, "null", "{}")]);
}

#[test]
fn required_ones_are_then_missing() {
    for sent in ["", "  ", "null", r#""""#, "{}"] {
        assert_eq!(refused(&needs::tool(), sent), ["missing required arguments `a` and `b`"], "{sent:?}");
    }
}

#[test]
fn a_quoted_object_is_the_arguments() {
    assert_eq!(
        answer(&needs::tool(), r#""{\"a\": \"1\", \"b\": \"x\"}""#),
        Answer {
            output: "1 x".to_owned(),
            coercions: vec![
                crate::Coercion {
                    pointer: String::new(),
                    rule: QuotedArguments,
                    from: r#""{\"a\": \"1\", \"b\": \"x\"}""#.to_owned(),
                    to: r#"{"a":"1","b":"x"}"#.to_owned(),
                },
                crate::Coercion {
                    pointer: "/a".to_owned(),
                    rule: TextToInteger,
                    from: "\"1\"".to_owned(),
                    to: "1".to_owned(),
                },
            ],
            repairs: Vec::new(),
            coerced: Some(r#"{"a":1,"b":"x"}"#.to_owned()),
        }
    );
    assert_eq!(coerced(&free::tool(), json!("{\"v\":1}")).0, "Some(1)");
}

#[test]
fn other_values_are_no_arguments() {
    let cases = [
        ("[1,\"x\"]", "[1,\"x\"]"),
        ("5", "5"),
        ("true", "true"),
        ("\"text\"", "\"text\""),
        (r#""[1]""#, r#""[1]""#),
        (r#""\"{}\"""#, r#""\"{}\"""#),
    ];
    for (sent, shown) in cases {
        assert_eq!(refused(&needs::tool(), sent), [format!("expected an object with `a` and `b`, got {shown}")]);
    }
}

#[test]
fn a_quoted_object_that_is_broken_is_told_as_such() {
    assert_eq!(
        refused(&needs::tool(), r#""{\"a\":1""#),
        ["the arguments are not valid JSON: the text is cut off: it ends inside an object near `{\"a\":1`"]
    );
    // Nothing is repaired within quotes.
    assert_eq!(
        refused(&needs::tool(), r#""{\"a\":1,}""#),
        ["the arguments are not valid JSON: unexpected character `}` near `{\"a\":1,}`; there is a comma too many"]
    );
}

#[test]
fn what_is_cut_off_is_never_run() {
    let whole = r#"{"a":12,"b":"some text"}"#;
    for end in 1..whole.len() {
        let cut = &whole[..end];
        let inside = if cut.matches('"').count() % 2 == 1 { "a string" } else { "an object" };
        let reason = format!("the text is cut off: it ends inside {inside} near `{cut}`");
        assert_eq!(refused(&needs::tool(), cut), [format!("the arguments are not valid JSON: {reason}")]);
    }
}

#[test]
fn what_is_not_json_says_where_it_breaks() {
    let cases = [
        (
            r#"{"a":1} extra"#,
            "more text follows after the end of the JSON value near `{\"a\":1} extra`; send the JSON object alone, without anything around it",
        ),
        (
            r#"{"a":1}{"b":2}"#,
            "more text follows after the end of the JSON value near `{\"a\":1}{\"b\":2}`; send one JSON object",
        ),
        (
            r#"{"b":"he said "hi""}"#,
            "unexpected character `h` near `{\"b\":\"he said \"hi\"\"}`; write a double quote inside of text as `\\\"`",
        ),
        (r#"{"a":1 "b":2}"#, "unexpected character `\"` near `{\"a\":1 \"b\":2}`; a comma or a colon is missing"),
        (
            r#"{"b":"x" "a":2}"#,
            "unexpected character `\"` near `{\"b\":\"x\" \"a\":2}`; \
             a comma is missing, or a double quote inside of text is not written as `\\\"`",
        ),
        (
            r#"{"a":nan}"#,
            "unexpected character `a` near `{\"a\":nan}`; \
             the only words in JSON are `true`, `false` and `null`; text stands in double quotes",
        ),
        (
            r#"{"a":01}"#,
            "invalid number: it takes digits around a `.`, and no leading zero, plus sign, `NaN` or `Infinity` near `{\"a\":01}`",
        ),
        (r"{'a':1}", "unexpected character `'` near `{'a':1}`; names and text stand in double quotes"),
        (
            "plain text",
            "unexpected character `p` near `plain text`; send the JSON object alone, without anything around it",
        ),
    ];
    for (sent, reason) in cases {
        assert_eq!(refused(&needs::tool(), sent), [format!("the arguments are not valid JSON: {reason}")]);
    }
}

#[test]
fn white_space_and_escapes_make_no_difference() {
    assert_eq!(taken(&needs::tool(), " {\r\n\t\"a\" : 1 ,\"b\":\"x\" } \n"), "1 x");
    assert_eq!(taken(&needs::tool(), r#"{"\u0061":1,"b":"x"}"#), "1 x");
}

#[test]
fn blanks_within_a_name_are_part_of_it() {
    for (sent, shown) in [("{\"a \":1,\"b\":\"x\"}", "a "), ("{\"a\n\":1,\"b\":\"x\"}", "a\\n")] {
        let unknown = format!("unknown argument `{shown}`; did you mean `a`?");
        assert_eq!(refused(&needs::tool(), sent), [unknown.as_str(), "missing required argument `a`"]);
    }
}

/// Takes two numbers.
#[tool]
async fn later(a: u8) -> String {
    a.to_string()
}

/// Takes a number.
#[tool]
fn blocking(a: u8) -> String {
    a.to_string()
}

#[test]
fn every_kind_of_work_gets_its_values() {
    assert_eq!(taken(&later::tool(), r#"{"a":1}"#), "1");
    assert_eq!(taken(&blocking::tool(), r#"{"a":2}"#), "2");
}
