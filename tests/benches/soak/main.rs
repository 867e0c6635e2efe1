//! Many calls for a long time: `.ci/soak`. Prints figures, and fails where memory grows or a call has not its one answer.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]
// A tool is a future, even where it waits for nothing.
#![allow(clippy::unused_async, clippy::indexing_slicing)]

use std::alloc::System;

use cap::Cap;

mod crowd;
mod faults;
mod tools;

/// Counts what is allocated.
#[global_allocator]
static HEAP: Cap<System> = Cap::new(System, usize::MAX);

/// What the program takes of the machine's memory, in bytes.
fn resident() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    pages.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

fn mebibytes(bytes: usize) -> f64 {
    f64::from(u32::try_from(bytes / 1024).unwrap()) / 1024.0
}

fn main() {
    // Cargo hands on a flag of its own.
    let calls = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(1_000_000);
    // Panics that are part of the tools would be printed.
    std::panic::set_hook(Box::new(|info| {
        if info.payload().downcast_ref::<&str>() != Some(&tools::STAGED) {
            println!("{info}");
        }
    }));
    crowd::run(100_000);
    faults::run(calls);
}
