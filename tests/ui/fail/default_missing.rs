use loom_runtime::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Page(u32);

/// Search the web.
#[tool]
fn search(query: &str, #[arg(default)] page: Page, #[arg(default = first())] from: Page) -> String {
    format!("{query} {} {}", page.0, from.0)
}

fn main() {
    search("rust", Page(1), Page(1));
    let _ = tools![search];
}
