use loom_runtime::prelude::*;

/// Wait.
#[tool(concurrency = 0)]
async fn wait() {}

/// Wait a little.
#[tool(concurrency = -1, timeout = "1s")]
async fn wait_a_little() {}

fn main() {
    let _ = (wait(), wait_a_little());
    let _ = tools![wait, wait_a_little];
}
