//! The order against one that is found by comparing each call with each.

use std::collections::BTreeSet;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use loom_core::{Arguments, CallContext, CallError, Prepared, Schema, Tool, ToolDef, ToolHandler};
use proptest::prelude::*;
use serde_json::json;

use super::*;

/// Only the order is asked for.
struct Never;

impl ToolHandler for Never {
    fn prepare(&self, _: &Arguments, _: &CallContext<'_>) -> Result<Prepared, CallError> {
        Err(CallError::NoExecutor)
    }
}

fn tool(name: &'static str, reads: &[&'static str], writes: &[&'static str]) -> Tool {
    let schema = Schema::from_value(json!({
        "type": "object",
        "properties": {"path": {"type": "string"}, "to": {"type": "string"}, "paths": {"type": "array"}},
    }));
    let mut definition = ToolDef::new(name, "Does something.", schema);
    definition.reads = reads.iter().map(|&template| template.into()).collect();
    definition.writes = writes.iter().map(|&template| template.into()).collect();
    definition.flags.sequential = name == "alone";
    Tool::new(definition, Never)
}

fn tools() -> ToolList {
    ToolList::new(vec![
        tool("free", &[], &[]),
        tool("alone", &[], &[]),
        tool("read", &["{path}"], &[]),
        tool("write", &[], &["{path}"]),
        tool("copy", &["{path}"], &["{to}"]),
        tool("write_all", &[], &["{paths}"]),
    ])
    .unwrap()
}

/// A call as the oracle sees it.
#[derive(Debug, Clone, PartialEq)]
enum Does {
    Free,
    Unknown,
    Alone,
    /// Left out of the order.
    Skipped,
    /// The paths that it reads and writes.
    Touches(Vec<&'static str>, Vec<&'static str>),
    /// It reads what nobody can know, since the argument is missing.
    ReadsSomething,
}

impl Does {
    fn call(&self) -> ToolCall {
        let (name, arguments) = match self {
            Self::Free | Self::Skipped => ("free", json!({})),
            Self::Unknown => ("nobody", json!({})),
            Self::Alone => ("alone", json!({})),
            Self::ReadsSomething => ("read", json!({})),
            Self::Touches(reads, writes) => match (&reads[..], &writes[..]) {
                ([path], []) => ("read", json!({"path": path})),
                ([], [path]) => ("write", json!({"path": path})),
                ([path], [to]) => ("copy", json!({"path": path, "to": to})),
                (_, paths) => ("write_all", json!({"paths": paths})),
            },
        };
        ToolCall::new("", name, arguments)
    }

    fn touched(&self) -> Vec<(Place, bool)> {
        match self {
            Self::Touches(reads, writes) => {
                let reads = reads.iter().map(|path| (Place::of(path), false));
                reads.chain(writes.iter().map(|path| (Place::of(path), true))).collect()
            }
            Self::ReadsSomething => vec![(Place::Anywhere, false)],
            _ => Vec::new(),
        }
    }

    fn conflicts(&self, other: &Self) -> bool {
        let others = other.touched();
        self.touched().iter().any(|(place, writes)| {
            others.iter().any(|(other, also_writes)| (*writes || *also_writes) && place.overlaps(other))
        })
    }
}

/// What a path names.
#[derive(Debug, Clone, PartialEq)]
enum Place {
    Anywhere,
    Below { rooted: bool, parts: Vec<String> },
}

impl Place {
    fn of(path: &str) -> Self {
        let rooted = path.starts_with('/');
        let parts: Vec<_> =
            path.to_lowercase().split('/').filter(|part| !["", "."].contains(part)).map(str::to_owned).collect();
        if parts.iter().any(|part| part == "..") || (!rooted && parts.is_empty()) {
            return Self::Anywhere;
        }
        Self::Below { rooted, parts }
    }

    fn overlaps(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Below { rooted, parts }, Self::Below { rooted: other_rooted, parts: others }) => {
                rooted != other_rooted || parts.iter().zip(others).all(|(part, other)| part == other)
            }
            _ => true,
        }
    }
}

/// For each call those that have to be over before it begins, found by comparing each with each.
fn wanted(calls: &[Does]) -> Vec<BTreeSet<usize>> {
    let mut before = vec![BTreeSet::new(); calls.len()];
    // Neither runs, so it has nobody to wait for.
    let runs = |(_, call): &(usize, &Does)| !matches!(call, Does::Skipped | Does::Unknown);
    for (later, call) in calls.iter().enumerate().filter(runs) {
        for (earlier, other) in calls[..later].iter().enumerate().filter(runs) {
            if *call == Does::Alone || *other == Does::Alone || call.conflicts(other) {
                before[later].insert(earlier);
            }
        }
    }
    closed(before)
}

/// The same with everything that those wait for in turn.
fn closed(mut before: Vec<BTreeSet<usize>>) -> Vec<BTreeSet<usize>> {
    for later in 0..before.len() {
        let further: Vec<_> = before[later].iter().flat_map(|earlier| before[*earlier].clone()).collect();
        before[later].extend(further);
    }
    before
}

fn order(calls: &[Does]) -> Option<Order> {
    let made: Vec<_> = calls.iter().map(Does::call).collect();
    Order::of(&made, &tools(), |index| calls[index] == Does::Skipped)
}

/// For each call those that the order lets go before it.
fn found(calls: &[Does]) -> Vec<BTreeSet<usize>> {
    let mut before = vec![BTreeSet::new(); calls.len()];
    let Some(Order(nodes)) = order(calls) else { return before };
    for (earlier, node) in nodes.iter().enumerate() {
        for follower in &node.followers {
            assert!(before[*follower].insert(earlier), "{earlier} is waited for twice");
        }
    }
    for (index, node) in nodes.iter().enumerate() {
        assert_eq!(node.left.load(Ordering::Relaxed), before[index].len() + 1);
    }
    closed(before)
}

fn paths(rooted: bool) -> BoxedStrategy<&'static str> {
    const RELATIVE: &[&str] =
        &["a", "A", "./a/", "a/b", "a//B", "a/b/c", "a/c", "a-b", "a.b", "ab", "a b", "b", "b/a", "é", "É/x", "."];
    const ROOTED: &[&str] = &["/", "//", "/a", "/A/", "/a/b", "/a/./b/c", "/a-b", "/b", "/b/../a", "/é"];
    prop::sample::select(if rooted { ROOTED } else { RELATIVE }).boxed()
}

fn calls(path: BoxedStrategy<&'static str>) -> impl Strategy<Value = Vec<Does>> {
    let one = path.clone();
    let touches = prop_oneof![
        one.clone().prop_map(|path| Does::Touches(vec![path], vec![])),
        one.clone().prop_map(|path| Does::Touches(vec![], vec![path])),
        (one.clone(), one).prop_map(|(path, to)| Does::Touches(vec![path], vec![to])),
        prop::collection::vec(path, 2..4).prop_map(|paths| Does::Touches(vec![], paths)),
    ];
    let does = prop_oneof![
        2 => Just(Does::Free),
        1 => Just(Does::Unknown),
        1 => Just(Does::Alone),
        1 => Just(Does::Skipped),
        1 => Just(Does::ReadsSomething),
        10 => touches,
    ];
    prop::collection::vec(does, 0..14)
}

fn of_one_kind() -> impl Strategy<Value = Vec<Does>> {
    prop_oneof![calls(paths(false)), calls(paths(true))]
}

fn is_free(waiting: Pin<&mut impl Future<Output = ()>>) -> bool {
    waiting.poll(&mut Context::from_waker(Waker::noop())).is_ready()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn a_call_waits_for_exactly_those_that_it_has_to(calls in of_one_kind()) {
        prop_assert_eq!(found(&calls), wanted(&calls));
    }

    #[test]
    fn where_rooted_and_relative_paths_meet_nobody_passes_whom_it_has_to_wait_for(
        calls in calls(prop_oneof![paths(false), paths(true)].boxed())
    ) {
        for (later, (found, wanted)) in found(&calls).iter().zip(wanted(&calls)).enumerate() {
            prop_assert!(found.is_superset(&wanted), "{found:?} lacks some of {wanted:?}");
            // Whatever else is waited for touches something, and no barrier stands between.
            for earlier in found.difference(&wanted) {
                let between = &calls[*earlier..=later];
                prop_assert!(!between.contains(&Does::Alone), "{later} waits for {earlier}");
                prop_assert!(!calls[*earlier].touched().is_empty() && !calls[later].touched().is_empty());
            }
        }
    }

    /// Calls end in any order, also before their turn has come. A call is free once all that it waits for are over, and
    /// one that ended early is over no sooner.
    #[test]
    fn a_call_is_free_when_those_before_it_are_over(
        calls in of_one_kind(),
        ends in prop::collection::vec(any::<prop::sample::Index>(), 0..30),
    ) {
        let Some(order) = order(&calls) else { return Ok(()) };
        let before = wanted(&calls);
        let mut waiting: Vec<_> = (0..calls.len()).map(|index| Box::pin(order.turn_of(index))).collect();
        let mut begun = vec![false; calls.len()];
        let mut ended = vec![false; calls.len()];
        // Whatever is left ends in the order of the calls.
        let rest = (0..calls.len()).map(|index| (index, true));
        let early = ends.iter().filter(|_| !calls.is_empty()).map(|end| (end.index(calls.len()), false));
        for (index, orderly) in early.chain(rest) {
            for other in 0..calls.len() {
                let is_over = |index: &usize| ended[*index];
                // All that go before are in the set, so nobody between is missed.
                let free = before[other].iter().all(is_over);
                if !begun[other] && !ended[other] {
                    begun[other] = is_free(waiting[other].as_mut());
                    prop_assert_eq!(begun[other], free, "call {} of {:?}", other, calls);
                }
            }
            if orderly && !ended[index] && calls[index] != Does::Skipped {
                prop_assert!(begun[index]);
            }
            if !std::mem::replace(&mut ended[index], true) {
                order.ended(index, |_| {});
            }
        }
    }
}

fn read(path: &'static str) -> Does {
    Does::Touches(vec![path], vec![])
}

fn write(path: &'static str) -> Does {
    Does::Touches(vec![], vec![path])
}

fn before(calls: &[Does]) -> Vec<Vec<usize>> {
    found(calls).into_iter().map(|before| before.into_iter().collect()).collect()
}

#[test]
fn calls_that_touch_nothing_need_no_order() {
    assert!(order(&[]).is_none());
    assert!(order(&[Does::Free, Does::Unknown, Does::Free]).is_none());
    assert!(order(&[Does::Skipped, Does::Free]).is_none());
    assert!(order(&[Does::Free, Does::Alone]).is_some());
}

#[test]
fn a_barrier_stands_between_all_before_and_all_behind_it() {
    let calls = [Does::Free, read("a"), Does::Alone, Does::Free, read("a"), Does::Alone, Does::Alone];
    let expected: [&[usize]; 7] = [&[], &[], &[0, 1], &[0, 1, 2], &[0, 1, 2], &[0, 1, 2, 3, 4], &[0, 1, 2, 3, 4, 5]];
    assert_eq!(before(&calls), expected);
}

#[test]
fn calls_that_never_run_neither_wait_nor_are_waited_for() {
    let calls = [Does::Unknown, Does::Skipped, Does::Alone, Does::Unknown, Does::Skipped, Does::Alone];
    let expected: [&[usize]; 6] = [&[], &[], &[], &[], &[], &[2]];
    assert_eq!(before(&calls), expected);
}

#[test]
fn readers_overlap_and_writers_do_not() {
    let calls = [read("a"), read("A"), write("./a"), read("a/b"), write("b"), write("a/b/c"), write(".")];
    let expected: [&[usize]; 7] = [&[], &[], &[0, 1], &[0, 1, 2], &[], &[0, 1, 2, 3], &[0, 1, 2, 3, 4, 5]];
    assert_eq!(before(&calls), expected);
}

#[test]
fn a_name_that_only_begins_alike_is_another() {
    let calls = [write("a"), write("a-b"), write("a.b"), write("ab"), write("a/b"), write("a b")];
    let expected: [&[usize]; 6] = [&[], &[], &[], &[], &[0], &[]];
    assert_eq!(before(&calls), expected);
}

#[test]
fn the_root_contains_what_is_rooted() {
    let calls = [write("/a"), write("/b"), read("/"), write("/a/b"), read("/c")];
    let expected: [&[usize]; 5] = [&[], &[], &[0, 1], &[0, 1, 2], &[]];
    assert_eq!(before(&calls), expected);
}

#[test]
fn a_rooted_path_may_name_what_a_relative_one_does() {
    let expected: [&[usize]; 3] = [&[], &[0], &[0, 1]];
    assert_eq!(before(&[write("a"), write("/x"), write("/y")]), expected);
    assert_eq!(before(&[write("/x"), write("a"), write("a")]), expected);
}

#[test]
fn a_barrier_parts_rooted_from_relative_paths() {
    let calls = [write("/x"), write("a"), Does::Alone, write("b"), write("c")];
    let expected: [&[usize]; 5] = [&[], &[0], &[0, 1], &[0, 1, 2], &[0, 1, 2]];
    assert_eq!(before(&calls), expected);
}

#[test]
fn a_call_never_waits_for_itself() {
    let expected: [&[usize]; 2] = [&[], &[0]];
    assert_eq!(before(&[Does::Touches(vec!["a"], vec!["a"]), Does::Touches(vec!["a/b"], vec!["a"])]), expected);
    assert_eq!(before(&[Does::Touches(vec![], vec!["a", "a/b", "."]), read("x")]), expected);
}

#[test]
fn a_call_that_ends_before_its_turn_lets_nobody_pass() {
    // The third conflicts with the second only, which waits for the first.
    let calls = [write("a/x"), write("a"), write("a/y")];
    let order = order(&calls).unwrap();
    let mut third = pin!(order.turn_of(2));
    assert!(!is_free(third.as_mut()));
    order.ended(1, |_| {});
    assert!(!is_free(third.as_mut()));
    order.ended(0, |_| {});
    assert!(is_free(third.as_mut()));
}

#[test]
fn who_waits_is_woken_once_it_is_free() {
    use std::sync::Arc;
    use std::task::Wake;

    struct Counts(AtomicUsize);
    impl Wake for Counts {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    let order = order(&[read("a"), read("a"), write("a")]).unwrap();
    let counts = Arc::new(Counts(AtomicUsize::new(0)));
    let waker = Waker::from(Arc::clone(&counts));
    let mut third = pin!(order.turn_of(2));
    assert!(third.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    order.ended(1, |_| {});
    assert_eq!(counts.0.load(Ordering::Relaxed), 0);
    order.ended(0, |_| {});
    assert_eq!(counts.0.load(Ordering::Relaxed), 1);
    assert_eq!(third.poll(&mut Context::from_waker(&waker)), Poll::Ready(()));
}

#[test]
fn those_who_become_free_together_are_told_of_in_their_order() {
    // The third waits for the second as well, which has ended early.
    let calls = [Does::Alone, read("a"), write("a"), Does::Free, read("b")];
    let order = order(&calls).unwrap();
    let told = std::cell::RefCell::new(Vec::new());
    order.ended(1, |index| told.borrow_mut().push(index));
    assert_eq!(*told.borrow(), [0; 0]);
    order.ended(0, |index| told.borrow_mut().push(index));
    assert_eq!(*told.borrow(), [2, 3, 4]);
    assert!(order.is_first(2) && order.is_first(0) && !self::order(&calls).unwrap().is_first(2));
}
