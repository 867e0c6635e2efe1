//! What the runtime supplies: owned and lent, of types of one's own, documented or not.
use std::sync::Arc;

use loom_runtime::prelude::*;
use loom_runtime::{CallContext, CallInfo, ContextError, FromContext};

struct Language(String);

impl FromContext for Language {
    fn from_context(context: &CallContext<'_>) -> Result<Self, ContextError> {
        Ok(Self(context.run().metadata("language").unwrap_or("en").to_owned()))
    }
}

impl FromContext for &'static Language {
    fn from_context(_: &CallContext<'_>) -> Result<Self, ContextError> {
        Err(ContextError::new("no language lives that long"))
    }
}

type Context = RunContext;

struct Db {
    name: Arc<str>,
}

/// Search.
///
/// # Arguments
/// * `language` - Which language.
/// * `query` - What to look for.
/// * `info` - Which call.
#[tool]
async fn search(
    #[context] language: Language,
    query: &str,
    #[context] _info: &CallInfo,
    #[context] Language(lent): &Language,
    #[context] _: Context,
    #[context] db: Option<State<Db>>,
    #[context] run: &Context,
) -> String {
    format!("{} {query} {lent} {} {}", language.0, db.is_some(), run.user_id().is_some())
}

/// Fail.
#[tool]
fn fail(#[context] db: State<Db>, #[context] _language: &'static Language) -> String {
    db.name.to_string()
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let schema = serde_json::to_value(&search::tool().definition().input_schema).unwrap();
    assert_eq!(schema["properties"].as_object().unwrap().len(), 1);
    let host = InProcessToolHost::new(tools![search, fail]).unwrap();
    let results =
        host.dispatch([ToolCall::new("1", "search", r#"{"query": "a"}"#), ToolCall::new("2", "fail", "{}")]).await;
    assert!(results[0].text().starts_with("en a en false"), "{}", results[0].text());
    assert!(results[1].is_error());
}
