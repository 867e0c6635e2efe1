use loom_runtime::prelude::*;

/// Delete a file.
#[tool(timeout = "1s", destructive, timeout = "2s", destructive)]
fn delete(#[arg(max = 10, max = 20)] count: u32) -> u32 {
    count
}

fn main() {
    delete(5);
    let _ = tools![delete];
}
