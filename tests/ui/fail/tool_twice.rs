use loom_runtime::prelude::*;

/// Search the web.
#[tool(read_only)]
#[tool(title = "Search")]
fn search(query: &str) -> String {
    query.to_owned()
}

fn main() {
    search("rust");
    let _ = tools![search];
}
