use loom_runtime::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
struct Query {
    text: String,
}

/// Search the web.
#[tool]
async fn search(query: Query, limit: u32) -> String {
    format!("{} {limit}", query.text)
}

fn main() {
    drop(search(Query { text: String::new() }, 3));
    let _ = tools![search];
}
