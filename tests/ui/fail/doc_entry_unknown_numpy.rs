use loom_runtime::prelude::*;

/// Search the web.
///
/// Parameters
/// ----------
/// query : str
///     What to look for.
/// max_results : int
///     How many results to give.
#[tool]
fn search(query: &str, results_max: u32) -> String {
    format!("{query} {results_max}")
}

fn main() {
    search("rust", 3);
    let _ = tools![search];
}
