//! Loom under another name, given as a path.
mod weave {
    pub use loom_runtime::*;
}

use crate::weave::prelude::*;

/// Search.
#[tool(crate = crate::weave, ui(kind = search), zone = network, timeout = "5s")]
async fn search(query: &str, #[arg(default = "b", max_length = 5)] text: String, #[context] run: &RunContext) -> String {
    format!("{query} {text} {:?}", run.user_id())
}

mod inner {
    use super::weave as loom;

    /// Search.
    #[loom::tool(name = NAME, crate = loom)]
    pub(super) fn relative() {}

    const NAME: &str = "relative-one";
}

/// Search.
#[tool(crate = ::loom_core)]
fn core_only(#[arg(example = 5)] number: u64) -> u64 {
    number
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let host = InProcessToolHost::new(tools![search, inner::relative, core_only]).unwrap();
    let results = host
        .dispatch([
            ToolCall::new("1", "search", r#"{"query": "a"}"#),
            ToolCall::new("2", "relative-one", "{}"),
            ToolCall::new("3", "core_only", r#"{"number": 5}"#),
        ])
        .await;
    let texts: Vec<_> = results.iter().map(|result| result.text().into_owned()).collect();
    assert_eq!(texts, ["a b None", "ok", "5"]);
    inner::relative();
}
