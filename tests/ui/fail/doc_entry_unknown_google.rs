use loom_runtime::prelude::*;

/// Search the web.
///
/// Args:
///     querry: What to look for.
///     limit (int): How many results to give.
#[tool]
fn search(query: &str, limit: u32) -> String {
    format!("{query} {limit}")
}

fn main() {
    search("rust", 3);
    let _ = tools![search];
}
