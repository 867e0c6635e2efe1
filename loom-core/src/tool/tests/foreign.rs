//! Schemas that are known only at run time.

use super::*;

fn tool(schema: Value) -> Tool {
    let tool = Tool::builder("echo").description("Echoes.").input_schema(schema);
    tool.build(async |args: Value| args.to_string()).unwrap()
}

#[test]
fn its_calls_are_coerced_along_the_schema_and_validated_against_it() {
    let tool = tool(json!({
        "type": "object",
        "properties": {
            "id": {"type": "integer", "minimum": 1},
            "mode": {"enum": ["fast", "slow"]},
            "tags": {"type": "array", "items": {"type": "string"}, "contains": {"const": "x"}},
            "extra": {}
        },
        "required": ["id"],
        "if": {"properties": {"mode": {"const": "slow"}}, "required": ["mode"]},
        "then": {"required": ["tags"]}
    }));
    let sent = r#"{"id":1,"extra":[1,null],"other":{"a":0.5}}"#;
    let same: Value = serde_json::from_str(sent).unwrap();
    assert_eq!(answer(&tool, sent), Ok(same.to_string()));
    assert_eq!(answer(&tool, same.clone()), Ok(same.to_string()));
    assert_eq!(answer(&tool, r#"{"id":"7","mode":"FAST"}"#), Ok(json!({"id": 7, "mode": "fast"}).to_string()));
    assert_eq!(
        answer(&tool, r#"{"id":0,"mode":"quick","tags":[1]}"#),
        refusal(
            "- /id: expected an integer of at least 1, got 0\n\
             - /mode: expected one of \"fast\", \"slow\", got \"quick\"\n\
             - /tags/0: expected a string, got 1"
        )
    );
    // Keywords that only the validator knows.
    assert_eq!(
        answer(&tool, r#"{"id":1,"mode":"slow"}"#),
        refusal("- the value is not accepted: \"tags\" is a required property")
    );
    assert_eq!(
        answer(&tool, r#"{"id":1,"tags":["y"]}"#),
        refusal("- /tags: the value is not accepted: None of it are valid under the given schema")
    );
}

#[test]
fn nothing_loses_digits_on_the_way_into_a_value() {
    let tool = tool(json!({"type": "object", "properties": {"n": {"type": "integer"}, "any": {}}}));
    assert_eq!(
        answer(&tool, r#"{"n":18446744073709551615,"any":[-9223372036854775808]}"#),
        Ok(json!({"n": u64::MAX, "any": [i64::MIN]}).to_string())
    );
    assert_eq!(
        answer(
            &tool,
            r#"{"n":18446744073709551616,"any":[{"a":-9223372036854775809}],"other":"18446744073709551616"}"#
        ),
        refusal(
            "- /n: expected an integer of at most 64 bits (send a longer one as a string, if that is allowed), \
             got 18446744073709551616\n\
             - /any/0/a: expected an integer of at most 64 bits (send a longer one as a string, if that is allowed), \
             got -9223372036854775809"
        )
    );
    assert_eq!(
        answer(&tool, r#"{"any":{"a":1,"a":2}}"#),
        refusal("- /any: property `a` is given more than once; give it once")
    );
}

#[test]
fn a_reference_that_only_the_validator_follows_is_followed() {
    let tool = tool(json!({
        "type": "object",
        "properties": {"v": {"$ref": "#small"}},
        "$defs": {"small": {"$anchor": "small", "type": "integer", "maximum": 9}}
    }));
    assert_eq!(answer(&tool, r#"{"v":9}"#), Ok(json!({"v": 9}).to_string()));
    assert_eq!(
        answer(&tool, r#"{"v":10}"#),
        refusal("- /v: the value is not accepted: it is greater than the maximum of 9")
    );
}

#[test]
fn a_typed_argument_may_have_a_schema_of_its_own() {
    #[derive(Debug, Deserialize, JsonSchema)]
    struct Loose {
        n: u8,
    }

    let tool = Tool::builder("t")
        .input_schema(json!({"type": "object", "properties": {"n": {"type": "integer", "multipleOf": 2}}}))
        .build(async |args: Loose| args.n)
        .unwrap();
    assert_eq!(answer(&tool, r#"{"n":4}"#), Ok("4".to_owned()));
    assert_eq!(answer(&tool, r#"{"n":3}"#), refusal("- /n: expected an integer that is a multiple of 2, got 3"));
    assert_eq!(
        answer(&tool, r#"{"n":300}"#),
        refusal("- /n: the value is not accepted: invalid value: integer `300`, expected an integer")
    );
    assert_eq!(answer(&tool, "{}"), refusal("- the value is not accepted: missing field `n`, got {}"));
}

#[test]
fn a_schema_that_is_none_is_refused_when_it_is_built() {
    let build = |input: Value| {
        let tool = Tool::builder("t").input_schema(input).build(async |_: Value| ());
        tool.map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(build(json!({})), Ok(()));
    assert_eq!(
        build(json!({"type": "string"})),
        Err("the arguments of `t` have to be an object, and their schema says otherwise: {\"type\":\"string\"}".into())
    );
    assert_eq!(
        build(json!({"type": "object", "properties": {"a": {"type": "text"}}})).unwrap_err(),
        "the input schema of `t` is not valid at /properties/a/type: this is not valid under any of the schemas listed in \
         the 'anyOf' keyword"
    );
    assert_eq!(
        build(json!({"$ref": "https://example.com/schema.json"})).unwrap_err().split(": ").next(),
        Some("the input schema of `t` is not valid at its root")
    );
    let output = Tool::builder("t").output_schema(json!({"type": 5})).build(async |_: Value| ());
    assert_eq!(
        output.unwrap_err().to_string(),
        "the output schema of `t` is not valid at /type: this is not valid under any of the schemas listed in the \
         'anyOf' keyword"
    );
}
