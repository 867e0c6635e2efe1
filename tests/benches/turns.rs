//! What a turn costs above its tasks. All calls of a turn are pending once.
//!
//! The floor is a bare `JoinSet`: a task each, which has its arguments already and does nothing with what it returns;
//! `join_all` runs all of them in one task.

use divan::Bencher;
use divan::counter::ItemsCount;
use futures_util::future;
use loom_runtime::{CallEvent, prelude::*};
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use crate::tools::{apart, yields};

mod turn {
    use super::*;

    const SIZES: [usize; 4] = [1, 8, 64, 1024];

    fn runtime() -> Runtime {
        tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap()
    }

    #[divan::bench(args = SIZES, sample_size = 4)]
    fn floor(bencher: Bencher<'_, '_>, calls: usize) {
        let runtime = runtime();
        bencher.counter(ItemsCount::new(calls)).bench(|| {
            runtime.block_on(async {
                let mut tasks = JoinSet::new();
                for number in 0..calls {
                    tasks.spawn(yields(number as u64));
                }
                tasks.join_all().await
            })
        });
    }

    #[divan::bench(args = SIZES, sample_size = 4)]
    fn join_all(bencher: Bencher<'_, '_>, calls: usize) {
        let runtime = runtime();
        bencher
            .counter(ItemsCount::new(calls))
            .bench(|| runtime.block_on(future::join_all((0..calls).map(|number| yields(number as u64)))));
    }

    fn turn(name: &str, calls: usize) -> Vec<ToolCall> {
        (0..calls).map(|n| ToolCall::new(n.to_string(), name, format!(r#"{{"n":{n}}}"#))).collect()
    }

    fn dispatcher() -> Dispatcher {
        Dispatcher::new(tools![yields, apart]).unwrap()
    }

    #[divan::bench(args = SIZES, sample_size = 4)]
    fn loom(bencher: Bencher<'_, '_>, calls: usize) {
        let (runtime, dispatcher) = (runtime(), dispatcher());
        bencher
            .counter(ItemsCount::new(calls))
            .with_inputs(|| turn("yields", calls))
            .bench_values(|calls| runtime.block_on(dispatcher.dispatch(calls)));
    }

    /// With a listener that hears every event while the turn runs.
    #[divan::bench(args = SIZES, sample_size = 4)]
    fn loom_heard(bencher: Bencher<'_, '_>, calls: usize) {
        let runtime = runtime();
        let dispatcher = dispatcher().with_event_capacity(4 * calls);
        let mut events = dispatcher.events();
        bencher.counter(ItemsCount::new(calls)).with_inputs(|| turn("yields", calls)).bench_local_values(|calls| {
            let due = calls.len();
            runtime.block_on(async {
                let listen = async {
                    let mut ends = 0;
                    while ends < due {
                        if let Some(CallEvent::End { .. }) = events.next().await {
                            ends += 1;
                        }
                    }
                };
                tokio::join!(dispatcher.dispatch(calls), listen).0
            })
        });
    }

    /// Calls that say what they touch, each something else.
    #[divan::bench(args = SIZES, sample_size = 4)]
    fn loom_apart(bencher: Bencher<'_, '_>, calls: usize) {
        let (runtime, dispatcher) = (runtime(), dispatcher());
        bencher
            .counter(ItemsCount::new(calls))
            .with_inputs(|| turn("apart", calls))
            .bench_values(|calls| runtime.block_on(dispatcher.dispatch(calls)));
    }
}
