use loom_runtime::prelude::*;

/// Show a value.
#[tool]
fn show(value: &dyn std::fmt::Debug, boxed: Box<dyn std::fmt::Debug>) -> String {
    format!("{value:?} {boxed:?}")
}

fn main() {
    show(&5, Box::new(5));
    let _ = tools![show];
}
