//! One `use` brings the function and its tool, with the visibility of the function.
#![deny(unused_imports, private_interfaces)]

use loom_runtime::{Tool, tools};

mod files {
    use loom_runtime::tool;

    /// Read a file.
    #[tool]
    pub fn read(path: &str) -> String {
        path.to_owned()
    }

    /// Delete a file.
    #[tool(destructive)]
    pub(crate) fn delete(path: &str) -> String {
        path.to_owned()
    }

    pub mod deep {
        use loom_runtime::tool;

        /// Write a file.
        #[tool]
        pub(super) fn write(path: &str) -> String {
            path.to_owned()
        }

        /// List files.
        #[tool]
        pub(in crate::files) fn list(path: &str) -> String {
            path.to_owned()
        }
    }

    pub fn all() -> Vec<loom_runtime::Tool> {
        assert_eq!(deep::write("a"), deep::list("a"));
        loom_runtime::tools![read, delete, deep::write, self::deep::list]
    }
}

use files::{delete as remove, read};

fn main() {
    assert_eq!(read("a"), remove("a"));
    let names: Vec<_> = files::all().iter().map(|tool| tool.name().to_owned()).collect();
    assert_eq!(names, ["read", "delete", "write", "list"]);
    let tools: Vec<Tool> = tools![read, remove, crate::files::read,];
    assert_eq!(tools.len(), 3);
    assert!(remove::tool().definition().flags.destructive);
}
