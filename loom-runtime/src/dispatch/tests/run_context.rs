//! The run context is there in every tool of the run.

use super::*;

fn user() -> String {
    RunContext::current().user_id().unwrap_or("-").to_owned()
}

/// Asks before and after it waited.
#[tool]
async fn in_async() -> String {
    let before = user();
    tokio::task::yield_now().await;
    format!("{before} {}", user())
}

/// Asks on a thread.
#[tool]
fn in_blocking() -> String {
    user()
}

/// Asks inline.
#[tool(blocking = false)]
fn in_inline() -> String {
    user()
}

/// Runs a turn of its own.
#[tool]
async fn nested() -> String {
    let results = list(tools![in_async, in_blocking]).dispatch([call("a", "in_async"), call("b", "in_blocking")]).await;
    texts(&results).join(", ")
}

/// Takes it as a parameter.
#[tool]
async fn as_parameter(#[context] run: &RunContext, #[context] info: CallInfo) -> String {
    format!("{} {} {}", run.user_id().unwrap_or("-"), info.call_id, info.tool_name)
}

#[tokio::test]
async fn is_there_in_every_tool_of_the_run() {
    let names = ["in_async", "in_blocking", "in_inline", "nested", "as_parameter"];
    let tools = tools![in_async, in_blocking, in_inline, nested, as_parameter];
    let dispatcher = Dispatcher::new(tools).unwrap();
    let ada = dispatcher.clone().with_context(RunContext::new().with_user_id("ada"));
    let bob = dispatcher.clone().with_context(RunContext::new().with_user_id("bob"));
    // Two runs interleaved on one thread do not see each other.
    let (of_ada, of_bob) =
        tokio::join!(ada.dispatch(names.map(|n| call("", n))), bob.dispatch(names.map(|n| call("", n))));
    for (results, user) in [(of_ada, "ada"), (of_bob, "bob")] {
        assert_eq!(
            texts(&results),
            [
                format!(" {user} {user}"),
                format!(" {user}"),
                format!(" {user}"),
                format!(" a {user} {user}, b {user}"),
                format!(" {user}  as_parameter"),
            ]
        );
    }
    assert_eq!(dispatcher.call(call("1", "in_async")).await.text(), "- -");
    // A dispatcher without a context of its own belongs to whatever run it is used in.
    let eve = RunContext::new().with_user_id("eve");
    let inside = eve.scope(dispatcher.dispatch([call("1", "in_async"), call("2", "in_blocking")])).await;
    assert_eq!(texts(&inside), ["1 eve eve", "2 eve"]);
    assert_eq!(user(), "-");
}

#[tokio::test]
async fn what_is_missing_from_it_is_told_before_the_tool_runs() {
    let result = list(tools![meet]).call(call("a", "meet")).await;
    assert!(matches!(&result.outcome, Err(CallError::Context(_))));
    let expected = "the tool cannot run here: the run has no state of type `loom_runtime::dispatch::tests::Shared`";
    assert_eq!(result.text(), expected);
}
