//! Very many calls in random turns with every fault that there is: each has its one answer, and memory stays.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use loom_runtime::{Backoff, CallError, prelude::*};

use crate::tools::{Numbers, act, alone, block, nest, read, write};
use crate::{HEAP, mebibytes, resident};

/// How much more the program may have allocated, and take of the machine, at the end than after the first quarter.
const HEAP_MAY_GROW: usize = 1 << 20;
const RESIDENT_MAY_GROW: usize = 16 << 20;

const AT_ONCE: usize = 8;
const KINDS: [&str; 10] = [
    "ok",
    "failed",
    "bad_arguments",
    "unknown_tool",
    "duplicate_id",
    "timed_out",
    "out_of_time",
    "cancelled",
    "panicked",
    "dropped",
];

pub(crate) fn run(calls: usize) {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(2).max_blocking_threads(16).enable_all().build().unwrap();
    println!("\n{calls} calls in random turns, {AT_ONCE} turns at a time, on two threads");
    println!("{:>12} {:>14} {:>14}", "calls", "heap KiB", "resident MiB");
    let told = Arc::new(Told::default());
    let backoff = Backoff::exact(Duration::from_micros(50), Duration::from_millis(1));
    let dispatcher = Dispatcher::new(tools![act, alone, read, write, block, nest]).unwrap().with_backoff(backoff);
    let dispatcher = dispatcher.with_timeout(Duration::from_millis(5));
    let start = Instant::now();
    let mut marks = Vec::new();
    for part in 0..20_u64 {
        runtime.block_on(async {
            let mut driving = tokio::task::JoinSet::new();
            for driver in 0..AT_ONCE {
                let numbers = Numbers::new(part * 1_000 + driver as u64 + 1);
                driving.spawn(drive(dispatcher.clone(), numbers, calls / 20 / AT_ONCE, Arc::clone(&told)));
            }
            driving.join_all().await;
            // Threads that were given up come to their end.
            tokio::time::sleep(Duration::from_millis(20)).await;
        });
        let (heap, resident) = (HEAP.allocated(), resident());
        println!("{:12} {:14} {:14.1}", told.all.load(Ordering::Relaxed), heap / 1024, mebibytes(resident));
        marks.push((heap, resident));
    }
    let all = told.all.load(Ordering::Relaxed);
    let seconds = start.elapsed().as_secs_f64();
    let mut answered = 0;
    for (kind, count) in KINDS.iter().zip(&told.kinds) {
        let count = count.load(Ordering::Relaxed);
        assert!(count > 0, "no call was {kind}");
        answered += count;
        println!("{kind:>16} {count:10}");
    }
    assert_eq!(answered, all, "each call has one answer");
    println!("{all} calls, one answer each, in {seconds:.1} s");
    let (early, late) = (marks[4], marks[19]);
    let (heap, resident) = (late.0.saturating_sub(early.0), late.1.saturating_sub(early.1));
    println!("since the first quarter the heap grew by {} KiB, the program by {} KiB", heap / 1024, resident / 1024);
    assert!(heap <= HEAP_MAY_GROW && resident <= RESIDENT_MAY_GROW, "memory grows");
}

#[derive(Default)]
struct Told {
    all: AtomicUsize,
    kinds: [AtomicUsize; KINDS.len()],
}

impl Told {
    fn count(&self, kind: &str, count: usize) {
        let place = KINDS.iter().position(|known| *known == kind);
        self.kinds[place.unwrap_or_else(|| unreachable!("no call is {kind}"))].fetch_add(count, Ordering::Relaxed);
    }
}

async fn drive(dispatcher: Dispatcher, mut numbers: Numbers, calls: usize, told: Arc<Told>) {
    let mut done = 0;
    while done < calls {
        let count = usize::try_from(1 + numbers.below(48)).unwrap();
        done += count;
        told.all.fetch_add(count, Ordering::Relaxed);
        turn(&dispatcher, &mut numbers, count, &told).await;
    }
}

fn call(number: usize, numbers: &mut Numbers) -> ToolCall {
    let tool = match numbers.below(64) {
        36..38 => "alone",
        38..46 => "read",
        46..52 => "write",
        52..56 => "block",
        56..60 => "nest",
        60 => "nobody",
        _ => "act",
    };
    let id = if numbers.below(50) == 0 { "again".to_owned() } else { format!("call_{number}") };
    let how = numbers.next();
    let arguments = match numbers.below(40) {
        0 => r#"{"how":-1}"#.to_owned(),
        1 => format!(r#"{{"how":"{how}","text":"a",}}"#),
        _ => format!(r#"{{"how":{how},"text":"{}"}}"#, numbers.below(6)),
    };
    ToolCall::new(id, tool, arguments)
}

async fn turn(dispatcher: &Dispatcher, numbers: &mut Numbers, count: usize, told: &Told) {
    let calls: Vec<_> = (0..count).map(|number| call(number, numbers)).collect();
    let ids: Vec<_> = calls.iter().map(|call| (call.id.clone(), call.name.clone())).collect();
    let mut dispatcher = dispatcher.clone();
    match numbers.below(8) {
        0 => dispatcher = dispatcher.with_turn_concurrency(NonZeroUsize::new(3).unwrap()),
        1 => dispatcher = dispatcher.with_concurrency(NonZeroUsize::new(4).unwrap()),
        2 => dispatcher = dispatcher.with_turn_timeout(Duration::from_millis(1)),
        _ => {}
    }
    let mut turn = dispatcher.turn(calls);
    let results = match numbers.below(8) {
        0 => {
            let within = Duration::from_micros(numbers.below(2_000));
            let Ok(results) = tokio::time::timeout(within, turn.results()).await else {
                return told.count("dropped", count);
            };
            results
        }
        1 => {
            let canceller = turn.canceller();
            let (at, wait) = (numbers.below(count as u64), Duration::from_micros(numbers.below(1_500)));
            let whole = numbers.below(2) == 0;
            let cancelling = async move {
                tokio::time::sleep(wait).await;
                if whole {
                    canceller.cancel();
                } else {
                    assert!(canceller.cancel_at(usize::try_from(at).unwrap()));
                }
            };
            tokio::join!(turn.results(), cancelling).0
        }
        2 => {
            let mut placed: Vec<Option<ToolResult>> = Vec::new();
            placed.resize_with(count, || None);
            while let Some((index, result)) = turn.next().await {
                assert!(placed[index].replace(result).is_none(), "a call has two answers");
            }
            placed.into_iter().map(Option::unwrap).collect()
        }
        _ => turn.results().await,
    };
    assert_eq!(results.len(), count);
    for (result, (id, name)) in results.iter().zip(&ids) {
        assert_eq!((&result.call_id, &result.tool_name), (id, name));
        told.count(result.outcome.as_ref().map_or_else(CallError::kind, |_| "ok"), 1);
    }
}
