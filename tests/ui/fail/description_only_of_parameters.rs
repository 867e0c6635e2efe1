use loom_runtime::prelude::*;

/// # Arguments
/// * `query` - What to look for.
#[tool]
fn search(query: &str) -> String {
    query.to_owned()
}

fn main() {
    search("rust");
    let _ = tools![search];
}
