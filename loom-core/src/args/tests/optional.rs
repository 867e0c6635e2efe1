//! R6, R6b, R4: what may be left out, null, defaults, aliases; and booleans.

use std::sync::atomic::{AtomicUsize, Ordering};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{Answer, answer, change, coerced, refused, taken};
use crate::CoercionRule::{Alias, NullToAbsent, TextToBoolean, TextToInteger, TextToNull};
use crate::{Coercion, tool};

/// Takes optional values.
#[tool(blocking = false)]
fn optional(
    a: Option<u8>,
    b: Option<String>,
    #[arg(default = 5)] c: u8,
    #[arg(default = Some(7))] d: Option<u8>,
) -> String {
    format!("{a:?} {b:?} {c} {d:?}")
}

#[test]
fn what_is_left_out_is_none_or_the_default() {
    assert_eq!(taken(&optional::tool(), "{}"), "None None 5 Some(7)");
    assert_eq!(taken(&optional::tool(), r#"{"a":1,"b":"x","c":2,"d":3}"#), "Some(1) Some(\"x\") 2 Some(3)");
}

#[test]
fn null_is_none_where_the_type_takes_it_and_else_as_if_left_out() {
    let tool = optional::tool();
    assert_eq!(taken(&tool, r#"{"a":null,"b":null,"d":null}"#), "None None 5 None");
    assert_eq!(taken(&tool, json!({"a": null, "b": null, "d": null})), "None None 5 None");
    let expected = ("None None 5 Some(7)".to_owned(), vec![change("/c", NullToAbsent, "null", "")]);
    assert_eq!(coerced(&tool, r#"{"c":null}"#), expected);
    assert_eq!(coerced(&tool, json!({"c": null})), expected);
    // The same beside something that has to be coerced.
    assert_eq!(
        coerced(&tool, r#"{"a":null,"c":"9","d":null}"#),
        ("None None 9 None".to_owned(), vec![change("/c", TextToInteger, "\"9\"", "9")])
    );
}

#[test]
fn the_word_null_is_null_unless_text_is_taken() {
    let tool = optional::tool();
    assert_eq!(
        coerced(&tool, r#"{"a":"null","b":"null"}"#),
        ("None Some(\"null\") 5 Some(7)".to_owned(), vec![change("/a", TextToNull, "\"null\"", "null")])
    );
    assert_eq!(
        refused(&tool, r#"{"a":"NULL","c":"null"}"#),
        ["/a: expected an integer from 0 to 255, got \"NULL\"", "/c: expected an integer from 0 to 255, got \"null\"",]
    );
}

#[test]
fn what_is_required_takes_no_null() {
    /// Takes a number.
    #[tool(blocking = false)]
    fn required(v: u8) -> String {
        v.to_string()
    }
    assert_eq!(refused(&required::tool(), r#"{"v":null}"#), ["/v: expected an integer from 0 to 255, got null"]);
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "printed")]
struct Settings {
    #[serde(default = "five")]
    depth: u8,
    name: Option<String>,
    #[serde(default)]
    flags: Vec<bool>,
}

fn five() -> u8 {
    5
}

/// Takes settings.
#[tool(blocking = false)]
fn configure(settings: Settings) -> String {
    format!("{settings:?}")
}

#[test]
fn the_same_holds_for_fields() {
    let tool = configure::tool();
    assert_eq!(taken(&tool, r#"{"settings":{}}"#), "Settings { depth: 5, name: None, flags: [] }");
    assert_eq!(taken(&tool, r#"{"settings":{"name":null}}"#), "Settings { depth: 5, name: None, flags: [] }");
    assert_eq!(
        coerced(&tool, r#"{"settings":{"depth":null,"name":"x","flags":null}}"#),
        (
            "Settings { depth: 5, name: Some(\"x\"), flags: [] }".to_owned(),
            vec![
                change("/settings/depth", NullToAbsent, "null", ""),
                change("/settings/flags", NullToAbsent, "null", ""),
            ]
        )
    );
}

static MADE: AtomicUsize = AtomicUsize::new(0);

/// Takes a value with a default that is counted.
#[tool(blocking = false)]
fn counted(#[arg(default = { MADE.fetch_add(1, Ordering::Relaxed); 1 })] v: u8) -> String {
    v.to_string()
}

#[test]
fn a_default_is_made_only_when_it_is_needed() {
    let tool = counted::tool();
    // Once for the schema.
    let before = MADE.load(Ordering::Relaxed);
    assert_eq!(taken(&tool, r#"{"v":9}"#), "9");
    assert_eq!(refused(&tool, r#"{"v":900}"#), ["/v: expected an integer from 0 to 255, got 900"]);
    assert_eq!(MADE.load(Ordering::Relaxed), before);
    assert_eq!(taken(&tool, "{}"), "1");
    assert_eq!(MADE.load(Ordering::Relaxed), before + 1);
}

/// Takes a value of several names.
#[tool(blocking = false)]
fn aliased(#[serde(alias = "max", alias = "top/most")] limit: u8, other: Option<u8>) -> String {
    format!("{limit} {other:?}")
}

#[test]
fn an_alias_is_the_parameter_and_problems_name_what_was_sent() {
    let tool = aliased::tool();
    assert_eq!(taken(&tool, r#"{"limit":1}"#), "1 None");
    assert_eq!(
        coerced(&tool, r#"{"max":"2"}"#),
        (
            "2 None".to_owned(),
            vec![change("/max", Alias, "`max`", "`limit`"), change("/max", TextToInteger, "\"2\"", "2")]
        )
    );
    assert_eq!(
        answer(&tool, json!({"top/most": 3})),
        Answer {
            repairs: Vec::new(),
            output: "3 None".to_owned(),
            coercions: vec![Coercion {
                pointer: "/top~1most".to_owned(),
                rule: Alias,
                from: "`top/most`".to_owned(),
                to: "`limit`".to_owned(),
            }],
            coerced: Some(r#"{"limit":3}"#.to_owned()),
        }
    );
    assert_eq!(refused(&tool, r#"{"max":"x"}"#), ["/max: expected an integer from 0 to 255, got \"x\""]);
    assert_eq!(refused(&tool, r#"{"limit":1,"max":2}"#), ["argument `limit` is given more than once; give it once"]);
}

/// Takes booleans.
#[tool(blocking = false)]
fn switch(v: bool) -> String {
    v.to_string()
}

#[test]
fn booleans_are_six_words_at_most() {
    let tool = switch::tool();
    assert_eq!(taken(&tool, r#"{"v":true}"#), "true");
    assert_eq!(taken(&tool, r#"{"v":false}"#), "false");
    for (word, value) in
        [("true", true), ("True", true), ("TRUE", true), ("false", false), ("False", false), ("FALSE", false)]
    {
        let (text, value) = (format!("{word:?}"), value.to_string());
        assert_eq!(
            coerced(&tool, format!(r#"{{"v":{text}}}"#)),
            (value.clone(), vec![change("/v", TextToBoolean, &text, &value)])
        );
    }
    let never = [
        "\"yes\"",
        "\"no\"",
        "\"on\"",
        "\"off\"",
        "\"1\"",
        "\"0\"",
        "\"tRue\"",
        "\" true\"",
        "\"\"",
        "0",
        "1",
        "null",
        "[true]",
    ];
    for sent in never {
        assert_eq!(refused(&tool, format!(r#"{{"v":{sent}}}"#)), [format!("/v: expected true or false, got {sent}")]);
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "printed")]
struct Tagged {
    #[serde(default)]
    tags: Vec<String>,
}

/// Takes what may be left out.
#[tool(blocking = false)]
fn twice(#[arg(default = 5)] limit: u8, item: Option<Tagged>) -> String {
    format!("{limit} {item:?}")
}

#[test]
fn a_null_beside_a_value_of_the_same_name_is_that_name_twice() {
    let tool = twice::tool();
    for sent in [r#"{"limit":1,"limit":null}"#, r#"{"limit":null,"limit":1}"#, r#"{"limit":null,"limit":null}"#] {
        let told = refused(&tool, sent);
        assert_eq!(told.last().unwrap(), "argument `limit` is given more than once; give it once", "{sent}");
    }
    for sent in [r#"{"item":{"tags":["a"],"tags":null}}"#, r#"{"item":{"tags":null,"tags":["a"]}}"#] {
        let told = refused(&tool, sent);
        assert_eq!(told.last().unwrap(), "/item: property `tags` is given more than once; give it once", "{sent}");
    }
    assert_eq!(coerced(&tool, r#"{"item":{"tags":null}}"#).0, "5 Some(Tagged { tags: [] })");
}
