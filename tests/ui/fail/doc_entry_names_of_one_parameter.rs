use loom_runtime::prelude::*;

/// Search the web.
///
/// # Arguments
/// * `kind` - What to look for.
/// * `type` - What to look for.
#[tool]
fn search(#[arg(name = "type")] kind: &str) -> String {
    kind.to_owned()
}

fn main() {
    search("rust");
    let _ = tools![search];
}
