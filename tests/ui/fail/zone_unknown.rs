use loom_runtime::prelude::*;

/// Fetch a page.
#[tool(zone = netwrk)]
fn fetch() {}

/// Fetch a page.
#[tool(zone = moon)]
fn fetch_far() {}

fn main() {
    let _ = tools![fetch, fetch_far];
}
