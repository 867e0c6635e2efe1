//! The attribute behind loom: `#[tool]` turns a Rust function into a tool for language models.
//!
//! Tokens in, tokens out. Whatever needs no tokens (schemas, reading arguments, conversion of results) is a generic
//! function of `loom-core`; what this crate emits for a tool is one expression that calls them.
//!
//! # Everything that may be written
//!
//! On the function, `#[tool(…)]`:
//!
//! | key | value | meaning |
//! |---|---|---|
//! | `name` | text | the tool's name, if it is not the function's |
//! | `title` | text | the name that people read |
//! | `description` | text | the description, exactly so, instead of the doc comment |
//! | `destructive` `ends_turn` `read_only` `idempotent` `open_world` `sequential` | | flags; `flag = false` is allowed |
//! | `blocking` | `false` | a sync function that does not block and may run on the executor |
//! | `timeout` | `"30s"`, or a `Duration` | how long a call may take (`ms`, `s`, `m`, `h`) |
//! | `retries` | number | how often a call may be tried again |
//! | `concurrency` | number | how many calls may run at a time, in the whole program |
//! | `zone` | `safe` `workspace` `build` `network` `external` `machine` `never` | where the tool reaches |
//! | `reads(…)` `writes(…)` | templates such as `"{path}"` | the resources that a call touches |
//! | `tags(…)` | texts | labels |
//! | `ui(…)` | `kind`, `summary(verb, primary, meta(…))`, `preview(content, format, max_lines)`, `open(target, path)` | how a call is drawn |
//! | `crate` | path | where loom is, if it is not found by itself |
//!
//! On a parameter: `#[context]` for one that the runtime supplies, a doc comment, `#[serde(rename, alias, default)]`,
//! and `#[arg(…)]`:
//!
//! | key | value | meaning |
//! |---|---|---|
//! | `default` | expression; alone: `Default::default()` | the value when none is sent |
//! | `name` | text | the name on the wire |
//! | `description` | text | what the model reads about it |
//! | `example` | expression | a value to show; may be given several times |
//! | `min` `max` | number | bounds |
//! | `min_length` `max_length` | number | bounds of a text's length in characters |
//! | `pattern` | text | a regular expression that a text matches |
//! | `format` | text | a format of JSON Schema, as a hint |
//! | `one_or_many` | | a list may be sent as its only item; lengths are the list's, other bounds are each item's |
//!
//! A text is a literal or anything constant, such as a `const` or `include_str!(…)`.

use proc_macro::TokenStream;

mod diag;
mod docs;
mod krate;
mod tool;

/// Makes a tool of a function; see the tables at the head of this crate for what may be written.
///
/// The function stays as it is. Beside it comes a braced struct of the same name and visibility, in the namespace of
/// types, so that `name::tool()` and `tools![name]` name the tool, and one `use` brings both.
#[proc_macro_attribute]
pub fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    tool::tool(attribute.into(), item.into()).into()
}
