//! Methods and locals of the user that are called like those of generated code keep their meaning.
use loom_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
struct Page {
    finish: u8,
}

trait Extension: Sized {
    fn finish(&self) -> u8 {
        1
    }
    fn schema(&self) -> u8 {
        2
    }
    fn json(&self) -> u8 {
        3
    }
    fn lend(&self) -> u8 {
        4
    }
    fn tool(&self) -> u8 {
        5
    }
}

impl<T> Extension for T {}

/// Turn.
#[tool]
fn turn(
    #[arg(default = Page { finish: 0.finish() + 0.schema() + 0.json() + 0.lend() })] page: Page,
    other: &Page,
    #[arg(default = "".json(), max = 5.tool())] number: u8,
) -> Page {
    Page { finish: page.finish + other.finish + number + page.lend() }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let host = InProcessToolHost::new(tools![turn]).unwrap();
    let results = host.dispatch([ToolCall::new("1", "turn", r#"{"other": {"finish": 1}}"#)]).await;
    assert_eq!(results[0].text(), r#"{"finish":18}"#);
}
