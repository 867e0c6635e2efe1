#![expect(clippy::unused_async, reason = "the tools stand for such as await")]

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use futures_core::Stream;
use loom_core::{
    IntoTools, Tool, ToolCall, ToolChange, ToolDef, ToolHost, ToolList, ToolQuery, ToolWatch, tool, tools,
};
use tokio::sync::Notify;

use super::InProcessToolHost;
use crate::{Dispatcher, HostExt, RunContext, State};

mod changing;
mod composed;

/// Says who it is.
#[tool(tags("identity"))]
async fn first() -> &'static str {
    "first"
}

/// Says who it is.
#[tool(name = "first")]
async fn other_first() -> &'static str {
    "other"
}

/// Does nothing of note.
#[tool(title = "The Second")]
async fn second() {}

fn names(list: &ToolList) -> Vec<&str> {
    list.iter().map(Tool::name).collect()
}

#[test]
fn names_are_distinct_unless_a_tool_is_replaced() {
    let refused = InProcessToolHost::new(tools![first, other_first]).unwrap_err();
    assert_eq!(refused.to_string(), "there is already a tool named `first`");

    let host = InProcessToolHost::new(tools![first, second]).unwrap();
    assert_eq!(host.register(other_first::tool()).unwrap_err(), refused);
    assert_eq!(host.len(), 2);
    assert_eq!(host.replace(other_first::tool()).unwrap().name(), "first");
    // A replacement stands where the replaced tool stood.
    assert_eq!(names(&host.list_tools(&ToolQuery::all())), ["first", "second"]);
    assert!(host.unregister("first").is_some());
    assert!(host.unregister("first").is_none());
    assert_eq!(names(&host.list_tools(&ToolQuery::all())), ["second"]);
    assert!(host.replace(first::tool()).is_none());
    assert_eq!(names(&host.list_tools(&ToolQuery::all())), ["second", "first"]);
    assert_eq!(host.get("first").unwrap().name(), "first");
    assert!(!host.is_empty());
}

#[test]
fn tools_come_as_one_as_an_array_as_a_vec_or_as_a_host() {
    fn taken(tools: impl IntoTools) -> Vec<String> {
        let host = tools.into_host().unwrap();
        host.list_tools(&ToolQuery::all()).iter().map(|tool| tool.name().to_owned()).collect()
    }
    assert_eq!(taken(first::tool()), ["first"]);
    assert_eq!(taken([second::tool(), first::tool()]), ["second", "first"]);
    assert_eq!(taken(tools![first, second]), ["first", "second"]);
    assert_eq!(taken(tools![]), Vec::<String>::new());
    let host = Arc::new(InProcessToolHost::new(first::tool()).unwrap());
    let shared: Arc<dyn ToolHost> = Arc::<InProcessToolHost>::clone(&host);
    assert_eq!(taken(shared), ["first"]);
    assert_eq!(taken(ToolList::new(tools![second]).unwrap()), ["second"]);

    // A host given as tools stays the host that it is.
    let seen = Arc::clone(&host).into_host().unwrap();
    host.register(second::tool()).unwrap();
    assert_eq!(names(&seen.list_tools(&ToolQuery::all())), ["first", "second"]);
}

#[test]
fn a_query_finds_by_text_and_tags() {
    let host = InProcessToolHost::new(tools![first, second]).unwrap();
    let found = |query: ToolQuery| names(&host.list_tools(&query)).join(" ");
    assert_eq!(found(ToolQuery::all()), "first second");
    assert_eq!(found(ToolQuery::all().with_text("SAYS")), "first");
    assert_eq!(found(ToolQuery::all().with_text("the second")), "second");
    assert_eq!(found(ToolQuery::all().with_tag("identity")), "first");
    assert_eq!(found(ToolQuery::all().with_tag("identity").with_tag("x")), "");
    assert_eq!(found(ToolQuery::all().with_text("nothing").with_tag("identity")), "");
}

#[tokio::test]
async fn tools_come_and_go_while_calls_run() {
    /// Waits to be told.
    #[tool]
    async fn wait(#[context] gate: State<Gate>) -> &'static str {
        gate.inside.notify_one();
        gate.open.notified().await;
        "ended"
    }
    #[derive(Default)]
    struct Gate {
        inside: Notify,
        open: Notify,
    }

    let gate = Arc::new(Gate::default());
    let host = Arc::new(InProcessToolHost::new(tools![wait]).unwrap());
    let dispatcher = Dispatcher::new(Arc::clone(&host)).unwrap();
    let dispatcher = dispatcher.with_context(RunContext::new().with_shared_state(Arc::clone(&gate)));
    let running = dispatcher.clone();
    let turn = tokio::spawn(async move { running.call(ToolCall::new("1", "wait", "{}")).await });
    gate.inside.notified().await;
    host.unregister("wait").unwrap();
    host.register(first::tool()).unwrap();
    assert_eq!(dispatcher.call(ToolCall::new("2", "wait", "{}")).await.text(), "there is no tool named `wait`");
    assert_eq!(host.call(ToolCall::new("3", "first", "{}")).await.text(), "first");
    gate.open.notify_one();
    assert_eq!(turn.await.unwrap().text(), "ended");
}

/// The changes that are there to be read, and whether the stream has ended.
fn read(watch: &mut ToolWatch) -> (Vec<String>, bool) {
    let mut changes = Vec::new();
    loop {
        match Pin::new(&mut *watch).poll_next(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(Some(change)) => changes.push(match &change {
                ToolChange::Added(tool) => format!("+{}", tool.name()),
                ToolChange::Updated(tool) => format!("~{}", tool.name()),
                ToolChange::Removed(name) => format!("-{name}"),
                _ => unreachable!("there is no other change"),
            }),
            Poll::Ready(None) => return (changes, true),
            Poll::Pending => return (changes, false),
        }
    }
}

#[test]
fn a_watch_reports_every_change_in_order_and_ends_with_the_host() {
    let host = InProcessToolHost::new(tools![first]).unwrap();
    let mut watch = host.watch();
    assert_eq!(read(&mut watch), (vec![], false));
    host.register(second::tool()).unwrap();
    host.register(second::tool()).unwrap_err();
    host.replace(other_first::tool());
    let mut late = host.watch();
    host.unregister("second");
    host.unregister("second");
    host.register(second::tool()).unwrap();
    let all = ["+second", "~first", "-second", "+second"].map(str::to_owned).to_vec();
    assert_eq!(read(&mut watch), (all.clone(), false));
    assert_eq!(read(&mut late), (all[2..].to_vec(), false));
    host.unregister("first");
    drop(host);
    assert_eq!(read(&mut watch), (vec!["-first".to_owned()], true));
    assert_eq!(read(&mut late), (vec!["-first".to_owned()], true));
}

#[tokio::test]
async fn a_watcher_that_waits_is_woken() {
    let host = Arc::new(InProcessToolHost::new(tools![]).unwrap());
    let mut watch = host.watch();
    let waiting = tokio::spawn(async move {
        let change = watch.next().await;
        let end = watch.next().await;
        (change.map(|change| change.name().to_owned()), end.is_none())
    });
    tokio::task::yield_now().await;
    host.register(first::tool()).unwrap();
    tokio::task::yield_now().await;
    drop(host);
    assert_eq!(waiting.await.unwrap(), (Some("first".to_owned()), true));
}

#[test]
fn a_watcher_that_never_reads_keeps_no_more_than_what_became_of_each_tool() {
    let named =
        |name: String| Tool::new(ToolDef::new(name, "A tool.", first::tool().definition().input_schema.clone()), Echo);
    let host = InProcessToolHost::new(tools![first, second]).unwrap();
    let mut watch = host.watch();
    host.unregister("second");
    host.register(named("kept".into())).unwrap();
    for round in 0..10_000 {
        host.register(named(format!("passing_{round}"))).unwrap();
        host.unregister(&format!("passing_{round}")).unwrap();
        host.replace(named("kept".into()));
    }
    host.unregister("first");
    host.register(second::tool()).unwrap();
    let (changes, ended) = read(&mut watch);
    assert!(!ended);
    assert!(changes.len() < 3_000, "{}", changes.len());
    // Applied to the tools that were there, the changes give the tools that are.
    let mut seen = std::collections::BTreeSet::from(["first".to_owned(), "second".to_owned()]);
    for change in changes {
        let (sign, name) = change.split_at(1);
        match sign {
            "+" => assert!(seen.insert(name.to_owned()), "{change}"),
            "-" => assert!(seen.remove(name), "{change}"),
            _ => assert!(seen.contains(name), "{change}"),
        }
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), ["kept", "second"]);
}

struct Echo;

impl loom_core::ToolHandler for Echo {
    fn prepare(
        &self,
        _: &loom_core::Arguments,
        _: &loom_core::CallContext<'_>,
    ) -> Result<loom_core::Prepared, loom_core::CallError> {
        Ok(loom_core::Prepared::new(loom_core::Work::Inline(Box::new(|| Ok(loom_core::Output::nothing())))))
    }
}
