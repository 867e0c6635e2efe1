//! What serde's own attribute means on a field, it means on a parameter.
use loom_runtime::prelude::*;

/// Search.
///
/// # Arguments
/// * `query` - What to look for.
/// * `maxResults` - How many.
#[tool(reads("{query}"))]
fn search(
    #[serde(alias = "q", alias = "text")] query: &str,
    #[serde(rename = "maxResults", default)] limit: u32,
    #[serde(rename = "type")]
    #[arg(default = "page", description = "Which kind.")]
    kind: String,
    #[serde(default = "first", alias = "p")] page: u8,
) -> String {
    format!("{query} {limit} {kind} {page}")
}

fn first() -> u8 {
    1
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let schema = serde_json::to_value(&search::tool().definition().input_schema).unwrap();
    assert_eq!(schema["required"], serde_json::json!(["query"]));
    assert_eq!(schema["properties"]["maxResults"]["description"], "How many.");
    assert_eq!(schema["properties"]["type"]["description"], "Which kind.");
    assert_eq!(schema["properties"]["type"]["default"], "page");
    let host = InProcessToolHost::new(tools![search]).unwrap();
    let results = host
        .dispatch([
            ToolCall::new("1", "search", r#"{"query": "a"}"#),
            ToolCall::new("2", "search", r#"{"q": "a", "maxResults": 5, "type": "image", "p": 2}"#),
            ToolCall::new("3", "search", r#"{"text": "a", "limit": 5}"#),
        ])
        .await;
    assert_eq!(results[0].text(), "a 0 page 1");
    assert_eq!(results[1].text(), "a 5 image 2");
    assert!(results[2].is_error());
}
