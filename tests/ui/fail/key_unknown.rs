use loom_runtime::prelude::*;

/// Delete a file.
#[tool(destructiv, zome = network, colour = "red", ui::kind = shell)]
fn delete(#[arg(defualt = 5, maximum = 10)] count: u32) -> u32 {
    count
}

fn main() {
    delete(5);
    let _ = tools![delete];
}
