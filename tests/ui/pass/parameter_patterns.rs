//! A parameter is a name, however it is bound, or has a name of its own.
use loom_runtime::prelude::*;

/// Add up.
///
/// Args:
///     start: Where to begin.
///     pair: Two more.
///     unused: Nothing.
#[tool]
fn sum(mut start: u32, #[arg(name = "pair")] (a, b): (u32, u32), _unused: u8, #[arg(name = "rest")] _: u8) -> u32 {
    start += a + b;
    start
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    assert_eq!(sum(1, (2, 3), 0, 0), 6);
    let host = InProcessToolHost::new(tools![sum]).unwrap();
    let call = ToolCall::new("1", "sum", r#"{"start": 1, "pair": [2, 3], "unused": 0, "rest": 0}"#);
    assert_eq!(host.dispatch([call]).await[0].text(), "6");
}
