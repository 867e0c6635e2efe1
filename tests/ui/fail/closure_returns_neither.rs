use loom_runtime::prelude::*;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Query {
    text: String,
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Hit {
    title: String,
}

fn main() {
    let _ = Tool::from_fn("search", "Searches.", async |query: Query| Hit { title: query.text });
}
