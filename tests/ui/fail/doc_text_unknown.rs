use loom_runtime::prelude::*;

macro_rules! text {
    () => {
        "Search the web."
    };
}

#[doc = text!()]
#[tool]
fn search(query: &str) -> String {
    query.to_owned()
}

fn main() {
    search("rust");
    let _ = tools![search];
}
