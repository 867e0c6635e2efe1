use loom_runtime::prelude::*;

struct Place;

/// Search the web.
#[tool]
fn search(#[arg(example = Place)] query: &str) -> String {
    query.to_owned()
}

fn main() {
    search("rust");
    let _ = tools![search];
}
