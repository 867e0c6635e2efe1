use loom_runtime::prelude::*;

use std::future::Future;
use std::pin::Pin;

/// Search the web.
#[tool]
fn search(query: String) -> Pin<Box<dyn Future<Output = String> + Send>> {
    Box::pin(async move { query })
}

fn main() {
    drop(search(String::new()));
    let _ = tools![search];
}
