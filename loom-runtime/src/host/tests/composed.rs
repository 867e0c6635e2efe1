//! Hosts made of hosts.

use std::sync::Mutex;
use std::sync::mpsc as std_mpsc;
use std::time::Duration;

use loom_core::{CallError, CallEvent, CallInfo, Output, ToolError, Zone};
use tokio::sync::{mpsc, oneshot};

use super::*;
use crate::{ComposeHosts, ComposedHost, Wrapped};

fn listed(host: &impl ToolHost) -> Vec<String> {
    host.list_tools(&ToolQuery::all()).iter().map(|tool| tool.name().to_owned()).collect()
}

fn call(name: &str) -> ToolCall {
    ToolCall::new("id", name, "{}")
}

/// Says by which name it was called.
#[tool(
    destructive,
    ends_turn,
    sequential,
    timeout = "7s",
    concurrency = 2,
    zone = network,
    writes("{at}"),
    tags("x"),
    ui(kind = search, summary(verb = "Looked", primary = at))
)]
async fn named(#[arg(default = "here")] at: String, #[context] info: CallInfo) -> String {
    format!("{} {at}", info.tool_name)
}

#[tokio::test]
async fn everything_but_the_name_survives_every_composition() {
    let host = tools![named, second].filter_tools(|tool| tool.name != "second").unwrap();
    let host = host.prefix_tools("a_").unwrap().wrap_calls(Wrapped::run).unwrap();
    let host = host.rename_tools(|name| format!("{name}_z")).unwrap().combine_with(first::tool()).unwrap();
    assert_eq!(listed(&host), ["a_named_z", "first"]);
    let list = host.list_tools(&ToolQuery::all());
    let mut definition = list.get("a_named_z").unwrap().definition().clone();
    assert_eq!((definition.flags.ends_turn, definition.zone), (true, Some(Zone::Network)));
    definition.name = "named".into();
    let plain = named::tool();
    assert_eq!(&definition, plain.definition());
    // They are the same tool to whoever counts its calls.
    assert!(list.get("a_named_z").unwrap().origin().is(&plain));
    assert_eq!(host.call(call("a_named_z")).await.text(), "a_named_z here");
    assert_eq!(host.list_tools(&ToolQuery::all().with_tag("x")).len(), 1);
    assert_eq!(format!("{host:?}"), r#"ComposedHost(["a_named_z", "first"])"#);
}

#[test]
fn names_that_are_none_or_taken_are_refused() {
    let refused = tools![first, second].prefix_tools("no spaces ").unwrap_err();
    assert_eq!(
        refused.to_string(),
        "`no spaces first` is no name for a tool: it takes 1 to 64 characters from A-Z a-z 0-9 _ - only"
    );
    let refused = tools![first, second].rename_tools(|_| "same".to_owned()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "two tools would be named `same`: `first` of the host at 0 and `second` of the host at 0"
    );
    let refused = tools![first].combine_with(tools![second, other_first]).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "two tools would be named `first`: `first` of the host at 0 and `first` of the host at 1"
    );
    let refused = tools![first, other_first].filter_tools(|_| true).unwrap_err();
    assert_eq!(refused.to_string(), "there is already a tool named `first`");
}

#[tokio::test]
async fn on_request_names_get_numbers() {
    let long = "x".repeat(64);
    let of = |tools: Vec<Tool>| tools.into_host().unwrap();
    let renamed = |name: &str| first::tool().renamed(name.to_owned()).unwrap();
    let host = ComposedHost::numbered([
        of(vec![first::tool(), renamed("first_2"), renamed(&long)]),
        of(vec![other_first::tool(), renamed(&long)]),
        of(vec![second::tool(), first::tool()]),
    ]);
    let cut = format!("{}_2", "x".repeat(62));
    assert_eq!(listed(&host), ["first", "first_2", &long, "first_3", &cut, "second", "first_4"]);
    assert_eq!(host.call(call("first_3")).await.text(), "other");
    assert!(host.left_out().is_empty());
    // The tools stay the very same from one list to the next, numbers or not.
    let inner = Arc::new(InProcessToolHost::new(tools![second]).unwrap());
    let host = ComposedHost::numbered([of(tools![first]), of(tools![other_first]), inner.clone()]);
    let before = host.list_tools(&ToolQuery::all());
    inner.unregister("second");
    let after = host.list_tools(&ToolQuery::all());
    assert_eq!((before.len(), after.len()), (3, 2));
    for name in ["first", "first_2"] {
        assert!(before.get(name).unwrap().is(after.get(name).unwrap()), "{name}");
    }
}

/// What has changed since it was asked last.
fn changes(watch: &mut ToolWatch) -> Vec<String> {
    let mut changes = Vec::new();
    loop {
        match Pin::new(&mut *watch).poll_next(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(Some(ToolChange::Added(tool))) => changes.push(format!("+{}", tool.name())),
            Poll::Ready(Some(ToolChange::Updated(tool))) => changes.push(format!("~{}", tool.name())),
            Poll::Ready(Some(ToolChange::Removed(name))) => changes.push(format!("-{name}")),
            Poll::Ready(Some(_)) => unreachable!("there is no other change"),
            Poll::Ready(None) => {
                changes.push("end".to_owned());
                return changes;
            }
            Poll::Pending => return changes,
        }
    }
}

#[test]
fn what_changes_beneath_shows_under_the_outer_names() {
    let inner = Arc::new(InProcessToolHost::new(tools![first]).unwrap());
    let host = inner.clone().filter_tools(|tool| tool.title.is_none()).unwrap().prefix_tools("my_").unwrap();
    let mut watch = host.watch();
    assert_eq!(changes(&mut watch), [""; 0]);
    inner.register(named::tool()).unwrap();
    // Not wanted, so nothing is told of it.
    inner.register(second::tool()).unwrap();
    inner.replace(other_first::tool());
    assert_eq!(listed(&host), ["my_first", "my_named"]);
    assert_eq!(changes(&mut watch), ["~my_first", "+my_named"]);
    inner.unregister("first");
    inner.unregister("second");
    assert_eq!(changes(&mut watch), ["-my_first"]);
    // Whoever watches keeps no host.
    drop(host);
    drop(inner);
    assert_eq!(changes(&mut watch), ["end"]);
    let mut fixed = tools![first].prefix_tools("a_").unwrap().watch();
    assert_eq!(changes(&mut fixed), ["end"]);
}

#[test]
fn what_collides_later_is_left_out_until_it_is_free() {
    let one = Arc::new(InProcessToolHost::new(tools![first]).unwrap());
    let two = Arc::new(InProcessToolHost::new(tools![second]).unwrap());
    let host = one.clone().combine_with(two.clone()).unwrap().prefix_tools("p_").unwrap();
    let combined = one.clone().combine_with(two.clone()).unwrap();
    let mut watch = host.watch();
    two.register(other_first::tool()).unwrap();
    assert_eq!(listed(&host), ["p_first", "p_second"]);
    assert_eq!(
        combined.left_out().iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["two tools would be named `first`: `first` of the host at 0 and `first` of the host at 1"]
    );
    let long = first::tool().renamed("y".repeat(63)).unwrap();
    two.register(long).unwrap();
    // Its name would be too long with what is put before it; nothing else is lost by that.
    assert_eq!(listed(&host), ["p_first", "p_second"]);
    assert_eq!(host.left_out().len(), 1);
    assert_eq!(changes(&mut watch), [""; 0]);
    one.unregister("first");
    assert_eq!(listed(&host), ["p_second", "p_first"]);
    assert_eq!(changes(&mut watch), ["~p_first"]);
    assert!(combined.left_out().is_empty());
}

#[test]
fn a_list_is_made_anew_only_where_it_is_another() {
    let inner = Arc::new(InProcessToolHost::new(tools![first, second]).unwrap());
    let host = inner.clone().prefix_tools("a_").unwrap();
    let list = host.list_tools(&ToolQuery::all());
    assert!(host.list_tools(&ToolQuery::all()).is(&list));
    inner.register(named::tool()).unwrap();
    let changed = host.list_tools(&ToolQuery::all());
    assert!(!changed.is(&list));
    assert!(changed.get("a_first").unwrap().is(list.get("a_first").unwrap()));
}

/// Waits for good.
#[tool(concurrency = 1)]
async fn hold(#[context] started: State<mpsc::UnboundedSender<()>>) {
    started.send(()).unwrap();
    std::future::pending::<()>().await;
}

#[tokio::test(start_paused = true)]
async fn calls_under_all_names_count_for_the_limit_of_a_tool() {
    let (started, mut starts) = mpsc::unbounded_channel::<()>();
    let host = hold::tool().combine_with(hold::tool().prefix_tools("other_").unwrap()).unwrap();
    let dispatcher = Dispatcher::new(host)
        .unwrap()
        .with_context(RunContext::new().with_state(started))
        .with_timeout(Duration::from_secs(1));
    let calls = ["hold", "other_hold"].map(|name| ToolCall::new("", name, "{}"));
    let running = tokio::spawn(async move { dispatcher.dispatch(calls).await });
    starts.recv().await.unwrap();
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert!(starts.try_recv().is_err());
    // Its time is up, so the other has its place.
    starts.recv().await.unwrap();
    let kinds: Vec<_> = running.await.unwrap().iter().map(|result| CallEvent::outcome_of(&result.outcome)).collect();
    assert_eq!(kinds, ["timed_out", "timed_out"]);
}

/// Fails.
#[tool]
fn fail() -> Result<(), &'static str> {
    Err("no")
}

/// Panics on its thread.
#[tool]
fn explode() {
    panic!("secret");
}

/// Says in what run it is, on its thread.
#[tool]
fn user() -> String {
    RunContext::current().user_id().unwrap_or("-").to_owned()
}

#[tokio::test]
async fn code_around_a_call_sees_it_and_its_outcome() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&log);
    let host = tools![first, fail, explode, user, named]
        .prefix_tools("w_")
        .unwrap()
        .wrap_calls(move |call: Wrapped| {
            let log = Arc::clone(&kept);
            async move {
                let line =
                    format!("{} {} {}", call.info().tool_name, call.definition().name, call.arguments().to_text());
                let outcome = call.run().await;
                let how = outcome.as_ref().map_or_else(CallError::kind, |_| "ok");
                log.lock().unwrap().push(format!("{line} {how}"));
                outcome
            }
        })
        .unwrap();
    let dispatcher = Dispatcher::new(host).unwrap().with_context(RunContext::new().with_user_id("ada"));
    let mut texts = Vec::new();
    for name in ["w_first", "w_fail", "w_explode", "w_user"] {
        texts.push(dispatcher.call(call(name)).await.text().into_owned());
    }
    // What does not fit never comes to it.
    let refused = dispatcher.call(ToolCall::new("id", "w_named", r#"{"att": 1}"#)).await;
    assert_eq!(refused.outcome.unwrap_err().kind(), "bad_arguments");
    assert_eq!(texts, ["first", "no", "the tool `w_explode` stopped with an internal error", "ada"]);
    assert_eq!(
        *log.lock().unwrap(),
        ["w_first w_first {} ok", "w_fail w_fail {} failed", "w_explode w_explode {} panicked", "w_user w_user {} ok"]
    );
}

#[tokio::test]
async fn code_around_a_call_may_answer_in_its_place() {
    let host = tools![first, fail].wrap_calls(async |call: Wrapped| match call.info().tool_name.as_str() {
        "first" => Err(CallError::Failed(ToolError::new("not today"))),
        _ => call.run().await.or_else(|error| Ok(Output::text(format!("at least: {error}")))),
    });
    let host = host.unwrap();
    assert_eq!(host.call(call("first")).await.text(), "not today");
    assert_eq!(host.call(call("fail")).await.text(), "at least: no");
    let panics = tools![first].wrap_calls(async |_| panic!("secret")).unwrap();
    assert_eq!(panics.call(call("first")).await.text(), "the tool `first` stopped with an internal error");
}

/// Tells that it has begun, and waits to be let go.
type Gate = Mutex<Option<(oneshot::Sender<()>, std_mpsc::Receiver<()>)>>;

/// Blocks its thread until it is let go.
#[tool]
fn block(#[context] gate: &State<Gate>) {
    let (started, go) = gate.lock().unwrap().take().unwrap();
    started.send(()).unwrap();
    go.recv().unwrap();
}

#[tokio::test]
async fn of_a_thread_that_was_given_up_it_is_told_that_it_goes_on() {
    let (started, has_started) = oneshot::channel::<()>();
    let (go, let_go) = std_mpsc::channel::<()>();
    let token = crate::CancellationToken::new();
    let run = RunContext::new().with_state(Mutex::new(Some((started, let_go))));
    let host = tools![block].wrap_calls(Wrapped::run).unwrap().wrap_calls(Wrapped::run).unwrap();
    let dispatcher = Dispatcher::new(host).unwrap().with_context(run).with_cancellation(token.clone());
    let mut events = dispatcher.events();
    let running = tokio::spawn(async move { dispatcher.call(call("block")).await });
    has_started.await.unwrap();
    token.cancel();
    let result = running.await.unwrap();
    assert!(matches!(result.outcome, Err(CallError::Cancelled { blocking: true })), "{:?}", result.outcome);
    go.send(()).unwrap();
    let mut last = None;
    while let Some(event) = events.next().await {
        last = Some(event);
    }
    assert!(matches!(last, Some(CallEvent::End { outcome: "cancelled", .. })));
}
