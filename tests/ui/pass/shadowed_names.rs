//! Nothing that generated code names can be taken from it by names of the user's scope.
#![allow(unused, non_camel_case_types, non_snake_case)]

mod std {}
mod core {}
mod alloc {}
mod serde {}
mod serde_json {}
mod schemars {}
mod loom_runtime {}
mod loom_core {}
mod private {}
mod kinds {}

struct String;
struct Vec;
struct Box;
struct Tool;
struct Static;
struct Kind;
enum Option {
    Some,
    None,
}
enum Result {
    Ok,
    Err,
}
use Option::{None, Some};
use Result::{Err, Ok};
trait Clone {}
trait Default {}
trait Into {}
trait From {}
trait Send {}
trait Future {}
trait Fn {}
struct Text;
const TOOL: &::core::primitive::str = "A description.";

macro_rules! vec {
    () => {};
}

struct str;
struct u32;
struct bool;

use ::loom_runtime::tool;

/// Search.
#[tool(title = TOOL, tags("a"), timeout = "5s", reads("{query}"))]
fn search(
    query: &::core::primitive::str,
    #[arg(default = "b", example = "c", min_length = 1)] text: ::std::string::String,
    #[arg(default)] limit: ::core::option::Option<::core::primitive::u32>,
    #[arg(default = 7, max = 9)] page: ::core::primitive::u32,
) -> ::core::result::Result<::std::string::String, ::std::string::String> {
    ::core::result::Result::Ok(::std::format!("{query} {text} {limit:?} {page}"))
}

/// Search.
#[tool(description = TOOL)]
async fn again(#[context] run: &::loom_runtime::RunContext) -> ::core::primitive::bool {
    run.user_id().is_none()
}

fn main() {
    use ::loom_runtime::HostExt as _;

    ::core::assert_eq!(again::tool().definition().description, TOOL);
    let host = ::loom_runtime::InProcessToolHost::new(::loom_runtime::tools![search, again]).unwrap();
    let calls = [
        ::loom_runtime::ToolCall::new("1", "search", r#"{"query": "a"}"#),
        ::loom_runtime::ToolCall::new("2", "again", "{}"),
    ];
    let runtime = ::tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let results = runtime.block_on(host.dispatch(calls));
    ::core::assert_eq!(results[0].text(), "a b None 7");
    ::core::assert_eq!(results[1].is_error(), false);
}
