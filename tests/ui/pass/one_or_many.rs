//! Lists that may be sent as their only item, however they are written.

use loom_runtime::prelude::*;

type Names = Vec<String>;

/// Counts everything.
#[tool(blocking = false)]
fn count(
    #[arg(one_or_many)] owned: Vec<u8>,
    #[arg(one_or_many)] borrowed: &[String],
    #[arg(one_or_many)] optional: Option<Vec<f64>>,
    #[arg(one_or_many)] lent: Option<&[bool]>,
    #[arg(one_or_many, default, name = "alias-of-list", max_length = 3)] alias: Names,
    #[arg(one_or_many = false)] plain: u8,
) -> usize {
    owned.len() + borrowed.len() + optional.map_or(0, |list| list.len()) + lent.map_or(0, <[bool]>::len) + alias.len()
        + usize::from(plain)
}

/// Joins.
#[tool]
async fn join(#[arg(one_or_many)] parts: &[String]) -> String {
    parts.join("")
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    assert_eq!(count(vec![1], &[], None, None, vec![], 0), 1);
    let host = InProcessToolHost::new(tools![count, join]).unwrap();
    let results = host
        .dispatch([
            ToolCall::new(
                "1",
                "count",
                r#"{"owned": 1, "borrowed": "[]", "optional": 0.5, "lent": true, "alias-of-list": "a", "plain": 0}"#,
            ),
            ToolCall::new("2", "count", r#"{"owned": [1, 2], "borrowed": ["a", "b"], "plain": 3}"#),
            ToolCall::new("3", "join", r#"{"parts": "ab"}"#),
            ToolCall::new("4", "join", r#"{"parts": ["a", "b"]}"#),
        ])
        .await;
    let texts: Vec<_> = results.iter().map(|result| result.text().into_owned()).collect();
    assert_eq!(texts, ["5", "7", "ab", "ab"]);
}
