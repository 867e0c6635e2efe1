//! Names that are not declared: what was meant, where they belong, or what there is instead.

use std::collections::HashSet;

use super::super::path::Path;
use super::super::plan::{Id, Node};
use super::super::problem::{ProblemKind, nearest};
use super::Findings;
use super::expected::leaves;
use super::walk::{Entries, Walk};

impl Walk<'_> {
    /// For each unknown name, what helps: the declared one that was probably meant, which is not there already; the
    /// property that has one of this name inside; else, once for an object, every name that is declared.
    pub(super) fn suggest(
        &self,
        node: &Node,
        entries: &Entries<'_>,
        path: &Path<'_>,
        found: &mut Findings,
        before: usize,
    ) {
        let pointer = path.pointer();
        let mut unknown =
            found.problems.iter_mut().skip(before).filter(|problem| problem.pointer == pointer).peekable();
        if unknown.peek().is_none() {
            return;
        }
        let names = self.declared(node);
        let present = Present::of(entries);
        let mut told = false;
        for problem in unknown {
            let ProblemKind::Unknown { name, nearest: suggestion @ None, inside, declared } = &mut problem.kind else {
                continue;
            };
            let free = names.iter().map(|(name, _)| *name).filter(|name| !present.contains(name));
            *suggestion = nearest(name, free, 1).first().map(|&name| name.to_owned());
            if suggestion.is_none() {
                *inside = self.owner(&names, name).map(str::to_owned);
            }
            // What another alternative declares does not go with what else is there, and listing it would be no help.
            let elsewhere = names.iter().any(|(other, _)| other == name);
            if suggestion.is_none() && inside.is_none() && !elsewhere && !std::mem::replace(&mut told, true) {
                *declared = self.in_order(&sorted(node, &names), path).map(str::to_owned).collect();
            }
        }
    }

    /// The one property that is an object with a property of this name.
    fn owner<'n>(&self, names: &[(&'n str, Id)], name: &str) -> Option<&'n str> {
        let has = |id: Id| {
            let leaves = leaves(self.plan, &[id]);
            leaves.iter().any(|&id| self.plan.as_object(id).is_some_and(|node| node.property(name).is_some()))
        };
        let mut owners = names.iter().filter(|(_, id)| has(*id)).map(|(owner, _)| *owner);
        let first = owners.next()?;
        owners.next().is_none().then_some(first)
    }

    /// Every name that this schema and what it is combined with declare, each once.
    fn declared<'n>(&'n self, node: &'n Node) -> Vec<(&'n str, Id)> {
        let mut names: Vec<(&str, Id)> = Vec::new();
        let (mut seen, mut told) = (HashSet::new(), HashSet::new());
        let mut open: Vec<&Node> = vec![node];
        while let Some(node) = open.pop() {
            let new = node.properties.iter().map(|(name, id)| (name.as_str(), *id));
            names.extend(new.filter(|(name, _)| told.insert(*name)));
            let beside: Vec<_> = node.all.iter().chain(node.unions.iter().flatten()).copied().collect();
            open.extend(beside.into_iter().rev().filter(|id| seen.insert(*id)).map(|id| self.plan.node(id)));
        }
        names
    }
}

/// The names in the order that the schema requires them in, then the others. Whether those come in the order of the
/// schema is for the features of `serde_json` to say.
fn sorted(node: &Node, names: &[(&str, Id)]) -> Vec<String> {
    let mut names: Vec<_> = names.iter().map(|(name, _)| (*name).to_owned()).collect();
    names.sort_by_cached_key(|name| {
        let required = node.required.iter().position(|required| required == name);
        (required.unwrap_or(usize::MAX), name.clone())
    });
    names
}

/// The names that an object has, to ask for many times.
pub(super) enum Present<'e, 't> {
    Few(&'e Entries<'t>),
    Many(HashSet<&'e str>),
}

impl<'e, 't> Present<'e, 't> {
    pub(super) fn of(entries: &'e Entries<'t>) -> Self {
        // Of few names, looking through them is quicker than making a set.
        const FEW: usize = 32;
        match entries.len() {
            0..=FEW => Self::Few(entries),
            _ => Self::Many(entries.iter().map(|(key, _)| key.as_ref()).collect()),
        }
    }

    pub(super) fn contains(&self, name: &str) -> bool {
        match self {
            Self::Few(entries) => entries.iter().any(|(key, _)| key == name),
            Self::Many(names) => names.contains(name),
        }
    }
}
