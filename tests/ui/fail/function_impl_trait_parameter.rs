use loom_runtime::prelude::*;

/// Show a value.
#[tool]
fn show(value: impl Into<String>, more: Vec<impl Into<String>>) -> usize {
    let _: String = value.into();
    more.len()
}

fn main() {
    show("a", vec!["b"]);
    let _ = tools![show];
}
