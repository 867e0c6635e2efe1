//! The corpus of the fuzz target, checked as the target does it, without its machinery.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::missing_panics_doc)]
// Tools own their arguments, and are functions whatever a type asks for.
#![allow(clippy::needless_pass_by_value, clippy::too_many_arguments, clippy::option_option)]
#![allow(clippy::many_single_char_names)]

mod check;
mod tools;

use std::path::{Path, PathBuf};
use std::{fs, panic};

#[test]
fn every_input_of_the_corpus_holds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/arguments");
    let inputs: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(inputs.len() > 30, "the corpus has been lost");
    let fails = |input: &&PathBuf| {
        let input = fs::read(input).unwrap();
        panic::catch_unwind(|| check::check(&input)).is_err()
    };
    let failed: Vec<_> = inputs.iter().filter(fails).collect();
    assert_eq!(failed, Vec::<&PathBuf>::new());
}
