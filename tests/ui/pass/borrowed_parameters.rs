//! Whatever is lent: texts, slices, paths, values of one's own that cannot be cloned.
#![allow(unused_parens)]

use std::path::Path;

use loom_runtime::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Debug, Deserialize, JsonSchema)]
struct Filter {
    tag: String,
}

/// Search.
#[tool]
fn sync(text: &str, tags: &[String], path: &Path, filter: &Filter, number: &u8) -> String {
    format!("{text} {tags:?} {} {} {number}", path.display(), filter.tag)
}

/// Search.
#[tool]
async fn optional(text: Option<&str>, tags: Option<&[Filter]>, path: Option<&Path>, filter: Option<&Filter>) -> String {
    format!("{text:?} {} {path:?} {:?}", tags.map_or(0, <[_]>::len), filter.map(|filter| &filter.tag))
}

/// Search.
#[tool(blocking = false)]
fn parenthesised(text: (&str), vector: &Vec<u8>, string: &String) -> usize {
    text.len() + vector.len() + string.len()
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let host = InProcessToolHost::new(tools![sync, optional, parenthesised]).unwrap();
    let results = host
        .dispatch([
            ToolCall::new("1", "sync", r#"{"text": "a", "tags": ["b"], "path": "/c", "filter": {"tag": "d"}, "number": 5}"#),
            ToolCall::new("2", "optional", "{}"),
            ToolCall::new("3", "optional", r#"{"text": "a", "tags": [{"tag": "b"}], "path": "/c", "filter": {"tag": "d"}}"#),
            ToolCall::new("4", "parenthesised", r#"{"text": "a", "vector": [1, 2], "string": "abc"}"#),
        ])
        .await;
    let texts: Vec<_> = results.iter().map(|result| result.text().into_owned()).collect();
    assert_eq!(
        texts,
        [
            r#"a ["b"] /c d 5"#,
            "None 0 None None",
            r#"Some("a") 1 Some("/c") Some("d")"#,
            "6",
        ]
    );
}
