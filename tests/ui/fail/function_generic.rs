use loom_runtime::prelude::*;

/// Show a value.
#[tool]
fn show<T: std::fmt::Debug>(value: T) -> String {
    format!("{value:?}")
}

/// Sum numbers.
#[tool]
fn sum<const N: usize>(values: [u32; N]) -> u32 {
    values.iter().sum()
}

fn main() {
    show(5);
    sum([5, 6]);
    let _ = tools![show, sum];
}
