//! How long calls take: `cargo bench -p loom-tests --bench calls`.
#![allow(clippy::unwrap_used, missing_docs)]

mod groups;
mod tools;

fn main() {
    groups::run(2000, 50);
}
