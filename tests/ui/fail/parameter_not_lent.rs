use loom_runtime::prelude::*;

use std::collections::BTreeMap;

/// Join texts.
#[tool]
fn join(texts: Vec<&str>, #[context] by_name: BTreeMap<String, &u32>) -> String {
    format!("{texts:?} {by_name:?}")
}

fn main() {
    join(vec!["a"], BTreeMap::new());
    let _ = tools![join];
}
