use loom_runtime::prelude::*;

/// Add.
#[tool]
const fn add(a: u32, b: u32) -> u32 {
    a + b
}

/// Add.
#[tool]
unsafe fn add_unchecked(a: u32, b: u32) -> u32 {
    a + b
}

/// Add.
#[tool]
extern "C" fn add_for_c(a: u32, b: u32) -> u32 {
    a + b
}

fn main() {
    add(1, 2);
    unsafe { add_unchecked(1, 2) };
    add_for_c(1, 2);
    let _ = tools![add, add_unchecked, add_for_c];
}
