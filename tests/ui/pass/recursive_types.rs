//! Types that contain themselves, as arguments and as results.
use std::collections::BTreeMap;

use loom_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, JsonSchema)]
struct Folder {
    name: String,
    #[serde(default)]
    folders: Vec<Folder>,
    parent: Option<Box<Folder>>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Expression {
    Number(f64),
    Sum(Vec<Expression>),
    Named(BTreeMap<String, Expression>),
}

impl Expression {
    fn value(&self) -> f64 {
        match self {
            Self::Number(number) => *number,
            Self::Sum(parts) => parts.iter().map(Self::value).sum(),
            Self::Named(parts) => parts.values().map(Self::value).sum(),
        }
    }
}

/// Turn a tree over.
#[tool]
fn reverse(mut root: Folder) -> Folder {
    root.folders.reverse();
    root
}

/// Evaluate.
#[tool]
async fn evaluate(expression: &Expression, more: Option<&[Expression]>) -> f64 {
    expression.value() + more.unwrap_or_default().iter().map(Expression::value).sum::<f64>()
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let tool = reverse::tool();
    let schema = serde_json::to_value(&tool.definition().input_schema).unwrap();
    assert!(schema["$defs"]["Folder"].is_object(), "{schema}");
    assert!(tool.definition().output_schema.is_some());
    let host = InProcessToolHost::new(tools![reverse, evaluate]).unwrap();
    let results = host
        .dispatch([
            ToolCall::new("1", "reverse", r#"{"root": {"name": "a", "folders": [{"name": "b"}, {"name": "c"}]}}"#),
            ToolCall::new("2", "evaluate", r#"{"expression": {"sum": [{"number": 1}, {"named": {"x": {"number": 2}}}]}}"#),
        ])
        .await;
    assert_eq!(
        results[0].text(),
        r#"{"name":"a","folders":[{"name":"c","folders":[],"parent":null},{"name":"b","folders":[],"parent":null}],"parent":null}"#
    );
    assert_eq!(results[1].text(), "3.0");
}
