use loom_runtime::prelude::*;

/// Search the web.
#[tool]
fn search(query: &str, run: RunContext) -> String {
    format!("{query} {run:?}")
}

fn main() {
    search("rust", RunContext::current());
    let _ = tools![search];
}
