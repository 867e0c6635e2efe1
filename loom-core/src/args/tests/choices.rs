//! R7: enums of plain names.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{change, coerced, refused, taken};
use crate::CoercionRule::{NameCase, TextToNull};
use crate::tool;

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
enum Unit {
    Celsius,
    #[serde(rename = "deg-f")]
    Fahrenheit,
    #[serde(rename = "k")]
    SmallK,
    K,
}

/// Takes units.
#[tool(blocking = false)]
fn convert(unit: Unit, other: Option<Unit>, #[arg(default = vec![])] list: Vec<Option<Unit>>) -> String {
    format!("{unit:?} {other:?} {list:?}")
}

#[test]
fn a_name_is_taken_as_it_is_or_in_another_letter_case() {
    let tool = convert::tool();
    assert_eq!(taken(&tool, r#"{"unit":"Celsius","other":"deg-f"}"#), "Celsius Some(Fahrenheit) []");
    assert_eq!(taken(&tool, r#"{"unit":"k","other":"K","list":[null,"K"]}"#), "SmallK Some(K) [None, Some(K)]");
    assert_eq!(
        coerced(&tool, r#"{"unit":"celsius","other":" DEG-F\n"}"#),
        (
            "Celsius Some(Fahrenheit) []".to_owned(),
            vec![
                change("/unit", NameCase, "\"celsius\"", "\"Celsius\""),
                change("/other", NameCase, "\" DEG-F\\n\"", "\"deg-f\""),
            ]
        )
    );
    assert_eq!(
        coerced(&tool, r#"{"unit":"K","other":"null","list":["null"]}"#),
        (
            "K None [None]".to_owned(),
            vec![change("/other", TextToNull, "\"null\"", "null"), change("/list/0", TextToNull, "\"null\"", "null")]
        )
    );
}

#[test]
fn other_names_are_told_all_that_there_are() {
    let tool = convert::tool();
    let expected = r#"expected one of "Celsius", "deg-f", "k", "K""#;
    // Two names that differ in case alone leave two readings of a third spelling.
    for sent in ["\"kelvin\"", "\"\"", "\" k\"", "\"deg f\"", "0", "null", "true", "[\"K\"]", "{\"K\":null}"] {
        assert_eq!(refused(&tool, format!(r#"{{"unit":{sent}}}"#)), [format!("/unit: {expected}, got {sent}")]);
    }
    // An optional one may be left out; null is not offered.
    assert_eq!(
        refused(&tool, r#"{"unit":"K","other":"kelvin","list":["kelvin"]}"#),
        [format!("/other: {expected}, got \"kelvin\""), format!("/list/0: {expected} or null, got \"kelvin\""),]
    );
}

/// The order.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Sort {
    /// The newest first.
    Date,
    /// In the order of names.
    Name,
}

/// Sorts.
#[tool(blocking = false)]
fn sort(by: Sort) -> String {
    format!("{by:?}")
}

#[test]
fn documented_names_are_the_same() {
    assert_eq!(taken(&sort::tool(), r#"{"by":"name"}"#), "Name");
    assert_eq!(coerced(&sort::tool(), r#"{"by":"Date"}"#).0, "Date");
    assert_eq!(refused(&sort::tool(), r#"{"by":"size"}"#), [r#"/by: expected one of "date", "name", got "size""#]);
}
