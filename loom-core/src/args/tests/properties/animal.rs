//! What holds for a parameter of whatever type.

use std::fmt::Debug;

use proptest::prelude::*;
use proptest::test_runner::{TestCaseResult, TestRunner};
use serde_json::Value;

use super::super::super::json::Json;
use super::super::agree::stands;
use super::super::{Answer, finish, prepare};
use super::generated::has_name_twice;
use super::mutations::{changes, damage};
use crate::{Arguments, CallError, Prepared, Problems, Tool};

/// Whether what is read and written again keeps its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Kept,
    Lost,
}

/// Cases of each property; there are many types.
const CASES: u32 = 48;

/// Checks a tool whose one parameter `v` has these values, and which gives back what it was given.
pub(super) fn check(tool: &Tool, values: BoxedStrategy<String>, order: Order) {
    run(&values, |text| valid(tool, &text, order));
    run(&(values.clone(), changes()), |(text, changes)| {
        let sent = changes.write_text(&text);
        changed(tool, &sent)
    });
    run(&(values, changes(), damage()), |(text, changes, damage)| {
        let sent = damage.of(&format!(r#"{{"v":{}}}"#, changes.write_text(&text)));
        answered(tool, &sent).map(|_| ())
    });
}

fn run<S: Strategy<Value: Debug>>(strategy: &S, test: impl Fn(S::Value) -> TestCaseResult) {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(CASES);
    let config = ProptestConfig { failure_persistence: None, cases, ..ProptestConfig::default() };
    if let Err(error) = TestRunner::new(config).run(strategy, test) {
        panic!("{error}");
    }
}

fn call(tool: &Tool, arguments: impl Into<Arguments>) -> Result<Answer, Problems> {
    match prepare(tool, arguments) {
        Ok(Prepared { work, coercions, repairs, coerced }) => {
            Ok(Answer { output: finish(work).as_text().into_owned(), coercions, repairs, coerced })
        }
        Err(CallError::BadArguments(problems)) => Err(problems),
        Err(other) => panic!("another error: {other}"),
    }
}

/// The same arguments in forms that the fast path gives up on.
fn unusual(v: &str) -> [String; 2] {
    [format!(r#"{{"\u0076":{v}}}"#), format!("\n{{ \"\\u0076\"\t: {v} }}\r\n")]
}

/// A value that fits is read to the same value, however it is sent.
fn valid(tool: &Tool, v: &str, order: Order) -> TestCaseResult {
    let sent = format!(r#"{{"v":{v}}}"#);
    let answer = match call(tool, sent.as_str()) {
        Ok(answer) => answer,
        Err(problems) => return Err(TestCaseError::fail(format!("{sent}: {problems}"))),
    };
    prop_assert_eq!(&answer.coercions, &[], "{}", sent);
    prop_assert_eq!(&answer.coerced, &None);
    let same = |output: &str| match order {
        Order::Kept => output == v,
        Order::Lost => unordered(output) == unordered(v),
    };
    prop_assert!(same(&answer.output), "{} was read as {}", v, answer.output);
    for sent in unusual(v) {
        let again = call(tool, sent.as_str());
        let again = again.map_err(|problems| TestCaseError::fail(format!("{sent}: {problems}")))?;
        prop_assert!(same(&again.output), "{} was read as {}", sent, again.output);
        prop_assert_eq!((&again.coercions, &again.coerced), (&answer.coercions, &answer.coerced), "{}", sent);
    }
    let quoted = call(tool, Value::from(sent.as_str()).to_string());
    let quoted = quoted.map_err(|problems| TestCaseError::fail(format!("quoted {sent}: {problems}")))?;
    prop_assert!(same(&quoted.output), "quoted {} was read as {}", v, quoted.output);
    prop_assert_eq!((quoted.coercions.len(), quoted.coerced), (1, Some(sent.clone())));
    if let Some(parsed) = parsed(&sent) {
        let parsed = call(tool, parsed);
        let parsed = parsed.map_err(|problems| TestCaseError::fail(format!("parsed {sent}: {problems}")))?;
        prop_assert!(same(&parsed.output), "parsed {} was read as {}", v, parsed.output);
        prop_assert_eq!((parsed.coercions, parsed.coerced), (answer.coercions, answer.coerced));
    }
    is_valid(tool, &sent)
}

/// Whatever is sent as the value, every form of it is answered alike.
fn changed(tool: &Tool, v: &str) -> TestCaseResult {
    let sent = format!(r#"{{"v":{v}}}"#);
    let answer = answered(tool, &sent)?;
    for form in unusual(v) {
        match (&answer, &call(tool, form.as_str())) {
            (Ok(a), Ok(b)) => {
                prop_assert_eq!(unordered(&a.output), unordered(&b.output), "{}", form);
                prop_assert_eq!((&a.coercions, &a.coerced), (&b.coercions, &b.coerced), "{}", form);
            }
            (Err(a), Err(b)) => prop_assert_eq!(a.to_string(), b.to_string(), "{}", form),
            (a, b) => return Err(TestCaseError::fail(format!("{form}: {b:?}, but plainly {a:?}"))),
        }
    }
    let Some(parsed) = parsed(&sent) else { return Ok(()) };
    match (&answer, &call(tool, parsed)) {
        (Ok(a), Ok(b)) => {
            prop_assert_eq!(unordered(&a.output), unordered(&b.output), "parsed {}", sent);
            prop_assert_eq!(a.coercions.len(), b.coercions.len(), "parsed {}", sent);
            prop_assert_eq!(
                a.coerced.as_deref().map(unordered),
                b.coerced.as_deref().map(unordered),
                "parsed {}",
                sent
            );
        }
        (Err(a), Err(b)) => prop_assert_eq!(places(a), places(b), "parsed {}", sent),
        (a, b) => return Err(TestCaseError::fail(format!("parsed {sent}: {b:?}, but as text {a:?}"))),
    }
    Ok(())
}

/// The arguments parsed, where that loses nothing: no key that is there twice, no digit of a large number, no sign of a
/// zero; that is kept where numbers are kept as text, see the known faults.
fn parsed(sent: &str) -> Option<Value> {
    let parsed: Value = serde_json::from_str(sent).ok()?;
    (unordered(&parsed.to_string()) == unordered(sent) && !has_minus_zero(&parsed)).then_some(parsed)
}

fn has_minus_zero(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.to_string() == "-0",
        Value::Array(items) => items.iter().any(has_minus_zero),
        Value::Object(entries) => entries.values().any(has_minus_zero),
        _ => false,
    }
}

/// The places of the problems: a parsed value may have its names in another order.
fn places(problems: &Problems) -> Vec<&str> {
    let mut places: Vec<_> = problems.iter().map(|problem| problem.pointer.as_str()).collect();
    places.sort_unstable();
    places
}

/// Any text is answered: by what is valid for the schema and stays as it is, or by problems with their places.
fn answered(tool: &Tool, sent: &str) -> Result<Result<Answer, Problems>, TestCaseError> {
    let answer = call(tool, sent);
    match &answer {
        Ok(answer) => {
            let changed = !answer.coercions.is_empty() || !answer.repairs.is_empty();
            prop_assert_eq!(answer.coerced.is_some(), changed);
            let taken = answer.coerced.as_deref().unwrap_or(sent);
            is_valid(tool, taken)?;
            prop_assert!(!has_name_twice(sent) && !has_name_twice(taken), "{} became {}", sent, taken);
            let again = call(tool, taken).map_err(|p| TestCaseError::fail(format!("{taken} from {sent}: {p}")))?;
            prop_assert_eq!((&again.coercions, &again.coerced), (&vec![], &None), "{} from {}", taken, sent);
            prop_assert_eq!(unordered(&again.output), unordered(&answer.output), "{} from {}", taken, sent);
        }
        Err(problems) => {
            for (index, problem) in problems.iter().enumerate() {
                let found = stands(sent, &problem.pointer, &problem.kind);
                prop_assert!(found, "{:?}: {} in {}", problem.pointer, problem, sent);
                prop_assert!(!problems.iter().take(index).any(|other| other == problem), "{} of {}", problems, sent);
            }
        }
    }
    Ok(answer)
}

/// Whether arguments that were taken are valid for the schema that the model is shown. A null for what may be left out
/// counts as left out, which the schema does not say.
fn is_valid(tool: &Tool, arguments: &str) -> TestCaseResult {
    let Ok(value) = serde_json::from_str::<Value>(arguments) else {
        prop_assert!(arguments.trim().is_empty(), "{} was taken", arguments);
        return Ok(());
    };
    let schema = tool.definition().input_schema.as_value();
    let validator = jsonschema::draft202012::new(schema).unwrap();
    let valid = validator.is_valid(&value) || validator.is_valid(&without_nulls(value));
    prop_assert!(valid, "{} was taken, which is not valid for {}", arguments, schema);
    Ok(())
}

fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(entries) => {
            let entries = entries.into_iter().filter(|(_, value)| !value.is_null());
            entries.map(|(key, value)| (key, without_nulls(value))).collect::<serde_json::Map<_, _>>().into()
        }
        Value::Array(items) => items.into_iter().map(without_nulls).collect(),
        other => other,
    }
}

/// The document with its lists sorted, as sets have no order; numbers keep their digits.
fn unordered(text: &str) -> String {
    fn sort(value: &mut Json<'_>) {
        match value {
            Json::Array(items) => {
                items.iter_mut().for_each(sort);
                items.sort_by_key(|item| format!("{item:?}"));
            }
            Json::Object(entries) => {
                for (_, value) in entries.iter_mut() {
                    sort(value);
                }
                entries.sort_by_key(|(key, _)| key.to_string());
            }
            _ => {}
        }
    }
    let mut document = Json::parse(text).unwrap();
    sort(&mut document);
    let mut sorted = String::new();
    document.write(&mut sorted);
    sorted
}
