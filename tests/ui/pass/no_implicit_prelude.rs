//! No prelude is needed.
#![no_implicit_prelude]

use ::loom_runtime::tool;

/// Search.
///
/// # Arguments
/// * `query` - What to look for.
#[tool(read_only, timeout = "5s", tags("a"), ui(kind = search, summary(verb = "Searched", primary = query)))]
fn search(
    query: &str,
    #[arg(default = "b")] text: ::std::string::String,
    #[arg(default)] limit: ::core::option::Option<u32>,
) -> ::core::result::Result<::std::string::String, ::std::string::String> {
    ::core::result::Result::Ok(::std::format!("{query} {text} {limit:?}"))
}

/// Search.
#[tool]
async fn again(_query: &str) {}

fn main() {
    let tools = ::loom_runtime::tools![search, again];
    ::core::assert_eq!(tools.len(), 2);
    ::core::assert_eq!(search::tool().name(), "search");
}
