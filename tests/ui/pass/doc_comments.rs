//! Block comments, `#[doc]` attributes, comments on parameters, other attributes between the lines.
use loom_runtime::prelude::*;

/** Search the web.

   Ranked by relevance.

   # Arguments
   * `query` - What to look for.
     In any language.
*/
#[tool]
fn block(query: &str) -> String {
    query.to_owned()
}

#[doc = " Search the web."]
#[allow(unused_variables)]
#[doc = "\n :param query: What to look for.\n :param _run: Who asks.\n :returns: Hits."]
#[inline]
/// Ranked by relevance.
#[tool]
fn attributes(query: &str, limit: u8, #[context] _run: &RunContext) -> String {
    query.to_owned()
}

/// Search the web.
#[tool]
fn on_parameters(
    /// What to look for.
    ///
    /// In any language.
    query: &str,
    /** How many. */
    limit: u8,
    #[doc = "Where."]
    #[arg(default = "here")]
    place: String,
) -> String {
    format!("{query} {limit} {place}")
}

fn schema(tool: &Tool) -> serde_json::Value {
    serde_json::to_value(&tool.definition().input_schema).unwrap()
}

fn main() {
    assert_eq!(block::tool().definition().description, "Search the web.\n\nRanked by relevance.");
    assert_eq!(
        schema(&block::tool())["properties"]["query"]["description"],
        "What to look for. In any language."
    );
    assert_eq!(attributes::tool().definition().description, "Search the web.\n\nRanked by relevance.");
    assert_eq!(schema(&attributes::tool())["properties"]["query"]["description"], "What to look for.");
    let parameters = &schema(&on_parameters::tool())["properties"];
    assert_eq!(parameters["query"]["description"], "What to look for.\n\nIn any language.");
    assert_eq!(parameters["limit"]["description"], "How many.");
    assert_eq!(parameters["place"]["description"], "Where.");
}
