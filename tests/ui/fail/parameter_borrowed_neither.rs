use loom_runtime::prelude::*;

struct Query(u32);

/// Search the web.
#[tool]
fn search(query: &Query, others: &[Query], last: Option<&Query>) -> usize {
    others.len() + last.map_or(0, |last| last.0 as usize) + query.0 as usize
}

fn main() {
    search(&Query(3), &[Query(5)], None);
    let _ = tools![search];
}
