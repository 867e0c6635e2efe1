//! Properties: the fast path and the planned path take the same inputs and give the same values, from text and from a
//! parsed value; what was coerced needs no more; whatever is sent, nothing panics and every refusal has its place.

use std::fmt::Debug;

use proptest::prelude::*;

use super::super::json::{Json, MAX_DEPTH};
use super::super::scan::{Direct, Scan, Tried};
use super::super::{ProblemKind, Problems, Reading, Shape, planned};
use crate::private::Params;
use crate::{ArgumentLimits, Arguments, CallContext, RunContext, schema};

mod given;

use given::{mutated, mutations, perturbed, plain, plain_arguments, rich, rich_arguments};

fn shape<P: Params>(params: &P) -> Shape {
    let (mut parameters, mut properties) = (Vec::new(), Vec::new());
    params.describe(&mut parameters, &mut properties);
    let schema = schema::input(properties);
    Shape::new(parameters, schema)
}

type Read = Result<(String, Reading), Problems>;

/// What was read, as it prints.
fn read<P: Params<Values: Debug>>(
    params: &P,
    by: impl FnOnce(&Shape, &mut P::Filled) -> Result<Reading, Problems>,
) -> Read {
    let mut slots = params.slots();
    let reading = by(&shape(params), &mut slots)?;
    let run = RunContext::new();
    let values = params.take(slots, &CallContext::new("", "", &run)).unwrap();
    Ok((format!("{values:?}"), reading))
}

fn as_called<P: Params<Values: Debug>>(params: &P, arguments: impl Into<Arguments>) -> Read {
    let arguments = arguments.into();
    let limits = ArgumentLimits::new();
    read(params, |shape, slots| match shape.read_quickly(&arguments, limits, slots) {
        Scan::Done => Ok(Reading::default()),
        Scan::Reworded(reading) => Ok(reading),
        Scan::Doubt(tried) => shape.read_with_care(&arguments, tried, limits, slots),
    })
}

fn by_plan<P: Params<Values: Debug>>(params: &P, text: &str) -> Read {
    read(params, |shape, slots| {
        planned::read(shape, &Arguments::from(text), Tried::default(), ArgumentLimits::new(), slots)
    })
}

/// What the fast path alone makes of it; `None` where it has a doubt.
fn fast<P: Params<Values: Debug>>(params: &P, text: &str) -> Option<String> {
    let read =
        read(params, |shape, slots| match Direct::new(shape, ArgumentLimits::new().max_depth()).text(text, slots) {
            Scan::Done => Ok(Reading::default()),
            Scan::Reworded(reading) => Ok(reading),
            Scan::Doubt(_) => Err(super::super::missing("")),
        });
    read.ok().map(|(values, _)| values)
}

/// Checks everything that holds for any text that is sent; gives what was taken.
fn check<P: Params<Values: Debug>>(params: &P, text: &str) -> Result<Option<(String, bool)>, TestCaseError> {
    let called = as_called(params, text);
    let planned = by_plan(params, text);
    if let Some(values) = fast(params, text)
        && let Ok((planned, _)) = &planned
    {
        prop_assert_eq!(&values, planned, "the fast path reads the same");
    }
    match (called, planned) {
        (Ok((values, reading)), Ok((planned, again))) => {
            prop_assert_eq!(&values, &planned);
            prop_assert_eq!(&reading.coercions, &again.coercions);
            prop_assert_eq!(&reading.repairs, &again.repairs);
            let as_sent = reading.coercions.is_empty() && reading.repairs.is_empty();
            prop_assert_eq!(reading.coerced.is_none(), as_sent);
            prop_assert_eq!(&reading.coerced, &again.coerced.filter(|_| !as_sent));
            if let Some(coerced) = &reading.coerced {
                let (second, reading) = as_called(params, coerced.as_str()).unwrap();
                prop_assert_eq!(&values, &second, "what was coerced is the same");
                prop_assert_eq!(reading.coercions, [], "and needs no more");
                prop_assert_eq!(reading.repairs, []);
            }
            Ok(Some((values, as_sent)))
        }
        (Err(called), Err(planned)) => {
            prop_assert_eq!(&called, &planned);
            prop_assert!(called.len() > 0);
            for problem in &called {
                let found = stands(text, &problem.pointer, &problem.kind);
                prop_assert!(found, "{} in {}", problem, text);
                let lines = problem.to_string().lines().count();
                prop_assert_eq!(lines, 1);
            }
            Ok(None)
        }
        (called, planned) => {
            Err(TestCaseError::fail(format!("the paths disagree: {called:?} and {planned:?} on {text}")))
        }
    }
}

/// Whether the pointer leads to a value of what was sent, of the kind that the problem speaks of.
pub(super) fn stands(text: &str, pointer: &str, kind: &ProblemKind) -> bool {
    let whole = matches!(kind, ProblemKind::Syntax { .. } | ProblemKind::Missing { .. }) && pointer.is_empty();
    if whole {
        return true;
    }
    let Ok((document, _)) = Json::repair(text, MAX_DEPTH) else { return false };
    let is_object = !matches!(kind, ProblemKind::Mismatch { .. } | ProblemKind::Refused { .. });
    reaches(&document, pointer, is_object)
}

pub(super) fn reaches(value: &Json<'_>, pointer: &str, is_object: bool) -> bool {
    if pointer.is_empty() && (!is_object || matches!(value, Json::Object(_))) {
        return true;
    }
    match value {
        Json::String(text) => Json::parse(text).is_ok_and(|inner| reaches(&inner, pointer, is_object)),
        _ if pointer.is_empty() => false,
        _ => {
            let (key, rest) = pointer[1..].find('/').map_or((&pointer[1..], ""), |at| pointer[1..].split_at(at));
            let key = key.replace("~1", "/").replace("~0", "~");
            match value {
                Json::Array(items) => key
                    .parse::<usize>()
                    .is_ok_and(|at| items.get(at).is_some_and(|item| reaches(item, rest, is_object))),
                Json::Object(entries) => {
                    entries.iter().any(|(name, value)| *name == key && reaches(value, rest, is_object))
                }
                _ => false,
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn valid_plain_values_are_taken_as_sent(value in plain_arguments()) {
        let text = value.to_string();
        let taken = check(&plain(), &text)?;
        prop_assert!(matches!(taken, Some((_, true))), "{:?} from {}", as_called(&plain(), text.as_str()), text);
        let (values, reading) = as_called(&plain(), value).unwrap();
        prop_assert_eq!(&taken.unwrap().0, &values);
        prop_assert_eq!(reading.coercions, []);
        // A variant without data may hide a form that is not declared; everything else is read at once.
        let unsure = text.contains("deg-");
        prop_assert!(unsure || fast(&plain(), &text).is_some(), "{}", text);
    }

    #[test]
    fn valid_rich_values_are_taken_as_sent(value in rich_arguments()) {
        let text = value.to_string();
        let taken = check(&rich(), &text)?;
        prop_assert!(matches!(taken, Some((_, true))), "{:?} from {}", as_called(&rich(), text.as_str()), text);
        let (values, reading) = as_called(&rich(), value).unwrap();
        prop_assert_eq!(taken.unwrap().0, values);
        prop_assert_eq!(reading.coercions, []);
    }

    #[test]
    fn perturbed_values_are_read_alike(
        plain_value in plain_arguments(),
        rich_value in rich_arguments(),
        seeds in prop::collection::vec(any::<u8>(), 8..64),
    ) {
        let plain_value = perturbed(plain_value, &seeds, &mut 0);
        check(&plain(), &plain_value.to_string())?;
        let rich_value = perturbed(rich_value, &seeds, &mut 0);
        let text = rich_value.to_string();
        check(&rich(), &text)?;
        // Text and value are one and the same.
        for (by_text, by_value) in [
            (as_called(&rich(), text.as_str()), as_called(&rich(), rich_value)),
            (as_called(&plain(), plain_value.to_string()), as_called(&plain(), plain_value)),
        ] {
            match (by_text, by_value) {
                (Ok((a, _)), Ok((b, _))) => prop_assert_eq!(a, b),
                (Err(a), Err(b)) => prop_assert_eq!(a, b),
                (a, b) => prop_assert!(false, "{:?} but {:?}", a, b),
            }
        }
    }

    #[test]
    fn mutated_texts_are_read_alike(
        plain_value in plain_arguments(),
        rich_value in rich_arguments(),
        mutations in mutations(),
    ) {
        check(&plain(), &mutated(&plain_value.to_string(), &mutations))?;
        check(&rich(), &mutated(&rich_value.to_string(), &mutations))?;
    }

    #[test]
    fn any_text_is_answered(text in "\\PC{0,40}|[\\{\\}\\[\\]\":,0-9a-z\\\\ ]{0,40}") {
        check(&plain(), &text)?;
    }
}
