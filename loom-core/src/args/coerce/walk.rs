//! The walk itself: each value with the node that describes it.

use std::borrow::Cow;
use std::collections::HashSet;

use super::super::Parameter;
use super::super::json::Json;
use super::super::number;
use super::super::plan::{Additional, Id, Node, Plan};
use super::super::problem::{ProblemKind, nearest, pointer_to};
use super::expected::expected;
use super::fit::{Fit, MAX_QUOTING, canonical, fit_choice, fit_kind, fits_bounds, is_broken};
use super::{CoercionRule, Findings, SentNames};

/// How many schemas may hold beside one another for the same value: a schema that refers to itself would never end.
const MOST_BESIDE: usize = 64;

type Entries<'t> = Vec<(Cow<'t, str>, Json<'t>)>;

pub(super) struct Walk<'p> {
    pub(super) plan: &'p Plan,
    fuel: usize,
    /// How many schemas are open for the value at hand.
    beside: usize,
    /// The root's properties in signature order, for messages.
    order: &'p [Parameter],
    sent: &'p SentNames,
}

impl<'p> Walk<'p> {
    pub(super) fn new(plan: &'p Plan, fuel: usize, order: &'p [Parameter], sent: &'p SentNames) -> Self {
        Self { plan, fuel, beside: 0, order, sent }
    }

    pub(super) fn root(&mut self, document: &mut Json<'_>, found: &mut Findings) {
        self.value(Plan::ROOT, document, "", 0, found);
    }

    /// Whether the walk was too long to be finished; what it found then is not all.
    pub(super) const fn gave_up(&self) -> bool {
        self.fuel == 0
    }

    pub(super) fn value(&mut self, id: Id, value: &mut Json<'_>, pointer: &str, quoting: usize, found: &mut Findings) {
        self.fuel = if self.beside > MOST_BESIDE { 0 } else { self.fuel.saturating_sub(1) };
        let plan = self.plan;
        let node = plan.node(id);
        if self.gave_up() || node.never {
            return found.mismatch(pointer, "nothing here", value);
        }
        let before = found.problems.len();
        self.beside += 1;
        for &other in &node.all {
            self.value(other, value, pointer, quoting, found);
        }
        for alternatives in &node.unions {
            self.union(node, alternatives, value, pointer, quoting, found);
        }
        self.beside -= 1;
        let told = found.refused(pointer, before);
        let Fit::Fits(quoting) = fit_kind(node, value, pointer, quoting, found) else {
            if !told {
                found.mismatch(pointer, expected(plan, id, value), value);
            }
            return;
        };
        if let Json::Number(text) = value
            && !number::is_finite(text)
        {
            return found.mismatch(pointer, BEYOND, value);
        }
        let fits =
            fit_choice(node, value, pointer, found) && fits_bounds(node, value) && !self.is_excluded(node, value);
        if !fits && !told {
            found.mismatch(pointer, expected(plan, id, value), value);
        }
        if !node.looks_inside() {
            return;
        }
        match value {
            Json::Array(items) => self.list(node, items, pointer, quoting, found),
            Json::Object(entries) => {
                let broken = found.problems.len() > before;
                self.object(node, entries, broken, pointer, quoting, found);
            }
            _ => {}
        }
    }

    /// A value inside the one at hand.
    fn inner(&mut self, id: Id, value: &mut Json<'_>, pointer: &str, quoting: usize, found: &mut Findings) {
        let beside = std::mem::take(&mut self.beside);
        self.value(id, value, pointer, quoting, found);
        self.beside = beside;
    }

    /// Whether the node takes the value as it is.
    pub(super) fn holds(&mut self, id: Id, value: &Json<'_>) -> bool {
        let mut trial = Findings::default();
        self.value(id, &mut value.clone(), "", MAX_QUOTING, &mut trial);
        trial.problems.is_empty() && trial.coercions.is_empty()
    }

    fn is_excluded(&mut self, node: &Node, value: &Json<'_>) -> bool {
        node.not.iter().any(|&id| self.holds(id, value))
    }

    fn list(&mut self, node: &Node, items: &mut [Json<'_>], pointer: &str, quoting: usize, found: &mut Findings) {
        for (index, item) in items.iter_mut().enumerate() {
            let place = format!("{pointer}/{index}");
            match node.prefix.get(index).copied().or(node.items) {
                Some(id) => self.inner(id, item, &place, quoting, found),
                None => anything(item, &place, found),
            }
        }
        if node.unique {
            let mut seen = HashSet::with_capacity(items.len());
            for (index, item) in items.iter().enumerate() {
                if !seen.insert(canonical(item)) {
                    found.mismatch(&format!("{pointer}/{index}"), "an item that is not in the list already", item);
                }
            }
        }
    }

    fn object(
        &mut self,
        node: &Node,
        entries: &mut Entries<'_>,
        broken: bool,
        pointer: &str,
        quoting: usize,
        found: &mut Findings,
    ) {
        self.drop_nulls(node, entries, pointer, found);
        let mut beside = Vec::new();
        if node.unevaluated {
            // Where no alternative holds, that is the problem, and not the names that all of them declare.
            self.holding(node, &Json::Object(entries.clone()), broken, &mut beside, &mut HashSet::new());
        }
        let before = found.problems.len();
        let mut present = HashSet::with_capacity(entries.len());
        for (key, value) in entries.iter_mut() {
            if !present.insert(key.to_string()) {
                found.problem(pointer, ProblemKind::Duplicate { name: key.to_string() });
                continue;
            }
            let place = self.sent.pointer_to(pointer, key);
            let mut declared = false;
            if let Some(id) = node.property(key) {
                declared = true;
                self.inner(id, value, &place, quoting, found);
            }
            for (regex, id) in &node.patterns {
                if regex.as_ref().is_some_and(|regex| regex.is_match(key)) {
                    declared = true;
                    self.inner(*id, value, &place, quoting, found);
                }
            }
            if declared || beside.iter().any(|node| declares(node, key)) {
                continue;
            }
            match node.additional {
                Additional::Any => anything(value, &place, found),
                Additional::Schema(id) => self.inner(id, value, &place, quoting, found),
                Additional::None => {
                    found.problem(pointer, ProblemKind::Unknown { name: key.to_string(), nearest: None });
                }
            }
        }
        self.suggest(node, &present, pointer, found, before);
        let missing: Vec<_> = self.in_order(&node.required, pointer).filter(|name| !present.contains(*name)).collect();
        if !missing.is_empty() {
            let names = missing.into_iter().map(str::to_owned).collect();
            found.problem(pointer, ProblemKind::Missing { names });
        }
    }

    /// For each unknown name, the declared one that was probably meant: one that is not there already.
    fn suggest(&self, node: &Node, present: &HashSet<String>, pointer: &str, found: &mut Findings, before: usize) {
        let mut free: Option<Vec<&str>> = None;
        for problem in found.problems.iter_mut().skip(before).filter(|problem| problem.pointer == pointer) {
            if let ProblemKind::Unknown { name, nearest: suggestion @ None } = &mut problem.kind {
                let free = free.get_or_insert_with(|| {
                    self.declared(node).into_iter().filter(|name| !present.contains(*name)).collect()
                });
                *suggestion = nearest(name, free.iter().copied(), 1).first().map(|&name| name.to_owned());
            }
        }
    }

    /// Null for a property that may be left out and takes no null is the property left out.
    fn drop_nulls(&mut self, node: &Node, entries: &mut Entries<'_>, pointer: &str, found: &mut Findings) {
        let sent = self.sent;
        entries.retain(|(key, value)| {
            let Some(id) = node.property(key) else { return true };
            if *value != Json::Null || node.required.iter().any(|name| name == key) || self.takes_null(id) {
                return true;
            }
            let place = sent.pointer_to(pointer, key);
            found.coerced(&place, CoercionRule::NullToAbsent, "null".to_owned(), String::new());
            false
        });
    }

    fn takes_null(&mut self, id: Id) -> bool {
        let beside = std::mem::take(&mut self.beside);
        let takes = self.holds(id, &Json::Null);
        self.beside = beside;
        takes
    }

    /// The nodes that hold for the object beside this one, all alternatives if `lenient`.
    fn holding(
        &mut self,
        node: &Node,
        object: &Json<'_>,
        lenient: bool,
        holding: &mut Vec<&'p Node>,
        seen: &mut HashSet<Id>,
    ) {
        let plan = self.plan;
        for &id in &node.all {
            if seen.insert(id) {
                holding.push(plan.node(id));
                self.holding(plan.node(id), object, lenient, holding, seen);
            }
        }
        for &id in node.unions.iter().flatten() {
            if (lenient || self.holds(id, object)) && seen.insert(id) {
                holding.push(plan.node(id));
                self.holding(plan.node(id), object, lenient, holding, seen);
            }
        }
    }

    /// Every name that this schema and what it is combined with declare.
    fn declared<'n>(&self, node: &'n Node) -> Vec<&'n str>
    where
        'p: 'n,
    {
        let mut names = Vec::new();
        let mut seen = HashSet::new();
        let mut open: Vec<&Node> = vec![node];
        while let Some(node) = open.pop() {
            names.extend(node.properties.iter().map(|(name, _)| name.as_str()));
            for &id in node.all.iter().chain(node.unions.iter().flatten()) {
                if seen.insert(id) {
                    open.push(self.plan.node(id));
                }
            }
        }
        names
    }

    /// The names in signature order, where they are the tool's own parameters.
    fn in_order<'n>(&self, names: &'n [String], pointer: &str) -> impl Iterator<Item = &'n str> + use<'n> {
        let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
        if pointer.is_empty() {
            names.sort_by_key(|name| self.order.iter().position(|parameter| parameter.name == *name));
        }
        names.into_iter()
    }
}

/// What is expected where a number is larger than any type can hold.
const BEYOND: &str = "a number within the range of a 64-bit float";

/// A value of which nothing is declared. What cannot be taken by any type is refused there as well: a key twice, of
/// which one value would be lost, and a number that would become an infinity.
pub(super) fn anything(value: &Json<'_>, pointer: &str, found: &mut Findings) {
    if !is_broken(value) {
        return;
    }
    match value {
        Json::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| anything(item, &format!("{pointer}/{index}"), found));
        }
        Json::Object(entries) => {
            let mut seen = HashSet::new();
            for (key, value) in entries {
                if seen.insert(key) {
                    anything(value, &pointer_to(pointer, key), found);
                } else {
                    found.problem(pointer, ProblemKind::Duplicate { name: key.to_string() });
                }
            }
        }
        value => found.mismatch(pointer, BEYOND, value),
    }
}

/// Whether the node says something of the property `key`.
fn declares(node: &Node, key: &str) -> bool {
    node.property(key).is_some()
        || node.patterns.iter().any(|(regex, _)| regex.as_ref().is_some_and(|regex| regex.is_match(key)))
        || matches!(node.additional, Additional::Schema(_))
}
