use loom_runtime::prelude::*;

/// Write a file.
#[tool(ui(
    kind = file_wirte,
    summary(verb = "Wrote", primary = pth, meta(mode, modes, run)),
    preview(content = contnt, format = codes),
    open(target = "file-pane", path = file),
))]
fn write(path: &str, content: &str, mode: u32, #[context] run: RunContext) -> String {
    format!("{path} {content} {mode} {run:?}")
}

fn main() {
    write("a", "b", 0, RunContext::current());
    let _ = tools![write];
}
