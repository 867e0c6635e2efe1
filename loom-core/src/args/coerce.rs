//! The walk over what was sent, along the plan: every problem, and every coercion that the declared type leaves one
//! reading for.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::Value;

use super::json::{Json, excerpt};
use super::number;
use super::plan::{Additional, Id, Kind, Node, Plan};
use super::problem::{Problem, ProblemKind, Problems, nearest, pointer_to};
use super::{Parameter, Shape};

mod expected;

use expected::{expected, shortened};

/// One change that was made to the arguments before they were taken.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Coercion {
    /// The JSON pointer of the value; empty for the arguments as a whole.
    pub pointer: String,
    /// Why the change was allowed.
    pub rule: CoercionRule,
    /// What was sent, as JSON, shortened.
    pub from: String,
    /// What it became, as JSON, shortened; empty where it was left out.
    pub to: String,
}

/// The reasons for which a value may be changed. Each leaves exactly one reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CoercionRule {
    /// A string that spells an integer, where an integer is declared.
    TextToInteger,
    /// A number without a fractional part, where an integer is declared.
    NumberToInteger,
    /// A string that spells a number, where a number is declared.
    TextToNumber,
    /// `true`, `True`, `TRUE` or their opposites as a string, where a boolean is declared.
    TextToBoolean,
    /// A string that holds a JSON list or object, where one is declared.
    TextToJson,
    /// Null for something optional that takes no null.
    NullToAbsent,
    /// The string `null`, where null is taken and text is not.
    TextToNull,
    /// A name that differs from the declared one in letter case or outer blanks only.
    NameCase,
    /// Another name that the parameter is known by.
    Alias,
    /// No arguments at all, as null or blank text.
    NoArguments,
    /// The arguments as a JSON string that holds an object.
    QuotedArguments,
}

/// How often a value may be a JSON document within a string.
const MAX_QUOTING: usize = 2;

/// Steps that a walk may take for each byte of the text, beside a fixed allowance: unions inside unions could
/// otherwise be walked exponentially often. No real schema comes near.
const STEPS_PER_BYTE: usize = 256;
const FREE_STEPS: usize = 65_536;

/// Reads `text` and walks it: the document to read, and what was changed in it.
pub(super) fn coerce<'t>(text: &'t str, shape: &Shape) -> Result<(Json<'t>, Vec<Coercion>), Problems> {
    let mut found = Findings::default();
    let mut document = arguments(text, &mut found).map_err(|problem| Problems::new(vec![problem]))?;
    rename_aliases(&mut document, &shape.parameters, &mut found);
    let fuel = text.len().saturating_mul(STEPS_PER_BYTE).saturating_add(FREE_STEPS);
    let mut walk = Walk { plan: shape.plan(), fuel, order: &shape.parameters };
    walk.value(Plan::ROOT, &mut document, "", 0, &mut found);
    if found.problems.is_empty() { Ok((document, found.coercions)) } else { Err(Problems::new(found.problems)) }
}

/// The arguments as an object: absent ones are none, quoted ones are what the quotes hold.
fn arguments<'t>(text: &'t str, found: &mut Findings) -> Result<Json<'t>, Problem> {
    let none = |found: &mut Findings, from: &str| {
        // A call without arguments says the same as one with empty arguments; only something odd is worth a note.
        if !from.is_empty() {
            found.coerced("", CoercionRule::NoArguments, from.to_owned(), "{}".to_owned());
        }
        Json::Object(Vec::new())
    };
    if text.trim().is_empty() {
        return Ok(none(found, ""));
    }
    let document = Json::parse(text).map_err(|error| {
        let reason = format!("the arguments are not valid JSON: {} near `{}`", error.kind, excerpt(text, error.offset));
        Problem::new("", ProblemKind::Syntax { reason })
    })?;
    match document {
        Json::Null => Ok(none(found, "null")),
        Json::String(inner) if inner.trim().is_empty() => Ok(none(found, "\"\"")),
        Json::String(inner) => match Json::parse(&inner) {
            Ok(object @ Json::Object(_)) => {
                let object = object.into_owned();
                found.coerced("", CoercionRule::QuotedArguments, shortened(&Json::String(inner)), shortened(&object));
                Ok(object)
            }
            _ => Ok(Json::String(inner)),
        },
        other => Ok(other),
    }
}

fn rename_aliases(document: &mut Json<'_>, parameters: &[Parameter], found: &mut Findings) {
    let Json::Object(entries) = document else { return };
    for (key, _) in entries {
        if let Some(parameter) = parameters.iter().find(|parameter| parameter.aliases.iter().any(|alias| alias == key))
        {
            let (from, to) = (format!("`{key}`"), format!("`{}`", parameter.name));
            found.coerced(&pointer_to("", key), CoercionRule::Alias, from, to);
            *key = Cow::Owned(parameter.name.to_string());
        }
    }
}

/// What a walk has found so far.
#[derive(Debug, Default)]
struct Findings {
    problems: Vec<Problem>,
    coercions: Vec<Coercion>,
}

impl Findings {
    fn problem(&mut self, pointer: &str, kind: ProblemKind) {
        self.problems.push(Problem::new(pointer, kind));
    }

    fn mismatch(&mut self, pointer: &str, expected: String, got: &Json<'_>) {
        self.problem(pointer, ProblemKind::Mismatch { expected, got: shortened(got) });
    }

    fn coerced(&mut self, pointer: &str, rule: CoercionRule, from: String, to: String) {
        self.coercions.push(Coercion { pointer: pointer.to_owned(), rule, from, to });
    }

    fn append(&mut self, other: Self) {
        self.problems.extend(other.problems);
        self.coercions.extend(other.coercions);
    }
}

struct Walk<'p> {
    plan: &'p Plan,
    fuel: usize,
    /// The root's properties in signature order, for messages.
    order: &'p [Parameter],
}

impl<'p> Walk<'p> {
    fn value(&mut self, id: Id, value: &mut Json<'_>, pointer: &str, quoting: usize, found: &mut Findings) {
        self.fuel = self.fuel.saturating_sub(1);
        if self.fuel == 0 {
            // Said once: every later step ends here too.
            if !found.problems.iter().any(|problem| matches!(&problem.kind, ProblemKind::Syntax { .. })) {
                let reason = "the arguments are too deeply nested to be checked".to_owned();
                found.problem(pointer, ProblemKind::Syntax { reason });
            }
            return;
        }
        let plan = self.plan;
        let node = plan.node(id);
        let before = found.problems.len();
        if node.never {
            return found.mismatch(pointer, "nothing here".to_owned(), value);
        }
        for &other in &node.all {
            self.value(other, value, pointer, quoting, found);
        }
        for alternatives in &node.unions {
            self.union(node, alternatives, value, pointer, quoting, found);
        }
        if found.problems.len() > before {
            return;
        }
        let quoting = match fit_kind(node, value, pointer, quoting, found) {
            Fit::Fits(quoting) => quoting,
            Fit::Misfit => return found.mismatch(pointer, expected(plan, id), value),
        };
        if !fit_choice(node, value, pointer, found) || !self.fits_bounds(node, value, pointer) {
            return found.mismatch(pointer, expected(plan, id), value);
        }
        match value {
            Json::Array(items) => self.list(node, items, pointer, quoting, found),
            Json::Object(entries) => self.object(node, entries, pointer, quoting, found),
            _ => {}
        }
    }

    fn fits_bounds(&mut self, node: &Node, value: &Json<'_>, pointer: &str) -> bool {
        use std::cmp::Ordering::{Equal, Greater, Less};
        let bounds = &node.number;
        let fits = match value {
            Json::Number(text) => {
                let holds = |bound: &Option<String>, allowed: &[std::cmp::Ordering]| {
                    bound.as_deref().is_none_or(|bound| {
                        number::compare(text, bound).is_some_and(|ordering| allowed.contains(&ordering))
                    })
                };
                holds(&bounds.minimum, &[Greater, Equal])
                    && holds(&bounds.maximum, &[Less, Equal])
                    && holds(&bounds.exclusive_minimum, &[Greater])
                    && holds(&bounds.exclusive_maximum, &[Less])
                    && bounds.multiple_of.as_deref().is_none_or(|step| number::is_multiple(text, step))
            }
            Json::String(text) => {
                node.text_length.takes(text.chars().count())
                    && node.pattern.as_ref().is_none_or(|(_, regex)| regex.as_ref().is_some_and(|r| r.is_match(text)))
            }
            Json::Array(items) => node.item_count.takes(items.len()) && (!node.unique || all_different(items)),
            Json::Object(entries) => node.property_count.takes(entries.len()),
            Json::Null | Json::Bool(_) => true,
        };
        fits && !node.not.iter().any(|&id| {
            let mut trial = Findings::default();
            self.value(id, &mut value.clone(), pointer, MAX_QUOTING, &mut trial);
            trial.problems.is_empty() && trial.coercions.is_empty()
        })
    }

    fn list(&mut self, node: &Node, items: &mut [Json<'_>], pointer: &str, quoting: usize, found: &mut Findings) {
        for (index, item) in items.iter_mut().enumerate() {
            if let Some(id) = node.prefix.get(index).copied().or(node.items) {
                self.value(id, item, &format!("{pointer}/{index}"), quoting, found);
            }
        }
    }

    fn object(
        &mut self,
        node: &Node,
        entries: &mut Vec<(Cow<'_, str>, Json<'_>)>,
        pointer: &str,
        quoting: usize,
        found: &mut Findings,
    ) {
        refuse_duplicates(entries, pointer, found);
        self.drop_nulls(node, entries, pointer, found);
        let mut present = HashSet::new();
        for (key, value) in entries.iter_mut() {
            if !present.insert(key.to_string()) {
                continue;
            }
            let place = pointer_to(pointer, key);
            let mut declared = false;
            if let Some(id) = property(node, key) {
                declared = true;
                self.value(id, value, &place, quoting, found);
            }
            for (regex, id) in &node.patterns {
                if regex.as_ref().is_some_and(|regex| regex.is_match(key)) {
                    declared = true;
                    self.value(*id, value, &place, quoting, found);
                }
            }
            if declared {
                continue;
            }
            match node.additional {
                Additional::Any => {}
                Additional::Schema(id) => self.value(id, value, &place, quoting, found),
                Additional::NoneOfAll if self.declared(node).iter().any(|name| name == key) => {}
                Additional::None | Additional::NoneOfAll => {
                    found.problem(pointer, ProblemKind::Unknown { name: key.to_string(), nearest: None });
                }
            }
        }
        let missing: Vec<_> = self.in_order(&node.required, pointer).filter(|name| !present.contains(*name)).collect();
        self.suggest(node, &present, pointer, found);
        if !missing.is_empty() {
            let names = missing.into_iter().map(str::to_owned).collect();
            found.problem(pointer, ProblemKind::Missing { names });
        }
    }

    /// For each unknown name, the declared one that was probably meant: one that is not there already.
    fn suggest(&self, node: &Node, present: &HashSet<String>, pointer: &str, found: &mut Findings) {
        let declared = self.declared(node);
        for problem in found.problems.iter_mut().filter(|problem| problem.pointer == pointer) {
            if let ProblemKind::Unknown { name, nearest: suggestion @ None } = &mut problem.kind {
                let free = declared.iter().copied().filter(|name| !present.contains(*name));
                *suggestion = nearest(name, free, 1).first().map(|&name| name.to_owned());
            }
        }
    }

    /// Null for a property that may be left out and takes no null is the property left out.
    fn drop_nulls(
        &mut self,
        node: &Node,
        entries: &mut Vec<(Cow<'_, str>, Json<'_>)>,
        pointer: &str,
        found: &mut Findings,
    ) {
        entries.retain(|(key, value)| {
            let Some(id) = property(node, key) else { return true };
            if *value != Json::Null || node.required.iter().any(|name| name == key) {
                return true;
            }
            let mut trial = Findings::default();
            self.value(id, &mut Json::Null, pointer, MAX_QUOTING, &mut trial);
            if trial.problems.is_empty() {
                return true;
            }
            found.coerced(&pointer_to(pointer, key), CoercionRule::NullToAbsent, "null".to_owned(), String::new());
            false
        });
    }

    /// Every name that this schema and what it is combined with declare.
    fn declared(&self, node: &'p Node) -> Vec<&'p str> {
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
    fn in_order<'n>(&self, names: &'n [String], pointer: &str) -> impl Iterator<Item = &'n str> {
        let order = self.order;
        let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
        if pointer.is_empty() {
            names.sort_by_key(|name| order.iter().position(|parameter| parameter.name == *name));
        }
        names.into_iter()
    }

    /// A value of which one alternative has to hold: one that takes it as it is, else the only one that takes it
    /// coerced.
    fn union(
        &mut self,
        node: &Node,
        alternatives: &[Id],
        value: &mut Json<'_>,
        pointer: &str,
        quoting: usize,
        found: &mut Findings,
    ) {
        let mut coerced = Vec::new();
        let mut failed = Vec::new();
        for &id in alternatives {
            let mut trial = value.clone();
            let mut findings = Findings::default();
            self.value(id, &mut trial, pointer, quoting, &mut findings);
            match (findings.problems.is_empty(), findings.coercions.is_empty()) {
                (true, true) => return,
                (true, false) => coerced.push((trial, findings)),
                (false, _) => failed.push((id, findings)),
            }
        }
        if coerced.len() == 1
            && let Some((trial, findings)) = coerced.pop()
        {
            *value = trial;
            return found.append(findings);
        }
        if let Some(findings) = self.meant(&mut failed, value) {
            return found.append(findings);
        }
        let expected: Vec<_> = alternatives.iter().map(|&id| expected(self.plan, id)).collect();
        let expected = if node.unions.len() == 1 { expected.join(", or ") } else { expected.join(" | ") };
        found.mismatch(pointer, expected, value);
    }

    /// The findings of the one alternative that the value was meant for: the one whose tag it bears.
    fn meant(&self, failed: &mut Vec<(Id, Findings)>, value: &Json<'_>) -> Option<Findings> {
        let mut tagged = failed.iter().enumerate().filter(|(_, (id, _))| self.bears_tag(*id, value)).map(|(at, _)| at);
        match (tagged.next(), tagged.next()) {
            (Some(at), None) => Some(failed.swap_remove(at).1),
            _ => None,
        }
    }

    /// Whether the value has a property that this alternative alone would declare: its constant tag, or its one
    /// required name.
    fn bears_tag(&self, id: Id, value: &Json<'_>) -> bool {
        let node = self.plan.node(id);
        let constant = node.properties.iter().any(|(name, id)| {
            let choices = self.plan.node(*id).choices.as_deref();
            matches!((choices, value.get(name)), (Some([only]), Some(sent)) if same(only, sent))
        });
        let externally = matches!((&node.properties[..], &node.required[..]), ([(name, _)], [required])
            if name == required && value.get(name).is_some());
        constant || externally || node.all.iter().any(|&id| self.bears_tag(id, value))
    }
}

fn property(node: &Node, key: &str) -> Option<Id> {
    node.properties.iter().find(|(name, _)| name == key).map(|(_, id)| *id)
}

fn refuse_duplicates(entries: &[(Cow<'_, str>, Json<'_>)], pointer: &str, found: &mut Findings) {
    let mut seen = HashSet::new();
    let mut told = HashSet::new();
    for (key, _) in entries {
        if !seen.insert(key) && told.insert(key) {
            found.problem(pointer, ProblemKind::Duplicate { name: key.to_string() });
        }
    }
}

fn all_different(items: &[Json<'_>]) -> bool {
    let mut seen = HashSet::new();
    items.iter().all(|item| {
        let mut text = String::new();
        item.write(&mut text);
        seen.insert(text)
    })
}

enum Fit {
    /// The value has a kind that is taken; it came out of this many levels of quoting.
    Fits(usize),
    Misfit,
}

/// Makes the value one of the kinds that the node takes, where one reading is left.
fn fit_kind(node: &Node, value: &mut Json<'_>, pointer: &str, quoting: usize, found: &mut Findings) -> Fit {
    let kind = match value {
        Json::Null => Kind::Null,
        Json::Bool(_) => Kind::Boolean,
        Json::Number(text) if number::is_integer(text) => Kind::Integer,
        Json::Number(_) => Kind::Number,
        Json::String(_) => Kind::String,
        Json::Array(_) => Kind::Array,
        Json::Object(_) => Kind::Object,
    };
    if node.takes(kind) {
        return Fit::Fits(quoting);
    }
    let (rule, new, quoting) = match value {
        Json::Number(text) if node.takes(Kind::Integer) => match number::integral(text) {
            Some(integer) => (CoercionRule::NumberToInteger, Json::Number(integer.into()), quoting),
            None => return Fit::Misfit,
        },
        Json::String(text) => match reading(node, text, quoting) {
            Some(reading) => reading,
            None => return Fit::Misfit,
        },
        _ => return Fit::Misfit,
    };
    found.coerced(pointer, rule, shortened(value), shortened(&new));
    *value = new;
    Fit::Fits(quoting)
}

/// The one reading of a string as something that the node takes; text it does not take.
fn reading(node: &Node, text: &str, quoting: usize) -> Option<(CoercionRule, Json<'static>, usize)> {
    let kinds = node.kinds.as_deref()?;
    let mut readings = kinds.iter().filter_map(|kind| match kind {
        Kind::Null => (text == "null").then_some((CoercionRule::TextToNull, Json::Null, quoting)),
        Kind::Boolean => match text {
            "true" | "True" | "TRUE" => Some((CoercionRule::TextToBoolean, Json::Bool(true), quoting)),
            "false" | "False" | "FALSE" => Some((CoercionRule::TextToBoolean, Json::Bool(false), quoting)),
            _ => None,
        },
        Kind::Integer => number::integer_text(text)
            .map(|integer| (CoercionRule::TextToInteger, Json::Number(integer.into()), quoting)),
        Kind::Number => {
            number::number_text(text).map(|number| (CoercionRule::TextToNumber, Json::Number(number.into()), quoting))
        }
        Kind::Array | Kind::Object if quoting < MAX_QUOTING && text.starts_with(['[', '{']) => {
            let parsed = Json::parse(text).ok()?.into_owned();
            let wanted =
                if *kind == Kind::Array { matches!(parsed, Json::Array(_)) } else { matches!(parsed, Json::Object(_)) };
            wanted.then_some((CoercionRule::TextToJson, parsed, quoting + 1))
        }
        Kind::String | Kind::Array | Kind::Object => None,
    });
    let first = readings.next()?;
    readings.next().is_none().then_some(first)
}

/// Whether the value is one of the node's choices, or becomes one by letter case and outer blanks.
fn fit_choice(node: &Node, value: &mut Json<'_>, pointer: &str, found: &mut Findings) -> bool {
    let Some(choices) = &node.choices else { return true };
    if choices.iter().any(|choice| same(choice, value)) {
        return true;
    }
    let Json::String(text) = value else { return false };
    let trimmed = text.trim();
    let mut alike = choices.iter().filter_map(Value::as_str).filter(|choice| choice.eq_ignore_ascii_case(trimmed));
    let (Some(choice), None) = (alike.next(), alike.next()) else { return false };
    let new = Json::String(choice.to_owned().into());
    found.coerced(pointer, CoercionRule::NameCase, shortened(value), shortened(&new));
    *value = new;
    true
}

/// Whether a value of the schema and one that was sent are equal.
fn same(choice: &Value, sent: &Json<'_>) -> bool {
    match (choice, sent) {
        (Value::Null, Json::Null) => true,
        (Value::Bool(a), Json::Bool(b)) => a == b,
        (Value::String(a), Json::String(b)) => a == b,
        (Value::Number(a), Json::Number(b)) => number::compare(&a.to_string(), b) == Some(std::cmp::Ordering::Equal),
        (Value::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Json::Object(b)) => {
            a.len() == b.len() && b.iter().all(|(key, b)| a.get(key.as_ref()).is_some_and(|a| same(a, b)))
        }
        _ => false,
    }
}
