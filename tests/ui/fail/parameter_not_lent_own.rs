use loom_runtime::prelude::*;

use std::borrow::Cow;

struct Words<'a>(Vec<&'a str>);

/// Join texts.
#[tool]
async fn join(words: Words<'_>, text: Cow<'_, str>) -> String {
    format!("{:?} {text}", words.0)
}

fn main() {
    drop(join(Words(vec!["a"]), Cow::Borrowed("b")));
    let _ = tools![join];
}
