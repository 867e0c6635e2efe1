use loom_runtime::prelude::*;

/// Wait for ever.
#[tool]
fn wait() -> ! {
    loop {}
}

fn main() {
    let _ = tools![wait];
    wait();
}
