use loom_runtime::prelude::*;

trait Store {
    /// Read a key.
    #[tool]
    fn read(key: &str) -> String;
}

struct Files;

impl Store for Files {
    fn read(key: &str) -> String {
        key.to_owned()
    }
}

fn main() {
    Files::read("key");
}
