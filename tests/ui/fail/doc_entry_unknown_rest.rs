use loom_runtime::prelude::*;

/// Search the web.
///
/// :param query: What to look for.
/// :param Limits: How many results to give.
#[tool]
fn search(query: &str, limit: u32) -> String {
    format!("{query} {limit}")
}

fn main() {
    search("rust", 3);
    let _ = tools![search];
}
