use loom_runtime::prelude::*;

const LIMIT: u32 = 5;

/// Search the web.
#[tool(
    name = 5,
    title,
    description("Search"),
    destructive = "yes",
    blocking = 1,
    retries = "three",
    concurrency = 1.5,
    zone = "network",
    tags = "web",
    reads("{query}", query),
    crate = "loom_runtime",
)]
fn search(query: &str) -> String {
    query.to_owned()
}

/// Wait.
#[tool]
fn wait(
    #[arg(min = "1", max = LIMIT, min_length = 1.5, default(5))] seconds: u32,
    #[arg(max_length = "9", pattern = 5, format, description = 'x', name = 1)] reason: String,
    #[arg = 5] minutes: u32,
    #[arg] hours: u32,
    #[context(run)] run: RunContext,
) -> String {
    format!("{seconds} {minutes} {hours} {reason} {run:?}")
}

fn main() {
    search("rust");
    wait(1, String::new(), 1, 1, RunContext::current());
    let _ = tools![search, wait];
}
