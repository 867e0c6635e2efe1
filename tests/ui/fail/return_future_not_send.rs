use loom_runtime::prelude::*;

use std::rc::Rc;

async fn pause() {}

/// Search the web.
#[tool]
async fn search(query: &str) -> String {
    let shared = Rc::new(query.to_owned());
    pause().await;
    shared.to_string()
}

fn main() {
    drop(search("rust"));
    let _ = tools![search];
}
