//! The walk itself: each value with the node that describes it.

use std::borrow::Cow;
use std::collections::HashSet;

use super::super::Parameter;
use super::super::json::Json;
use super::super::number;
use super::super::path::Path;
use super::super::plan::{Additional, Id, Node, Plan};
use super::super::problem::ProblemKind;
use super::expected::{Words, came_for_json, key_words, shortened};
use super::fit::{Fit, MAX_QUOTING, canonical, fit_choice, fit_kind, fits_bounds, repeated};
use super::names::Present;
use super::{CoercionRule, Findings, SentNames};

/// How many schemas may hold beside one another for the same value: a schema that refers to itself would never end.
const MOST_BESIDE: usize = 64;

pub(super) type Entries<'t> = Vec<(Cow<'t, str>, Json<'t>)>;

pub(in super::super) struct Walk<'p> {
    pub(super) plan: &'p Plan,
    fuel: usize,
    /// How many schemas are open for the value at hand.
    beside: usize,
    at_root: AtRoot<'p>,
    /// The type has read the value and passed no name over, so a name that the plan does not know is a second name of a
    /// field, which schemas do not tell.
    names_known: bool,
    pub(super) words: Words,
}

/// What is known of the properties of the arguments themselves.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct AtRoot<'p> {
    /// They in signature order, for messages.
    pub(in super::super) order: &'p [Parameter],
    /// The names that they were sent under.
    pub(in super::super) sent: &'p SentNames,
    /// Those that have been read as they were sent.
    pub(in super::super) taken: &'p [&'p str],
}

impl AtRoot<'static> {
    pub(in super::super) const NOTHING: Self = Self { order: &[], sent: SentNames::NONE, taken: &[] };
}

impl<'p> Walk<'p> {
    pub(in super::super) fn new(plan: &'p Plan, fuel: usize, at_root: AtRoot<'p>) -> Self {
        Self { plan, fuel, beside: 0, at_root, names_known: false, words: Words::default() }
    }

    pub(in super::super) fn with_names_known(mut self) -> Self {
        self.names_known = true;
        self
    }

    pub(super) fn root(&mut self, document: &mut Json<'_>, found: &mut Findings) {
        self.value(Plan::ROOT, document, &Path::Root, 0, found);
    }

    /// Whether the walk was too long to be finished; what it found then is not all.
    pub(super) const fn gave_up(&self) -> bool {
        self.fuel == 0
    }

    pub(super) fn value(
        &mut self,
        id: Id,
        value: &mut Json<'_>,
        path: &Path<'_>,
        quoting: usize,
        found: &mut Findings,
    ) {
        self.fuel = if self.beside > MOST_BESIDE { 0 } else { self.fuel.saturating_sub(1) };
        let plan = self.plan;
        let node = plan.node(id);
        if self.gave_up() || node.never {
            return found.mismatch(path, "nothing here", value);
        }
        let before = found.problems.len();
        self.beside += 1;
        for &other in &node.all {
            self.value(other, value, path, quoting, found);
        }
        for alternatives in &node.unions {
            self.union(node, alternatives, value, path, quoting, found);
        }
        self.beside -= 1;
        let told = found.refused(path, before);
        let Fit::Fits(quoting) = fit_kind(node, value, path, quoting, found) else {
            if !told {
                let got = || if node.takes_text() { shortened(value) } else { came_for_json(value) };
                found.mismatch_with(path, || (self.words.expected(plan, id, value), got()));
            }
            return;
        };
        if let Json::Number(text) = value
            && !number::is_finite(text)
        {
            if !told {
                found.mismatch(path, BEYOND, value);
            }
            return;
        }
        let fits = fit_choice(node, value, path, found) && fits_bounds(node, value) && !self.is_excluded(node, value);
        if !fits && !told {
            found.mismatch_with(path, || (self.words.expected(plan, id, value), shortened(value)));
        }
        if fits && node.narrows_integers() && matches!(value, Json::Number(text) if number::is_wide(text)) {
            found.mismatch(path, TOO_WIDE, value);
        }
        if !node.looks_inside() {
            return;
        }
        match value {
            Json::Array(items) => self.list(node, items, path, quoting, found),
            Json::Object(entries) => {
                let broken = found.problems.len() > before;
                self.object(node, entries, broken, path, quoting, found);
            }
            _ => {}
        }
    }

    /// A value inside the one at hand.
    fn inner(&mut self, id: Id, value: &mut Json<'_>, path: &Path<'_>, quoting: usize, found: &mut Findings) {
        let beside = std::mem::take(&mut self.beside);
        self.value(id, value, path, quoting, found);
        self.beside = beside;
    }

    /// Whether the node takes the value as it is. What is left of the value afterwards says nothing.
    pub(in super::super) fn takes(&mut self, id: Id, value: &mut Json<'_>) -> bool {
        let mut trial = Findings::silent();
        self.value(id, value, &Path::Root, MAX_QUOTING, &mut trial);
        trial.problems.is_empty() && trial.coercions.is_empty()
    }

    /// Whether the node takes the value as it is.
    pub(super) fn holds(&mut self, id: Id, value: &Json<'_>) -> bool {
        // What was read at the root may well be read elsewhere.
        let at_root = std::mem::replace(&mut self.at_root, AtRoot::NOTHING);
        let holds = self.takes(id, &mut value.clone());
        self.at_root = at_root;
        holds
    }

    fn is_excluded(&mut self, node: &Node, value: &Json<'_>) -> bool {
        node.not.iter().any(|&id| self.holds(id, value))
    }

    fn list(&mut self, node: &Node, items: &mut [Json<'_>], path: &Path<'_>, quoting: usize, found: &mut Findings) {
        for (index, item) in items.iter_mut().enumerate() {
            let place = Path::Item(path, index);
            match node.prefix.get(index).copied().or(node.items) {
                Some(id) => self.inner(id, item, &place, quoting, found),
                None => anything(item, &place, found),
            }
        }
        if node.unique {
            let mut seen = HashSet::with_capacity(items.len());
            for (index, item) in items.iter().enumerate() {
                if !seen.insert(canonical(item)) {
                    found.mismatch(&Path::Item(path, index), "an item that is not in the list already", item);
                }
            }
        }
    }

    fn object(
        &mut self,
        node: &Node,
        entries: &mut Entries<'_>,
        broken: bool,
        path: &Path<'_>,
        quoting: usize,
        found: &mut Findings,
    ) {
        let AtRoot { sent, taken, .. } = if path.is_root() { self.at_root } else { AtRoot::NOTHING };
        self.drop_nulls(node, entries, path, found);
        let mut beside = Vec::new();
        if node.unevaluated {
            // Where no alternative holds, that is the problem, and not the names that all of them declare.
            self.holding(node, &Json::Object(entries.clone()), broken, &mut beside, &mut HashSet::new());
        }
        let before = found.problems.len();
        let repeated = repeated(entries);
        let absent = if self.names_known { absent(node, entries) } else { Vec::new() };
        for (index, (key, value)) in entries.iter_mut().enumerate() {
            if repeated.binary_search(&index).is_ok() {
                found.problem(path, ProblemKind::Duplicate { name: key.to_string() });
                continue;
            }
            if taken.contains(&&**key) {
                continue;
            }
            let place = Path::Key(path, sent.sent_as(key));
            let mut declared = false;
            if let Some(id) = node.property(key) {
                declared = true;
                self.inner(id, value, &place, quoting, found);
            }
            for (regex, id) in &node.patterns {
                match regex {
                    Some(regex) if regex.is_match(key) => {
                        declared = true;
                        self.inner(*id, value, &place, quoting, found);
                    }
                    // What the plan cannot match, a validator does.
                    None if self.plan.is_foreign() => declared = true,
                    _ => {}
                }
            }
            if declared || beside.iter().any(|node| declares(node, key)) {
                continue;
            }
            match node.additional {
                Additional::Any => anything(value, &place, found),
                Additional::Schema(id) => self.inner(id, value, &place, quoting, found),
                Additional::None if self.names_known && absent.iter().all(|&id| self.may_be(id, value)) => {}
                Additional::None => match key_words(node) {
                    Some(words) => {
                        let key = Json::String(key.as_ref().into());
                        found.mismatch(&place, &format!("{words} as key"), &key);
                    }
                    None => found.problem(path, ProblemKind::unknown(key, None)),
                },
            }
        }
        self.names(node, entries, path, found, before);
    }

    /// Whether the value may be that of the field, as far as the field's bounds go. The type has read it as the value of
    /// some field, so of those whose kind it is not it is none.
    fn may_be(&mut self, id: Id, value: &Json<'_>) -> bool {
        !self.plan.guide(id).takes(value.first_byte()) || self.holds(id, value)
    }

    /// Looks at which names are there: a better one for each unknown, and all that are missing.
    fn names(&self, node: &Node, entries: &Entries<'_>, path: &Path<'_>, found: &mut Findings, before: usize) {
        let present = Present::of(entries);
        if found.problems.len() > before && !found.silent {
            self.suggest(node, entries, path, found, before);
        }
        if self.names_known || node.required.iter().all(|name| present.contains(name)) {
            return;
        }
        let missing = self.in_order(&node.required, path).filter(|name| !present.contains(name));
        let names = missing.map(str::to_owned).collect();
        found.problem(path, ProblemKind::Missing { names });
    }

    /// Null for a property that may be left out and takes no null is the property left out.
    fn drop_nulls(&mut self, node: &Node, entries: &mut Entries<'_>, path: &Path<'_>, found: &mut Findings) {
        let AtRoot { sent, taken, .. } = if path.is_root() { self.at_root } else { AtRoot::NOTHING };
        // Of a name that is there twice, leaving the null out would leave the other value as if it were the only one.
        let twice: HashSet<String> =
            repeated(entries).into_iter().filter_map(|at| entries.get(at)).map(|(key, _)| key.to_string()).collect();
        entries.retain(|(key, value)| {
            if *value != Json::Null || taken.contains(&&**key) || twice.contains(key.as_ref()) {
                return true;
            }
            let Some(id) = node.property(key) else { return true };
            if node.required.iter().any(|name| name == key) || self.takes_null(id) {
                return true;
            }
            let place = Path::Key(path, sent.sent_as(key));
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

    /// The names in signature order, where they are the tool's own parameters.
    pub(super) fn in_order<'n>(&self, names: &'n [String], path: &Path<'_>) -> impl Iterator<Item = &'n str> + use<'n> {
        let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
        if path.is_root() {
            names.sort_by_key(|name| self.at_root.order.iter().position(|parameter| parameter.name == *name));
        }
        names.into_iter()
    }
}

/// What is declared and not there.
fn absent(node: &Node, entries: &Entries<'_>) -> Vec<Id> {
    let is_absent = |name: &str| entries.iter().all(|(key, _)| key != name);
    node.properties.iter().filter(|(name, _)| is_absent(name)).map(|(_, id)| *id).collect()
}

/// What is expected where a number is larger than any type can hold.
const BEYOND: &str = "a number within the range of a 64-bit float";

/// What is expected where a number would lose digits.
const TOO_WIDE: &str = "an integer of at most 64 bits (send a longer one as a string, if that is allowed)";

/// A value of which nothing is declared. What cannot be taken by any type is refused there as well: a key twice, of
/// which one value would be lost, a number that would become an infinity, and an integer that would lose digits.
pub(super) fn anything(value: &Json<'_>, path: &Path<'_>, found: &mut Findings) {
    match value {
        Json::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| anything(item, &Path::Item(path, index), found));
        }
        Json::Object(entries) => {
            let repeated = repeated(entries);
            for (index, (key, value)) in entries.iter().enumerate() {
                if repeated.binary_search(&index).is_ok() {
                    found.problem(path, ProblemKind::Duplicate { name: key.to_string() });
                } else {
                    anything(value, &Path::Key(path, key), found);
                }
            }
        }
        Json::Number(text) if !number::is_finite(text) => found.mismatch(path, BEYOND, value),
        Json::Number(text) if number::is_wide(text) => found.mismatch(path, TOO_WIDE, value),
        Json::Number(_) | Json::Null | Json::Bool(_) | Json::String(_) => {}
    }
}

/// Whether the node says something of the property `key`.
fn declares(node: &Node, key: &str) -> bool {
    node.property(key).is_some()
        || node.patterns.iter().any(|(regex, _)| regex.as_ref().is_some_and(|regex| regex.is_match(key)))
        || matches!(node.additional, Additional::Schema(_))
}
