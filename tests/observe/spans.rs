//! What a subscriber sees of calls.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::pin::Pin;
use std::sync::{Arc, LazyLock, Mutex};
use std::task::Poll;

use loom_runtime::RunContext;
use loom_runtime::prelude::*;
use loom_tests_observe::{dawdle, explode, fail, hang, say};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Instrument, Subscriber, info_span};
use tracing_subscriber::Registry;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::registry::{LookupSpan, SpanRef};

/// Every span there was in this process, by its number: a subscriber uses the ids of closed spans again.
#[derive(Clone, Default)]
struct Spans(Arc<Mutex<Vec<Seen>>>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Number(usize);

#[derive(Clone, Debug, Default)]
struct Seen {
    parent: Option<Number>,
    name: &'static str,
    fields: BTreeMap<&'static str, String>,
    closed: bool,
}

impl Visit for Seen {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.fields.insert(field.name(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.fields.insert(field.name(), value.to_owned());
    }
}

fn number<S: for<'a> LookupSpan<'a>>(span: &SpanRef<'_, S>) -> Number {
    *span.extensions().get().unwrap()
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Spans {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let span = context.span(id).unwrap();
        let parent = span.parent().map(|parent| number(&parent));
        let mut seen = Seen { parent, name: attributes.metadata().name(), ..Seen::default() };
        attributes.record(&mut seen);
        let mut spans = self.0.lock().unwrap();
        span.extensions_mut().insert(Number(spans.len()));
        spans.push(seen);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Number(at) = number(&context.span(id).unwrap());
        values.record(&mut self.0.lock().unwrap()[at]);
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let Number(at) = number(&context.span(&id).unwrap());
        self.0.lock().unwrap()[at].closed = true;
    }
}

/// Does this in a span, and gives the spans inside, in the order in which they began; the parents are places in it.
async fn spans_of<T>(work: impl Future<Output = T>) -> Vec<Seen> {
    static SPANS: LazyLock<Spans> = LazyLock::new(|| {
        let spans = Spans::default();
        tracing::subscriber::set_global_default(tracing_subscriber::registry().with(spans.clone())).unwrap();
        spans
    });
    let spans = &SPANS.0;
    let mut root = None;
    {
        let span = info_span!("root");
        span.with_subscriber(|(id, subscriber)| {
            let span = subscriber.downcast_ref::<Registry>().unwrap().span(id).unwrap();
            root = Some(number(&span));
        });
        work.instrument(span).await;
    }
    let mut inside = vec![root.unwrap()];
    let mut seen = Vec::new();
    for (at, span) in spans.lock().unwrap().iter().enumerate() {
        let parent = inside.iter().position(|one| Some(*one) == span.parent);
        if let Some(parent) = parent {
            inside.push(Number(at));
            seen.push(Seen { parent: Some(Number(parent)), ..span.clone() });
        }
    }
    seen
}

/// The spans as lines: the place of the parent (0 is the root), the name, what was recorded, whether it is closed.
fn lines(spans: &[Seen]) -> Vec<String> {
    let line = |span: &Seen| {
        let fields: Vec<_> = span.fields.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let Number(parent) = span.parent.unwrap();
        format!("{parent} {} {}{}", span.name, fields.join(" "), if span.closed { "" } else { " (open)" })
    };
    spans.iter().map(line).collect()
}

#[tokio::test]
async fn a_call_has_a_span_with_the_names_of_the_conventions() {
    let dispatcher = Dispatcher::new(tools![say]).unwrap();
    let call = || dispatcher.call(ToolCall::new("call_1", "say", r#"{"text": "x"}"#));
    assert_eq!(
        lines(&spans_of(call()).await),
        ["0 execute_tool gen_ai.operation.name=execute_tool gen_ai.tool.call.id=call_1 gen_ai.tool.name=say \
          gen_ai.tool.type=function otel.name=execute_tool say"]
    );
    let session = RunContext::new().with_session_id("session_1");
    let spans = spans_of(session.scope(call())).await;
    assert_eq!(spans[0].fields.get("gen_ai.conversation.id").map(String::as_str), Some("session_1"));
}

/// For each span: the tool, and how its call ended.
fn ends(spans: &[Seen]) -> Vec<String> {
    let field = |span: &Seen, name| span.fields.get(name).cloned().unwrap_or_default();
    let end = |span: &Seen| {
        let names = ["gen_ai.tool.name", "error.type", "otel.status_code"];
        format!("{} {}", names.map(|name| field(span, name)).join(" "), span.closed)
    };
    spans.iter().map(end).collect()
}

#[tokio::test(start_paused = true)]
async fn the_span_says_how_the_call_ended() {
    let dispatcher = Dispatcher::new(tools![say, fail, explode, dawdle, hang]).unwrap();
    let spans = spans_of(async {
        for name in ["fail", "explode", "dawdle", "invented", "say"] {
            let _result = dispatcher.call(ToolCall::new("", name, "{}")).await;
        }
        let mut dropped = Box::pin(dispatcher.call(ToolCall::new("", "hang", "{}")));
        assert!(poll_once(dropped.as_mut()).await.is_pending());
        drop(dropped);
        let same = ["a", "a"].map(|id| ToolCall::new(id, "say", r#"{"text": "x"}"#));
        dispatcher.dispatch(same).await;
    });
    assert_eq!(
        ends(&spans.await),
        [
            "fail failed ERROR true",
            "explode panicked ERROR true",
            "dawdle timed_out ERROR true",
            "invented unknown_tool ERROR true",
            "say bad_arguments ERROR true",
            "hang cancelled ERROR true",
            "say duplicate_id ERROR true",
            "say   true",
        ]
    );
}

async fn poll_once<F: Future>(mut future: Pin<&mut F>) -> Poll<F::Output> {
    std::future::poll_fn(|cx| Poll::Ready(future.as_mut().poll(cx))).await
}

/// Notes where it is, before and after it waited.
#[tool]
async fn in_async() {
    let _before = info_span!("async, before");
    tokio::task::yield_now().await;
    let _after = info_span!("async, after");
}

/// Notes where it is on a thread.
#[tool]
fn in_blocking() {
    let _here = info_span!("blocking");
}

/// Notes where it is inline.
#[tool(blocking = false)]
fn in_inline() {
    let _here = info_span!("inline");
}

/// Notes where it is while it is dropped.
#[tool(timeout = "1s")]
async fn in_drop() {
    struct Notes;
    impl Drop for Notes {
        fn drop(&mut self) {
            let _here = info_span!("dropped");
        }
    }
    let _notes = Notes;
    std::future::pending::<()>().await;
}

/// Makes calls of its own.
#[tool]
async fn in_nested() {
    let dispatcher = Dispatcher::new(tools![in_blocking, in_inline]).unwrap();
    dispatcher.dispatch(["in_blocking", "in_inline"].map(|name| ToolCall::new("", name, "{}"))).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_a_tool_traces_is_inside_the_span_of_its_call() {
    let dispatcher = Dispatcher::new(tools![in_async, in_blocking, in_inline, in_drop, in_nested]).unwrap();
    let names = ["in_async", "in_blocking", "in_inline", "in_drop", "in_nested"];
    let spans = spans_of(dispatcher.dispatch(names.map(|name| ToolCall::new("", name, "{}")))).await;
    // By the names on the way from the root, since the calls run beside each other.
    let mut paths: Vec<String> = Vec::new();
    for span in &spans {
        let Number(parent) = span.parent.unwrap();
        let before = parent.checked_sub(1).map(|at| format!("{} > ", paths[at])).unwrap_or_default();
        let own = span.fields.get("gen_ai.tool.name").map_or(span.name, String::as_str);
        paths.push(format!("{before}{own}"));
    }
    paths.sort_unstable();
    assert_eq!(
        paths,
        [
            "in_async",
            "in_async > async, after",
            "in_async > async, before",
            "in_blocking",
            "in_blocking > blocking",
            "in_drop",
            "in_drop > dropped",
            "in_inline",
            "in_inline > inline",
            "in_nested",
            "in_nested > in_blocking",
            "in_nested > in_blocking > blocking",
            "in_nested > in_inline",
            "in_nested > in_inline > inline",
        ]
    );
    assert!(spans.iter().all(|span| span.closed));
}
