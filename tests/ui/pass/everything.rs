//! Every flag and every key at once.
use std::time::Duration;

use loom_runtime::prelude::*;
use loom_runtime::ui::{UiDescriptor, UiFormat, UiKind, UiOpenAction, UiPreview, UiSummary};
use loom_runtime::{Flags, Zone};

/// Write a file.
#[tool(
    name = "write-file",
    title = "Write a file",
    destructive,
    ends_turn,
    read_only = false,
    idempotent = true,
    open_world,
    sequential,
    blocking = false,
    timeout = "1500ms",
    zone = workspace,
    reads("{path}", "disk"),
    writes("{path}/{options.mode}", "{{literal}}"),
    tags("file", "write",),
    ui(
        kind = file_write,
        summary(verb = "Wrote", primary = path, meta(mode, options)),
        preview(content = content, format = code, max_lines = 20),
        open(target = "file-pane", path = path),
    ),
    crate = loom_runtime,
)]
fn write(
    path: &str,
    content: &str,
    #[arg(name = "mode", example = 0o644, example = 0o600, min = 0, max = 0o777)] m: u32,
    options: serde_json::Value,
) -> String {
    format!("{path} {content} {m} {options}")
}

/// Read a file.
#[tool(read_only, retries = 3, zone = safe)]
async fn read() {}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let tool = write::tool();
    let definition = tool.definition();
    assert_eq!(definition.name, "write-file");
    assert_eq!(definition.title.as_deref(), Some("Write a file"));
    assert_eq!(definition.description, "Write a file.");
    let flags: Vec<_> = definition.flags.names().collect();
    assert_eq!(flags, ["destructive", "ends_turn", "idempotent", "open_world", "sequential"]);
    assert_eq!(definition.timeout, Some(Duration::from_millis(1500)));
    assert_eq!(definition.retries, 0);
    assert_eq!(definition.zone, Some(Zone::Workspace));
    assert_eq!(definition.reads, ["{path}", "disk"]);
    assert_eq!(definition.writes, ["{path}/{options.mode}", "{{literal}}"]);
    assert_eq!(definition.tags, ["file", "write"]);
    let summary = UiSummary::new("Wrote").primary_field("path").meta_field("mode").meta_field("options");
    let ui = UiDescriptor::new(UiKind::FileWrite)
        .summary(summary)
        .preview(UiPreview::new("content", UiFormat::Code).truncate_at_lines(20))
        .open_action(UiOpenAction::new("file-pane", "path"));
    assert_eq!(definition.ui, Some(ui));

    let tool = read::tool();
    let definition = tool.definition();
    assert_eq!(definition.flags.names().collect::<Vec<_>>(), ["read_only"]);
    assert_eq!((definition.retries, definition.zone, definition.timeout), (3, Some(Zone::Safe), None));
    assert_ne!(definition.flags, Flags::default());

    let host = InProcessToolHost::new(tools![write, read]).unwrap();
    let call = ToolCall::new("1", "write-file", r#"{"path": "a", "content": "b", "mode": 1, "options": {}}"#);
    assert_eq!(host.dispatch([call]).await[0].text(), "a b 1 {}");
}
