use loom_runtime::prelude::*;

struct Hit;

struct Failure;

/// Search the web.
#[tool]
fn search(query: &str) -> Result<Hit, Failure> {
    if query.is_empty() { Err(Failure) } else { Ok(Hit) }
}

fn main() {
    let _ = search("rust");
    let _ = tools![search];
}
