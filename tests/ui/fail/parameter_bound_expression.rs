use loom_runtime::prelude::*;

const SHORTEST: &str = "1";
const LONGEST: i64 = 9;
const PATTERN: u32 = 5;

/// Wait.
#[tool]
fn wait(
    #[arg(min = SHORTEST)] seconds: i32,
    #[arg(max_length = LONGEST)] reason: &str,
    #[arg(pattern = PATTERN)] code: &str,
    #[arg(description = PATTERN)] day: &str,
) -> String {
    format!("{seconds} {reason} {code} {day}")
}

fn main() {
    wait(1, "", "", "");
    let _ = tools![wait];
}
