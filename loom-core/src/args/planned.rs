//! The path that explains: the arguments as a tree, walked along the plan, and read again.

use std::cell::OnceCell;

use super::coerce::{AtRoot, CoercionRule, Findings, coerce, rename_aliases, shortened};
use super::json::{Json, SyntaxError, SyntaxErrorKind, excerpt};
use super::path::Path;
use super::problem::{Problem, ProblemKind, Problems};
use super::repair::Repair;
use super::scan::{Direct, Tried, bit, size};
use super::{ArgumentLimits, Reading, Shape, Slots, locate};
use crate::call::Arguments;

/// The arguments as an object, before anything inside is looked at.
pub(super) struct Opened<'t> {
    pub(super) document: Json<'t>,
    /// About how many bytes it was.
    pub(super) bytes: usize,
    pub(super) found: Findings,
    pub(super) repairs: Vec<Repair>,
}

/// Opens the arguments: absent ones are none, quoted ones are what the quotes hold, which is kept in `inner`.
pub(super) fn open<'t>(
    sent: &'t Arguments,
    inner: &'t OnceCell<String>,
    limits: ArgumentLimits,
) -> Result<Opened<'t>, Problem> {
    let mut found = Findings::default();
    let depth = limits.max_depth();
    let (document, bytes, repairs) = match sent {
        Arguments::Text(text) if text.trim().is_empty() => (Json::Object(Vec::new()), 0, Vec::new()),
        Arguments::Text(text) => {
            let (document, repairs) = parse(text, depth)?;
            (document, text.len(), repairs)
        }
        Arguments::Value(value) => {
            let document = Json::from_value(value, depth).ok_or_else(|| {
                let reason = format!("the arguments are {}", SyntaxErrorKind::TooDeep(depth));
                Problem::new("", ProblemKind::Syntax { reason, truncated: false })
            })?;
            (document, size(value), Vec::new())
        }
    };
    let mut none = |from: &str| {
        found.coerced(&Path::Root, CoercionRule::NoArguments, from.to_owned(), "{}".to_owned());
        Json::Object(Vec::new())
    };
    let document = match document {
        Json::Null => none("null"),
        Json::String(text) if text.trim().is_empty() => none("\"\""),
        Json::String(text) => {
            let from = shortened(&Json::String(text.clone()));
            let text = inner.get_or_init(|| text.into_owned());
            match Json::parse_within(text, depth) {
                Ok(object @ Json::Object(_)) => {
                    found.coerced(&Path::Root, CoercionRule::QuotedArguments, from, shortened(&object));
                    object
                }
                // Whoever quotes an object means it; what it lacks is more to the point than that it is quoted.
                Err(error) if text.trim_start().starts_with('{') => return Err(syntax(text, &error)),
                _ => Json::String(text.as_str().into()),
            }
        }
        other => other,
    };
    Ok(Opened { document, bytes, found, repairs })
}

fn parse(text: &str, max_depth: usize) -> Result<(Json<'_>, Vec<Repair>), Problem> {
    if let Ok(document) = Json::parse_within(text, max_depth) {
        return Ok((document, Vec::new()));
    }
    let repaired = Json::repair(text, max_depth).map_err(|error| syntax(text, &error))?;
    Ok((repaired.0, repaired.1.into_vec()))
}

fn syntax(text: &str, error: &SyntaxError) -> Problem {
    let reason = format!("the arguments are not valid JSON: {} near `{}`", error.kind, excerpt(text, error.offset));
    let truncated = matches!(error.kind, SyntaxErrorKind::CutOff(_));
    Problem::new("", ProblemKind::Syntax { reason, truncated })
}

/// Reads the arguments, or names every problem; what was tried before needs no second try.
pub(super) fn read(
    shape: &Shape,
    sent: &Arguments,
    tried: Tried,
    limits: ArgumentLimits,
    slots: &mut dyn Slots,
) -> Result<Reading, Problems> {
    let inner = OnceCell::new();
    let opened = open(sent, &inner, limits).map_err(|problem| Problems::new(vec![problem]))?;
    let Opened { mut document, bytes, mut found, repairs } = opened;
    let names = rename_aliases(&mut document, &shape.parameters, &mut found);
    // What did not fit before may do so repaired.
    let tried = if repairs.is_empty() { tried } else { Tried { refused: 0, ..tried } };
    let direct = Direct::new(shape, limits.max_depth());
    let taken = if shape.whole { Vec::new() } else { take(shape, &document, tried, &direct, slots) };
    let at_root = AtRoot { order: &shape.parameters, sent: &names, taken: &taken };
    coerce(&shape.compiled().plan, at_root, bytes, &mut document, &mut found)?;

    let (written, places) = write(&document, bytes);
    let problems = read_coerced(shape, &document, (&written, &places), &at_root, limits.max_depth(), slots);
    if !problems.is_empty() {
        return Err(Problems::new(problems));
    }
    let changed = found.has_coercions() || !repairs.is_empty();
    Ok(Reading { coercions: found.into_coercions(), repairs, coerced: changed.then_some(written) })
}

/// Reads every parameter that fits as it was sent, and names them. What one parameter needs changed must not keep
/// another from what only its type knows, such as a second name of a field.
fn take<'s>(
    shape: &'s Shape,
    document: &Json<'_>,
    tried: Tried,
    direct: &Direct<'_>,
    slots: &mut dyn Slots,
) -> Vec<&'s str> {
    let Json::Object(entries) = document else { return Vec::new() };
    let mut seen = vec![false; shape.parameters.len()];
    let mut taken = Vec::new();
    let mut text = String::new();
    for (key, value) in entries {
        let mut named = shape.parameters.iter().zip(&mut seen).enumerate();
        let Some((index, (parameter, seen))) = named.find(|(_, (parameter, _))| parameter.name == *key) else {
            continue;
        };
        if std::mem::replace(seen, true) {
            // Which of two values is meant cannot be told: the walk looks at both.
            slots.forget(index);
            taken.retain(|name| *name != parameter.name);
            continue;
        }
        let bit = bit(index).unwrap_or_default();
        if tried.taken & bit != 0 {
            taken.push(&*parameter.name);
            continue;
        }
        // A text that was read as what it spells is coerced anew, beside whatever else is.
        slots.forget(index);
        if tried.refused & bit != 0 || !direct.may_take(index, value) {
            continue;
        }
        text.clear();
        value.write(&mut text);
        if direct.take(index, &text, slots) == Some(text.len()) {
            taken.push(&*parameter.name);
        } else {
            slots.forget(index);
        }
    }
    // What is not there is not read, whatever was looked at before.
    seen.iter().enumerate().filter(|(_, seen)| !**seen).for_each(|(index, _)| slots.forget(index));
    taken
}

/// The document as text, and where in it each value of the top level stands.
fn write(document: &Json<'_>, bytes: usize) -> (String, Vec<std::ops::Range<usize>>) {
    let mut text = String::with_capacity(bytes);
    let Json::Object(entries) = document else {
        document.write(&mut text);
        return (text, Vec::new());
    };
    let mut places = Vec::with_capacity(entries.len());
    for (key, value) in entries {
        text.push(if text.is_empty() { '{' } else { ',' });
        Json::String(key.as_ref().into()).write(&mut text);
        text.push(':');
        let start = text.len();
        value.write(&mut text);
        places.push(start..text.len());
    }
    text.push_str(if entries.is_empty() { "{}" } else { "}" });
    (text, places)
}

/// Reads the checked document. What serde still refuses is told in its words, with the place.
fn read_coerced(
    shape: &Shape,
    document: &Json<'_>,
    (written, places): (&str, &[std::ops::Range<usize>]),
    at_root: &AtRoot<'_>,
    max_depth: usize,
    slots: &mut dyn Slots,
) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut one = |index: usize, value: &Json<'_>, text: &str, path: Path<'_>| match slots.read(index, text, max_depth)
    {
        Ok(read) if read.ignored => {
            let reason = "it holds a property that is not declared".to_owned();
            problems.push(Problem::new(path.pointer(), ProblemKind::Refused { reason }));
        }
        Ok(_) => {}
        Err(error) => problems.push(locate::refusal(value, &path.pointer(), &error.to_string())),
    };
    if shape.whole {
        one(0, document, written, Path::Root);
        return problems;
    }
    let Json::Object(entries) = document else { return problems };
    for ((key, value), place) in entries.iter().zip(places) {
        let index = shape.parameters.iter().position(|parameter| parameter.name == *key);
        let Some(index) = index.filter(|_| !at_root.taken.contains(&&**key)) else { continue };
        let text = written.get(place.clone()).unwrap_or_default();
        one(index, value, text, Path::Key(&Path::Root, at_root.sent.sent_as(key)));
    }
    problems
}
