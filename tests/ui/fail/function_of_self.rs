use loom_runtime::prelude::*;

struct Store(u32);

impl Store {
    /// Open a store.
    #[tool]
    fn open(key: u32) -> Self {
        Self(key)
    }
}

fn main() {
    println!("{}", Store::open(5).0);
}
