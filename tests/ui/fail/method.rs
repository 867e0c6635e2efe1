use loom_runtime::prelude::*;

struct Store;

impl Store {
    /// Read a key.
    #[tool]
    fn read(&self, key: &str) -> String {
        key.to_owned()
    }
}

fn main() {
    Store.read("key");
}
