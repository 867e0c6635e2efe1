use loom_runtime::prelude::*;

/// Search the web.
///
/// # Arguments
/// * `query` - What to look for.
/// * `run` - Who asks.
/// * `runn` - Who asks.
#[tool]
fn search(query: &str, #[context] run: RunContext) -> String {
    format!("{query} {:?}", run.user_id())
}

fn main() {
    search("rust", RunContext::current());
    let _ = tools![search];
}
