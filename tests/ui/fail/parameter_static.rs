use loom_runtime::prelude::*;

/// Search the web.
#[tool]
fn search(query: &'static str) -> String {
    query.to_owned()
}

fn main() {
    search("rust");
    let _ = tools![search];
}
