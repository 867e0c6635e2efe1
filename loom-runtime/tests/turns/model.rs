//! What has to come of a plan, found by going through its events one after the other.
//!
//! Derived from what is promised: whoever waits for others begins when they are over, a gate lets those in first that
//! came first, and whatever can end a call ends it when it happens first. Where two things that exclude each other happen
//! at the same time, nothing is promised, and the model says so.

use std::collections::{BTreeMap, VecDeque};

use crate::plan::{Cancel, Fault, Plan, Target, Then};

/// What has to become of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Expected {
    pub(crate) kind: &'static str,
    pub(crate) attempts: u32,
    /// When it begins, or is answered without that.
    pub(crate) start: u64,
    pub(crate) end: u64,
    /// From when to when the tool's code runs, for each attempt.
    pub(crate) runs: Vec<(u64, u64)>,
    /// The attempts after which another one follows, and how long is waited for it.
    pub(crate) retries: Vec<(u32, u64)>,
}

impl Expected {
    fn at_once(kind: &'static str, time: u64) -> Self {
        Self { kind, attempts: 1, start: time, end: time, runs: vec![], retries: vec![] }
    }
}

/// What has to come of the plan; `None` where that is not promised.
pub(crate) fn expected(plan: &Plan) -> Option<Vec<Expected>> {
    let mut model = Model::new(plan);
    model.go();
    let is_tied = model.is_tied || model.ends_meet();
    let expected = model.states.into_iter().map(|state| state.expected.unwrap());
    (!is_tied).then(|| expected.collect())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Happens {
    /// Nobody is left that the call has to wait for.
    Comes(usize),
    /// It is let through this gate.
    Passes(usize, usize),
    Ends(usize),
    /// It is cancelled or out of time, if it is still waiting.
    Stops(usize, &'static str),
}

#[derive(Debug, Default)]
struct State {
    waits_for: Vec<usize>,
    gates: Vec<usize>,
    /// How many of them it has passed.
    passed: usize,
    has_come: bool,
    has_ended: bool,
    is_over: bool,
    expected: Option<Expected>,
}

#[derive(Debug)]
struct Gate {
    free: usize,
    queue: VecDeque<usize>,
}

struct Model<'p> {
    plan: &'p Plan,
    states: Vec<State>,
    gates: Vec<Gate>,
    /// By time, and then in the order in which they were found.
    events: BTreeMap<(u64, usize), Happens>,
    found: usize,
    now: u64,
    is_tied: bool,
}

impl<'p> Model<'p> {
    fn new(plan: &'p Plan) -> Self {
        let mut gates = Vec::new();
        let mut gate = |free: Option<usize>| {
            gates.push(Gate { free: free.unwrap_or(usize::MAX / 2), queue: VecDeque::new() });
            gates.len() - 1
        };
        let common = [gate(plan.turn_concurrency), gate(plan.concurrency)];
        let mut of_tool = BTreeMap::new();
        let states = plan.before().into_iter().enumerate().map(|(index, waits_for)| {
            let kind = plan.calls[index].kind;
            let own = *of_tool.entry(kind.name).or_insert_with(|| gate(kind.concurrency));
            State { waits_for, gates: [&common[..], &[own]].concat(), ..State::default() }
        });
        let states = states.collect();
        Self { plan, states, gates, events: BTreeMap::new(), found: 0, now: 0, is_tied: false }
    }

    fn later(&mut self, time: u64, happens: Happens) {
        self.events.insert((time, self.found), happens);
        self.found += 1;
    }

    fn go(&mut self) {
        let count = self.plan.calls.len();
        for index in 0..count {
            if self.plan.is_repeated(index) {
                self.answer(index, "duplicate_id");
            }
        }
        for index in (0..count).filter(|index| !self.plan.is_repeated(*index)) {
            let stops = [(self.plan.cancelled(index), "cancelled"), (self.plan.end(), "out_of_time")];
            for (time, kind) in stops {
                if let Some(time) = time {
                    self.later(time, Happens::Stops(index, kind));
                }
            }
        }
        (0..count).for_each(|index| self.come(index));
        while let Some(((time, _), happens)) = self.events.pop_first() {
            self.now = time;
            match happens {
                Happens::Comes(index) => self.pass(index),
                Happens::Passes(index, gate) if self.states[index].has_ended => self.release(gate),
                Happens::Passes(index, _) => {
                    self.states[index].passed += 1;
                    self.pass(index);
                }
                Happens::Ends(index) => self.end(index),
                Happens::Stops(index, kind) => self.stop(index, kind),
            }
        }
    }

    /// Lets a call come whose predecessors are over, if it has not yet.
    fn come(&mut self, index: usize) {
        let is_free = self.states[index].waits_for.iter().all(|before| self.states[*before].is_over);
        let state = &mut self.states[index];
        if is_free && !state.has_ended && !std::mem::replace(&mut state.has_come, true) {
            self.later(self.now, Happens::Comes(index));
        }
    }

    /// Takes a call that has come through its gates as far as they are free, and lets it begin behind the last.
    fn pass(&mut self, index: usize) {
        if self.states[index].has_ended {
            return;
        }
        if self.plan.calls[index].fault == Fault::UnknownTool {
            return self.answer(index, "unknown_tool");
        }
        while let Some(&gate) = self.states[index].gates.get(self.states[index].passed) {
            let gate = &mut self.gates[gate];
            if gate.free == 0 {
                return gate.queue.push_back(index);
            }
            gate.free -= 1;
            self.states[index].passed += 1;
        }
        let expected = self.run(index);
        self.later(expected.end, Happens::Ends(index));
        self.states[index].expected = Some(expected);
    }

    fn answer(&mut self, index: usize, kind: &'static str) {
        self.states[index].expected = Some(Expected::at_once(kind, self.now));
        self.end(index);
    }

    fn stop(&mut self, index: usize, kind: &'static str) {
        // Of a call that has begun it is known what becomes of it.
        if self.states[index].expected.is_none() {
            for gate in &mut self.gates {
                gate.queue.retain(|waiting| *waiting != index);
            }
            self.answer(index, kind);
        }
    }

    fn end(&mut self, index: usize) {
        self.states[index].has_ended = true;
        let passed = std::mem::take(&mut self.states[index].passed);
        for gate in self.states[index].gates.clone().into_iter().take(passed) {
            self.release(gate);
        }
        // Who ended early is over no sooner than those that it waited for.
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for index in 0..self.states.len() {
                let state = &self.states[index];
                let over = state.has_ended && state.waits_for.iter().all(|before| self.states[*before].is_over);
                changed |= over && !std::mem::replace(&mut self.states[index].is_over, over);
            }
        }
        (0..self.states.len()).for_each(|index| self.come(index));
    }

    fn release(&mut self, gate: usize) {
        match self.gates[gate].queue.pop_front() {
            Some(next) => self.later(self.now, Happens::Passes(next, gate)),
            None => self.gates[gate].free += 1,
        }
    }

    /// Whether calls end at the same time that have to do with each other, for different reasons.
    fn ends_meet(&self) -> bool {
        let all: Vec<_> = self.states.iter().map(|state| state.expected.as_ref().unwrap()).collect();
        let plan = self.plan;
        let gates = plan.turn_concurrency.or(plan.concurrency).is_some()
            || plan.calls.iter().any(|call| call.kind.concurrency.is_some());
        let of_all = |expected: &Expected| {
            let whole = |cancel: &Cancel| matches!(cancel.target, Target::Turn | Target::Token);
            expected.kind == "out_of_time"
                || (expected.kind == "cancelled"
                    && plan.cancels.iter().any(|cancel| whole(cancel) && cancel.at == expected.end))
        };
        let meet = |one: &Expected, other: &Expected| {
            let waited = ["cancelled", "out_of_time"].contains(&one.kind) && one.runs.is_empty();
            one.end == other.end
                && ((waited && one.kind != other.kind)
                    || (gates && one.end > one.start && other.end > other.start && !(of_all(one) && of_all(other))))
        };
        all.iter().enumerate().any(|(index, one)| {
            plan.end().is_some_and(|end| plan.cancelled(index) == Some(end))
                || all.iter().enumerate().any(|(at, other)| at != index && meet(one, other))
        })
    }

    /// Where two times that exclude each other are the same, nothing is promised.
    fn is_before(&mut self, one: u64, other: u64) -> bool {
        self.is_tied |= one == other;
        one < other
    }

    /// What becomes of a call that begins now.
    fn run(&mut self, index: usize) -> Expected {
        const NEVER: u64 = u64::MAX;
        let call = &self.plan.calls[index];
        let start = self.now;
        let own = start + call.timeout.or(call.kind.timeout).unwrap_or(self.plan.timeout);
        let run = self.plan.end().unwrap_or(NEVER);
        let cancelled = self.plan.cancelled(index).unwrap_or(NEVER);
        if cancelled <= start || run <= start {
            self.is_tied = true;
        }
        if call.fault == Fault::BadArguments {
            return Expected::at_once("bad_arguments", start);
        }
        let mut all = [(own, "timed_out"), (run, "out_of_time"), (cancelled, "cancelled")];
        all.sort_unstable();
        let (limit, stopped) = all[0];
        let mut expected = Expected { start, ..Expected::at_once("", start) };
        let mut now = start;
        loop {
            let step = call.step(usize::try_from(expected.attempts).unwrap());
            let end = if step.then == Then::PanicAtOnce { now } else { now + step.delay };
            if end > now && !self.is_before(end, limit) {
                self.is_tied |= all[1].0 == limit;
                expected.runs.push((now, limit));
                (expected.kind, expected.end) = (stopped, limit);
                return expected;
            }
            expected.runs.push((now, end));
            (expected.kind, expected.end) = match step.then {
                Then::Succeed => ("ok", end),
                Then::Fail | Then::Busy | Then::BusyFor(_) => ("failed", end),
                Then::PanicAtOnce | Then::Panic | Then::PanicInDrop => ("panicked", end),
            };
            let least = match step.then {
                Then::Busy => 0,
                Then::BusyFor(time) => time,
                _ => return expected,
            };
            if call.kind.destructive || expected.attempts > call.kind.retries {
                return expected;
            }
            let pause = (self.plan.first_delay << (expected.attempts - 1)).max(least);
            if !self.is_before(end + pause, own.min(run)) {
                return expected;
            }
            expected.retries.push((expected.attempts, pause));
            now = end + pause;
            if !self.is_before(now, cancelled) {
                (expected.kind, expected.end) = ("cancelled", cancelled);
                return expected;
            }
            expected.attempts += 1;
        }
    }
}
