//! A tool that nothing uses is no more of a warning than its function, which may be used alone.
#![deny(warnings)]

use loom_runtime::tool;

/// Only its tool is used.
#[tool]
fn only_tool(a: u32) -> u32 {
    a
}

/// Only the function is used.
#[tool]
fn only_function(a: u32) -> u32 {
    a
}

mod inner {
    /// In a private module.
    #[loom_runtime::tool]
    pub fn public() {}
}

fn main() {
    assert_eq!(only_tool::tool().name(), "only_tool");
    assert_eq!(only_function(5), 5);
    inner::public();
}
