//! Where in a value its type refuses something, and refusals beside other problems.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{argument, refused};
use crate::tool;

/// An even number, which its schema does not say.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(try_from = "u8")]
struct Even(u8);

impl TryFrom<u8> for Even {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        if number.is_multiple_of(2) { Ok(Self(number)) } else { Err("it is odd".to_owned()) }
    }
}

fn line(place: &str, got: &str) -> String {
    format!("{place}: the value is not accepted: it is odd, got {got}")
}

#[test]
fn in_lists() {
    let tool = of!(Vec<Even>);
    for (sent, place) in [("[1,2]", "/v/0"), ("[2,1]", "/v/1"), ("[2,4,1]", "/v/2"), ("[2, 1 ,4]", "/v/1")] {
        assert_eq!(refused(&tool, argument(sent)), [line(place, "1")], "{sent}");
    }
    assert_eq!(refused(&of!(Vec<Vec<Even>>), argument("[[],[2],[4,3]]")), [line("/v/2/1", "3")]);
    assert_eq!(refused(&of!((Even, Even)), argument("[2,3]")), [line("/v/1", "3")]);
    assert_eq!(refused(&of!(Even), argument("3")), [line("/v", "3")]);
    assert_eq!(refused(&of!(Vec<Option<Even>>), argument("[null,2,5]")), [line("/v/2", "5")]);
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "printed")]
struct Pair {
    left: Even,
    right: Option<Even>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "printed")]
enum Choice {
    One(Even),
    Two(Even, Even),
    Named { pair: Pair },
}

#[test]
fn in_maps_structs_and_variants() {
    let map = of!(BTreeMap<String, Even>);
    assert_eq!(refused(&map, argument(r#"{"a":2,"b/c":1,"d":4}"#)), [line("/v/b~1c", "1")]);
    let pair = of!(Vec<Pair>);
    assert_eq!(refused(&pair, argument(r#"[{"left":2},{"right":3,"left":4}]"#)), [line("/v/1/right", "3")]);
    assert_eq!(refused(&pair, argument(r#"[{"left":7,"right":3}]"#)), [line("/v/0/left", "7")]);
    let choice = of!(Vec<Choice>);
    assert_eq!(refused(&choice, argument(r#"[{"One":2},{"One":1}]"#)), [line("/v/1/One", "1")]);
    assert_eq!(refused(&choice, argument(r#"[{"Two":[2,1]}]"#)), [line("/v/0/Two/1", "1")]);
    assert_eq!(refused(&choice, argument(r#"[{"Named":{"pair":{"left":5}}}]"#)), [line("/v/0/Named/pair/left", "5")]);
}

/// A list whose items may fail without a word.
#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "printed")]
struct Forgiving {
    #[serde(deserialize_with = "or_none")]
    first: u8,
    second: Even,
}

#[expect(clippy::unnecessary_wraps, reason = "as serde wants it")]
fn or_none<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    Ok(Vec::<Even>::deserialize(deserializer).map_or(0, |_| 1))
}

#[test]
fn an_error_that_was_caught_leaves_no_trace() {
    let sent = serde_json::json!({"first": [2, 1], "second": 3});
    let mut slot: Option<Forgiving> = None;
    let refusal = crate::args::read_value(&sent, crate::args::Depth::inside(127), &mut slot).unwrap_err();
    assert_eq!(refusal.trail(), [super::super::strict::Step::Value(1)]);
    assert_eq!(refusal.message(), "it is odd");
}

/// Takes several.
#[tool(blocking = false)]
fn several(a: Even, b: u8, c: Even, d: Vec<Even>) -> String {
    format!("{a:?} {b} {c:?} {d:?}")
}

#[test]
fn refusals_are_told_with_the_other_problems_in_their_order() {
    assert_eq!(
        refused(&several::tool(), r#"{"x":1,"a":3,"b":"many","c":5,"d":[2,"x",3]}"#),
        [
            "unknown argument `x`; the arguments are `a`, `b`, `c` and `d`".to_owned(),
            line("/a", "3"),
            "/b: expected an integer from 0 to 255, got \"many\"".to_owned(),
            line("/c", "5"),
            "/d/1: expected an integer from 0 to 255, got \"x\"".to_owned(),
        ]
    );
    // What is given twice is not read, and what is missing comes last.
    assert_eq!(
        refused(&several::tool(), r#"{"c":1,"a":3,"a":2}"#),
        [
            line("/c", "1"),
            "argument `a` is given more than once; give it once".to_owned(),
            "missing required arguments `b` and `d`".to_owned(),
        ]
    );
}
