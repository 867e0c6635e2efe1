use loom_runtime::prelude::*;

/// Search the web.
#[tool]
fn search(
    query: &str,
    #[arg(default = "five")] limit: u32,
    #[arg(default = 5)] place: String,
    #[arg(default = 5)] region: &str,
    #[arg(default = 1.5)] pages: Option<u32>,
    #[serde(default = "five")] depth: u32,
) -> String {
    format!("{query} {limit} {place} {region} {pages:?} {depth}")
}

fn five() -> &'static str {
    "five"
}

fn main() {
    search("rust", 5, String::new(), "", None, 5);
    let _ = tools![search];
}
