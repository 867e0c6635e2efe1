//! Raw identifiers are the plain words on the wire and in doc comments.
use loom_runtime::prelude::*;

/// Move something.
///
/// # Arguments
/// * `type` - What kind of thing.
/// * `r#where` - Where to.
/// * `_how` - In which way.
#[tool(reads("{type}"), ui(kind = search, summary(verb = "Moved", primary = r#type, meta(where))))]
async fn r#move(r#type: &str, r#where: u32, _how: Option<u8>) -> String {
    format!("{type} to {where}", type = r#type, where = r#where)
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    assert_eq!(r#move("a", 1, None).await, "a to 1");
    let tool = r#move::tool();
    assert_eq!(tool.name(), "move");
    let schema = serde_json::to_value(&tool.definition().input_schema).unwrap();
    assert_eq!(schema["properties"]["type"]["description"], "What kind of thing.");
    assert_eq!(schema["properties"]["where"]["description"], "Where to.");
    assert_eq!(schema["properties"]["how"]["description"], "In which way.");
    let host = InProcessToolHost::new(tools![r#move]).unwrap();
    let results = host.dispatch([ToolCall::new("1", "move", r#"{"type": "b", "where": 2, "how": 3}"#)]).await;
    assert_eq!(results[0].text(), "b to 2");
}
