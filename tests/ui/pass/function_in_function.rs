//! A tool inside a function body, and one inside a block of it, see what stands there.
use loom_runtime::prelude::*;

fn make() -> Vec<Tool> {
    const GREETING: &str = "Hello";

    /// Greet.
    #[tool]
    fn greet(name: &str) -> String {
        format!("{GREETING}, {name}")
    }

    let inner = {
        /// Greet.
        #[tool(name = "greet_again")]
        fn greet(name: &str) -> String {
            format!("{GREETING} again, {name}")
        }
        greet::tool()
    };
    assert_eq!(greet("Ada"), "Hello, Ada");
    vec![greet::tool(), inner]
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let host = InProcessToolHost::new(make()).unwrap();
    let results = host
        .dispatch([
            ToolCall::new("1", "greet", r#"{"name": "Ada"}"#),
            ToolCall::new("2", "greet_again", r#"{"name": "Ada"}"#),
        ])
        .await;
    assert_eq!(results[0].text(), "Hello, Ada");
    assert_eq!(results[1].text(), "Hello again, Ada");
}
