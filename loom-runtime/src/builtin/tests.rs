#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::PathBuf;

use loom_core::{CallEvent, ToolCall, ToolHandler};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;
use crate::Dispatcher;

mod benign;
#[cfg(unix)]
mod escapes;
#[cfg(unix)]
mod races;
mod tools;
mod turns;

/// A workspace in a directory of its own, with another directory beside it that nobody may reach.
pub(super) struct Place {
    root: TempDir,
    pub(super) workspace: Workspace,
}

impl Place {
    /// With these files in the workspace.
    pub(super) fn new(files: &[(&str, &str)]) -> Self {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("work")).unwrap();
        let workspace = Workspace::open(root.path().join("work")).unwrap();
        let place = Self { root, workspace };
        for (path, content) in files {
            place.put(path, content);
        }
        place
    }

    /// A path of the workspace, for the test's own use.
    pub(super) fn path(&self, path: &str) -> PathBuf {
        self.root.path().join("work").join(path)
    }

    /// A path beside the workspace.
    fn beside(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    pub(super) fn put(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(super) fn bytes(&self, path: &str) -> Vec<u8> {
        fs::read(self.path(path)).unwrap()
    }

    pub(super) fn text(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    fn dispatcher(&self) -> Dispatcher {
        Dispatcher::new(self.workspace.tools()).unwrap()
    }

    /// The answer to a call, or the text of its failure.
    pub(super) async fn ask(&self, tool: &str, arguments: Value) -> Result<String, String> {
        let result = self.dispatcher().call(ToolCall::new("1", tool, arguments)).await;
        let text = result.text().into_owned();
        if result.is_error() { Err(text) } else { Ok(text) }
    }
}

/// All files below a directory with what they hold, in order; links are not followed.
fn snapshot(directory: &std::path::Path) -> Vec<(PathBuf, Option<Vec<u8>>)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let entry = entry.unwrap();
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            all.push((entry.path(), None));
            all.extend(snapshot(&entry.path()));
        } else {
            all.push((entry.path(), kind.is_file().then(|| fs::read(entry.path()).unwrap())));
        }
    }
    all.sort();
    all
}

#[expect(clippy::unnecessary_wraps, reason = "as it is compared with")]
pub(super) fn ok(text: &str) -> Result<String, String> {
    Ok(text.to_owned())
}

pub(super) fn err(text: &str) -> Result<String, String> {
    Err(text.to_owned())
}

/// Calls that reach a path, one of each tool.
fn arguments(tool: &str, path: &str) -> Value {
    match tool {
        "read" | "list" => json!({"path": path}),
        "write" => json!({"path": path, "content": "overwritten"}),
        "edit" => json!({"path": path, "old": "CANARY", "new": "overwritten"}),
        "glob" => json!({"pattern": "**", "path": path}),
        "grep" => json!({"pattern": "CANARY", "path": path}),
        other => unreachable!("there is no tool {other}"),
    }
}
