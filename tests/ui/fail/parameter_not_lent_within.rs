use loom_runtime::prelude::*;

/// Join texts.
#[tool]
fn join(
    more: &[&str],
    pair: (&str, u32),
    nested: Option<Option<&str>>,
    all: [&str; 2],
    many: Vec<(String, Box<&str>)>,
) -> String {
    format!("{more:?} {pair:?} {nested:?} {all:?} {many:?}")
}

fn main() {
    join(&["b"], ("c", 1), None, ["d"; 2], vec![]);
    let _ = tools![join];
}
