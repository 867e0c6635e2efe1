//! Generated code finds the runtime under the name that the manifest gives it.

use std::path::Path;

use weave::{Tool, tool, tools};

/// Add some numbers.
///
/// # Arguments
/// * `numbers` - The numbers.
/// * `name` - What the sum is of.
#[tool(read_only)]
pub fn sum(numbers: &[f64], #[arg(default = "all")] name: &str) -> String {
    format!("{name}: {}", numbers.iter().sum::<f64>())
}

/// The last part of a path.
#[tool(blocking = false)]
pub fn file_name(path: &Path) -> Option<String> {
    Some(path.file_name()?.to_string_lossy().into_owned())
}

/// All tools of this crate.
pub fn all() -> Vec<Tool> {
    tools![sum, file_name]
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use weave::{HostExt, ToolCall, ToolList};

    #[test]
    fn tools_work_under_another_name() {
        let host = ToolList::new(super::all()).unwrap();
        let names: Vec<_> = host.iter().map(super::Tool::name).collect();
        assert_eq!(names, ["sum", "file_name"]);
        let mut call = pin!(host.call(ToolCall::new("1", "file_name", r#"{"path":"/a/b.txt"}"#)));
        let Poll::Ready(result) = call.as_mut().poll(&mut Context::from_waker(Waker::noop())) else {
            panic!("a tool that does not block answers at once");
        };
        assert_eq!(result.text(), "b.txt");
        assert_eq!(super::sum(&[1.0, 2.0], "x"), "x: 3");
    }
}
