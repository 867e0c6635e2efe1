use loom_runtime::prelude::*;

/// Search the web.
#[tool]
fn search(query: &str) -> u32 {
    query.to_owned()
}

/// Search the web.
#[tool]
async fn search_all(query: &str) -> u32 {
    let missing = absent(query);
    missing
}

fn main() {
    search("rust");
    drop(search_all("rust"));
    let _ = tools![search, search_all];
}
