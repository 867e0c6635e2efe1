//! Text is never touched; characters, patterns and lengths.

use serde_json::json;

use super::{refused, taken};
use crate::tool;

/// Takes a text.
#[tool(blocking = false)]
fn text(v: String) -> String {
    v
}

#[test]
fn text_stays_as_sent() {
    let texts = [
        "",
        " ",
        "007",
        "12345",
        "1.0",
        "true",
        "null",
        "NaN",
        "[1,2]",
        r#"{"a":1}"#,
        r#""quoted""#,
        "Straße ",
        "line\nbreak\ttab",
        "\u{1F600}",
        "2024-01-01",
    ];
    for sent in texts {
        assert_eq!(taken(&text::tool(), json!({"v": sent}).to_string()), sent);
        assert_eq!(taken(&text::tool(), json!({"v": sent})), sent);
    }
    assert_eq!(taken(&text::tool(), r#"{"v":"\u00e9\ud83d\ude00\/"}"#), "é😀/");
}

#[test]
fn nothing_else_becomes_text() {
    for other in ["5", "5.5", "true", "null", r#"["a"]"#, r#"{"a":1}"#] {
        assert_eq!(
            refused(&text::tool(), format!(r#"{{"v":{other}}}"#)),
            [format!("/v: expected a string, got {other}")]
        );
    }
}

/// Takes a character.
#[tool(blocking = false)]
fn letter(v: char) -> String {
    v.to_string()
}

#[test]
fn one_character() {
    for sent in ["x", "é", "5", "\u{1F600}"] {
        assert_eq!(taken(&letter::tool(), json!({"v": sent}).to_string()), sent);
    }
    for sent in ["", "xy", "e\u{301}"] {
        assert_eq!(
            refused(&letter::tool(), json!({"v": sent}).to_string()),
            [format!("/v: expected a string of 1 character, got \"{sent}\"")]
        );
    }
}

/// Takes bounded texts.
#[tool(blocking = false)]
fn bounded(
    #[arg(min_length = 2_u32, max_length = 3_u32)] short: String,
    #[arg(pattern = "^[a-z]+-[0-9]{2}$")] code: String,
    #[arg(min_length = 1_u32)] some: Option<String>,
) -> String {
    format!("{short} {code} {some:?}")
}

#[test]
fn lengths_are_counted_in_characters_and_patterns_are_searched() {
    let tool = bounded::tool();
    assert_eq!(taken(&tool, r#"{"short":"éé","code":"ab-12"}"#), "éé ab-12 None");
    assert_eq!(taken(&tool, r#"{"short":"😀😀😀","code":"z-00","some":"x"}"#), "😀😀😀 z-00 Some(\"x\")");
    assert_eq!(
        refused(&tool, r#"{"short":"é","code":"ab-123","some":""}"#),
        [
            "/short: expected a string of 2 to 3 characters, got \"é\"",
            "/code: expected a string matching `^[a-z]+-[0-9]{2}$`, got \"ab-123\"",
            "/some: expected a string of at least 1 character, got \"\"",
        ]
    );
    assert_eq!(
        refused(&tool, r#"{"short":"abcd","code":"AB-12"}"#),
        [
            "/short: expected a string of 2 to 3 characters, got \"abcd\"",
            "/code: expected a string matching `^[a-z]+-[0-9]{2}$`, got \"AB-12\"",
        ]
    );
}

#[test]
fn a_long_text_is_shown_shortened() {
    let sent = format!("{{\"short\":\"{}\",\"code\":\"a-00\"}}", "é".repeat(1000));
    assert_eq!(
        refused(&bounded::tool(), sent),
        [format!("/short: expected a string of 2 to 3 characters, got \"{}…", "é".repeat(59))]
    );
}

/// Takes owned and borrowed forms.
#[tool(blocking = false)]
fn borrowed(a: &str, b: &[String], c: &std::path::Path) -> String {
    format!("{a} {b:?} {}", c.display())
}

#[test]
fn borrowed_parameters_are_read_as_what_they_own() {
    assert_eq!(taken(&borrowed::tool(), r#"{"a":"x\n","b":["y"],"c":"/z"}"#), "x\n [\"y\"] /z");
}
