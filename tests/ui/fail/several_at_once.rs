use loom_runtime::prelude::*;

/// # Arguments
/// * `qery` - What to look for.
#[tool(read_only, destructive, timeout = "soon", zone = netwrk, titel = "Search")]
fn search<T>(query: &mut T, #[arg(min = 5, max = 1, maxx = 3)] limit: u32, (a, b): (u32, u32)) -> u32 {
    let _ = query;
    limit + a + b
}

fn main() {
    search(&mut 5, 5, (1, 2));
    let _ = tools![search];
}
