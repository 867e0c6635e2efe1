//! A function that returns a future is awaited, whatever else its signature says.
use std::future::Future;

use loom_runtime::prelude::*;

/// Search.
#[tool]
fn owned(query: String) -> impl Future<Output = String> + Send {
    async move { query }
}

/// Search.
#[tool]
fn borrowed<'a>(query: &'a str, limit: Option<&'a u8>) -> impl Future<Output = Result<&'a str, String>> + Send + 'a {
    async move { if limit.is_some() { Err("a limit".to_owned()) } else { Ok(query) } }
}

/// Search.
#[tool]
fn captured(query: &str) -> impl std::future::Future<Output = usize> + Send {
    let length = query.len();
    async move { length }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let host = InProcessToolHost::new(tools![owned, borrowed, captured]).unwrap();
    let results = host
        .dispatch([
            ToolCall::new("1", "owned", r#"{"query": "a"}"#),
            ToolCall::new("2", "borrowed", r#"{"query": "b"}"#),
            ToolCall::new("3", "borrowed", r#"{"query": "b", "limit": 1}"#),
            ToolCall::new("4", "captured", r#"{"query": "abc"}"#),
        ])
        .await;
    let texts: Vec<_> = results.iter().map(|result| result.text().into_owned()).collect();
    assert_eq!(texts, ["a", "b", "a limit", "3"]);
}
