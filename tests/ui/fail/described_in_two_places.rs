use loom_runtime::prelude::*;

/// Search the web.
///
/// # Arguments
/// * `query` - What to look for.
/// * `limit` - How many.
#[tool]
fn search(
    /// Words to look for.
    query: &str,
    #[arg(description = "How many results to give.")] limit: u32,
    /// Where to look.
    #[arg(description = "The place to look in.")]
    place: &str,
) -> String {
    format!("{query} {limit} {place}")
}

fn main() {
    search("rust", 3, "web");
    let _ = tools![search];
}
