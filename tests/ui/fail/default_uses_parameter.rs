use loom_runtime::prelude::*;

/// Search the web.
#[tool]
fn search(from: u32, #[arg(default = from + 10)] to: u32) -> u32 {
    to - from
}

fn main() {
    search(1, 2);
    let _ = tools![search];
}
