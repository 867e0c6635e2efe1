use loom_runtime::prelude::*;

/// Copy a file.
#[tool(reads("{form}", "{from"), writes("{to.path}", "to}", "{}", "{run}"))]
fn copy(from: &str, to: &str, #[context] run: RunContext) -> String {
    format!("{from} {to} {run:?}")
}

fn main() {
    copy("a", "b", RunContext::current());
    let _ = tools![copy];
}
