//! The path that explains: the arguments as a tree, walked along the plan, and read again.

use std::cell::OnceCell;
use std::ops::Range;

use super::coerce::{AtRoot, CoercionRule, Findings, SentNames, coerce, rename_aliases, shortened};
use super::json::{Json, SyntaxError, SyntaxErrorKind, excerpt, hint};
use super::path::{Path, pointer_to};
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

/// The arguments as the tree that a call reads them as, where they can be read at all; nothing in them is checked.
pub(crate) fn open_document<'t>(sent: &'t Arguments, inner: &'t OnceCell<String>) -> Option<Json<'t>> {
    open(sent, inner, ArgumentLimits::new()).ok().map(|opened| opened.document)
}

fn parse(text: &str, max_depth: usize) -> Result<(Json<'_>, Vec<Repair>), Problem> {
    if let Ok(document) = Json::parse_within(text, max_depth) {
        return Ok((document, Vec::new()));
    }
    let repaired = Json::repair(text, max_depth).map_err(|error| syntax(text, &error))?;
    Ok((repaired.0, repaired.1.into_vec()))
}

fn syntax(text: &str, error: &SyntaxError) -> Problem {
    let hint = hint(text, error).map(|hint| format!("; {hint}")).unwrap_or_default();
    let place = excerpt(text, error.offset);
    let reason = format!("the arguments are not valid JSON: {} near `{place}`{hint}", error.kind);
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
    let mut problems = coerce(&shape.compiled().plan, at_root, bytes, &mut document, &mut found)?;

    let (written, places) = write(&document, bytes);
    let coerced = Coerced { document: &document, written: &written, places: &places };
    let refusals = read_coerced(shape, coerced, &at_root, &problems, limits.max_depth(), slots);
    if !(problems.is_empty() && refusals.is_empty()) {
        let mixed = !problems.is_empty() && !refusals.is_empty();
        problems.extend(refusals);
        if mixed {
            sort(&mut problems, &document, &names);
        }
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
fn write(document: &Json<'_>, bytes: usize) -> (String, Vec<Range<usize>>) {
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

/// The arguments after the walk.
#[derive(Clone, Copy)]
struct Coerced<'d, 't> {
    document: &'d Json<'t>,
    written: &'d str,
    /// Where in the text each value of the top level stands.
    places: &'d [Range<usize>],
}

/// Reads what the walk found no problem in. What serde still refuses is told in its words, with the place.
fn read_coerced(
    shape: &Shape,
    coerced: Coerced<'_, '_>,
    at_root: &AtRoot<'_>,
    problems: &[Problem],
    max_depth: usize,
    slots: &mut dyn Slots,
) -> Vec<Problem> {
    let mut refusals = Vec::new();
    let mut one = |index: usize, value: &Json<'_>, text: &str, path: Path<'_>| match slots.read(index, text, max_depth)
    {
        Ok(read) if read.ignored => {
            let reason = "it holds a property that is not declared".to_owned();
            refusals.push(Problem::new(path.pointer(), ProblemKind::Refused { reason, got: None }));
        }
        Ok(_) => {}
        Err(refusal) => refusals.push(locate::refusal(value, &path.pointer(), &refusal)),
    };
    if shape.whole {
        if problems.is_empty() {
            one(0, coerced.document, coerced.written, Path::Root);
        }
        return refusals;
    }
    let Json::Object(entries) = coerced.document else { return refusals };
    for ((key, value), place) in entries.iter().zip(coerced.places) {
        let index = shape.parameters.iter().position(|parameter| parameter.name == *key);
        let Some(index) = index.filter(|_| !at_root.taken.contains(&&**key)) else { continue };
        let path = Path::Key(&Path::Root, at_root.sent.sent_as(key));
        if problems.iter().any(|problem| concerns(problem, key, &path.pointer())) {
            continue;
        }
        let text = coerced.written.get(place.clone()).unwrap_or_default();
        one(index, value, text, path);
    }
    refusals
}

/// Whether the problem is one of the parameter that stands at `pointer`.
fn concerns(problem: &Problem, name: &str, pointer: &str) -> bool {
    match &problem.kind {
        ProblemKind::Duplicate { name: twice } if problem.pointer.is_empty() => twice == name,
        _ => problem.pointer.strip_prefix(pointer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')),
    }
}

/// Puts problems of several findings in the order of the arguments, what is missing last.
fn sort(problems: &mut [Problem], document: &Json<'_>, names: &SentNames) {
    let Json::Object(entries) = document else { return };
    let pointers: Vec<_> = entries.iter().map(|(key, _)| pointer_to("", names.sent_as(key))).collect();
    let place = |problem: &Problem| match &problem.kind {
        ProblemKind::Unknown { name, .. } if problem.pointer.is_empty() => {
            entries.iter().position(|(key, _)| key == name)
        }
        ProblemKind::Duplicate { name } if problem.pointer.is_empty() => {
            entries.iter().rposition(|(key, _)| key == name)
        }
        _ => entries.iter().zip(&pointers).position(|((key, _), pointer)| concerns(problem, key, pointer)),
    };
    problems.sort_by_cached_key(|problem| place(problem).unwrap_or(usize::MAX));
}
