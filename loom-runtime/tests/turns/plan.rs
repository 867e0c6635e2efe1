//! A turn as it is planned: which calls, what each of them does, and what is done to them meanwhile. Times are in
//! milliseconds.

use loom_runtime::ToolCall;
use proptest::prelude::*;
use serde_json::{Value, json};

/// How the code of a tool is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Async,
    Inline,
    Blocking,
    /// It runs a turn of its own.
    Nested,
}

/// What the tools of all turns are.
#[expect(clippy::struct_excessive_bools, reason = "each is a word of a tool's definition")]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) way: Way,
    pub(crate) sequential: bool,
    pub(crate) destructive: bool,
    pub(crate) reads: bool,
    pub(crate) writes: bool,
    pub(crate) retries: u32,
    pub(crate) timeout: Option<u64>,
    pub(crate) concurrency: Option<usize>,
}

impl std::fmt::Debug for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

const PLAIN: Kind = Kind {
    name: "act",
    way: Way::Async,
    sequential: false,
    destructive: false,
    reads: false,
    writes: false,
    retries: 0,
    timeout: None,
    concurrency: None,
};

pub(crate) static KINDS: [Kind; 13] = [
    PLAIN,
    Kind { name: "again", retries: 3, ..PLAIN },
    Kind { name: "again_destroying", retries: 3, destructive: true, ..PLAIN },
    Kind { name: "short", timeout: Some(90), retries: 2, ..PLAIN },
    Kind { name: "nested", way: Way::Nested, ..PLAIN },
    Kind { name: "alone", sequential: true, ..PLAIN },
    Kind { name: "read", reads: true, ..PLAIN },
    Kind { name: "write", writes: true, retries: 1, ..PLAIN },
    Kind { name: "few", concurrency: Some(2), ..PLAIN },
    Kind { name: "single_write", concurrency: Some(1), writes: true, ..PLAIN },
    Kind { name: "inline", way: Way::Inline, retries: 1, ..PLAIN },
    Kind { name: "blocking", way: Way::Blocking, retries: 1, ..PLAIN },
    Kind { name: "write_blocking", way: Way::Blocking, writes: true, ..PLAIN },
];

/// What an attempt does in the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    Succeed,
    Fail,
    /// Fails, and says that it may be tried again.
    Busy,
    BusyFor(u64),
    /// Panics before it waits.
    PanicAtOnce,
    Panic,
    /// Panics while what it holds is dropped, whether it comes to its end or not.
    PanicInDrop,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    pub(crate) delay: u64,
    pub(crate) then: Then,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    UnknownTool,
    BadArguments,
}

#[derive(Debug, Clone)]
pub(crate) struct Planned {
    pub(crate) id: String,
    pub(crate) kind: &'static Kind,
    pub(crate) fault: Fault,
    pub(crate) path: Option<&'static str>,
    /// One for each attempt; the last one again for whatever comes behind it.
    pub(crate) steps: Vec<Step>,
    pub(crate) timeout: Option<u64>,
}

impl Planned {
    pub(crate) fn name(&self) -> &'static str {
        if self.fault == Fault::UnknownTool { "nobody" } else { self.kind.name }
    }

    pub(crate) fn step(&self, attempt: usize) -> Step {
        let step = self.steps[attempt.min(self.steps.len()) - 1];
        match self.kind.way {
            Way::Async | Way::Nested => step,
            Way::Inline | Way::Blocking => Step { delay: 0, ..step },
        }
    }

    pub(crate) fn call(&self, number: usize) -> ToolCall {
        let mut arguments = json!({"number": number});
        if let Some(path) = self.path {
            arguments["path"] = json!(path);
        }
        if self.fault == Fault::BadArguments {
            arguments["number"] = Value::Null;
        }
        let call = ToolCall::new(&*self.id, self.name(), arguments.to_string());
        match self.timeout {
            Some(timeout) => call.with_timeout(std::time::Duration::from_millis(timeout)),
            None => call,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// The whole turn, by its canceller.
    Turn,
    /// The whole turn, by the token of its dispatcher.
    Token,
    At(usize),
    /// By the id of this call.
    IdOf(usize),
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Cancel {
    pub(crate) at: u64,
    pub(crate) target: Target,
}

#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) calls: Vec<Planned>,
    pub(crate) cancels: Vec<Cancel>,
    pub(crate) timeout: u64,
    pub(crate) turn_timeout: Option<u64>,
    pub(crate) deadline: Option<u64>,
    pub(crate) first_delay: u64,
    pub(crate) turn_concurrency: Option<usize>,
    pub(crate) concurrency: Option<usize>,
}

impl Plan {
    /// Whether an earlier call has the id of this one.
    pub(crate) fn is_repeated(&self, index: usize) -> bool {
        let id = &self.calls[index].id;
        !id.is_empty() && self.calls[..index].iter().any(|earlier| earlier.id == *id)
    }

    /// When the call is cancelled first, whether it is there to be cancelled or not.
    pub(crate) fn cancelled(&self, index: usize) -> Option<u64> {
        let hits = |cancel: &&Cancel| match cancel.target {
            Target::Turn | Target::Token => true,
            Target::At(at) => at == index,
            Target::IdOf(of) => self.calls[of].id == self.calls[index].id,
        };
        self.cancels.iter().filter(hits).map(|cancel| cancel.at).min()
    }

    pub(crate) fn end(&self) -> Option<u64> {
        self.turn_timeout.into_iter().chain(self.deadline).min()
    }

    /// For each call those that have to be over before it begins.
    pub(crate) fn before(&self) -> Vec<Vec<usize>> {
        let takes_part = |index: &usize| !self.is_repeated(*index) && self.calls[*index].fault != Fault::UnknownTool;
        let before = |later: usize| (0..later).filter(takes_part).filter(move |&earlier| self.conflict(earlier, later));
        (0..self.calls.len()).map(|later| if takes_part(&later) { before(later).collect() } else { vec![] }).collect()
    }

    fn conflict(&self, earlier: usize, later: usize) -> bool {
        let (earlier, later) = (&self.calls[earlier], &self.calls[later]);
        let touches = |call: &Planned| call.kind.reads || call.kind.writes;
        let overlap = match (earlier.path.map(parts), later.path.map(parts)) {
            (Some(one), Some(other)) => one.iter().zip(&other).all(|(one, other)| one == other),
            _ => true,
        };
        let written = earlier.kind.writes || later.kind.writes;
        earlier.kind.sequential || later.kind.sequential || (touches(earlier) && touches(later) && written && overlap)
    }
}

fn parts(path: &str) -> Vec<String> {
    path.to_lowercase().split('/').filter(|part| *part != ".").map(str::to_owned).collect()
}

/// What a family of plans has in it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Having {
    /// Limits of concurrency.
    pub(crate) limits: bool,
    /// Attempts that take no time at all, among them all that block.
    pub(crate) instant: bool,
}

fn steps(having: Having) -> impl Strategy<Value = Vec<Step>> {
    let then = prop_oneof![
        8 => Just(Then::Succeed),
        2 => Just(Then::Fail),
        6 => Just(Then::Busy),
        2 => (1_u64..150).prop_map(Then::BusyFor),
        1 => Just(Then::PanicAtOnce),
        1 => Just(Then::Panic),
        1 => Just(Then::PanicInDrop),
    ];
    let delay =
        if having.instant { prop_oneof![1 => Just(0_u64), 5 => 1_u64..160].boxed() } else { (1_u64..160).boxed() };
    let step = (delay, then).prop_map(move |(delay, then)| match then {
        Then::PanicAtOnce if !having.instant => Step { delay, then: Then::Panic },
        then => Step { delay, then },
    });
    prop::collection::vec(step, 1..4)
}

fn planned(having: Having) -> impl Strategy<Value = Planned> {
    let kinds = KINDS.iter().filter(|kind| {
        (having.limits || kind.concurrency.is_none())
            && (having.instant || matches!(kind.way, Way::Async | Way::Nested))
    });
    let kinds: Vec<_> = kinds.collect();
    let fault = if having.instant {
        prop_oneof![14 => Just(Fault::None), 1 => Just(Fault::UnknownTool), 1 => Just(Fault::BadArguments)].boxed()
    } else {
        Just(Fault::None).boxed()
    };
    let path =
        prop::sample::select(&[Some("a"), Some("A"), Some("a/b"), Some("b"), Some("./b/c"), Some("d"), None][..]);
    let timeout = prop_oneof![5 => Just(None), 1 => (1_u64..200).prop_map(Some)];
    (prop::sample::select(kinds), fault, path, steps(having), timeout).prop_map(
        |(kind, fault, path, steps, timeout)| Planned { id: String::new(), kind, fault, path, steps, timeout },
    )
}

pub(crate) fn plans(having: Having) -> impl Strategy<Value = Plan> {
    let limit = || {
        let some = (1_usize..4).prop_map(Some);
        if having.limits { prop_oneof![1 => Just(None), 2 => some].boxed() } else { Just(None).boxed() }
    };
    let calls = prop::collection::vec((planned(having), 0_u8..12, any::<prop::sample::Index>()), 0..9);
    let cancel = (1_u64..400, 0_u8..10, any::<prop::sample::Index>());
    let cancels = prop_oneof![1 => Just(vec![]), 2 => prop::collection::vec(cancel, 0..4)];
    let rarely = |most: u64| prop_oneof![4 => Just(None), 1 => (1..most).prop_map(Some)];
    (calls, cancels, 100_u64..300, rarely(600), rarely(600), 1_u64..60, limit(), limit()).prop_map(
        move |(calls, cancels, timeout, turn_timeout, deadline, first_delay, turn_concurrency, concurrency)| {
            let mut made: Vec<Planned> = Vec::new();
            for (number, (mut call, id, other)) in calls.into_iter().enumerate() {
                call.id = match id {
                    0 if having.instant && number > 0 => made[other.index(number)].id.clone(),
                    1 => String::new(),
                    _ => format!("call_{number}"),
                };
                made.push(call);
            }
            let target = |(at, target, index): (u64, u8, prop::sample::Index)| Cancel {
                at,
                target: match target {
                    _ if made.is_empty() => Target::Turn,
                    0 => Target::Turn,
                    1 => Target::Token,
                    2..6 => Target::At(index.index(made.len())),
                    _ => Target::IdOf(index.index(made.len())),
                },
            };
            let cancels = cancels.into_iter().map(target).collect();
            let calls = made;
            Plan { calls, cancels, timeout, turn_timeout, deadline, first_delay, turn_concurrency, concurrency }
        },
    )
}
