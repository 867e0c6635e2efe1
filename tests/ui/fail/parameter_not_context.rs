use loom_runtime::prelude::*;

struct Db;

/// Search the web.
#[tool]
fn search(query: &str, #[context] db: Db) -> String {
    let _ = db;
    query.to_owned()
}

/// Search the web.
#[tool]
fn search_borrowed(query: &str, #[context] db: &Db) -> String {
    let _ = db;
    query.to_owned()
}

fn main() {
    search("rust", Db);
    search_borrowed("rust", &Db);
    let _ = tools![search, search_borrowed];
}
