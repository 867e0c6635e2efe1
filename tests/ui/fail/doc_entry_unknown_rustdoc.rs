use loom_runtime::prelude::*;

/// Search the web.
///
/// # Arguments
/// * `query` - What to look for.
/// * `limt` - How many results to give,
///   at most.
#[tool]
fn search(query: &str, limit: u32) -> String {
    format!("{query} {limit}")
}

fn main() {
    search("rust", 3);
    let _ = tools![search];
}
