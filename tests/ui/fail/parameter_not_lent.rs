use loom_runtime::prelude::*;

/// Join texts.
#[tool]
fn join(texts: Vec<&str>, more: &[&str], pair: (&str, u32), nested: Option<Option<&str>>, all: [&str; 2]) -> String {
    format!("{texts:?} {more:?} {pair:?} {nested:?} {all:?}")
}

fn main() {
    join(vec!["a"], &["b"], ("c", 1), None, ["d"; 2]);
    let _ = tools![join];
}
