use loom_runtime::prelude::*;

/// Compare.
#[tool]
fn compare(#[arg(one_or_many, min_length = 2)] files: Vec<String>, #[arg(one_or_many = 1)] names: Vec<String>) -> usize {
    files.len() + names.len()
}

/// Read.
#[tool]
fn read(#[arg(one_or_mny)] files: Vec<String>) -> usize {
    files.len()
}

fn main() {
    compare(vec![], vec![]);
    read(vec![]);
    let _ = tools![compare, read];
}
