//! How long calls take: `cargo bench -p loom-tests --bench calls`.
#![allow(clippy::unwrap_used, missing_docs)]
// What is measured is a future, even where it waits for nothing.
#![allow(clippy::unused_async, clippy::needless_pass_by_value, clippy::wildcard_imports)]

mod groups;
mod registries;
mod tools;
mod turns;

fn main() {
    groups::run(2000);
}
