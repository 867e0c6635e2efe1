//! What a call costs above the function itself: from the text of the arguments to the text of the result.
//!
//! In every group `floor` is what a program without loom would write: `serde_json` into a struct, the function awaited,
//! `serde_json` out. Calls, with the strings that they own, are made outside of what is measured, and results are
//! dropped outside of it. The text of a refusal is part of what is measured, as a model has to read it.

use std::borrow::Cow;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use divan::{Bencher, black_box};
use loom_runtime::prelude::*;
use serde::Deserialize;
use serde_json::Value;

use crate::tools::{Filter, Sort, add, bounded, search, yields};

/// Runs the groups that the command line names, all where it names none. How many calls a sample has is said at each
/// benchmark: said here, it would override them, and a turn is far longer than a call.
pub(crate) fn run(samples: u32) {
    divan::Divan::default().sample_count(samples).config_with_args().main();
}

const ADD: &str = r#"{"a":2,"b":3}"#;
const ADD_AS_TEXT: &str = r#"{"a":"2","b":"3"}"#;
const SEARCH: &str = r#"{"query":"loom weaving","limit":10,"tags":["rust","tools"],"filter":{"field":"title","equals":"loom","negate":false},"sort":[{"by":"date","descending":true},{"by":"score","descending":false}]}"#;
/// The limit as a text, and a name in another letter case.
const SEARCH_TO_COERCE: &str = r#"{"query":"loom weaving","limit":"10","tags":["rust","tools"],"filter":{"field":"Title","equals":"loom","negate":false},"sort":[{"by":"date","descending":true},{"by":"score","descending":false}]}"#;
/// A number for a text, a text for a number, and a name that is none.
const SEARCH_WRONG: &str = r#"{"query":7,"limit":"ten","tags":["rust","tools"],"filter":{"field":"titel","equals":"loom","negate":false},"sort":[{"by":"date","descending":true},{"by":"score","descending":false}]}"#;
const SEARCH_CUT_OFF: &str = r#"{"query":"loom weaving","limit":10,"tags":["rust","tools"],"filter":{"field":"title","equals":"loom","negate":false},"sort":[{"by":"date","descending":true},{"by":"sco"#;

#[derive(Deserialize)]
struct AddArguments {
    a: i64,
    b: i64,
}

#[derive(Deserialize)]
struct SearchArguments {
    query: String,
    #[serde(default = "five")]
    limit: u32,
    tags: Vec<String>,
    filter: Filter,
    sort: Vec<Sort>,
}

fn five() -> u32 {
    5
}

/// The value of a future that is ready at once: no executor is measured, on neither side.
fn ready<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => unreachable!("these functions wait for nothing"),
    }
}

fn add_written_out(arguments: AddArguments) -> String {
    serde_json::to_string(&ready(add(arguments.a, arguments.b))).unwrap()
}

fn search_written_out(arguments: SearchArguments) -> String {
    let SearchArguments { query, limit, tags, filter, sort } = arguments;
    serde_json::to_string(&ready(search(query, limit, tags, filter, sort))).unwrap()
}

fn floor_of_add(bencher: Bencher<'_, '_>) {
    bencher.bench(|| add_written_out(serde_json::from_str(black_box(ADD)).unwrap()));
}

fn floor_of_search(bencher: Bencher<'_, '_>) {
    bencher.bench(|| search_written_out(serde_json::from_str(black_box(SEARCH)).unwrap()));
}

/// One call through a host with four tools.
fn call(bencher: Bencher<'_, '_>, name: &str, arguments: impl Into<loom_runtime::Arguments> + Clone + Sync) {
    let host = InProcessToolHost::new(tools![add, search, bounded, yields]).unwrap();
    bencher.with_inputs(|| ToolCall::new("call_1", name, arguments.clone())).bench_values(|call| {
        let result = ready(host.call(call));
        // A success holds its text already; a refusal writes it when asked.
        let written = match result.text() {
            Cow::Owned(text) => Some(text),
            Cow::Borrowed(_) => None,
        };
        (result, written)
    });
}

macro_rules! groups {
    ($($group:ident: $floor:ident, $tool:literal, $arguments:expr;)*) => {$(
        mod $group {
            use super::*;

            #[divan::bench(sample_size = 50)]
            fn floor(bencher: Bencher<'_, '_>) {
                $floor(bencher);
            }

            #[divan::bench(sample_size = 50)]
            fn loom(bencher: Bencher<'_, '_>) {
                call(bencher, $tool, $arguments);
            }
        }
    )*};
}

groups! {
    add_as_sent: floor_of_add, "add", ADD;
    add_coerced: floor_of_add, "add", ADD_AS_TEXT;
    search_as_sent: floor_of_search, "search", SEARCH;
    search_bounded: floor_of_search, "bounded", SEARCH;
    search_coerced: floor_of_search, "search", SEARCH_TO_COERCE;
    search_refused: floor_of_search, "search", SEARCH_WRONG;
    search_cut_off: floor_of_search, "search", SEARCH_CUT_OFF;
}

/// Arguments that the provider's client has parsed already.
mod search_from_value {
    use super::*;

    fn value() -> Value {
        serde_json::from_str(SEARCH).unwrap()
    }

    #[divan::bench(sample_size = 50)]
    fn floor(bencher: Bencher<'_, '_>) {
        bencher.with_inputs(value).bench_values(|value| search_written_out(serde_json::from_value(value).unwrap()));
    }

    #[divan::bench(sample_size = 50)]
    fn loom(bencher: Bencher<'_, '_>) {
        call(bencher, "search", value());
    }
}
