use loom_runtime::prelude::*;

/// Search the web.
#[tool]
fn search(#[args(default = "rust")] query: &str, #[contex] run: u32) -> String {
    format!("{query} {run}")
}

fn main() {
    search("rust", 5);
    let _ = tools![search];
}
