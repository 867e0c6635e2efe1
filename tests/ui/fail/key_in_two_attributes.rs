use loom_runtime::prelude::*;

/// Wait.
#[tool]
fn wait(
    #[arg(max = 10)]
    #[arg(default = 5)]
    seconds: u32,
    #[arg(default = 5)]
    #[serde(default, rename = "m")]
    minutes: u32,
    #[arg(name = "h")]
    #[serde(rename = "hours")]
    hours: u32,
) -> u32 {
    seconds + minutes + hours
}

fn main() {
    wait(5, 5, 5);
    let _ = tools![wait];
}
