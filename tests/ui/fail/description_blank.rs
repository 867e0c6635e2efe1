use loom_runtime::prelude::*;

/// Search the web.
#[tool(description = " ", title = "")]
fn search(query: &str) -> String {
    query.to_owned()
}

fn main() {
    search("rust");
    let _ = tools![search];
}
