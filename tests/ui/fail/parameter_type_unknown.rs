use loom_runtime::prelude::*;

/// Search the web.
#[tool]
fn search(query: &Querry, limit: u32) -> String {
    format!("{query:?} {limit}")
}

fn main() {
    let _ = tools![search];
}
