use loom_runtime::prelude::*;

/// Search the web.
#[tool]
fn search(
    #[serde(flatten)] query: String,
    #[serde(with = "text")] limit: u32,
    #[serde(renam = "place")] region: u32,
    #[schemars(range(min = 1))] depth: u32,
    #[schemars(length(min = 1))] words: &str,
) -> String {
    format!("{query} {limit} {region} {depth} {words}")
}

fn main() {
    search(String::new(), 5, 5, 5, "");
    let _ = tools![search];
}
