use loom_runtime::prelude::*;

/// Read a text.
#[tool]
fn str(text: String) -> String {
    text
}

fn main() {
    str(String::new());
    let _ = tools![str];
}
