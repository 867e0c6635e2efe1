//! Unions: which of several alternatives a value was meant as.

use serde_json::Value;

use super::super::json::Json;
use super::super::number::is_finite;
use super::super::path::Path;
use super::super::plan::{Additional, Id, Kind, Node};
use super::super::problem::{ProblemKind, nearest};
use super::Findings;
use super::expected::{came_for_json, leaves, shortened, tag, tag_words};
use super::fit::{is_broken, kind_of, named, reading, same};
use super::walk::{Walk, anything};

/// How deep alternatives within alternatives are looked into before the value is.
const DEPTH: usize = 8;

impl Walk<'_> {
    /// A value of which one alternative has to hold: one that takes it as it is, else the only one that takes it
    /// coerced.
    pub(super) fn union(
        &mut self,
        node: &Node,
        alternatives: &[Id],
        value: &mut Json<'_>,
        path: &Path<'_>,
        quoting: usize,
        found: &mut Findings,
    ) {
        // What a glance rules out is not walked: variants of one enum often hold the same things, and trying each of
        // them at every level would take exponentially long.
        let tag = tag(self.plan, alternatives);
        let mut candidates: Vec<_> =
            alternatives.iter().copied().filter(|&id| !self.is_ruled_out(id, tag, value, quoting, 0)).collect();
        if candidates.len() > 1 && candidates.iter().any(|&id| self.has_the_names(id, value)) {
            candidates.retain(|&id| self.has_the_names(id, value));
        }
        // None of several takes what is broken, and the fault is not that none does.
        if candidates.len() != 1 && is_broken(value) {
            return anything(value, path, found);
        }
        let text = matches!(value, Json::String(_)) && candidates.iter().any(|&id| self.takes_text(id, 0));
        let mut coerced = Vec::new();
        let mut failed = Vec::new();
        for &id in &candidates {
            let mut trial = value.clone();
            let mut findings = found.trial();
            self.value(id, &mut trial, path, quoting, &mut findings);
            match (findings.problems.is_empty(), findings.coercions.is_empty()) {
                (true, true) => return,
                (true, false) => coerced.push((trial, findings)),
                (false, _) => failed.push(findings),
            }
        }
        // Where any text is taken, a text that is refused is not taken as something else.
        if coerced.len() == 1
            && !text
            && let Some((trial, findings)) = coerced.pop()
        {
            *value = trial;
            return found.append(findings);
        }
        // What no number can be is not explained by what would have fitted.
        if let (Json::Number(number), [only]) = (&*value, failed.as_mut_slice())
            && coerced.is_empty()
            && !is_finite(number)
        {
            return found.append(std::mem::take(only));
        }
        let ambiguous = !coerced.is_empty();
        if !ambiguous && let Some(findings) = meant(failed, &path.pointer()) {
            return found.append(findings);
        }
        if found.silent {
            return found.mismatch(path, "", value);
        }
        let leaves = leaves(self.plan, alternatives);
        if !ambiguous && self.explain_tag(&leaves, value, quoting, path, found) {
            return;
        }
        let text = leaves.iter().any(|&id| self.takes_text(id, 0));
        let got = || if text { shortened(value) } else { came_for_json(value) };
        found.mismatch_with(path, || (self.words.expected_of(self.plan, node, alternatives, value), got()));
    }

    /// Whether a glance at the value shows that this alternative does not take it: its kind, or a tag.
    fn is_ruled_out(&self, id: Id, tag: Option<&str>, value: &Json<'_>, quoting: usize, depth: usize) -> bool {
        let node = self.plan.node(id);
        if node.never {
            return true;
        }
        let fits = node.takes(kind_of(value))
            || match value {
                Json::Number(_) => node.takes(Kind::Integer),
                Json::String(text) => reading(node, text, quoting).is_some(),
                _ => false,
            };
        let chosen = node.choices.as_ref().is_none_or(|choices| is_chosen(choices, value));
        let tagged = tag.is_none_or(|tag| {
            let choices = node.property(tag).and_then(|id| self.plan.node(id).choices.as_deref());
            choices.is_none_or(|choices| value.get(tag).is_none_or(|sent| is_chosen(choices, sent)))
        });
        if !fits || !chosen || !tagged {
            return true;
        }
        depth < DEPTH
            && (node.all.iter().any(|&id| self.is_ruled_out(id, tag, value, quoting, depth + 1))
                || node.unions.iter().any(|union| {
                    let tag = self::tag(self.plan, union);
                    union.iter().all(|&id| self.is_ruled_out(id, tag, value, quoting, depth + 1))
                }))
    }

    /// Whether an object has the names that this alternative requires and no others than it declares.
    fn has_the_names(&self, id: Id, value: &Json<'_>) -> bool {
        let (Some(node), Json::Object(entries)) = (self.plan.as_object(id), value) else { return true };
        let closed = node.additional == Additional::None && !node.unevaluated && node.patterns.is_empty();
        node.required.iter().all(|name| value.get(name).is_some())
            && (!closed || entries.iter().all(|(key, _)| node.property(key).is_some()))
    }

    /// Whether the alternative takes any text, rather than certain words.
    fn takes_text(&self, id: Id, depth: usize) -> bool {
        let node = self.plan.node(id);
        node.takes_text()
            || (depth < DEPTH
                && node.all.iter().chain(node.unions.iter().flatten()).any(|&id| self.takes_text(id, depth + 1)))
    }

    /// Says which tag or which name is wrong, where the alternatives are told apart by one.
    fn explain_tag(
        &self,
        leaves: &[Id],
        value: &Json<'_>,
        quoting: usize,
        path: &Path<'_>,
        found: &mut Findings,
    ) -> bool {
        let Json::Object(entries) = value else { return false };
        if let Some(tag) = tag(self.plan, leaves) {
            let values = tag_words(self.plan, leaves, tag);
            let none_left = || leaves.iter().all(|&id| self.is_ruled_out(id, Some(tag), value, quoting, 0));
            match value.get(tag) {
                Some(sent) if none_left() => found.mismatch(&Path::Key(path, tag), &values, sent),
                None => found.mismatch(path, &format!("an object whose `{tag}` is {values}"), value),
                Some(_) => return false,
            }
            return true;
        }
        let objects = leaves.iter().filter_map(|&id| self.plan.as_object(id));
        let names: Option<Vec<&str>> = objects.map(Node::only_name).collect();
        let Some(names) = names.filter(|names| names.len() > 1) else { return false };
        if let [(name, _)] = entries.as_slice()
            && let Some(&near) = nearest(name, names.iter().copied(), 1).first()
        {
            found.problem(path, ProblemKind::unknown(name, Some(near)));
            return true;
        }
        false
    }
}

/// The findings of the one alternative that the value has the shape of: all that is wrong is wrong further inside.
fn meant(failed: Vec<Findings>, pointer: &str) -> Option<Findings> {
    let inside = |findings: &Findings| findings.problems.iter().all(|problem| problem.pointer != pointer);
    let only = failed.len() == 1;
    // Of a single candidate, names that are missing or unknown are told as well: there is nothing else to mean.
    let shape = |findings: &Findings| {
        only && !findings
            .problems
            .iter()
            .any(|problem| problem.pointer == pointer && matches!(problem.kind, ProblemKind::Mismatch { .. }))
    };
    let mut fitting = failed.into_iter().filter(|findings| inside(findings) || shape(findings));
    let first = fitting.next()?;
    fitting.next().is_none().then_some(first)
}

fn is_chosen(choices: &[Value], value: &Json<'_>) -> bool {
    choices.iter().any(|choice| same(choice, value))
        || match value {
            Json::String(text) => named(choices, text).is_some() || choices.iter().any(|choice| !choice.is_string()),
            Json::Number(_) => choices.iter().any(Value::is_number),
            _ => false,
        }
}
