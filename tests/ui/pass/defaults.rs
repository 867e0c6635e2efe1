//! Defaults of every kind, as values and in the schema.
use std::borrow::Cow;
use std::path::{Path, PathBuf};

use loom_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Default, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Unit {
    #[default]
    Celsius,
    Kelvin,
}

/// Cannot be serialised, so the schema does not show its default.
#[derive(Debug, Default, Deserialize, JsonSchema)]
struct Secret(u8);

const LIMIT: u32 = 5;

fn page() -> u8 {
    3
}

mod defaults {
    pub fn words() -> Vec<String> {
        vec!["a".to_owned()]
    }
}

/// Search.
#[tool]
fn search(
    #[arg(default = Unit::Kelvin)] unit: Unit,
    #[arg(default)] other: Unit,
    #[arg(default = "a")] string: String,
    #[arg(default = "/b")] path: PathBuf,
    #[arg(default = "c")] text: &str,
    #[arg(default = "/d")] lent: &Path,
    #[arg(default = "e")] cow: Cow<'_, str>,
    #[arg(default = "f")] boxed: Box<str>,
    #[arg(default = LIMIT)] limit: u32,
    #[arg(default = page())] page: u8,
    #[serde(default = "defaults::words")] words: Vec<String>,
    #[serde(default)] none: &[u8],
    #[arg(default = Some(4))] some: Option<u8>,
    #[arg(default)] secret: Secret,
    #[arg(default = { let one = 1; one + 1 })] two: i8,
) -> String {
    format!(
        "{unit:?} {other:?} {string} {} {text} {} {cow} {boxed} {limit} {page} {words:?} {none:?} {some:?} {secret:?} {two}",
        path.display(),
        lent.display()
    )
}

/// Search.
#[tool]
async fn optional(#[arg(default = Some("x".to_owned()))] text: Option<&str>) -> String {
    format!("{text:?}")
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let tool = search::tool();
    let schema = serde_json::to_value(&tool.definition().input_schema).unwrap();
    assert_eq!(schema.get("required"), None);
    let default = |name: &str| schema["properties"][name]["default"].clone();
    assert_eq!(default("unit"), "kelvin");
    assert_eq!(default("other"), "celsius");
    assert_eq!(default("path"), "/b");
    assert_eq!(default("text"), "c");
    assert_eq!(default("limit"), 5);
    assert_eq!(default("words"), serde_json::json!(["a"]));
    assert_eq!(default("some"), 4);
    assert_eq!(default("secret"), serde_json::Value::Null);

    let host = InProcessToolHost::new(tools![search, optional]).unwrap();
    let results = host
        .dispatch([
            ToolCall::new("1", "search", "{}"),
            ToolCall::new("2", "optional", "{}"),
            ToolCall::new("3", "optional", r#"{"text": null}"#),
        ])
        .await;
    assert_eq!(
        results[0].text(),
        r#"Kelvin Celsius a /b c /d e f 5 3 ["a"] [] Some(4) Secret(0) 2"#
    );
    assert_eq!(results[1].text(), r#"Some("x")"#);
    assert_eq!(results[2].text(), "None");
}
