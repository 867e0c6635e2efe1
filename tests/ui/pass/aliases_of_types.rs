//! Types are known by what they are, not by how they are spelt.
use loom_runtime::prelude::*;

type Maybe<T> = Option<T>;
type Outcome<T, E = String> = core::result::Result<T, E>;
type Io<T> = std::io::Result<T>;
type Text = String;
type Nothing = ();

/// Search.
#[tool]
fn search(query: Text, limit: Maybe<u32>, page: core::option::Option<u8>) -> Outcome<Maybe<Text>> {
    match limit {
        Some(0) => Err("nothing".to_owned()),
        Some(_) => Ok(Some(query)),
        None => Ok(page.map(|page| page.to_string())),
    }
}

/// Wait.
#[tool]
fn wait() -> Nothing {}

/// Open.
#[tool]
async fn open(path: &str) -> Io<Nothing> {
    if path.is_empty() { Err(std::io::Error::other("no path")) } else { Ok(()) }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let schema = serde_json::to_value(&search::tool().definition().input_schema).unwrap();
    assert_eq!(schema["required"], serde_json::json!(["query"]));
    let host = InProcessToolHost::new(tools![search, wait, open]).unwrap();
    let results = host
        .dispatch([
            ToolCall::new("1", "search", r#"{"query": "a", "limit": 0}"#),
            ToolCall::new("2", "search", r#"{"query": "a", "limit": 1}"#),
            ToolCall::new("3", "search", r#"{"query": "a"}"#),
            ToolCall::new("4", "wait", "{}"),
            ToolCall::new("5", "open", r#"{"path": ""}"#),
            ToolCall::new("6", "open", r#"{"path": "/"}"#),
        ])
        .await;
    let texts: Vec<_> = results.iter().map(|result| result.text().into_owned()).collect();
    assert_eq!(texts, ["nothing", "a", "null", "ok", "no path", "ok"]);
    let errors: Vec<_> = results.iter().map(|result| result.is_error()).collect();
    assert_eq!(errors, [true, false, false, false, true, false]);
}
