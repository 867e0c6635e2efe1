//! A library of tools needs the contract alone.

use loom_core::{RunContext, Tool, tool, tools};

/// Greet whoever asks.
#[tool(read_only)]
pub async fn greet(greeting: Option<String>, #[context] run: RunContext) -> String {
    std::future::ready(()).await;
    format!("{}, {}", greeting.as_deref().unwrap_or("hello"), run.user_id().unwrap_or("you"))
}

/// All tools of this crate.
pub fn all() -> Vec<Tool> {
    tools![greet]
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Poll, Waker};

    use loom_core::{Arguments, CallContext, Prepared, RunContext, Work};

    #[test]
    fn a_tool_can_be_run_without_a_runtime() {
        let run = RunContext::new().with_user_id("ada");
        let [tool] = super::all().try_into().unwrap();
        let context = CallContext::new("1", "greet", &run);
        let prepared = tool.prepare(&Arguments::from(r#"{"greeting":"good day"}"#), &context).unwrap();
        let Prepared { work: Work::Async(mut future), .. } = prepared else {
            panic!("an async function gives a future")
        };
        let Poll::Ready(outcome) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) else {
            panic!("nothing in it waits");
        };
        assert_eq!(outcome.unwrap().as_text(), "good day, ada");
    }
}
