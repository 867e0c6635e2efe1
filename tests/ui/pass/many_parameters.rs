//! None, and twenty, and one that is called like the function.
use loom_runtime::prelude::*;

/// Nothing to say.
#[tool]
fn none() {}

/// Much to say.
#[tool]
#[allow(clippy::too_many_arguments)]
async fn twenty(
    p00: u8,
    p01: u8,
    p02: u8,
    p03: u8,
    p04: u8,
    p05: u8,
    p06: u8,
    p07: u8,
    p08: u8,
    p09: u8,
    p10: u8,
    p11: u8,
    p12: u8,
    p13: u8,
    p14: u8,
    p15: u8,
    p16: u8,
    p17: u8,
    p18: u8,
    p19: u8,
) -> u64 {
    [p00, p01, p02, p03, p04, p05, p06, p07, p08, p09,
     p10, p11, p12, p13, p14, p15, p16, p17, p18, p19].into_iter().map(u64::from).sum()
}

/// Search.
#[tool]
fn search(search: &str) -> &str {
    search
}

/// Search.
#[tool]
fn tool_named_like_a_local(__0: u8, __out: u8, tool: u8, run: u8) -> u8 {
    __0 + __out + tool + run
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let arguments: serde_json::Map<_, _> = (0..20).map(|n| (format!("p{n:02}"), n.into())).collect();
    let host = InProcessToolHost::new(tools![none, twenty, search, tool_named_like_a_local]).unwrap();
    let results = host
        .dispatch([
            ToolCall::new("1", "none", ""),
            ToolCall::new("2", "twenty", serde_json::Value::Object(arguments)),
            ToolCall::new("3", "search", r#"{"search": "a"}"#),
            ToolCall::new("4", "tool_named_like_a_local", r#"{"__0": 1, "out": 2, "tool": 3, "run": 4}"#),
        ])
        .await;
    let texts: Vec<_> = results.iter().map(|result| result.text().into_owned()).collect();
    assert_eq!(texts, ["ok", "190", "a", "10"]);
    assert_eq!(search("b"), "b");
}
