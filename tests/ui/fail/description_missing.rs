use loom_runtime::prelude::*;

#[tool]
fn search(query: &str) -> String {
    query.to_owned()
}

fn main() {
    search("rust");
    let _ = (search::tool(), tools![search]);
}
