use loom_runtime::prelude::*;

/// Search the web.
#[tool(timeout = )]
fn search(query: &str) -> String {
    query.to_owned()
}

/// Wait.
#[tool(timeout "30s")]
fn wait(#[arg(default =)] seconds: u32, #[arg(max: 5)] minutes: u32) -> u32 {
    seconds + minutes
}

fn main() {
    search("rust");
    wait(1, 1);
    let _ = tools![search, wait];
}
