//! The types made for arguments, and lists that may be sent as their only item.

use proptest::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{argument, change, coerced, finish, prepare, refused, taken};
use crate::CoercionRule::{NameCase, NullToAbsent, NumberToInteger, TextToInteger, TextToJson};
use crate::types::{DurationText, OneOrMany};
use crate::{Arguments, Coercion, Tool, tool};

/// The schema of the parameter `v`.
fn schema(tool: &Tool) -> Value {
    tool.definition().input_schema.property("v").unwrap().clone()
}

/// What the same arguments give as a text, as a parsed value and along the plan, to which quotes around them lead.
fn taken_everywhere(tool: &Tool, v: &str) -> String {
    let text = argument(v);
    let output = taken(tool, text.as_str());
    assert_eq!(taken(tool, serde_json::from_str::<Value>(&text).unwrap()), output);
    assert_eq!(coerced(tool, Value::String(text).to_string()).0, output);
    output
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "printed")]
struct Point {
    x: u8,
    y: Option<u8>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "printed")]
enum Shape {
    Dot,
    Square { side: u8 },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "printed")]
struct Query {
    words: OneOrMany<String>,
    #[serde(default)]
    pages: OneOrMany<u32>,
    wait: Option<DurationText>,
}

const DURATION: &str = "a string of at least 1 character matching \
                        `^([0-9]{1,12}d)?([0-9]{1,12}h)?([0-9]{1,12}m)?([0-9]{1,12}s)?([0-9]{1,12}ms)?$`, such as \"30s\"";

#[test]
fn durations() {
    let tool = of!(DurationText);
    for (sent, read) in [("\"30s\"", "30s"), ("\"1h30m\"", "5400s"), ("\"250ms\"", "250ms"), ("\"0s\"", "0ns")] {
        assert_eq!(taken_everywhere(&tool, sent), format!("DurationText({read})"));
    }
    for sent in ["30", "\"30\"", "\"30 s\"", "\"30sec\"", "\"\"", "\"1m1h\"", "\"1.5h\"", "null", r#"{"secs":1}"#] {
        assert_eq!(refused(&tool, argument(sent)), [format!("/v: expected {DURATION}, got {sent}")]);
    }
}

#[test]
fn durations_beside_other_keywords() {
    /// Waits.
    #[tool(blocking = false)]
    fn wait(
        #[arg(default = DurationText::from_secs(90), example = DurationText::from_secs(5), description = "How long.")]
        v: DurationText,
    ) -> String {
        v.to_string()
    }
    let tool = wait::tool();
    assert_eq!(taken(&tool, "{}"), "1m30s");
    assert_eq!(taken(&tool, argument("\"60s\"")), "1m");
    assert_eq!(
        schema(&tool),
        json!({
            "type": "string",
            "description": "How long.",
            "minLength": 1,
            "pattern": "^([0-9]{1,12}d)?([0-9]{1,12}h)?([0-9]{1,12}m)?([0-9]{1,12}s)?([0-9]{1,12}ms)?$",
            "examples": ["5s"],
            "default": "1m30s",
        })
    );
}

#[cfg(feature = "base64")]
#[test]
fn bytes() {
    use crate::types::Base64;

    let tool = of!(Base64);
    assert_eq!(schema(&tool), json!({"type": "string", "contentEncoding": "base64"}));
    for (sent, read) in [("\"\"", "[]"), ("\"+w==\"", "[251]"), ("\"-w\"", "[251]"), ("\"Zm8\"", "[102, 111]")] {
        assert_eq!(taken_everywhere(&tool, sent), format!("Base64({read})"));
    }
    for sent in ["[102]", "102", "null"] {
        assert_eq!(refused(&tool, argument(sent)), [format!("/v: expected base64 text, got {sent}")]);
    }
    // A text is refused in the words of the type.
    for sent in ["Zm9 v", "Zg=", "Z", "Zh==", "+_8="] {
        let reason = sent.parse::<Base64>().unwrap_err();
        assert_eq!(
            refused(&tool, argument(&format!("\"{sent}\""))),
            [format!("/v: the value is not accepted: {reason}, got \"{sent}\"")]
        );
    }
}

#[test]
fn one_number_or_many() {
    let tool = of!(OneOrMany<i64>);
    assert_eq!(taken_everywhere(&tool, "7"), "OneOrMany([7])");
    assert_eq!(taken_everywhere(&tool, "[]"), "OneOrMany([])");
    assert_eq!(taken_everywhere(&tool, "[7,-8]"), "OneOrMany([7, -8])");
    assert_eq!(
        coerced(&tool, argument("\"7\"")),
        ("OneOrMany([7])".to_owned(), vec![change("/v", TextToInteger, "\"7\"", "7")])
    );
    assert_eq!(
        coerced(&tool, argument("7.0")),
        ("OneOrMany([7])".to_owned(), vec![change("/v", NumberToInteger, "7.0", "7")])
    );
    assert_eq!(
        coerced(&tool, argument("\"[7,8]\"")),
        ("OneOrMany([7, 8])".to_owned(), vec![change("/v", TextToJson, "\"[7,8]\"", "[7,8]")])
    );
    assert_eq!(
        coerced(&tool, argument("[7,\"8\"]")),
        ("OneOrMany([7, 8])".to_owned(), vec![change("/v/1", TextToInteger, "\"8\"", "8")])
    );
    for sent in ["1.5", "\"x\"", "true", "null", "{}", "\"7,8\""] {
        assert_eq!(
            refused(&tool, argument(sent)),
            [format!("/v: expected an integer or a list of integers, got {sent}")]
        );
    }
    assert_eq!(refused(&tool, argument("[7,\"x\"]")), ["/v/1: expected an integer, got \"x\""]);
    assert_eq!(refused(&tool, "{}"), ["missing required argument `v`"]);
}

#[test]
fn fractions_are_read_with_or_without_their_digits() {
    let tool = of!(OneOrMany<f64>);
    assert_eq!(taken_everywhere(&tool, "1.5"), "OneOrMany([1.5])");
    assert_eq!(taken_everywhere(&tool, "7"), "OneOrMany([7.0])");
    assert_eq!(taken_everywhere(&tool, "[1.5,-2e3]"), "OneOrMany([1.5, -2000.0])");
    assert_eq!(coerced(&tool, argument("\"1.5\"")).0, "OneOrMany([1.5])");
    assert_eq!(
        refused(&tool, argument("[1e400]")),
        ["/v/0: expected a number within the range of a 64-bit float, got 1e400"]
    );
    assert_eq!(
        refused(&tool, argument("1e400")),
        ["/v: expected a number within the range of a 64-bit float, got 1e400"]
    );
    assert_eq!(refused(&of!(OneOrMany<u8>), argument("1e400")), ["/v: expected an integer from 0 to 255, got 1e400"]);
}

#[test]
fn one_text_stays_text_whatever_it_looks_like() {
    let tool = of!(OneOrMany<String>);
    for text in ["a", "", "[1,2]", "[\\\"a\\\"]", "7", "null", "a,b"] {
        assert_eq!(taken_everywhere(&tool, &format!("\"{text}\"")), format!("OneOrMany([\"{text}\"])"));
    }
    assert_eq!(taken_everywhere(&tool, r#"["a","[]"]"#), r#"OneOrMany(["a", "[]"])"#);
    for sent in ["7", "null", "{}"] {
        assert_eq!(refused(&tool, argument(sent)), [format!("/v: expected a string or a list of strings, got {sent}")]);
    }
    assert_eq!(refused(&tool, argument(r#"["a",7]"#)), ["/v/1: expected a string, got 7"]);
}

#[test]
fn one_struct_or_enum_or_many() {
    let points = of!(OneOrMany<Point>);
    assert_eq!(taken_everywhere(&points, r#"{"x":1}"#), "OneOrMany([Point { x: 1, y: None }])");
    assert_eq!(taken_everywhere(&points, r#"[{"x":1,"y":2}]"#), "OneOrMany([Point { x: 1, y: Some(2) }])");
    assert_eq!(coerced(&points, argument(r#"{"x":"1"}"#)).1, [change("/v/x", TextToInteger, "\"1\"", "1")]);
    assert_eq!(
        refused(&points, argument(r#"{"x":1,"z":2}"#)),
        ["/v: unknown property `z`; the properties are `x` and `y`"]
    );
    assert_eq!(refused(&points, argument(r#"{"y":2}"#)), ["/v: missing required property `x`"]);
    assert_eq!(
        refused(&points, argument(r#"[{"x":1},{"x":300}]"#)),
        ["/v/1/x: expected an integer from 0 to 255, got 300"]
    );
    assert_eq!(
        refused(&points, argument(r#"{"x":1,"x":2}"#)),
        ["/v: property `x` is given more than once; give it once"]
    );

    let shapes = of!(OneOrMany<Shape>);
    assert_eq!(taken_everywhere(&shapes, "\"Dot\""), "OneOrMany([Dot])");
    assert_eq!(taken_everywhere(&shapes, r#"{"Square":{"side":1}}"#), "OneOrMany([Square { side: 1 }])");
    assert_eq!(taken_everywhere(&shapes, r#"["Dot",{"Square":{"side":1}}]"#), "OneOrMany([Dot, Square { side: 1 }])");
    assert_eq!(coerced(&shapes, argument("\"dot\"")).1, [change("/v", NameCase, "\"dot\"", "\"Dot\"")]);
    assert_eq!(
        refused(&shapes, argument("\"Ring\"")),
        [r#"/v: expected "Dot" or {"Square": an object with `side`} or a list, got "Ring""#]
    );
}

#[test]
fn fields_of_these_types() {
    let tool = of!(Query);
    assert_eq!(
        taken_everywhere(&tool, r#"{"words":"a"}"#),
        r#"Query { words: OneOrMany(["a"]), pages: OneOrMany([]), wait: None }"#
    );
    assert_eq!(
        taken_everywhere(&tool, r#"{"words":["a","b"],"pages":3,"wait":"2d"}"#),
        r#"Query { words: OneOrMany(["a", "b"]), pages: OneOrMany([3]), wait: Some(DurationText(172800s)) }"#
    );
    assert_eq!(
        taken_everywhere(&tool, r#"{"words":[],"wait":null}"#),
        "Query { words: OneOrMany([]), pages: OneOrMany([]), wait: None }"
    );
    assert_eq!(
        refused(&tool, argument(r#"{"pages":"x","wait":"soon"}"#)),
        [
            "/v/pages: expected an integer from 0 to 4294967295 or a list of those, got \"x\"".to_owned(),
            format!("/v/wait: expected {DURATION}, got \"soon\""),
            "/v: missing required property `words`".to_owned(),
        ]
    );
}

/// Takes ids.
#[tool(blocking = false)]
fn ids(#[arg(one_or_many)] v: Vec<i64>) -> String {
    format!("{v:?}")
}

/// Takes words.
#[tool(blocking = false)]
fn words(#[arg(one_or_many)] v: &[String]) -> String {
    format!("{v:?}")
}

/// Takes points.
#[tool(blocking = false)]
fn points(#[arg(one_or_many)] v: Option<Vec<Point>>, #[arg(one_or_many)] w: Option<&[u128]>) -> String {
    format!("{v:?} {w:?}")
}

#[test]
fn a_list_of_one_item() {
    assert_eq!(taken_everywhere(&ids::tool(), "7"), "[7]");
    assert_eq!(taken_everywhere(&ids::tool(), "[7,8]"), "[7, 8]");
    assert_eq!(coerced(&ids::tool(), argument("\"7\"")).1, [change("/v", TextToInteger, "\"7\"", "7")]);
    assert_eq!(coerced(&ids::tool(), argument("\"[7]\"")).1, [change("/v", TextToJson, "\"[7]\"", "[7]")]);
    for sent in ["\"x\"", "null", "{}"] {
        assert_eq!(
            refused(&ids::tool(), argument(sent)),
            [format!("/v: expected an integer or a list of integers, got {sent}")]
        );
    }
    assert_eq!(refused(&ids::tool(), "{}"), ["missing required argument `v`"]);

    assert_eq!(taken_everywhere(&words::tool(), "\"[1,2]\""), r#"["[1,2]"]"#);
    assert_eq!(taken_everywhere(&words::tool(), "[\"a\"]"), r#"["a"]"#);
    assert_eq!(
        schema(&words::tool()),
        json!({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]})
    );
}

#[test]
fn an_optional_list_of_one_item() {
    let tool = points::tool();
    assert_eq!(taken(&tool, "{}"), "None None");
    assert_eq!(taken(&tool, argument("[]")), "Some([]) None");
    assert_eq!(taken_everywhere(&tool, r#"{"x":1}"#), "Some([Point { x: 1, y: None }]) None");
    assert_eq!(taken_everywhere(&tool, r#"[{"x":1}]"#), "Some([Point { x: 1, y: None }]) None");
    // Digits beyond 64 bits are read as they stand.
    let large = "340282366920938463463374607431768211455";
    assert_eq!(taken(&tool, format!(r#"{{"w":{large}}}"#)), format!("None Some([{large}])"));
    assert_eq!(coerced(&tool, r#"{"v":null,"w":"5"}"#).0, "None Some([5])");
    // A struct is no list, nor is a list of its fields one.
    assert_eq!(
        refused(&tool, argument("[1,2]")),
        ["/v/0: expected an object with `x`, got 1", "/v/1: expected an object with `x`, got 2"]
    );
    assert_eq!(
        refused(&tool, argument(r#"{"x":1,"z":1}"#)),
        ["/v: unknown property `z`; the properties are `x` and `y`"]
    );
    let point = json!({"$ref": "#/$defs/Point"});
    assert_eq!(schema(&tool), json!({"anyOf": [point, {"type": "array", "items": point}]}));
}

#[test]
fn a_nullable_item_of_a_list() {
    /// Takes numbers or nothing.
    #[tool(blocking = false)]
    fn gaps(#[arg(one_or_many)] v: Vec<Option<u8>>, #[arg(one_or_many, default)] w: Vec<u8>) -> String {
        format!("{v:?} {w:?}")
    }
    let tool = gaps::tool();
    assert_eq!(taken_everywhere(&tool, "null"), "[None] []");
    assert_eq!(taken_everywhere(&tool, "5"), "[Some(5)] []");
    assert_eq!(taken_everywhere(&tool, "[null,5]"), "[None, Some(5)] []");
    assert_eq!(taken(&tool, r#"{"v":[],"w":6}"#), "[] [6]");
    assert_eq!(coerced(&tool, r#"{"v":1,"w":null}"#).1, [change("/w", NullToAbsent, "null", "")]);
}

#[test]
fn of_lists_of_lists_the_outer_one_is_sent() {
    /// Takes rows.
    #[tool(blocking = false)]
    fn rows(#[arg(one_or_many)] v: Vec<Vec<u8>>) -> String {
        format!("{v:?}")
    }
    assert_eq!(taken_everywhere(&rows::tool(), "[[1],[]]"), "[[1], []]");
    assert_eq!(refused(&rows::tool(), argument("[1]")), ["/v/0: expected a list of integers from 0 to 255, got 1"]);
    assert_eq!(schema(&rows::tool())["type"], json!("array"));
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "printed")]
enum Place {
    Row(u8),
    Cell(u8, u8),
    Named(String, u8),
}

#[test]
fn a_list_is_never_one_item_even_if_it_could_be() {
    let tool = of!(OneOrMany<Place>);
    assert_eq!(taken_everywhere(&tool, "[1,2]"), "OneOrMany([Row(1), Row(2)])");
    assert_eq!(taken_everywhere(&tool, "[[1,2]]"), "OneOrMany([Cell(1, 2)])");
    assert_eq!(taken_everywhere(&tool, r#"[["a",1],2]"#), r#"OneOrMany([Named("a", 1), Row(2)])"#);
    assert_eq!(
        refused(&tool, argument(r#"["a"]"#)),
        ["/v/0: expected an integer from 0 to 255 or a list of 2 integers from 0 to 255 \
          or a list of 2 items: a string and an integer from 0 to 255, got \"a\""]
    );
}

/// Takes few.
#[tool(blocking = false)]
fn few(
    #[arg(one_or_many, min_length = 1, max_length = 2, min = 1, max = 9, example = 5)] v: Vec<u8>,
    #[arg(one_or_many, max_length = 1, pattern = "^[a-z]+$")] w: Option<Vec<String>>,
    #[arg(min_length = 1)] x: Option<OneOrMany<String>>,
) -> String {
    format!("{v:?} {w:?} {x:?}")
}

#[test]
fn lengths_are_the_lists_and_other_bounds_are_the_items() {
    let tool = few::tool();
    let property = |name: &str| tool.definition().input_schema.property(name).unwrap().clone();
    let item = json!({"type": "integer", "minimum": 1, "maximum": 9});
    assert_eq!(
        property("v"),
        json!({"anyOf": [item, {"type": "array", "items": item, "minItems": 1, "maxItems": 2}], "examples": [5]})
    );
    let item = json!({"type": "string", "pattern": "^[a-z]+$"});
    assert_eq!(property("w"), json!({"anyOf": [item, {"type": "array", "items": item, "maxItems": 1}]}));
    let item = json!({"type": "string"});
    assert_eq!(property("x"), json!({"anyOf": [item, {"type": "array", "items": item, "minItems": 1}]}));

    assert_eq!(taken(&tool, r#"{"v":9,"w":"a","x":""}"#), r#"[9] Some(["a"]) Some(OneOrMany([""]))"#);
    assert_eq!(
        taken(&tool, r#"{"v":[1,9],"w":["a"],"x":["a","b"]}"#),
        r#"[1, 9] Some(["a"]) Some(OneOrMany(["a", "b"]))"#
    );
    assert_eq!(taken(&tool, r#"{"v":1,"w":[]}"#), "[1] Some([]) None");
    assert_eq!(
        refused(&tool, r#"{"v":10,"w":"A","x":[]}"#),
        [
            "/v: expected an integer from 1 to 9 or a list of 1 to 2 integers from 1 to 9, got 10",
            "/w: expected a string matching `^[a-z]+$` or a list of at most 1 of those, got \"A\"",
            "/x: expected a string or a list of at least 1 string, got []",
        ]
    );
    assert_eq!(
        refused(&tool, r#"{"v":[],"w":["a","b"]}"#),
        [
            "/v: expected an integer from 1 to 9 or a list of 1 to 2 integers from 1 to 9, got []",
            "/w: expected a string matching `^[a-z]+$` or a list of at most 1 of those, got [\"a\",\"b\"]",
        ]
    );
    assert_eq!(
        refused(&tool, r#"{"v":[0,1,2],"w":["A"]}"#),
        [
            "/v: expected an integer from 1 to 9 or a list of 1 to 2 integers from 1 to 9, got [0,1,2]",
            "/w/0: expected a string matching `^[a-z]+$`, got \"A\"",
        ]
    );
}

#[test]
fn where_one_item_is_too_few_only_the_list_is_left() {
    /// Takes pairs.
    #[tool(blocking = false)]
    fn pairs(#[arg(min_length = 2)] v: OneOrMany<u8>, #[arg(min_length = 2)] w: Option<OneOrMany<u8>>) -> String {
        format!("{v:?} {w:?}")
    }
    let tool = pairs::tool();
    let item = json!({"type": "integer", "minimum": 0, "maximum": 255});
    assert_eq!(schema(&tool), json!({"type": "array", "items": item, "minItems": 2}));
    assert_eq!(taken(&tool, r#"{"v":[1,2],"w":[3,4]}"#), "OneOrMany([1, 2]) Some(OneOrMany([3, 4]))");
    assert_eq!(
        refused(&tool, r#"{"v":1,"w":[2]}"#),
        [
            "/v: expected a list of at least 2 integers from 0 to 255, got 1",
            "/w: expected a list of at least 2 integers from 0 to 255, got [2]"
        ]
    );
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i16>().prop_map(Value::from),
        prop::sample::select(vec!["a", "7", "[1]", "Dot", "null", "{}", ""]).prop_map(Value::from),
        prop::sample::select(vec![0.5, 7.0]).prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let keys = prop::sample::select(vec!["x", "y", "Square", "side"]).prop_map(str::to_owned);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map(keys, inner, 0..3).prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// The tool whose parameter is a `OneOrMany`, and the one whose parameter is marked.
macro_rules! both {
    ($item:ty) => {{
        /// Takes a value.
        #[tool(blocking = false)]
        fn wrapped(v: OneOrMany<$item>) -> String {
            format!("{:?}", &v[..])
        }
        /// Takes a value.
        #[tool(blocking = false)]
        fn marked(#[arg(one_or_many)] v: Vec<$item>) -> String {
            format!("{v:?}")
        }
        [wrapped::tool(), marked::tool()]
    }};
}

/// What becomes of the arguments: the output and what was changed, or what the model reads.
fn outcome(tool: &Tool, arguments: impl Into<Arguments>) -> Result<(String, Vec<Coercion>), String> {
    match prepare(tool, arguments) {
        Ok(prepared) => Ok((finish(prepared.work).as_text().into_owned(), prepared.coercions)),
        Err(error) => Err(error.to_string()),
    }
}

proptest! {
    #[test]
    fn the_type_and_the_mark_take_the_same(value in json()) {
        let sent = argument(&value.to_string());
        let tools = [
            both!(i64), both!(u8), both!(f32), both!(bool), both!(String), both!(Option<u8>), both!(Option<Point>),
            both!(Shape), both!(Vec<u8>), both!(Value),
        ];
        for [wrapped, marked] in tools {
            prop_assert_eq!(schema(&wrapped), schema(&marked));
            let read = outcome(&marked, sent.as_str());
            prop_assert_eq!(&outcome(&wrapped, sent.as_str()), &read, "{}", sent);
            prop_assert_eq!(&outcome(&marked, json!({"v": value})), &read, "{}", sent);
            // Quotes around the arguments lead along the plan.
            let planned = outcome(&marked, Value::String(sent.clone()).to_string());
            prop_assert_eq!(planned.map(|(output, _)| output), read.map(|(output, _)| output), "{}", sent);
        }
    }
}
