//! What the tools say of themselves, and several workspaces beside each other.

use loom_core::{Arguments, CallContext, CallError, Prepared, Progress, Tool};

use super::*;

#[test]
fn the_tools_say_what_they_are() {
    let place = Place::new(&[]);
    let told: Vec<_> = place
        .workspace
        .tools()
        .iter()
        .map(|tool| {
            let definition = tool.definition();
            let properties = definition.input_schema.as_value()["properties"].as_object().unwrap().len();
            let flags: Vec<_> = definition.flags.names().collect();
            format!(
                "{} {properties} {} {:?} {:?}",
                definition.name,
                flags.join("+"),
                definition.reads,
                definition.writes
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            r#"read 3 read_only+idempotent ["{path}"] []"#,
            r#"write 2 destructive+idempotent [] ["{path}"]"#,
            r#"edit 4 destructive [] ["{path}"]"#,
            r#"list 2 read_only+idempotent ["{path}"] []"#,
            r#"glob 2 read_only+idempotent ["{path}"] []"#,
            r#"grep 6 read_only+idempotent ["{path}"] []"#,
        ]
    );
    for tool in place.workspace.tools() {
        let definition = tool.definition();
        assert_eq!(definition.zone, Some(loom_core::Zone::Workspace), "{}", definition.name);
        let properties = definition.input_schema.as_value()["properties"].as_object().unwrap();
        assert!(properties.values().all(|property| property["description"].is_string()), "{}", definition.name);
    }
    let kinds = serde_json::to_value(
        place.workspace.tools().iter().map(|tool| tool.definition().ui.clone()).collect::<Vec<_>>(),
    );
    let kinds: Vec<_> = kinds.unwrap().as_array().unwrap().iter().map(|ui| ui["kind"].clone()).collect();
    assert_eq!(kinds, ["file-read", "file-write", "file-edit", "search", "search", "search"]);
}

#[test]
fn a_workspace_shows_its_path_and_needs_a_directory() {
    let place = Place::new(&[("a.txt", "")]);
    assert_eq!(place.workspace.path(), place.path("").components().as_path());
    assert_eq!(format!("{:?}", place.workspace), format!("Workspace({:?})", place.workspace.path()));
    assert_eq!(Workspace::open(place.path("none")).unwrap_err().kind(), std::io::ErrorKind::NotFound);
    assert_eq!(Workspace::open(place.path("a.txt")).unwrap_err().kind(), std::io::ErrorKind::NotADirectory);
}

struct Through(Tool);

impl ToolHandler for Through {
    fn prepare(&self, arguments: &Arguments, context: &CallContext<'_>) -> Result<Prepared, CallError> {
        self.0.prepare(arguments, context)
    }
}

#[tokio::test]
async fn several_workspaces_have_their_own_tools_in_one_host() {
    let (one, two) = (Place::new(&[("a.txt", "one\n")]), Place::new(&[("a.txt", "two\n")]));
    let named = |prefix: &'static str, tool: &Tool| {
        let mut definition = tool.definition().clone();
        definition.name = format!("{prefix}_{}", definition.name).into();
        tool.derive(definition, Through(tool.clone()))
    };
    let tools: Vec<_> = one
        .workspace
        .tools()
        .iter()
        .map(|tool| named("one", tool))
        .chain(two.workspace.tools().iter().map(|tool| named("two", tool)))
        .collect();
    let results = Dispatcher::new(tools)
        .unwrap()
        .dispatch([
            ToolCall::new("1", "one_read", r#"{"path": "a.txt"}"#),
            ToolCall::new("2", "two_read", r#"{"path": "a.txt"}"#),
            ToolCall::new("3", "two_write", r#"{"path": "b.txt", "content": "x"}"#),
        ])
        .await;
    let texts: Vec<_> = results.iter().map(|result| result.text().into_owned()).collect();
    assert_eq!(texts, ["1\tone\n", "1\ttwo\n", "created `b.txt`: 1 line, 1 byte"]);
    assert_eq!((one.path("b.txt").exists(), two.path("b.txt").exists()), (false, true));
}

#[tokio::test]
async fn a_tool_by_itself_takes_the_workspace_of_its_run() {
    let place = Place::new(&[("a.txt", "text\n")]);
    let tools = Dispatcher::new(loom_core::tools![read_file]).unwrap();
    let call = || ToolCall::new("1", "read", r#"{"path": "a.txt"}"#);
    assert_eq!(
        tools.call(call()).await.text(),
        "the tool cannot run here: the run has no state of type `loom_runtime::builtin::workspace::Workspace`"
    );
    let run = loom_core::RunContext::new().with_state(place.workspace.clone());
    assert_eq!(tools.with_context(run).call(call()).await.text(), "1\ttext\n");
}

#[test]
fn the_functions_are_functions() {
    let place = Place::new(&[]);
    assert_eq!(write_file(&place.workspace, "a.txt", "x\n").unwrap(), "created `a.txt`: 1 line, 2 bytes");
    let cancelled = crate::CancellationToken::new();
    assert_eq!(read_file(&place.workspace, &cancelled, "a.txt", 1, 10).unwrap().as_text(), "1\tx\n");
    assert_eq!(list_files(&place.workspace, &cancelled, ".", 1).unwrap(), "a.txt\n");
    cancelled.cancel();
    let stopped = [
        read_file(&place.workspace, &cancelled, "a.txt", 1, 10).map(|output| output.as_text().into_owned()),
        list_files(&place.workspace, &cancelled, ".", 1),
        find_files(&place.workspace, &cancelled, "*", "."),
        search_files(&place.workspace, &cancelled, &Progress::none(), "x", ".", None, 1, 0, false),
    ];
    for stopped in stopped {
        assert_eq!(stopped.unwrap_err().to_string(), "stopped before the end, since the call was cancelled");
    }
}

#[test]
fn a_file_is_read_no_further_once_the_call_is_cancelled() {
    use std::io::Read;
    let place = Place::new(&[("a.txt", "text")]);
    let cancelled = crate::CancellationToken::new();
    let (file, _) = place.workspace.resolve("a.txt").unwrap().file().unwrap();
    let mut file = watched::Watched::new(file, &cancelled);
    let mut bytes = [0; 2];
    assert_eq!((file.read(&mut bytes).unwrap(), &bytes), (2, b"te"));
    cancelled.cancel();
    let error = FileError::io("a.txt", file.read(&mut bytes).unwrap_err());
    assert!(matches!(error, FileError::Stopped));
}
