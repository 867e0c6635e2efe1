use loom_runtime::prelude::*;

const SHORTEST: &str = "1";
const LONGEST: i64 = 9;

/// Wait.
#[tool]
fn wait(
    #[arg(min = SHORTEST)] seconds: i32,
    #[arg(max_length = LONGEST)] reason: &str,
    #[arg(min_length = -1)] place: &str,
    #[arg(pattern = 5)] code: &str,
    #[arg(description = 5)] day: &str,
) -> String {
    format!("{seconds} {reason} {place} {code} {day}")
}

fn main() {
    wait(1, "", "", "", "");
    let _ = tools![wait];
}
