use loom_runtime::prelude::*;

/// Search the web.
#[tool]
fn search(query: &str, #[context] #[arg(default)] run: RunContext, #[arg(name = "r")] #[context] again: RunContext) -> String {
    format!("{query} {run:?} {again:?}")
}

fn main() {
    search("rust", RunContext::current(), RunContext::current());
    let _ = tools![search];
}
