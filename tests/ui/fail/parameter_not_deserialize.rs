use loom_runtime::prelude::*;
use schemars::JsonSchema;

#[derive(JsonSchema)]
struct Query {
    text: String,
}

/// Search the web.
#[tool]
fn search(query: Query, limit: u32) -> String {
    format!("{} {limit}", query.text)
}

fn main() {
    search(Query { text: String::new() }, 3);
    let _ = tools![search];
}
