//! Tools that end in every way, for what observes them.

use std::time::Duration;

use loom_runtime::prelude::*;

/// Says what it is told.
#[tool]
pub async fn say(text: String) -> String {
    tokio::task::yield_now().await;
    text
}

/// Always fails.
#[tool]
#[expect(clippy::missing_errors_doc, reason = "it has no other outcome")]
pub fn fail() -> Result<(), &'static str> {
    Err("no")
}

/// Panics.
#[tool(blocking = false)]
#[expect(clippy::missing_panics_doc, reason = "it has no other outcome")]
pub fn explode() {
    panic!("secret");
}

/// Takes three seconds.
#[tool(timeout = "2s")]
pub async fn dawdle() {
    tokio::time::sleep(Duration::from_secs(3)).await;
}

/// Waits for good.
#[tool]
pub async fn hang() {
    std::future::pending::<()>().await;
}
