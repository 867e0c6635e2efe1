use loom_runtime::prelude::*;

/// Search the web.
#[tool]
fn search(query: &str) -> String {
    query.to_owned()
}

fn not_a_tool() {}

fn main() {
    search("rust");
    not_a_tool();
    let _ = tools![search, serch, not_a_tool];
}
