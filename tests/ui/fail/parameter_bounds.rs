use loom_runtime::prelude::*;

/// Wait.
#[tool]
fn wait(
    #[arg(min = 10, max = 5)] seconds: i32,
    #[arg(min = 1, max = -1)] offset: i32,
    #[arg(min = 0.5, max = 0.25)] share: f64,
    #[arg(min_length = 9, max_length = 3)] reason: &str,
) -> String {
    format!("{seconds} {offset} {share} {reason}")
}

fn main() {
    wait(1, 1, 1.0, "");
    let _ = tools![wait];
}
