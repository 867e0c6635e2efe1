use loom_runtime::prelude::*;

/** Search the web.

# Arguments
* `query` - What to look for.
* `colour` - How to paint it.
*/
#[tool]
fn search(query: &str) -> String {
    query.to_owned()
}

fn main() {
    search("rust");
    let _ = tools![search];
}
