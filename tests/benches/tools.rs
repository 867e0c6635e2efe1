//! The functions that are measured, as tools and by themselves.

use loom_runtime::tool;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Adds two numbers.
#[tool]
pub(crate) async fn add(a: i64, b: i64) -> i64 {
    a + b
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Field {
    Title,
    Body,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Filter {
    pub(crate) field: Field,
    pub(crate) equals: String,
    pub(crate) negate: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Sort {
    pub(crate) by: String,
    pub(crate) descending: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Hit {
    pub(crate) title: String,
    pub(crate) score: f64,
    pub(crate) rank: u32,
}

/// Searches.
#[tool]
pub(crate) async fn search(
    query: String,
    #[arg(default = 5)] limit: u32,
    tags: Vec<String>,
    filter: Filter,
    sort: Vec<Sort>,
) -> Vec<Hit> {
    let score = if filter.negate || matches!(filter.field, Field::Body) { 0.25 } else { 0.5 };
    let by = sort.into_iter().find(|sort| sort.descending).map_or(filter.equals, |sort| sort.by);
    vec![Hit { title: query, score, rank: limit }, Hit { title: tags.concat() + &by, score: 1.5, rank: 1 }]
}

/// Searches, but not for too much.
#[tool]
pub(crate) async fn bounded(
    query: String,
    #[arg(default = 5, min = 1, max = 50)] limit: u32,
    tags: Vec<String>,
    filter: Filter,
    sort: Vec<Sort>,
) -> Vec<Hit> {
    search(query, limit, tags, filter, sort).await
}

/// Waits once.
#[tool]
pub(crate) async fn yields(n: u64) -> u64 {
    tokio::task::yield_now().await;
    n
}

/// Waits once, over something of its own.
#[tool(writes("{n}"))]
pub(crate) async fn apart(n: u64) -> u64 {
    yields(n).await
}
