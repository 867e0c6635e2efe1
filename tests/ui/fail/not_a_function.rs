use loom_runtime::prelude::*;

/// A store.
#[tool]
#[derive(Debug)]
struct Store {
    key: String,
}

/// A key.
#[tool]
const KEY: &str = "key";

fn main() {
    println!("{:?} {KEY}", Store { key: String::new() }.key);
}
