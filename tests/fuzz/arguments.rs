//! Arguments from raw bytes, read for one of several tools.

#![no_main]

mod check;
mod tools;

libfuzzer_sys::fuzz_target!(|input: &[u8]| check::check(input));
