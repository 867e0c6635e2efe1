//! Values of keys may be constants and built-in macros.
use std::time::Duration;

use loom_runtime::prelude::*;

const NAME: &str = concat!("web", "-", "search");
const PATIENCE: Duration = Duration::from_millis(1500);
const LONGEST: usize = 40;
const LARGEST: u16 = 50;
const SMALLEST: i8 = -5;
mod texts {
    pub const TITLE: &str = "Search the web";
}

/// Not this one.
#[tool(
    name = NAME,
    title = texts::TITLE,
    description = include_str!("constant_values.rs"),
    timeout = PATIENCE,
    retries = 1 + 1,
    concurrency = LARGEST as u32,
    ui(kind = search, summary(verb = concat!("Sear", "ched")))
)]
fn search(
    #[arg(max_length = LONGEST, pattern = concat!("^", "a"), description = texts::TITLE, format = "word")] query: &str,
    #[arg(name = concat!("li", "mit"), max = LARGEST, min = SMALLEST, example = LARGEST, example = 5_000_000_000)]
    limit: i64,
    #[arg(default = SMALLEST as f64 / 2.0, max = 18_446_744_073_709_551_615, min = -5_000_000_000)] share: f64,
) -> String {
    format!("{query} {limit} {share}")
}

/// Wait.
#[tool(timeout = Duration::from_secs(5))]
fn wait() {}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let tool = search::tool();
    let definition = tool.definition();
    assert_eq!(definition.name, "web-search");
    assert_eq!(definition.title.as_deref(), Some("Search the web"));
    assert_eq!(definition.description, include_str!("constant_values.rs"));
    assert_eq!(definition.timeout, Some(PATIENCE));
    assert_eq!(definition.retries, 2);
    assert_eq!(definition.concurrency.map(u32::from), Some(50));
    assert_eq!(definition.ui.as_ref().unwrap().summary.as_ref().unwrap().verb, "Searched");
    assert_eq!(wait::tool().definition().timeout, Some(Duration::from_secs(5)));

    let schema = serde_json::to_value(&definition.input_schema).unwrap();
    let query = &schema["properties"]["query"];
    assert_eq!(query["maxLength"], 40);
    assert_eq!(query["pattern"], "^a");
    assert_eq!(query["format"], "word");
    assert_eq!(query["description"], "Search the web");
    let limit = &schema["properties"]["limit"];
    assert_eq!((&limit["minimum"], &limit["maximum"]), (&serde_json::json!(-5), &serde_json::json!(50)));
    assert_eq!(limit["examples"], serde_json::json!([50, 5_000_000_000_u64]));
    let share = &schema["properties"]["share"];
    assert_eq!(share["maximum"], u64::MAX);
    assert_eq!(share["minimum"], -5_000_000_000_i64);
    assert_eq!(share["default"], -2.5);

    let host = InProcessToolHost::new(tools![search]).unwrap();
    let results = host.dispatch([ToolCall::new("1", NAME, r#"{"query": "abc", "limit": 5}"#)]).await;
    assert_eq!(results[0].text(), "abc 5 -2.5");
}
