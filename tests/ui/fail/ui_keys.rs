use loom_runtime::prelude::*;

/// Write a file.
#[tool(ui(kind = "shell"))]
fn quoted(path: &str) -> String {
    path.to_owned()
}

/// Write a file.
#[tool(ui(sumary(verb = "Wrote")))]
fn misspelt(path: &str) -> String {
    path.to_owned()
}

/// Write a file.
#[tool(ui(kind = shell, summary(primary = path), preview(content = path), open(path = path)))]
fn missing(path: &str) -> String {
    path.to_owned()
}

/// Write a file.
#[tool(ui)]
fn alone(path: &str) -> String {
    path.to_owned()
}

/// Write a file.
#[tool(ui(kind = shell, summary(verb = "Wrote", meta("path", path, 5), primary = path.name)))]
fn meta(path: &str) -> String {
    path.to_owned()
}

fn main() {
    let _ = tools![quoted, misspelt, missing, alone, meta];
}
