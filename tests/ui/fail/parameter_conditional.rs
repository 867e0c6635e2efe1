use loom_runtime::prelude::*;

/// Search the web.
#[tool]
fn search(query: &str, #[cfg(any())] limit: u32) -> String {
    query.to_owned()
}

/// Search the web.
#[tool]
fn search_all(query: &str, #[cfg(all())] limit: u32) -> String {
    format!("{query} {limit}")
}

fn main() {
    search("rust");
    search_all("rust", 5);
    let _ = tools![search, search_all];
}
