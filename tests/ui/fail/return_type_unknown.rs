use loom_runtime::prelude::*;

/// Search the web.
#[tool]
fn search(query: &str) -> Hits {
    todo!("{query}")
}

fn main() {
    let _ = search("rust");
    let _ = tools![search];
}
