use loom_runtime::prelude::*;

/// Search the web.
#[tool]
#[allow(unused_variables)]
fn search(query: &str, query: &str) -> String {
    query.to_owned()
}

fn main() {
    search("rust", "rust");
    let _ = tools![search];
}
