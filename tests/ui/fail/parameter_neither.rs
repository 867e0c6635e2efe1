use loom_runtime::prelude::*;

struct Query;

struct Page(u32);

/// Search the web.
#[tool]
fn search(query: Query, limit: u32, pages: Vec<Page>, #[arg(default)] last: Option<Page>) -> usize {
    let _ = (query, limit, last);
    pages.len()
}

fn main() {
    search(Query, 3, vec![Page(5)], None);
    let _ = tools![search];
}
