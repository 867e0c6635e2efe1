use loom_runtime::prelude::*;

const NAME: &str = "fetch page";

/// Fetch a page.
#[tool(name = NAME)]
fn fetch() {}

fn main() {
    fetch();
    let _ = tools![fetch];
}
