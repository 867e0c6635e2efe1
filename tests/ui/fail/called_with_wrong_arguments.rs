use loom_runtime::prelude::*;

/// Search the web.
#[tool]
fn search(query: &str) -> String {
    query.to_owned()
}

fn main() {
    search(5);
    let _ = search::tol();
    let _ = tools![search];
}
