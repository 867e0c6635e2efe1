use std::collections::BTreeSet;

use loom_runtime::prelude::*;
use loom_runtime::types::OneOrMany;

/// Count.
#[tool]
fn count(#[arg(one_or_many)] number: u8) -> u8 {
    number
}

/// Greet.
#[tool]
fn greet(#[arg(one_or_many)] name: &str, #[arg(one_or_many)] seen: Option<&BTreeSet<String>>) -> usize {
    name.len() + seen.map_or(0, BTreeSet::len)
}

/// Sum.
#[tool]
fn sum(#[arg(one_or_many)] numbers: OneOrMany<u8>) -> usize {
    numbers.len()
}

struct Opaque;

/// Look.
#[tool]
fn look(#[arg(one_or_many)] things: Vec<Opaque>) -> usize {
    things.len()
}

fn main() {
    count(1);
    greet("", None);
    sum(OneOrMany::default());
    look(vec![Opaque]);
    let _ = tools![count, greet, sum, look];
}
