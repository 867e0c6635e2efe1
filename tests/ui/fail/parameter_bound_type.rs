use loom_runtime::prelude::*;

/// Wait.
#[tool]
fn wait(
    #[arg(min = "1")] seconds: i32,
    #[arg(max = true)] minutes: i32,
    #[arg(min_length = "3")] reason: &str,
    #[arg(max_length = 'x')] place: &str,
) -> String {
    format!("{seconds} {minutes} {reason} {place}")
}

fn main() {
    wait(1, 1, "", "");
    let _ = tools![wait];
}
