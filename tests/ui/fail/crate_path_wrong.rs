use loom_runtime::prelude::*;

/// Search the web.
#[tool(crate = loom_runtim)]
fn search(query: &str) -> String {
    query.to_owned()
}

fn main() {
    search("rust");
}
