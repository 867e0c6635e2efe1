use loom_runtime::prelude::*;

/// Delete a file.
#[tool(read_only, destructive)]
fn delete() {}

/// Delete a file.
#[tool(destructive, retries = 3)]
fn delete_again() {}

/// Delete a file.
#[tool(read_only, writes("disk"))]
fn delete_quietly() {}

/// Wait.
#[tool(blocking = false)]
async fn wait() {}

fn main() {
    drop(wait());
    let _ = tools![delete, delete_again, delete_quietly, wait];
}
