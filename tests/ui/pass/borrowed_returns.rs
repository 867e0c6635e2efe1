//! A result may borrow from the arguments.
use std::borrow::Cow;
use std::path::Path;

use loom_runtime::prelude::*;
use serde::Serialize;

/// The first word.
#[tool]
fn first<'a>(text: &'a str) -> &'a str {
    text.split(' ').next().unwrap_or(text)
}

/// The first word.
#[tool]
async fn elided(text: &str) -> Option<&str> {
    text.split(' ').next()
}

#[derive(Serialize)]
struct Words<'a> {
    words: Vec<&'a str>,
}

/// All words.
#[tool]
fn words(text: &str) -> Words<'_> {
    Words { words: text.split(' ').collect() }
}

/// The name of a file.
#[tool]
fn name<'a, 'b: 'a>(path: &'b Path, _other: &'a str) -> Result<Cow<'a, str>, &'static str> {
    path.file_name().map(|name| name.to_string_lossy()).ok_or("no name")
}

/// The longer one.
#[tool]
async fn longer<'a>(left: &'a str, right: &'a str) -> Result<&'a str, String>
where
    'a: 'a,
{
    Ok(if left.len() > right.len() { left } else { right })
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let host = InProcessToolHost::new(tools![first, elided, words, name, longer]).unwrap();
    let results = host
        .dispatch([
            ToolCall::new("1", "first", r#"{"text": "a b"}"#),
            ToolCall::new("2", "elided", r#"{"text": "c d"}"#),
            ToolCall::new("3", "words", r#"{"text": "e f"}"#),
            ToolCall::new("4", "name", r#"{"path": "/g/h", "other": ""}"#),
            ToolCall::new("5", "name", r#"{"path": "/", "other": ""}"#),
            ToolCall::new("6", "longer", r#"{"left": "i", "right": "jk"}"#),
        ])
        .await;
    let texts: Vec<_> = results.iter().map(|result| result.text().into_owned()).collect();
    assert_eq!(texts, ["a", "c", r#"{"words":["e","f"]}"#, "h", "no name", "jk"]);
    assert!(results[4].is_error());
}
