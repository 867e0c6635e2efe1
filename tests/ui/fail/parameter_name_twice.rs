use loom_runtime::prelude::*;

/// Search the web.
#[tool]
fn search(
    query: &str,
    #[arg(name = "query")] again: &str,
    #[serde(alias = "query")] other: &str,
    #[serde(rename = "type", alias = "type")] kind: &str,
) -> String {
    format!("{query} {again} {other} {kind}")
}

fn main() {
    search("a", "b", "c", "d");
    let _ = tools![search];
}
