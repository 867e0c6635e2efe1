use loom_runtime::prelude::*;

struct Failure;

#[derive(Debug)]
struct Reason;

/// Search the web.
#[tool]
fn search(query: &str) -> Result<String, Failure> {
    if query.is_empty() { Err(Failure) } else { Ok(query.to_owned()) }
}

/// Search the web.
#[tool]
async fn search_all(query: &str) -> Result<(), Reason> {
    if query.is_empty() { Err(Reason) } else { Ok(()) }
}

/// Search the web.
#[tool]
fn picture(query: &str) -> Result<Content, Failure> {
    if query.is_empty() { Err(Failure) } else { Ok(Content::text(query)) }
}

fn main() {
    let _ = (search("rust"), picture("rust"));
    drop(search_all("rust"));
    let _ = tools![search, search_all, picture];
}
