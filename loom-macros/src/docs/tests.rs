//! Whole doc comments against whole results. A comment is written here without the space that follows `///`.

mod description;
mod fuzz;
mod google;
mod input;
mod markdown;
mod mixed;
mod numpy;
mod rest;

use proc_macro2::Span;

use super::{DocLine, Docs, Reader, block_lines, lines, parse};

fn doc_lines(comment: &str) -> Vec<DocLine> {
    comment
        .split('\n')
        .map(|line| if line.is_empty() { String::new() } else { format!(" {line}") })
        .map(|text| DocLine { text, span: Span::call_site() })
        .collect()
}

fn pairs(docs: &Docs) -> Vec<(&str, &str)> {
    docs.params.iter().map(|param| (param.name.as_str(), param.text.as_str())).collect()
}

#[track_caller]
fn check(comment: &str, description: &str, params: &[(&str, &str)]) {
    let docs = parse(&doc_lines(comment));
    assert_eq!((docs.description.as_str(), pairs(&docs)), (description, params.to_vec()));
}

/// The lines that the entries start on, counted from zero: spans can't be told apart outside of a compiler.
fn starts(comment: &str) -> Vec<(String, usize)> {
    let prepared = lines::prepare(&doc_lines(comment));
    let (_, entries) = Reader::new(&prepared).read();
    entries.into_iter().map(|entry| (entry.name, entry.source)).collect()
}
