use loom_runtime::prelude::*;

struct Hit;

/// Search the web.
#[tool]
fn search(query: &str) -> Hit {
    let _ = query;
    Hit
}

/// Search the web.
#[tool]
async fn search_all(query: &str) -> Result<Vec<Hit>, String> {
    let _ = query;
    Ok(vec![Hit])
}

fn main() {
    search("rust");
    drop(search_all("rust"));
    let _ = tools![search, search_all];
}
