//! Generated code gives no warning of its own.
#![deny(
    warnings,
    unused,
    missing_docs,
    missing_debug_implementations,
    missing_copy_implementations,
    unreachable_pub,
    nonstandard_style,
    future_incompatible,
    rust_2018_idioms,
    rust_2021_compatibility,
    let_underscore,
    trivial_casts,
    trivial_numeric_casts,
    unused_qualifications,
    unused_results,
    unused_lifetimes,
    unused_import_braces,
    unused_macro_rules,
    single_use_lifetimes,
    explicit_outlives_requirements,
    redundant_lifetimes,
    variant_size_differences,
    elided_lifetimes_in_paths,
    unit_bindings,
    non_ascii_idents,
    ambiguous_negative_literals
)]
#![forbid(unsafe_code)]

use std::borrow::Cow;
use std::path::PathBuf;

use loom_runtime::prelude::*;

const NAME: &str = "write_file";

/// Write a file.
///
/// # Arguments
/// * `path` - Where.
#[tool(
    name = NAME,
    title = "Write",
    destructive,
    timeout = "5s",
    zone = workspace,
    writes("{path}"),
    tags("file"),
    ui(kind = file_write, summary(verb = "Wrote", primary = path))
)]
pub fn write(
    path: &str,
    #[arg(default = "", example = "a", max_length = 10)] text: String,
    #[arg(default = 5, min = -1, max = 9)] mode: i32,
    #[arg(default)] at: Option<&str>,
) -> Result<(), String> {
    drop((path, text, mode, at));
    Ok(())
}

/// Wait.
#[tool(blocking = false)]
pub fn wait(#[context] run: &RunContext, #[context] token: CancellationToken) {
    let _ = (run.user_id(), token.is_cancelled());
}

/// Find.
#[tool]
pub async fn find<'a>(names: &'a [String], root: PathBuf) -> Option<Cow<'a, str>> {
    drop(root);
    names.first().map(Into::into)
}

/// Private ones as well.
#[tool]
fn hidden() -> u8 {
    5
}

fn main() {
    let tools = tools![write, wait, find, hidden];
    assert_eq!(tools.len(), 4);
    assert_eq!(tools[0].name(), "write_file");
    assert_eq!(hidden(), 5);
}
