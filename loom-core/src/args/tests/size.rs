//! Large and deep arguments: they end, whatever they are, and lose nothing.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::json::MAX_DEPTH;
use super::{coerced, problems, refused, taken};
use crate::{ArgumentLimits, Arguments, CallContext, RunContext, tool};

#[derive(Debug, Deserialize, JsonSchema)]
struct Tree {
    kids: Vec<Tree>,
}

impl Tree {
    fn depth(&self) -> usize {
        1 + self.kids.iter().map(Self::depth).max().unwrap_or_default()
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its shape counts")]
enum Nest {
    List(Vec<Nest>),
    Flag(bool),
}

/// Takes a tree and more.
#[tool(blocking = false)]
fn deep(tree: Option<Tree>, nest: Option<Nest>, any: Option<Value>, n: Option<u8>) -> String {
    let _ = (nest, any, n);
    tree.map_or(0, |tree| tree.depth()).to_string()
}

fn tree(depth: usize) -> String {
    format!("{}{}", r#"{"kids":["#.repeat(depth), "]}".repeat(depth))
}

fn lists(depth: usize) -> String {
    format!("{}{}", "[".repeat(depth), "]".repeat(depth))
}

#[test]
fn nesting_ends_at_the_same_depth_on_every_way() {
    let tool = deep::tool();
    // The arguments themselves are the first level, and a tree takes two for each of its own.
    let most = (MAX_DEPTH - 1) / 2;
    let text = |depth: usize, n: &str| format!(r#"{{"tree":{},"n":{n}}}"#, tree(depth));
    assert_eq!(taken(&tool, text(most, "1")), most.to_string());
    assert_eq!(coerced(&tool, text(most, "\"1\"")).0, most.to_string());
    let value: Value = serde_json::from_str(&text(most, "1")).unwrap();
    assert_eq!(taken(&tool, value), most.to_string());
    assert_eq!(taken(&tool, format!(r#"{{"any":{}}}"#, lists(MAX_DEPTH - 1))), "0");
    assert_eq!(taken(&tool, format!(r#"{{"nest":{}}}"#, lists(MAX_DEPTH - 1))), "0");

    let too_deep = "the arguments are not valid JSON: nested too deeply: at most 127 lists and objects may stand inside \
                    one another near ";
    for sent in [text(most + 1, "1"), text(most + 1, "\"1\""), text(200, "1")] {
        let at = sent.match_indices(['{', '[']).nth(MAX_DEPTH).unwrap().0;
        let near = super::super::json::excerpt(&sent, at);
        assert_eq!(refused(&tool, sent), [format!("{too_deep}`{near}`")]);
    }
    for name in ["any", "nest"] {
        let sent = format!(r#"{{"{name}":{}}}"#, lists(MAX_DEPTH));
        let near = super::super::json::excerpt(&sent, sent.rfind('[').unwrap());
        assert_eq!(refused(&tool, sent), [format!("{too_deep}`{near}`")]);
    }
}

#[test]
fn a_parsed_value_may_be_no_deeper_than_a_text() {
    let grown = |depth: usize| (1..depth).fold(json!({"kids": []}), |inner, _| json!({"kids": [inner]}));
    let most = (MAX_DEPTH - 1) / 2;
    assert_eq!(taken(&deep::tool(), json!({"tree": grown(most)})), most.to_string());
    for depth in [most + 1, 200] {
        assert_eq!(problems(&deep::tool(), json!({"tree": grown(depth)})).len(), 1);
    }
}

#[test]
fn depth_beyond_any_stack_is_refused() {
    for open in ["[", r#"{"a":"#, r#"{"tree":"#, r#"{"nest":["#] {
        assert_eq!(problems(&deep::tool(), open.repeat(100_000)).len(), 1);
    }
    // Quoted once and twice over.
    for levels in 1..4 {
        let mut text = lists(60);
        for _ in 0..levels {
            text = format!("[{}]", Value::String(text));
        }
        assert_eq!(problems(&deep::tool(), json!({"tree": text})).len(), 1);
    }
}

/// Takes large values.
#[tool(blocking = false)]
fn large(text: Option<String>, numbers: Option<Vec<u32>>, map: Option<BTreeMap<String, u32>>) -> String {
    let numbers = numbers.unwrap_or_default();
    let map = map.unwrap_or_default();
    format!("{} {} {}", text.unwrap_or_default().len(), numbers.len(), map.len())
}

#[test]
fn a_large_text_is_taken() {
    let text = "x\"\\é\n".repeat(200_000);
    let sent = json!({"text": text}).to_string();
    assert_eq!(taken(&large::tool(), sent.as_str()), "1200000 0 0");
    assert_eq!(coerced(&large::tool(), Value::String(sent).to_string()).0, "1200000 0 0");
}

#[test]
fn what_is_too_long_is_refused_unread() {
    let limited = |sent: Arguments, bytes: usize| {
        let run = RunContext::new();
        let limits = ArgumentLimits::new().with_max_bytes(bytes);
        let context = CallContext::new("call_1", "large", &run).with_limits(limits);
        large::tool().prepare(&sent, &context).map(|_| ()).map_err(|error| error.to_string())
    };
    let sent = r#"{"text":"0123456789"}"#;
    assert_eq!(limited(sent.into(), sent.len()), Ok(()));
    let refusal = |bytes: usize| {
        Err(format!(
            "the arguments do not fit, and the tool was not called:\n- the arguments are too long: {bytes} bytes, and at \
             most {} are taken; send less in one call",
            bytes - 1
        ))
    };
    assert_eq!(limited(sent.into(), sent.len() - 1), refusal(sent.len()));
    // Of a parsed value texts and keys count in full, and a little for the rest.
    let value = json!({"text": "0123456789", "numbers": [1, 2]});
    let counted = 4 + "text".len() + 10 + "numbers".len() + 3 * 4;
    assert_eq!(limited(value.clone().into(), counted), Ok(()));
    assert_eq!(limited(value.into(), counted - 1), refusal(counted));
    let default = format!(r#"{{"text":"{}"}}"#, "x".repeat(ArgumentLimits::DEFAULT_MAX_BYTES));
    assert_eq!(
        refused(&large::tool(), default),
        ["the arguments are too long: 4194315 bytes, and at most 4194304 are taken; send less in one call"]
    );
}

#[test]
fn a_lower_limit_of_nesting_holds_on_every_way() {
    let limited = |sent: Arguments, depth: usize| {
        let run = RunContext::new();
        let limits = ArgumentLimits::new().with_max_depth(depth);
        let context = CallContext::new("call_1", "deep", &run).with_limits(limits);
        deep::tool().prepare(&sent, &context).map(|_| ()).map_err(|error| error.to_string())
    };
    let words = "nested too deeply: at most 6 lists and objects may stand inside one another";
    let head = "the arguments do not fit, and the tool was not called:\n- the arguments are";
    for (n, tail) in [("1", "1}"), ("\"1\"", "\"1\"}")] {
        let sent = |depth: usize| format!(r#"{{"tree":{},"n":{n}}}"#, tree(depth));
        assert_eq!(limited(sent(3).as_str().into(), 7), Ok(()));
        let near = super::super::json::excerpt(&sent(3), sent(3).rfind('[').unwrap());
        assert!(sent(3).ends_with(tail));
        assert_eq!(limited(sent(3).as_str().into(), 6), Err(format!("{head} not valid JSON: {words} near `{near}`")));
    }
    let value: Value = serde_json::from_str(&format!(r#"{{"tree":{}}}"#, tree(3))).unwrap();
    assert_eq!(limited(value.clone().into(), 7), Ok(()));
    assert_eq!(limited(value.into(), 6), Err(format!("{head} {words}")));
    // What no text may have cannot be allowed.
    assert_eq!(ArgumentLimits::new().with_max_depth(1000), ArgumentLimits::new());
}

#[test]
fn a_text_of_many_problems_ends_with_their_number() {
    let list = |count: usize| format!(r#"{{"numbers":[{}]}}"#, vec!["true"; count].join(","));
    let end = |count: usize| {
        let text = problems(&large::tool(), list(count)).to_string();
        (text.lines().count(), text.lines().last().unwrap().to_owned())
    };
    assert_eq!(end(50), (51, "- /numbers/49: expected an integer from 0 to 4294967295, got true".to_owned()));
    assert_eq!(end(51), (52, "- and 1 more problem".to_owned()));
    assert_eq!(end(1050), (52, "- and 1000 more problems".to_owned()));
}

#[test]
fn a_long_list_is_taken_coerced_and_refused() {
    let list = |item: &str| format!(r#"{{"numbers":[{}]}}"#, vec![item; 100_000].join(","));
    assert_eq!(taken(&large::tool(), list("7")), "0 100000 0");
    let (output, coercions) = coerced(&large::tool(), list("\"7\""));
    assert_eq!((output.as_str(), coercions.len()), ("0 100000 0", 100_000));
    let found = problems(&large::tool(), list("true"));
    assert_eq!(found.len(), 100_000);
    assert_eq!(
        found.iter().last().unwrap().to_string(),
        "/numbers/99999: expected an integer from 0 to 4294967295, got true"
    );
}

#[test]
fn many_keys_are_taken_and_many_wrong_ones_told() {
    let entries = |range: std::ops::Range<usize>| {
        range.fold(String::new(), |mut text, n| {
            let comma = if text.is_empty() { "" } else { "," };
            let _ = write!(text, "{comma}\"key{n}\":{n}");
            text
        })
    };
    assert_eq!(taken(&large::tool(), format!(r#"{{"map":{{{}}}}}"#, entries(0..100_000))), "0 0 100000");
    // All twice.
    let sent = format!(r#"{{"map":{{{},{}}}}}"#, entries(0..50_000), entries(0..50_000));
    assert_eq!(problems(&large::tool(), sent).len(), 50_000);
    // All unknown.
    assert_eq!(problems(&large::tool(), format!("{{{}}}", entries(0..100_000))).len(), 100_000);
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its shape counts")]
enum Same {
    A { next: Option<Box<Same>>, v: u8 },
    B { next: Option<Box<Same>>, v: bool },
    C { next: Option<Box<Same>>, v: Vec<u8> },
}

/// Takes alternatives that only trying tells apart.
#[tool(blocking = false)]
fn same(v: Same) -> &'static str {
    let _ = v;
    "taken"
}

#[test]
fn a_walk_that_would_not_end_gives_up() {
    let nested = |innermost: &str, depth: usize| {
        (0..depth).fold(innermost.to_owned(), |inner, _| format!(r#"{{"next":{inner},"v":0}}"#))
    };
    let sent = |innermost: &str, depth: usize| format!(r#"{{"v":{}}}"#, nested(innermost, depth));
    assert_eq!(taken(&same::tool(), sent(r#"{"v":[1]}"#, 60)), "taken");
    assert_eq!(
        refused(&same::tool(), sent(r#"{"v":null}"#, 60)),
        ["the arguments are too deeply nested to be checked"]
    );
    assert_eq!(
        refused(&same::tool(), sent(r#"{"v":null}"#, 0)),
        [r#"/v: expected an object with `v`, got {"v":null}"#]
    );
}

#[test]
fn a_schema_that_refers_to_itself_gives_up_too() {
    let shape = super::super::Shape::new(
        Vec::new(),
        crate::Schema::from_value(json!({"$ref": "#/$defs/a", "$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}]}}})),
    );
    let refused = super::through_plan(&shape, "{}").unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the arguments do not fit, and the tool was not called:\n- the arguments are too deeply nested to be checked"
    );
}
