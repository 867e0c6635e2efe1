//! The tools that are called, and a source of numbers that is the same each time.

use std::time::Duration;

use loom_runtime::prelude::*;
use tokio::sync::watch;

pub(crate) const STAGED: &str = "staged";

/// Ends when the doors open.
#[tool]
pub(crate) async fn wait(#[context] doors: State<watch::Receiver<bool>>) -> &'static str {
    let mut doors = (*doors).clone();
    doors.wait_for(|open| *open).await.map_or("nobody opens", |_| "opened")
}

/// Waits alone.
#[tool(sequential)]
pub(crate) async fn wait_alone(#[context] doors: State<watch::Receiver<bool>>) -> &'static str {
    wait(doors).await
}

/// Does what it is told to, as far as it comes.
#[tool(timeout = "2ms", retries = 2)]
pub(crate) async fn act(how: u64, text: String) -> Result<String, ToolError> {
    match how % 16 {
        0 => std::panic::panic_any(STAGED),
        1 => return Err(ToolError::new(text)),
        2 => return Err(ToolError::new("busy").retryable()),
        3 => std::future::pending().await,
        4 => tokio::time::sleep(Duration::from_millis(1)).await,
        5..10 => tokio::task::yield_now().await,
        _ => {}
    }
    if how.is_multiple_of(97) {
        std::panic::panic_any(STAGED);
    }
    Ok(text)
}

/// Runs alone.
#[tool(sequential)]
pub(crate) async fn alone(how: u64, text: String) -> Result<String, ToolError> {
    act(how, text).await
}

/// Reads a thing.
#[tool(reads("thing/{text}"))]
pub(crate) async fn read(how: u64, text: String) -> Result<String, ToolError> {
    act(how, text).await
}

/// Writes a thing.
#[tool(writes("thing/{text}"))]
pub(crate) async fn write(how: u64, text: String) -> Result<String, ToolError> {
    act(how, text).await
}

/// Blocks its thread for a little.
#[tool(timeout = "1ms")]
pub(crate) fn block(how: u64, text: String) -> String {
    if how.is_multiple_of(64) {
        std::thread::sleep(Duration::from_millis(2));
    }
    text
}

/// Runs a turn of its own.
#[tool]
pub(crate) async fn nest(how: u64, text: String) -> usize {
    let call = |id: &str| ToolCall::new(id, "act", format!(r#"{{"how":{how},"text":"{text}"}}"#));
    match InProcessToolHost::new(tools![act]) {
        Ok(host) => host.dispatch([call("a"), call("b")]).await.len(),
        Err(_) => 0,
    }
}

/// Numbers that look random and are not.
#[derive(Debug, Clone)]
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) const fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 8
    }

    pub(crate) const fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }
}
