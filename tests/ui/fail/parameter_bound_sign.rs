use loom_runtime::prelude::*;

/// Wait.
#[tool(retries = -1)]
fn wait(#[arg(min_length = -1)] reason: &str, #[arg(max_length = 1.5)] place: &str) -> String {
    format!("{reason} {place}")
}

fn main() {
    wait("", "");
    let _ = tools![wait];
}
