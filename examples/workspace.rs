//! The built-in tools for the files of a directory: the current one, or the one that `LOOM_WORKSPACE` names.
//!
//! ```text
//! cargo run --example workspace -- list
//! cargo run --example workspace -- call grep '{"pattern":"fn main","max":"3"}'
//! cargo run --example workspace -- call read '{"path": "examples/workspace.rs", "limit": 3}'
//! cargo run --example workspace -- turn < calls.json
//! ```
//!
//! With `calls.json` such as this one, both files are read beside each other, and the second edit finds what the first has
//! written:
//!
//! ```json
//! [
//!     {"id": "1", "name": "read", "arguments": {"path": "a.txt"}},
//!     {"id": "2", "name": "read", "arguments": {"path": "b.txt"}},
//!     {"id": "3", "name": "edit", "arguments": {"path": "a.txt", "old": "one", "new": "two"}},
//!     {"id": "4", "name": "edit", "arguments": {"path": "a.txt", "old": "two", "new": "three"}}
//! ]
//! ```

use std::process::ExitCode;

use loom_runtime::builtin::Workspace;

fn main() -> ExitCode {
    let path = std::env::var_os("LOOM_WORKSPACE").unwrap_or_else(|| ".".into());
    match Workspace::open(&path) {
        Ok(workspace) => loom_runtime::cli::run(workspace.tools()),
        Err(error) => {
            eprintln!("error: cannot open the workspace {}: {error}", path.display());
            ExitCode::from(2)
        }
    }
}
