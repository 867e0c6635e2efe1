//! Whatever happens inside a turn, each call gets exactly one true answer, in order and as early as possible.
//!
//! Random turns run under a clock that stands still until everybody waits, and are held against a model of what was
//! promised: [`plan`] is what is done, [`act`] does it, [`model`] says what has to come of it, [`play`] lets it happen.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod act;
mod model;
mod plan;
mod play;

use std::collections::BTreeMap;

use loom_runtime::CallEvent;
use proptest::prelude::*;

use crate::model::{Expected, expected};
use crate::plan::{Having, Plan, Then, plans};
use crate::play::{By, Played, play};

const EVERYTHING: Having = Having { limits: false, instant: true };
const LIMITED: Having = Having { limits: true, instant: false };
const ALL: Having = Having { limits: true, instant: true };

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { max_global_rejects: cases * 20, failure_persistence: None, ..ProptestConfig::with_cases(cases) }
}

/// What holds for all turns, whatever is determined of them.
fn is_sound(plan: &Plan, played: &Played) -> Result<(), TestCaseError> {
    let answered: Vec<_> = played.answers.iter().map(|answer| (&*answer.id, &*answer.name)).collect();
    let called: Vec<_> = plan.calls.iter().map(|call| (&*call.id, call.name())).collect();
    prop_assert_eq!(answered, called);
    keeps_to_its_order(plan, played)?;
    for answer in &played.answers {
        let events = &played.events[&answer.number];
        prop_assert_eq!(events.last().unwrap().1.clone(), answer.end.clone());
    }
    Ok(())
}

/// What holds even if nobody waits for the end.
fn keeps_to_its_order(plan: &Plan, played: &Played) -> Result<(), TestCaseError> {
    prop_assert_eq!((played.alive, played.tasks), (0, 0), "something outlived the turn");
    for (number, events) in &played.events {
        let is_start = |event: &CallEvent| matches!(event, CallEvent::Start { .. });
        let is_end = |event: &CallEvent| matches!(event, CallEvent::End { .. });
        let count = |is: &dyn Fn(&CallEvent) -> bool| events.iter().filter(|(_, event)| is(event)).count();
        prop_assert_eq!((count(&is_start), count(&is_end)), (1, 1), "call {} tells {:?}", number, events);
        prop_assert!(is_start(&events[0].1) && is_end(&events.last().unwrap().1));
    }
    let of = |index: usize| played.runs.iter().filter(move |run| run.number == index);
    for (later, before) in plan.before().into_iter().enumerate() {
        for earlier in before {
            let ended = of(earlier).map(|run| run.order.1).max();
            let began = of(later).map(|run| run.order.0).min();
            if let (Some(ended), Some(began)) = (ended, began) {
                prop_assert!(ended < began, "call {later} began before call {earlier} ended");
            }
        }
    }
    for index in 0..plan.calls.len() {
        let last = plan.cancelled(index).into_iter().chain(plan.end()).min().unwrap_or(u64::MAX);
        for run in of(index) {
            prop_assert!(run.began <= last && run.ended <= last, "call {index} ran {run:?} beyond {last}");
        }
    }
    let many = |of: &dyn Fn(usize) -> bool| {
        let own = played.runs.iter().filter(|run| run.number != usize::MAX && of(run.number));
        let mut changes: Vec<_> = own.flat_map(|run| [(run.order.0, 1_i32), (run.order.1, -1)]).collect();
        changes.sort_unstable();
        let add = |now: &mut i32, (_, change): &(usize, i32)| {
            *now += change;
            Some(*now)
        };
        changes.iter().scan(0, add).max().unwrap_or(0)
    };
    let within = |most: Option<usize>, many: i32| most.is_none_or(|most| usize::try_from(many).unwrap() <= most);
    prop_assert!(within(plan.turn_concurrency, many(&|_| true)));
    prop_assert!(within(plan.concurrency, many(&|_| true)));
    for kind in &plan::KINDS {
        prop_assert!(within(kind.concurrency, many(&|index| plan.calls[index].kind.name == kind.name)));
    }
    Ok(())
}

/// What the events of a call say that comes to its end.
fn told(expected: &Expected) -> Vec<(u64, String)> {
    let mut told = vec![(expected.start, "start".to_owned())];
    if expected.kind == "bad_arguments" {
        told.push((expected.end, "problems".to_owned()));
    }
    let failed = |(attempt, delay): &(u32, u64)| {
        let (_, ended) = expected.runs[usize::try_from(*attempt).unwrap() - 1];
        (ended, format!("retry {attempt} after {delay}"))
    };
    told.extend(expected.retries.iter().map(failed));
    told.push((expected.end, format!("end {} after {}", expected.kind, expected.end - expected.start)));
    told
}

fn heard(events: &[(u64, CallEvent)]) -> Vec<(u64, String)> {
    let text = |event: &CallEvent| match event {
        CallEvent::Start { .. } => "start".to_owned(),
        CallEvent::Problems { .. } => "problems".to_owned(),
        CallEvent::Retry { attempt, delay, .. } => format!("retry {attempt} after {}", delay.as_millis()),
        CallEvent::End { outcome, duration, .. } => format!("end {outcome} after {}", duration.as_millis()),
        other => format!("{other:?}"),
    };
    events.iter().map(|(time, event)| (*time, text(event))).collect()
}

/// The attempts of each call, as far as they came.
fn ran(played: &Played, count: usize) -> Vec<Vec<(u64, u64)>> {
    let mut ran = vec![Vec::new(); count];
    let mut runs = played.runs.clone();
    runs.sort_unstable_by_key(|run| run.order.0);
    for run in runs.iter().filter(|run| run.number != usize::MAX) {
        ran[run.number].push((run.began, run.ended));
    }
    ran
}

fn is_exact(plan: &Plan, played: &Played) -> Result<(), TestCaseError> {
    let Some(expected) = expected(plan) else { return Err(TestCaseError::reject("not determined")) };
    let runs = ran(played, plan.calls.len());
    for (index, (expected, answer)) in expected.iter().zip(&played.answers).enumerate() {
        prop_assert_eq!((answer.kind, answer.attempts), (expected.kind, expected.attempts), "call {}", index);
        if let Some(at) = answer.at {
            prop_assert_eq!(at, expected.end, "the answer to call {}", index);
        }
        prop_assert_eq!(&runs[index], &expected.runs, "call {}", index);
        prop_assert_eq!(heard(&played.events[&answer.number]), told(expected), "call {}", index);
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(1_500))]

    #[test]
    fn a_turn_comes_out_as_promised(plan in plans(EVERYTHING)) {
        let played = play(&plan, By::Results);
        is_sound(&plan, &played)?;
        is_exact(&plan, &played)?;
    }

    #[test]
    fn results_that_are_taken_one_by_one_are_the_same_and_come_when_they_are_there(plan in plans(EVERYTHING)) {
        let played = play(&plan, By::Next);
        is_sound(&plan, &played)?;
        is_exact(&plan, &played)?;
    }

    #[test]
    fn limits_let_calls_in_as_they_come(plan in plans(LIMITED)) {
        let played = play(&plan, By::Next);
        is_sound(&plan, &played)?;
        is_exact(&plan, &played)?;
    }

    #[test]
    fn each_call_has_one_answer_whatever_comes_together(plan in plans(ALL)) {
        is_sound(&plan, &play(&plan, By::Results))?;
        is_sound(&plan, &play(&plan, By::Next))?;
    }

    #[test]
    fn a_turn_that_is_dropped_leaves_nothing_behind(plan in plans(EVERYTHING), at in 0_u64..500) {
        let played = play(&plan, By::DroppedAt(at));
        keeps_to_its_order(&plan, &played)?;
        let Some(expected) = expected(&plan) else { return Err(TestCaseError::reject("not determined")) };
        let runs = ran(&played, plan.calls.len());
        for (index, expected) in expected.iter().enumerate() {
            let times = [expected.start, expected.end].into_iter().chain(expected.runs.iter().flat_map(|&(a, b)| [a, b]));
            if times.into_iter().any(|time| time == at) {
                return Err(TestCaseError::reject("dropped while something happens"));
            }
            let heard = played.events.get(&(index as u64 + 1)).map(|events| heard(events)).unwrap_or_default();
            let mut told = told(expected);
            if at < expected.start {
                told.clear();
            } else if at < expected.end {
                told.retain(|(time, _)| *time < at);
                told.push((at, format!("end cancelled after {}", at - expected.start)));
            }
            prop_assert_eq!(heard, told, "call {}", index);
            let before_drop: Vec<_> = expected.runs.iter().filter(|run| run.0 < at).map(|run| (run.0, run.1.min(at))).collect();
            prop_assert_eq!(&runs[index], &before_drop, "call {}", index);
        }
    }

    #[test]
    fn a_limited_turn_that_is_dropped_leaves_nothing_behind(plan in plans(ALL), at in 0_u64..500) {
        keeps_to_its_order(&plan, &play(&plan, By::DroppedAt(at)))?;
    }
}

/// Most plans have to be determined, and all that can become of a call has to come up, or nothing is shown.
#[test]
fn the_plans_cover_what_can_happen() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    let mut runner = TestRunner::deterministic();
    for (having, least) in [(EVERYTHING, 850), (LIMITED, 600)] {
        let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
        let (mut determined, mut waited, mut retried, mut panicked_in_drop) = (0, 0, 0, 0);
        for _ in 0..1_000 {
            let plan = plans(having).new_tree(&mut runner).unwrap().current();
            let Some(expected) = expected(&plan) else { continue };
            determined += 1;
            for (expected, call) in expected.iter().zip(&plan.calls) {
                *kinds.entry(expected.kind).or_default() += 1;
                waited += usize::from(expected.start > 0);
                retried += usize::from(expected.attempts > 1);
                panicked_in_drop += usize::from(call.steps[0].then == Then::PanicInDrop);
            }
        }
        eprintln!("{having:?}: {determined} determined, {kinds:?}, {waited} waited, {retried} tried again");
        assert!(determined >= least, "{determined} of 1000 are determined");
        let all = ["ok", "failed", "timed_out", "out_of_time", "cancelled", "panicked"];
        let instant = ["unknown_tool", "bad_arguments", "duplicate_id"];
        let needed = all.iter().chain(instant.iter().filter(|_| having.instant));
        for kind in needed {
            assert!(kinds.get(kind).is_some_and(|count| *count >= 30), "{kind}: {kinds:?}");
        }
        assert!(waited > 500 && retried > 200 && panicked_in_drop > 100);
    }
}
