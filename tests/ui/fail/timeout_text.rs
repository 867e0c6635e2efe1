use loom_runtime::prelude::*;

/// No unit.
#[tool(timeout = "30")]
fn no_unit() {}

/// No number.
#[tool(timeout = "soon")]
fn no_number() {}

/// A unit that is none.
#[tool(timeout = "30 sec")]
fn no_such_unit() {}

/// Nothing.
#[tool(timeout = "0s")]
fn zero() {}

/// Too much.
#[tool(timeout = "18446744073709551615h")]
fn ages() {}

/// Only a number.
#[tool(timeout = 30)]
fn number() {}

/// Only a negative number.
#[tool(timeout = -30)]
fn negative() {}

fn main() {
    let _ = tools![no_unit, no_number, no_such_unit, zero, ages, number, negative];
}
