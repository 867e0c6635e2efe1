use loom_runtime::prelude::*;

const PATIENCE: u64 = 30;

/// Wait.
#[tool(timeout = PATIENCE)]
fn wait() {}

fn main() {
    wait();
    let _ = tools![wait];
}
