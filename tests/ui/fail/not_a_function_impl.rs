use loom_runtime::prelude::*;

struct Store;

/// What a store can do.
#[tool]
impl Store {
    fn read(&self) {}
}

fn main() {
    Store.read();
}
