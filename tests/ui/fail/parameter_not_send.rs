use loom_runtime::prelude::*;

/// Search the web.
#[tool]
fn search(query: std::rc::Rc<str>) -> usize {
    query.len()
}

fn main() {
    search("rust".into());
    let _ = tools![search];
}
