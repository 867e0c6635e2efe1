//! What the number of tools costs.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use divan::Bencher;
use loom_runtime::{ToolQuery, prelude::*};
use schemars::JsonSchema;
use serde::Deserialize;

const SIZES: [usize; 3] = [1, 100, 10_000];

#[derive(Deserialize, JsonSchema)]
struct Number {
    n: u64,
}

fn host(tools: usize) -> InProcessToolHost {
    let tool =
        |number| Tool::from_fn(format!("tool_{number}"), "Gives the number back.", async |number: Number| number.n);
    InProcessToolHost::new((0..tools).map(tool).collect::<Result<Vec<_>, _>>().unwrap()).unwrap()
}

mod registry {
    use super::*;

    /// All tools, as a snapshot to look through.
    #[divan::bench(args = SIZES, sample_size = 50)]
    fn list(bencher: Bencher<'_, '_>, tools: usize) {
        let host = host(tools);
        bencher.bench(|| host.list_tools(&ToolQuery::all()));
    }

    /// The same, and every definition looked at.
    #[divan::bench(args = SIZES, sample_size = 4)]
    fn list_and_read(bencher: Bencher<'_, '_>, tools: usize) {
        let host = host(tools);
        bencher.bench(|| {
            host.list_tools(&ToolQuery::all()).iter().map(|tool| tool.definition().name.len()).sum::<usize>()
        });
    }

    /// A call of the last tool.
    #[divan::bench(args = SIZES, sample_size = 50)]
    fn call(bencher: Bencher<'_, '_>, tools: usize) {
        let host = host(tools);
        let name = format!("tool_{}", tools.saturating_sub(1));
        bencher.with_inputs(|| ToolCall::new("call_1", &*name, r#"{"n":7}"#)).bench_values(|call| {
            let Poll::Ready(result) = pin!(host.call(call)).poll(&mut Context::from_waker(Waker::noop())) else {
                unreachable!("the tool waits for nothing")
            };
            result
        });
    }
}
