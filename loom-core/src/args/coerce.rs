//! The walk over what was sent, along the plan: every problem, and every coercion that the declared type leaves one
//! reading for.

use std::borrow::Cow;
use std::collections::HashSet;

use serde::Serialize;

use super::json::{Json, excerpt};
use super::problem::{Problem, ProblemKind, Problems, pointer_to};
use super::{Parameter, Shape};

mod expected;
mod fit;
mod union;
mod walk;

use expected::shortened;
use walk::Walk;

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
const STEPS_PER_BYTE: usize = 256;
const FREE_STEPS: usize = 65_536;

/// The arguments as they are taken.
pub(super) struct Coerced<'t> {
    pub(super) document: Json<'t>,
    pub(super) coercions: Vec<Coercion>,
    pub(super) sent: SentNames,
}

/// The names that parameters were sent under, where those are not their own.
#[derive(Debug, Default)]
pub(super) struct SentNames(Vec<(String, String)>);

impl SentNames {
    /// The pointer to a property of an object, as it stands in what was sent.
    pub(super) fn pointer_to(&self, pointer: &str, name: &str) -> String {
        let renamed = self.0.iter().find(|(declared, _)| pointer.is_empty() && declared == name);
        pointer_to(pointer, renamed.map_or(name, |(_, sent)| sent))
    }
}

/// Reads `text` and walks it: the document to read, and what was changed in it.
pub(super) fn coerce<'t>(text: &'t str, shape: &Shape) -> Result<Coerced<'t>, Problems> {
    let mut found = Findings::default();
    let mut document = arguments(text, &mut found).map_err(|problem| Problems::new(vec![problem]))?;
    let sent = rename_aliases(&mut document, &shape.parameters, &mut found);
    let fuel = text.len().saturating_mul(STEPS_PER_BYTE).saturating_add(FREE_STEPS);
    let mut walk = Walk::new(shape.plan(), fuel, &shape.parameters, &sent);
    walk.root(&mut document, &mut found);
    if walk.gave_up() {
        let reason = "the arguments are too deeply nested to be checked".to_owned();
        return Err(Problems::new(vec![Problem::new("", ProblemKind::Syntax { reason })]));
    }
    let Findings { mut problems, coercions } = found;
    // Schemas that hold together may find the same fault; it is told once.
    let mut told = HashSet::new();
    problems.retain(|problem| told.insert(problem.clone()));
    if problems.is_empty() { Ok(Coerced { document, coercions, sent }) } else { Err(Problems::new(problems)) }
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

fn rename_aliases(document: &mut Json<'_>, parameters: &[Parameter], found: &mut Findings) -> SentNames {
    let mut sent = SentNames::default();
    let Json::Object(entries) = document else { return sent };
    let aliased = |key: &str| parameters.iter().find(|parameter| parameter.aliases.contains(&key));
    let own: HashSet<String> =
        entries.iter().filter(|(key, _)| aliased(key).is_none()).map(|(key, _)| key.to_string()).collect();
    for (key, _) in entries {
        if let Some(parameter) = aliased(key) {
            let (from, to) = (format!("`{key}`"), format!("`{}`", parameter.name));
            found.coerced(&pointer_to("", key), CoercionRule::Alias, from, to);
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
struct Findings {
    problems: Vec<Problem>,
    coercions: Vec<Coercion>,
}

impl Findings {
    fn problem(&mut self, pointer: &str, kind: ProblemKind) {
        self.problems.push(Problem::new(pointer, kind));
    }

    fn mismatch(&mut self, pointer: &str, expected: impl Into<String>, got: &Json<'_>) {
        self.problem(pointer, ProblemKind::Mismatch { expected: expected.into(), got: shortened(got) });
    }

    fn coerced(&mut self, pointer: &str, rule: CoercionRule, from: String, to: String) {
        self.coercions.push(Coercion { pointer: pointer.to_owned(), rule, from, to });
    }

    fn append(&mut self, other: Self) {
        self.problems.extend(other.problems);
        self.coercions.extend(other.coercions);
    }

    /// Whether a value at this very place was refused since there were `before` problems.
    fn refused(&self, pointer: &str, before: usize) -> bool {
        let since = self.problems.iter().skip(before);
        since.filter(|problem| problem.pointer == pointer).any(|p| matches!(p.kind, ProblemKind::Mismatch { .. }))
    }
}
