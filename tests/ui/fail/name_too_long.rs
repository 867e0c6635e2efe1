use loom_runtime::prelude::*;

/// Fetch a page.
#[tool]
fn fetch_a_page_of_the_world_wide_web_and_give_its_text_without_any_of_the_markup() {}

fn main() {
    let _ = tools![fetch_a_page_of_the_world_wide_web_and_give_its_text_without_any_of_the_markup];
}
