//! The walk over what was sent, along the plan: every problem, and every coercion that the declared type leaves one
//! reading for.

use std::borrow::Cow;
use std::collections::HashSet;

use serde::Serialize;

use super::Parameter;
use super::json::Json;
use super::path::Path;
use super::plan::Plan;
use super::problem::{Problem, ProblemKind, Problems};

mod expected;
mod fit;
mod names;
mod union;
mod walk;

pub(super) use expected::shortened;
pub(super) use fit::{fits_bounds, reading};
pub(super) use walk::{AtRoot, Walk};

/// One change that was made to the arguments before they were taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
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

/// Steps that a walk may take for each byte of the text, beside a fixed allowance: unions inside unions could
/// otherwise be walked exponentially often. No real schema comes near.
const STEPS_PER_BYTE: usize = 64;
const FREE_STEPS: usize = 16_384;

/// The steps that a walk over so many bytes of arguments may take.
pub(super) const fn steps(bytes: usize) -> usize {
    bytes.saturating_mul(STEPS_PER_BYTE).saturating_add(FREE_STEPS)
}

/// The names that parameters were sent under, where those are not their own.
#[derive(Debug, Default)]
pub(super) struct SentNames(Vec<(String, String)>);

impl SentNames {
    /// Every parameter was sent under its own name.
    const NONE: &'static Self = {
        static NONE: SentNames = SentNames(Vec::new());
        &NONE
    };

    /// The name of a parameter as it stands in what was sent.
    pub(super) fn sent_as<'n>(&'n self, name: &'n str) -> &'n str {
        self.0.iter().find(|(declared, _)| declared == name).map_or(name, |(_, sent)| sent)
    }
}

/// Walks the arguments along the plan, changes what has one reading only, and gives the problems that are left. `bytes`
/// is how long they are.
///
/// # Errors
///
/// The walk would have taken too long.
pub(super) fn coerce(
    plan: &Plan,
    at_root: AtRoot<'_>,
    bytes: usize,
    document: &mut Json<'_>,
    found: &mut Findings,
) -> Result<Vec<Problem>, Problems> {
    let mut walk = Walk::new(plan, steps(bytes), at_root);
    walk.root(document, found);
    if walk.gave_up() {
        let reason = "the arguments are too deeply nested to be checked".to_owned();
        return Err(Problems::new(vec![Problem::new("", ProblemKind::Syntax { reason, truncated: false })]));
    }
    let mut problems = std::mem::take(&mut found.problems);
    if problems.is_empty() {
        return Ok(problems);
    }
    // Schemas that hold together may find the same fault; it is told once.
    let mut told = HashSet::new();
    problems.retain(|problem| told.insert(problem.clone()));
    Ok(problems)
}

/// Puts the parameters' own names in the place of others that are understood.
pub(super) fn rename_aliases(document: &mut Json<'_>, parameters: &[Parameter], found: &mut Findings) -> SentNames {
    let mut sent = SentNames::default();
    let Json::Object(entries) = document else { return sent };
    if parameters.iter().all(|parameter| parameter.aliases.is_empty()) {
        return sent;
    }
    let aliased = |key: &str| parameters.iter().find(|parameter| parameter.aliases.contains(&key));
    let own: HashSet<String> =
        entries.iter().filter(|(key, _)| aliased(key).is_none()).map(|(key, _)| key.to_string()).collect();
    for (key, _) in entries {
        if let Some(parameter) = aliased(key) {
            let (from, to) = (format!("`{key}`"), format!("`{}`", parameter.name));
            found.coerced(&Path::Key(&Path::Root, key), CoercionRule::Alias, from, to);
            if !own.contains(&*parameter.name) {
                sent.0.push((parameter.name.to_string(), key.to_string()));
            }
            *key = Cow::Owned(parameter.name.to_string());
        }
    }
    sent
}

/// What a walk has found so far.
#[derive(Debug, Default)]
pub(super) struct Findings {
    problems: Vec<Problem>,
    coercions: Vec<Coercion>,
    /// Nobody reads them: that there are some is all that is asked.
    silent: bool,
}

impl Findings {
    /// Findings of which only the number counts.
    const fn silent() -> Self {
        Self { problems: Vec::new(), coercions: Vec::new(), silent: true }
    }

    /// Findings of a trial, which may come to be among these.
    const fn trial(&self) -> Self {
        Self { problems: Vec::new(), coercions: Vec::new(), silent: self.silent }
    }

    pub(super) fn into_coercions(self) -> Vec<Coercion> {
        self.coercions
    }

    pub(super) const fn has_coercions(&self) -> bool {
        !self.coercions.is_empty()
    }

    fn problem(&mut self, path: &Path<'_>, kind: ProblemKind) {
        self.problems.push(Problem::new(path.pointer(), kind));
    }

    fn mismatch(&mut self, path: &Path<'_>, expected: &str, got: &Json<'_>) {
        self.mismatch_with(path, || (expected.to_owned(), shortened(got)));
    }

    /// A mismatch whose words, what would fit and what came, are made only where they are read.
    fn mismatch_with(&mut self, path: &Path<'_>, words: impl FnOnce() -> (String, String)) {
        let (expected, got) = if self.silent { (String::new(), String::new()) } else { words() };
        self.problem(path, ProblemKind::Mismatch { expected, got });
    }

    pub(super) fn coerced(&mut self, path: &Path<'_>, rule: CoercionRule, from: String, to: String) {
        self.coercions.push(Coercion { pointer: path.pointer(), rule, from, to });
    }

    fn append(&mut self, other: Self) {
        self.problems.extend(other.problems);
        self.coercions.extend(other.coercions);
    }

    /// Whether a value at this very place was refused since there were `before` problems.
    fn refused(&self, path: &Path<'_>, before: usize) -> bool {
        if self.problems.len() <= before {
            return false;
        }
        let pointer = path.pointer();
        let since = self.problems.iter().skip(before);
        since.filter(|problem| problem.pointer == pointer).any(|p| matches!(p.kind, ProblemKind::Mismatch { .. }))
    }
}
