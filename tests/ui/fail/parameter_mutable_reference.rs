use loom_runtime::prelude::*;

/// Sort.
#[tool]
fn sort(values: &mut Vec<u32>, text: Option<&mut str>) -> usize {
    values.sort();
    values.len() + text.map_or(0, |text| text.len())
}

fn main() {
    sort(&mut vec![2, 1], None);
    let _ = tools![sort];
}
