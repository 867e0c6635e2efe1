use loom_runtime::prelude::*;

unsafe extern "C" {
    /// The absolute value.
    #[tool]
    safe fn abs(number: i32) -> i32;
}

fn main() {
    abs(5);
}
