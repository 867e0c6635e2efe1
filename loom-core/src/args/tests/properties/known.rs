//! Faults that are known, each with what comes of it now. The generated schemas keep clear of them; whoever mends one
//! finds it here, and takes it off.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::through::Planned;
use super::super::{change, coerced, refused, taken};
use crate::CoercionRule::NumberToInteger;

/// What is wrong, a schema, what is sent, and the problems that are told.
type Known = (&'static str, Value, Value, &'static [(&'static str, &'static str)]);

fn known() -> Vec<Known> {
    let object = |properties: Value, required: &[&str]| json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false});
    let only = json!({"type": "string", "enum": ["only"]});
    let tag = |name: &str| json!({"type": "string", "const": name});
    vec![
        (
            "a property that takes one name only is held for the tag: the right tag is called wrong",
            json!({"oneOf": [
                object(json!({"kind": tag("a"), "other": only}), &["kind", "other"]),
                object(json!({"kind": tag("b")}), &["kind"]),
            ]}),
            json!({"kind": "a", "other": "else"}),
            &[("/kind", "expected one of \"a\", \"b\", got \"a\"")],
        ),
        (
            "a variant whose data is one name only is held for a tagged object: another variant is asked for",
            json!({"oneOf": [
                object(json!({"first": {"type": "integer"}}), &["first"]),
                object(json!({"second": only}), &["second"]),
            ]}),
            json!({"second": "else"}),
            &[("", "unknown argument `second`"), ("", "missing required argument `first`")],
        ),
        (
            "an object of a union that has a property of one name only: the other problems are not told",
            json!({"anyOf": [object(json!({"mode": only}), &["mode"]), {"type": "integer"}]}),
            json!({"mode": "else", "more": 1}),
            &[("/mode", "expected \"only\", got \"else\"")],
        ),
    ]
}

#[test]
fn known_faults_are_there_still() {
    for (fault, schema, sent, told) in known() {
        let problems = Planned::new(&schema).through(&sent.to_string()).unwrap_err();
        let problems: Vec<_> = problems.iter().map(|(pointer, words)| (pointer.as_str(), words.as_str())).collect();
        assert_eq!(problems, told, "{fault}");
    }
}

#[test]
fn a_raw_line_break_at_the_end_of_a_name_is_passed_over_still() {
    let tool = of!(u8);
    // JSON has no raw control characters in strings: these three are no documents.
    for blank in ["\n", "\t", "\r"] {
        assert_eq!(taken(&tool, format!("{{\"v{blank}\":1}}")), "1");
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "printed")]
struct Aliased {
    #[serde(alias = "sort")]
    order: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
enum Degrees {
    #[serde(alias = "k")]
    Kelvin,
    Celsius,
}

#[test]
fn an_alias_inside_a_type_is_understood_by_one_path_only_still() {
    let (structs, names) = (of!(Aliased), of!(Degrees));
    // The fast path asks the type, the plan asks the schema, which knows no alias: an escape in a name decides.
    assert_eq!(taken(&structs, r#"{"v":{"sort":"x"}}"#), r#"Aliased { order: "x" }"#);
    assert_eq!(
        refused(&structs, r#"{"\u0076":{"sort":"x"}}"#),
        ["/v: unknown property `sort`", "/v: missing required property `order`"]
    );
    assert_eq!(taken(&names, r#"{"v":"k"}"#), "Kelvin");
    assert_eq!(refused(&names, r#"{"\u0076":"k"}"#), ["/v: expected one of \"Kelvin\", \"Celsius\", got \"k\""]);
}

#[test]
fn a_parsed_minus_zero_is_an_integer_without_a_note_where_numbers_are_text_still() {
    let tool = of!(i8);
    let with_note = (String::from("0"), vec![change("/v", NumberToInteger, "-0", "0")]);
    assert_eq!(coerced(&tool, r#"{"v":-0}"#), with_note);
    let parsed: Value = serde_json::from_str(r#"{"v":-0}"#).unwrap();
    // With `arbitrary_precision` the parsed value keeps the sign, and is read as an integer at once.
    let written = parsed["v"].to_string();
    if written == "-0" {
        assert_eq!(taken(&tool, parsed), "0");
    } else {
        assert_eq!(coerced(&tool, parsed).1, [change("/v", NumberToInteger, "-0.0", "0")]);
    }
}
