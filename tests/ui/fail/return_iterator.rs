use loom_runtime::prelude::*;

/// Count.
#[tool]
fn count(to: u32) -> impl Iterator<Item = u32> {
    0..to
}

fn main() {
    count(5).sum::<u32>();
    let _ = tools![count];
}
