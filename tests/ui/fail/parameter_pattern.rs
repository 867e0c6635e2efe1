use loom_runtime::prelude::*;

/// Add two numbers.
#[tool]
fn add((a, b): (u32, u32), _: u32) -> u32 {
    a + b
}

fn main() {
    add((1, 2), 3);
    let _ = tools![add];
}
