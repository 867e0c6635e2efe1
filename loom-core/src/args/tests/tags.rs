//! Which property tells the alternatives of a union apart.

use serde_json::{Value, json};

use super::through::Planned;

#[test]
fn only_a_property_that_every_alternative_has_tells_them_apart() {
    let object = |properties: Value, required: &[&str]| json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false});
    let only = json!({"type": "string", "enum": ["only"]});
    let tag = |name: &str| json!({"type": "string", "const": name});
    let cases = [
        (
            json!({"oneOf": [
                object(json!({"kind": tag("a"), "other": only}), &["kind", "other"]),
                object(json!({"kind": tag("b")}), &["kind"]),
            ]}),
            json!({"kind": "a", "other": "else"}),
            vec![("/other", "expected \"only\", got \"else\"")],
        ),
        (
            json!({"oneOf": [
                object(json!({"first": {"type": "integer"}}), &["first"]),
                object(json!({"second": only}), &["second"]),
            ]}),
            json!({"second": "else"}),
            vec![("/second", "expected \"only\", got \"else\"")],
        ),
        (
            json!({"anyOf": [object(json!({"mode": only}), &["mode"]), {"type": "integer"}]}),
            json!({"mode": "else", "more": 1}),
            vec![
                ("/mode", "expected \"only\", got \"else\""),
                ("", "unknown argument `more`; the only argument is `mode`"),
            ],
        ),
    ];
    for (schema, sent, told) in cases {
        let problems = Planned::new(&schema).through(&sent.to_string()).unwrap_err();
        let problems: Vec<_> = problems.iter().map(|(pointer, words)| (pointer.as_str(), words.as_str())).collect();
        assert_eq!(problems, told);
    }
}
