//! What a recorder is told of calls.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::task::{Context, Waker};

use loom_runtime::prelude::*;
use loom_tests_observe::{dawdle, explode, fail, hang, say};
use metrics::{Counter, Gauge, Histogram, HistogramFn, Key, KeyName, Metadata, Recorder, SharedString, Unit};

/// Keeps every value by its name and labels.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<BTreeMap<String, Vec<f64>>>>);

struct Row {
    kept: Kept,
    name: String,
}

impl HistogramFn for Row {
    fn record(&self, value: f64) {
        self.kept.0.lock().unwrap().entry(self.name.clone()).or_default().push(value);
    }
}

impl Recorder for Kept {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        panic!("nothing is counted, but {key} is")
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        panic!("nothing is gauged, but {key} is")
    }

    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> Histogram {
        let labels = key.labels().map(|label| format!(" {}={}", label.key(), label.value()));
        let name = format!("{}{}", key.name(), labels.collect::<String>());
        Histogram::from_arc(Arc::new(Row { kept: self.clone(), name }))
    }
}

/// Does this on a stopped clock, and gives what was recorded.
fn recorded(work: impl AsyncFnOnce()) -> BTreeMap<String, Vec<f64>> {
    let kept = Kept::default();
    let executor = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    metrics::with_local_recorder(&kept, || executor.block_on(work()));
    drop(executor);
    Arc::into_inner(kept.0).expect("nobody records any more").into_inner().unwrap()
}

fn rows<const N: usize>(rows: [(&str, &[f64]); N]) -> BTreeMap<String, Vec<f64>> {
    let name = "gen_ai.execute_tool.duration gen_ai.operation.name=execute_tool gen_ai.tool.name=";
    rows.into_iter().map(|(labels, values)| (format!("{name}{labels}"), values.to_vec())).collect()
}

#[test]
fn every_call_is_recorded_once_by_its_tool_and_by_what_went_wrong() {
    let recorded = recorded(async || {
        let dispatcher = Dispatcher::new(tools![say, fail, explode, dawdle]).unwrap();
        let said = ["a", "b", "b", ""].map(|id| ToolCall::new(id, "say", r#"{"text": "x"}"#));
        let others = ["fail", "explode", "dawdle", "invented", "made_up"].map(|name| ToolCall::new("", name, "{}"));
        let refused = [ToolCall::new("", "say", "{}")];
        dispatcher.dispatch(said.into_iter().chain(others).chain(refused)).await;
    });
    assert_eq!(
        recorded,
        rows([
            ("say", &[0.0; 3]),
            ("say error.type=duplicate_id", &[0.0]),
            ("say error.type=bad_arguments", &[0.0]),
            ("fail error.type=failed", &[0.0]),
            ("explode error.type=panicked", &[0.0]),
            ("dawdle error.type=timed_out", &[2.0]),
            // However many names a model makes up, they are one.
            ("_OTHER error.type=unknown_tool", &[0.0; 2]),
        ])
    );
}

#[test]
fn a_call_that_is_dropped_was_cancelled() {
    let recorded = recorded(async || {
        let dispatcher = Dispatcher::new(tools![hang]).unwrap();
        let mut call = Box::pin(dispatcher.call(ToolCall::new("", "hang", "{}")));
        assert!(call.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        tokio::time::advance(std::time::Duration::from_secs(7)).await;
        drop(call);
        // One that never begins is no call.
        drop(dispatcher.call(ToolCall::new("", "hang", "{}")));
    });
    assert_eq!(recorded, rows([("hang error.type=cancelled", &[7.0])]));
}
