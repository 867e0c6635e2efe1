//! Enums with data, of every tagging, alone and flattened.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{argument, change, coerced, refused, taken};
use crate::CoercionRule::{NameCase, TextToInteger, TextToNumber};
use crate::tool;

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "printed")]
struct Point {
    x: u8,
    y: Option<u8>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "printed")]
enum External {
    At(Point),
    Square { side: u8 },
    Pair(u8, bool),
    Nowhere,
}

#[test]
fn external_tags() {
    let tool = of!(External);
    assert_eq!(taken(&tool, argument(r#"{"At":{"x":1}}"#)), "At(Point { x: 1, y: None })");
    assert_eq!(taken(&tool, argument(r#"{"Pair":[1,true]}"#)), "Pair(1, true)");
    assert_eq!(taken(&tool, argument("\"Nowhere\"")), "Nowhere");
    assert_eq!(
        coerced(&tool, argument(r#"{"Square":{"side":"2"}}"#)),
        ("Square { side: 2 }".to_owned(), vec![change("/v/Square/side", TextToInteger, "\"2\"", "2")])
    );
    assert_eq!(coerced(&tool, argument("\"nowhere\"")).1, [change("/v", NameCase, "\"nowhere\"", "\"Nowhere\"")]);
    assert_eq!(coerced(&tool, argument(r#""{\"At\":{\"x\":1}}""#)).0, "At(Point { x: 1, y: None })");
    // Inside the variant that is meant.
    assert_eq!(
        refused(&tool, argument(r#"{"At":{"x":300,"z":1}}"#)),
        [
            "/v/At/x: expected an integer from 0 to 255, got 300",
            "/v/At: unknown property `z`; the properties are `x` and `y`"
        ]
    );
    assert_eq!(refused(&tool, argument(r#"{"Square":{}}"#)), ["/v/Square: missing required property `side`"]);
    assert_eq!(
        refused(&tool, argument(r#"{"Pair":[1]}"#)),
        ["/v/Pair: expected a list of 2 items: an integer from 0 to 255 and a boolean, got [1]"]
    );
    assert_eq!(
        refused(&tool, argument(r#"{"square":{"side":1}}"#)),
        ["/v: unknown property `square`; did you mean `Square`?"]
    );
    let all = r#""Nowhere", {"At": an object with `x`}, {"Square": an object with `side`}, {"Pair": a list of 2 items: an integer from 0 to 255 and a boolean}"#;
    let two = r#"{"At":{"x":1},"Square":{"side":1}}"#;
    assert_eq!(refused(&tool, argument(two)), [format!("/v: expected exactly one of: {all}, got {two}")]);
    for sent in [r#"{"Circle":{}}"#, "{}", "[]", "5", "\"At\"", "null"] {
        assert_eq!(refused(&tool, argument(sent)), [format!("/v: expected one of: {all}, got {sent}")]);
    }
    assert_eq!(
        refused(&tool, argument(r#"{"At":{"x":1},"At":{"x":2}}"#)),
        ["/v: property `At` is given more than once; give it once"]
    );
    // serde takes a struct variant from a list.
    assert_eq!(refused(&tool, argument(r#"{"Square":[1]}"#)), ["/v/Square: expected an object with `side`, got [1]"]);
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[expect(dead_code, reason = "printed")]
enum Internal {
    At(Point),
    Square { side: u8, color: Option<String> },
    Nowhere,
}

#[test]
fn internal_tags() {
    let tool = of!(Internal);
    assert_eq!(taken(&tool, argument(r#"{"x":1,"kind":"at"}"#)), "At(Point { x: 1, y: None })");
    assert_eq!(taken(&tool, argument(r#"{"kind":"nowhere"}"#)), "Nowhere");
    assert_eq!(
        coerced(&tool, argument(r#"{"side":"2","kind":"Square"}"#)),
        (
            "Square { side: 2, color: None }".to_owned(),
            vec![
                change("/v/side", TextToInteger, "\"2\"", "2"),
                change("/v/kind", NameCase, "\"Square\"", "\"square\""),
            ]
        )
    );
    assert_eq!(
        refused(&tool, argument(r#"{"kind":"square","side":300,"colour":"red"}"#)),
        ["/v/side: expected an integer from 0 to 255, got 300", "/v: unknown property `colour`; did you mean `color`?",]
    );
    assert_eq!(refused(&tool, argument(r#"{"kind":"square"}"#)), ["/v: missing required property `side`"]);
    assert_eq!(
        refused(&tool, argument(r#"{"kind":"nowhere","x":1}"#)),
        ["/v: unknown property `x`; the only property is `kind`"]
    );
    assert_eq!(
        refused(&tool, argument(r#"{"kind":"at","x":1,"z":1}"#)),
        ["/v: unknown property `z`; the properties are `kind`, `x` and `y`"]
    );
    let all = r#"one of "at", "square", "nowhere""#;
    assert_eq!(refused(&tool, argument(r#"{"kind":"circle"}"#)), [format!("/v/kind: expected {all}, got \"circle\"")]);
    assert_eq!(refused(&tool, argument(r#"{"kind":5,"x":1}"#)), [format!("/v/kind: expected {all}, got 5")]);
    assert_eq!(
        refused(&tool, argument(r#"{"side":1}"#)),
        [format!("/v: expected an object whose `kind` is {all}, got {{\"side\":1}}")]
    );
    assert_eq!(
        refused(&tool, argument("[\"at\",1]")),
        [r#"/v: expected an object whose `kind` is one of "at", "square", "nowhere", got ["at",1]"#]
    );
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", content = "value")]
#[expect(dead_code, reason = "printed")]
enum Adjacent {
    At(Point),
    Square { side: u8 },
    Nowhere,
}

#[test]
fn adjacent_tags() {
    let tool = of!(Adjacent);
    assert_eq!(taken(&tool, argument(r#"{"kind":"At","value":{"x":1}}"#)), "At(Point { x: 1, y: None })");
    assert_eq!(taken(&tool, argument(r#"{"value":{"side":1},"kind":"Square"}"#)), "Square { side: 1 }");
    assert_eq!(coerced(&tool, argument(r#"{"kind":"square","value":"{\"side\":\"1\"}"}"#)).0, "Square { side: 1 }");
    assert_eq!(
        refused(&tool, argument(r#"{"kind":"At","value":{"x":1,"z":2},"more":1}"#)),
        [
            "/v/value: unknown property `z`; the properties are `x` and `y`",
            "/v: unknown property `more`; the properties are `kind` and `value`",
        ]
    );
    assert_eq!(
        refused(&tool, argument(r#"{"value":{"side":1,"z":2},"kind":"Square"}"#)),
        ["/v/value: unknown property `z`; the only property is `side`"]
    );
    assert_eq!(
        refused(&tool, argument(r#"{"kind":"Nowhere","value":1}"#)),
        ["/v: unknown property `value`; the only property is `kind`"]
    );
    assert_eq!(refused(&tool, argument(r#"{"kind":"At"}"#)), ["/v: missing required property `value`"]);
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "printed")]
enum Untagged {
    At(Point),
    Square { side: u8 },
    List(Vec<u8>),
    Text(String),
}

#[test]
fn untagged_alternatives() {
    let tool = of!(Untagged);
    assert_eq!(taken(&tool, argument(r#"{"x":1}"#)), "At(Point { x: 1, y: None })");
    assert_eq!(taken(&tool, argument(r#"{"side":1}"#)), "Square { side: 1 }");
    assert_eq!(taken(&tool, argument("[1]")), "List([1])");
    // Text is text, whatever it looks like.
    for text in ["[1]", r#"{\"x\":1}"#, "5", "null"] {
        let plain = text.replace('\\', "");
        assert_eq!(taken(&tool, argument(&format!("\"{text}\""))), format!("Text({plain:?})"));
    }
    assert_eq!(coerced(&tool, argument(r#"{"x":"1"}"#)).0, "At(Point { x: 1, y: None })");
    assert_eq!(coerced(&tool, argument(r#"["1"]"#)).0, "List([1])");
    assert_eq!(refused(&tool, argument(r#"{"x":300}"#)), ["/v/x: expected an integer from 0 to 255, got 300"]);
    assert_eq!(refused(&tool, argument("[1,300]")), ["/v/1: expected an integer from 0 to 255, got 300"]);
    let all = "expected an object with `x` or an object with `side` or a list of integers from 0 to 255 or a string";
    for sent in [r#"{"x":1,"side":2}"#, r#"{"x":1,"z":2}"#, r#"{"side":1,"z":2}"#, "{}", "5", "null", "true"] {
        assert_eq!(refused(&tool, argument(sent)), [format!("/v: {all}, got {sent}")]);
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "printed")]
enum Scalar {
    Whole(u8),
    Flag(bool),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "printed")]
enum Numbers {
    Small(u8),
    Any(f64),
}

#[test]
fn a_text_is_coerced_where_one_alternative_takes_it() {
    let tool = of!(Scalar);
    assert_eq!(coerced(&tool, argument("\"5\"")).0, "Whole(5)");
    assert_eq!(coerced(&tool, argument("\"true\"")).0, "Flag(true)");
    assert_eq!(
        refused(&tool, argument("\"300\"")),
        ["/v: expected an integer from 0 to 255 or true or false, got \"300\""]
    );
    let numbers = of!(Numbers);
    assert_eq!(taken(&numbers, argument("300")), "Any(300.0)");
    // With `arbitrary_precision` switched on, serde_json cannot read a fraction that was kept for later: it is refused.
    if serde_json::from_str::<serde_json::Value>("1e400").is_err() {
        assert_eq!(coerced(&numbers, argument("\"1.5\"")).1, [change("/v", TextToNumber, "\"1.5\"", "1.5")]);
    } else {
        let fits_none = "/v: the value is not accepted: it fits none of the alternatives, got 1.5";
        assert_eq!(refused(&numbers, argument("\"1.5\"")), [fits_none]);
    }
    // Two readings are none.
    assert_eq!(refused(&numbers, argument("\"5\"")), ["/v: expected an integer from 0 to 255 or a number, got \"5\""]);
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "printed")]
enum ShortOrNumber {
    Number(u8),
    Letter(char),
}

#[test]
fn where_text_is_taken_a_refused_text_becomes_nothing_else() {
    let tool = of!(ShortOrNumber);
    assert_eq!(taken(&tool, argument("\"5\"")), "Letter('5')");
    assert_eq!(
        refused(&tool, argument("\"55\"")),
        ["/v: expected an integer from 0 to 255 or a string of 1 character, got \"55\""]
    );
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "printed")]
struct Drawn {
    name: String,
    #[serde(flatten)]
    shape: Internal,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "printed")]
enum Mark {
    /// A dot.
    Dot,
    Line,
    Ring {
        size: u8,
    },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "printed")]
struct Both {
    name: String,
    #[serde(flatten)]
    shape: Internal,
    #[serde(flatten)]
    mark: Mark,
}

#[test]
fn a_flattened_enum() {
    let tool = of!(Drawn);
    assert_eq!(
        taken(&tool, argument(r#"{"name":"n","kind":"at","x":1}"#)),
        r#"Drawn { name: "n", shape: At(Point { x: 1, y: None }) }"#
    );
    assert_eq!(
        coerced(&tool, argument(r#"{"name":"5","kind":"square","side":"5"}"#)).0,
        r#"Drawn { name: "5", shape: Square { side: 5, color: None } }"#
    );
    assert_eq!(
        refused(&tool, argument(r#"{"name":5,"kind":"square","side":"x","z":1}"#)),
        [
            "/v/name: expected a string, got 5",
            "/v/side: expected an integer from 0 to 255, got \"x\"",
            "/v: unknown property `z`; the properties are `kind`, `side`, `name` and `color`",
        ]
    );
}

#[test]
fn two_flattened_enums() {
    let tool = of!(Both);
    assert_eq!(
        taken(&tool, argument(r#"{"name":"n","kind":"at","x":1,"Dot":null}"#)),
        r#"Both { name: "n", shape: At(Point { x: 1, y: None }), mark: Dot }"#
    );
    assert_eq!(
        coerced(&tool, argument(r#"{"name":"n","kind":"at","x":"1","Ring":{"size":"2"}}"#)).0,
        r#"Both { name: "n", shape: At(Point { x: 1, y: None }), mark: Ring { size: 2 } }"#
    );
    // What only another variant declares is not declared.
    assert_eq!(
        refused(&tool, argument(r#"{"name":"n","kind":"at","x":1,"side":2,"Dot":null}"#)),
        ["/v: unknown property `side`"]
    );
    assert_eq!(
        refused(&tool, argument(r#"{"name":"n","kind":"at","x":1,"Line":null,"z":1}"#)),
        ["/v: unknown property `z`; the properties are `name`, `Dot`, `Line`, `Ring`, `color`, `kind`, `side`, `x` \
             and `y`",]
    );
    assert_eq!(
        refused(&tool, argument(r#"{"kind":"at","x":300,"Dot":null}"#)),
        ["/v/x: expected an integer from 0 to 255, got 300", "/v: missing required property `name`",]
    );
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "op", rename_all = "lowercase")]
enum Expr {
    Number { value: i64 },
    Add { left: Box<Expr>, right: Box<Expr> },
    Sub { left: Box<Expr>, right: Box<Expr> },
    Mul { left: Box<Expr>, right: Box<Expr> },
    Div { left: Box<Expr>, right: Box<Expr> },
}

impl Expr {
    fn depth(&self) -> usize {
        match self {
            Self::Number { value } => usize::try_from(*value).unwrap(),
            Self::Add { left, right }
            | Self::Sub { left, right }
            | Self::Mul { left, right }
            | Self::Div { left, right } => 1 + left.depth().max(right.depth()),
        }
    }
}

/// Evaluates.
#[tool(blocking = false)]
fn evaluate(expr: Expr) -> String {
    expr.depth().to_string()
}

fn expression(depth: usize, leaf: &str) -> String {
    if depth == 0 {
        return format!(r#"{{"op":"number","value":{leaf}}}"#);
    }
    let op = ["add", "sub", "mul", "div"][depth % 4];
    let inner = expression(depth - 1, leaf);
    format!(r#"{{"op":"{op}","left":{inner},"right":{}}}"#, expression(depth - 1, "0"))
}

#[test]
fn nested_variants_of_one_shape_are_told_apart_by_their_tags() {
    let text = |leaf: &str| format!(r#"{{"expr":{}}}"#, expression(10, leaf));
    assert_eq!(taken(&evaluate::tool(), text("0")), "10");
    let left = "/left".repeat(10);
    assert_eq!(
        coerced(&evaluate::tool(), text("\"0\"")),
        ("10".to_owned(), vec![change(&format!("/expr{left}/value"), TextToInteger, "\"0\"", "0")])
    );
    assert_eq!(
        refused(&evaluate::tool(), text("\"x\"")),
        [format!("/expr{left}/value: expected an integer, got \"x\"")]
    );
}

#[test]
fn optional_unions() {
    let tool = of!(Option<External>);
    assert_eq!(taken(&tool, "{}"), "None");
    assert_eq!(taken(&tool, argument("null")), "None");
    assert_eq!(coerced(&tool, argument(r#""{\"Pair\":[1,\"true\"]}""#)).0, "Some(Pair(1, true))");
    assert_eq!(
        refused(&tool, argument(r#"{"At":{"x":true}}"#)),
        ["/v/At/x: expected an integer from 0 to 255, got true"]
    );
}
