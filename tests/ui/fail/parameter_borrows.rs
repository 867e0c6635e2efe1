use loom_runtime::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;

use std::borrow::Cow;

#[derive(Deserialize, JsonSchema)]
struct Words<'a> {
    first: &'a str,
}

/// Join texts.
#[tool]
async fn join(words: Words<'_>, text: Cow<'_, str>) -> String {
    format!("{} {text}", words.first)
}

fn main() {
    drop(join(Words { first: "a" }, Cow::Borrowed("b")));
    let _ = tools![join];
}
