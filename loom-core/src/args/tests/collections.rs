//! R5: lists, tuples, arrays, sets and maps.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde_json::{Value, json};

use super::{argument, change, coerced, refused, taken};
use crate::CoercionRule::{NumberToInteger, TextToInteger, TextToJson};
use crate::tool;

#[test]
fn lists() {
    let tool = of!(Vec<u8>);
    assert_eq!(taken(&tool, argument("[]")), "[]");
    assert_eq!(taken(&tool, argument("[1,2]")), "[1, 2]");
    assert_eq!(
        coerced(&tool, argument(r#"[1,"2",3.0]"#)),
        (
            "[1, 2, 3]".to_owned(),
            vec![change("/v/1", TextToInteger, "\"2\"", "2"), change("/v/2", NumberToInteger, "3.0", "3")]
        )
    );
    assert_eq!(
        refused(&tool, argument(r#"[1,"x",300,null,[4]]"#)),
        [
            "/v/1: expected an integer from 0 to 255, got \"x\"",
            "/v/2: expected an integer from 0 to 255, got 300",
            "/v/3: expected an integer from 0 to 255, got null",
            "/v/4: expected an integer from 0 to 255, got [4]",
        ]
    );
    // One item is no list of one.
    for sent in ["1", "\"1\"", "\"a,b\"", "null", "{}", "{\"0\":1}"] {
        assert_eq!(
            refused(&tool, argument(sent)),
            [format!("/v: expected a list of integers from 0 to 255, got {sent}")]
        );
    }
}

#[test]
fn a_list_sent_as_text() {
    assert_eq!(
        coerced(&of!(Vec<u8>), argument(r#""[1, \"2\"]""#)),
        (
            "[1, 2]".to_owned(),
            vec![
                change("/v", TextToJson, r#""[1, \"2\"]""#, r#"[1,"2"]"#),
                change("/v/1", TextToInteger, "\"2\"", "2"),
            ]
        )
    );
    let expected = "/v: expected a list of integers from 0 to 255, got ";
    // Another kind, or other spelling.
    for sent in [r#""{}""#, r#""(1,2)""#, r#"" [1]""#] {
        assert_eq!(refused(&of!(Vec<u8>), argument(sent)), [format!("{expected}{sent}")]);
    }
    // A prefix, or something around it.
    let broken = [
        (r#""[1,2""#, "the text is cut off: it ends inside a list near `[1,2`"),
        (r#""[1,]""#, "unexpected character `]` near `[1,]`; there is a comma too many"),
        (
            r#""[1] and more""#,
            "more text follows after the end of the JSON value near `[1] and more`; \
             send the JSON object alone, without anything around it",
        ),
        (
            r#""[]]""#,
            "more text follows after the end of the JSON value near `[]]`; there is a closing bracket too many",
        ),
    ];
    for (sent, reason) in broken {
        let line = format!("{expected}a string with broken JSON: {reason}");
        assert_eq!(refused(&of!(Vec<u8>), argument(sent)), [line]);
    }
}

#[test]
fn text_within_a_list_stays_text() {
    let texts = of!(Vec<String>);
    assert_eq!(taken(&texts, argument(r#"["[1]","{}","1","null"]"#)), r#"["[1]", "{}", "1", "null"]"#);
    assert_eq!(coerced(&texts, argument(r#""[\"[1]\",\"2\"]""#)).0, r#"["[1]", "2"]"#);
    assert_eq!(refused(&texts, argument(r#""[\"a\", 5]""#)), ["/v/1: expected a string, got 5"]);
}

#[test]
fn quoting_goes_two_levels_deep() {
    let tool = of!(Vec<Vec<Vec<u8>>>);
    let quoted = |value: &Value| Value::String(value.to_string());
    let once = json!({"v": quoted(&json!([[[1]]]))});
    let twice = json!({"v": quoted(&json!([quoted(&json!([[1]]))]))});
    let thrice = json!({"v": quoted(&json!([quoted(&json!([quoted(&json!([1]))]))]))});
    assert_eq!(coerced(&tool, once).0, "[[[1]]]");
    let (output, coercions) = coerced(&tool, twice);
    assert_eq!(output, "[[[1]]]");
    assert_eq!(
        coercions,
        [
            change("/v", TextToJson, r#""[\"[[1]]\"]""#, r#"["[[1]]"]"#),
            change("/v/0", TextToJson, r#""[[1]]""#, "[[1]]"),
        ]
    );
    assert_eq!(refused(&tool, thrice), [r#"/v/0/0: expected a list of integers from 0 to 255, got "[1]""#]);
    // Values beside one another are quoted on their own.
    assert_eq!(coerced(&tool, json!({"v": ["[[1]]", "[\"[2]\"]"]})).0, "[[[1]], [[2]]]");
    // Quotes around quotes are not a list.
    assert_eq!(refused(&tool, json!({"v": "\"[]\""})), [r#"/v: expected a list of lists of lists, got "\"[]\"""#]);
}

#[test]
fn tuples_and_arrays_have_their_length() {
    let pair = of!((u8, String));
    assert_eq!(taken(&pair, argument(r#"[1,"x"]"#)), r#"(1, "x")"#);
    assert_eq!(coerced(&pair, argument(r#"["1","2"]"#)).0, r#"(1, "2")"#);
    let expected = "/v: expected a list of 2 items: an integer from 0 to 255 and a string";
    for sent in ["[1]", "[]", r#"[1,"x",2]"#] {
        assert_eq!(refused(&pair, argument(sent)), [format!("{expected}, got {sent}")]);
    }
    assert_eq!(
        refused(&pair, argument(r#"["x"]"#)),
        [format!(r#"{expected}, got ["x"]"#), r#"/v/0: expected an integer from 0 to 255, got "x""#.to_owned()]
    );
    let three = of!([u8; 3]);
    assert_eq!(taken(&three, argument("[1,2,3]")), "[1, 2, 3]");
    assert_eq!(refused(&three, argument("[1,2]")), ["/v: expected a list of 3 integers from 0 to 255, got [1,2]"]);
    assert_eq!(
        refused(&three, argument("[1,2,3,4]")),
        ["/v: expected a list of 3 integers from 0 to 255, got [1,2,3,4]"]
    );
}

#[test]
fn a_declared_length_is_checked_even_where_it_looks_like_an_array() {
    /// Takes lists.
    #[tool(blocking = false)]
    fn takes(
        #[arg(min_length = 2_u32, max_length = 2_u32)] v: Vec<u8>,
        #[arg(max_length = 1_u32)] w: HashMap<String, u8>,
    ) -> String {
        format!("{v:?} {}", w.len())
    }
    assert_eq!(taken(&takes::tool(), r#"{"v":[1,2],"w":{"a":1}}"#), "[1, 2] 1");
    assert_eq!(
        refused(&takes::tool(), r#"{"v":[1],"w":{"a":1,"b":2}}"#),
        [
            "/v: expected a list of 2 integers from 0 to 255, got [1]",
            r#"/w: expected an object of at most 1 property, whose values are integers from 0 to 255, got {"a":1,"b":2}"#,
        ]
    );
}

#[test]
fn sets_take_nothing_twice() {
    let texts = of!(BTreeSet<String>);
    assert_eq!(taken(&texts, argument(r#"["b","a"]"#)), r#"{"a", "b"}"#);
    assert_eq!(
        refused(&texts, argument(r#"["a","b","a","b"]"#)),
        [
            "/v/2: expected an item that is not in the list already, got \"a\"",
            "/v/3: expected an item that is not in the list already, got \"b\"",
        ]
    );
    // The same number in other words is the same number.
    let numbers = of!(HashSet<u8>);
    assert_eq!(taken(&numbers, argument("[7]")), "{7}");
    for sent in [r#"[7,"7"]"#, "[7,7.0]", "[7,0.7e1]"] {
        assert_eq!(
            refused(&numbers, argument(sent)),
            ["/v/1: expected an item that is not in the list already, got 7"],
            "{sent}"
        );
    }
}

#[test]
fn maps() {
    let texts = of!(BTreeMap<String, u8>);
    assert_eq!(taken(&texts, argument(r#"{"b":1,"a":2,"":3}"#)), r#"{"": 3, "a": 2, "b": 1}"#);
    assert_eq!(coerced(&texts, argument(r#""{\"a\":\"1\"}""#)).0, r#"{"a": 1}"#);
    assert_eq!(
        refused(&texts, argument(r#"{"a/b":"x","m~n":null}"#)),
        [
            "/v/a~1b: expected an integer from 0 to 255, got \"x\"",
            "/v/m~0n: expected an integer from 0 to 255, got null",
        ]
    );
    // Of a key that is given twice one value would be lost.
    assert_eq!(
        refused(&texts, argument(r#"{"a":1,"b":2,"a":1}"#)),
        ["/v: property `a` is given more than once; give it once"]
    );
    assert_eq!(
        refused(&texts, argument("[]")),
        ["/v: expected an object whose values are integers from 0 to 255, got []"]
    );
}

#[test]
fn keys_that_are_numbers() {
    let tool = of!(BTreeMap<u32, u8>);
    assert_eq!(taken(&tool, argument(r#"{"10":1,"9":2}"#)), "{9: 2, 10: 1}");
    assert_eq!(
        refused(&tool, argument(r#"{"x":1,"-1":2}"#)),
        [
            "/v/x: expected an integer of at least 0 as key, got \"x\"",
            "/v/-1: expected an integer of at least 0 as key, got \"-1\"",
        ]
    );
    assert_eq!(
        refused(&tool, argument(r#"{"1":1,"4294967296":2}"#)),
        ["/v/4294967296: expected an integer within the range of its type as key, got \"4294967296\""]
    );
}

#[test]
fn keys_that_are_flags() {
    let tool = of!(BTreeMap<bool, u8>);
    assert_eq!(taken(&tool, argument(r#"{"true":1,"false":2}"#)), "{false: 2, true: 1}");
    assert_eq!(
        refused(&tool, argument(r#"{"true":1,"yes":2}"#)),
        ["/v/yes: expected true or false as key, got \"yes\""]
    );
}

#[test]
fn any_value_is_left_alone() {
    let tool = of!(Value);
    for sent in [r#"{"a":"1","b":[true,null,"[1]"]}"#, "\"5\"", "null", "[1,1]", "\"{}\"", "\"null\""] {
        let value: Value = serde_json::from_str(sent).unwrap();
        assert_eq!(taken(&tool, argument(sent)), format!("{value:?}"));
        assert_eq!(taken(&tool, json!({"v": value})), format!("{value:?}"));
    }
    // But for what would be lost.
    assert_eq!(
        refused(&tool, argument(r#"{"a":[{"b":1,"c":{"d":1,"d":2},"b":3}]}"#)),
        [
            "/v/a/0/c: property `d` is given more than once; give it once",
            "/v/a/0: property `b` is given more than once; give it once",
        ]
    );
    assert_eq!(
        refused(&tool, argument("[1e400]")),
        ["/v/0: expected a number within the range of a 64-bit float, got 1e400"]
    );
}
