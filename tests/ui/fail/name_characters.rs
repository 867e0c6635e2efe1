use loom_runtime::prelude::*;

/// Fetch a page.
#[tool(name = "fetch page")]
fn fetch() {}

/// Fetch a page.
#[tool(name = "")]
fn fetch_again() {}

/// Fetch a page.
#[tool]
fn größe() {}

fn main() {
    let _ = tools![fetch, fetch_again, größe];
}
