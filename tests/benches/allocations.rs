//! What calls allocate: `cargo bench -p loom-tests --bench allocations`. Counting takes time of its own, so the times
//! beside the counts say nothing.
#![allow(clippy::unwrap_used, missing_docs)]
// What is measured is a future, even where it waits for nothing.
#![allow(clippy::unused_async, clippy::needless_pass_by_value, clippy::wildcard_imports)]

use divan::AllocProfiler;

mod groups;
mod registries;
mod tools;
mod turns;

#[global_allocator]
static ALLOCATIONS: AllocProfiler = AllocProfiler::system();

fn main() {
    groups::run(20);
}
