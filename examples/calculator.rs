//! One line makes a program of a set of tools.
//!
//! ```text
//! cargo run --example calculator -- list
//! cargo run --example calculator -- schema mean
//! cargo run --example calculator -- call mean '{"numbers": ["1", 2, 4.5]}'
//! echo '[{"name": "add", "arguments": {"a": 1, "b": 2}}]' | cargo run --example calculator -- turn --json
//! ```

use std::process::ExitCode;

use loom_runtime::prelude::*;

/// Add two whole numbers.
///
/// # Arguments
/// * `a` - The first one.
/// * `b` - The second one.
#[tool(read_only)]
fn add(a: i64, b: i64) -> Result<i64, &'static str> {
    a.checked_add(b).ok_or("the sum is too large")
}

/// The arithmetic mean of some numbers.
///
/// # Arguments
/// * `numbers` - At least one number.
#[tool(read_only)]
fn mean(numbers: &[f64]) -> Result<f64, &'static str> {
    let count = u32::try_from(numbers.len()).map_err(|_| "too many numbers")?;
    if count == 0 { Err("there is no mean of no numbers") } else { Ok(numbers.iter().sum::<f64>() / f64::from(count)) }
}

fn main() -> ExitCode {
    loom_runtime::cli::run(tools![add, mean])
}
