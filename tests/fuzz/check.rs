//! What holds for whatever is sent to a tool.

use std::collections::BTreeSet;
use std::pin::pin;
use std::sync::LazyLock;
use std::task::{Context, Poll, Waker};

use jsonschema::Validator;
use loom_core::{
    Arguments, CallContext, CallError, Coercion, Output, Prepared, Problem, Problems, Repair, RunContext, Tool, Work,
};
use serde_json::Value;
use serde_json::value::RawValue;

use super::tools;

struct Subject {
    tool: Tool,
    /// For the schema that a model is shown.
    validator: Validator,
}

static SUBJECTS: LazyLock<Vec<Subject>> = LazyLock::new(|| {
    let subject = |tool: Tool| {
        let validator = jsonschema::draft202012::new(tool.definition().input_schema.as_value()).unwrap();
        Subject { tool, validator }
    };
    tools::all().into_iter().map(subject).collect()
});

/// What a tool answered, and what was changed on the way.
#[derive(Debug)]
struct Answer {
    output: String,
    coercions: Vec<Coercion>,
    repairs: Vec<Repair>,
    coerced: Option<String>,
}

/// Calls the tool that the first byte chooses with the text that the others are, and panics where something that has to
/// hold does not. Bytes that are no text are passed over: arguments are text before loom sees them.
pub(crate) fn check(input: &[u8]) {
    let Some((choice, text)) = input.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let subject = &SUBJECTS[usize::from(*choice) % SUBJECTS.len()];
    subject.check(text);
}

impl Subject {
    fn check(&self, text: &str) {
        let answer = self.call(text);
        match &answer {
            Ok(answer) => self.taken(text, answer),
            Err(problems) => told(problems),
        }
        let Ok(parsed) = serde_json::from_str::<Value>(text) else { return };
        if let Some(escaped) = escaped(text) {
            self.same_in_another_spelling(text, &answer, &escaped);
        }
        if loses_nothing(text, &parsed) {
            self.same_when_parsed(&answer, parsed);
        }
    }

    fn call(&self, arguments: impl Into<Arguments>) -> Result<Answer, Problems> {
        let context = RunContext::new();
        let context = CallContext::new("call_1", self.tool.name(), &context);
        match self.tool.prepare(&arguments.into(), &context) {
            Ok(Prepared { work, coercions, repairs, coerced, .. }) => {
                Ok(Answer { output: finish(work).as_text().into_owned(), coercions, repairs, coerced })
            }
            Err(CallError::BadArguments(problems)) => Err(problems),
            Err(other) => panic!("another error: {other}"),
        }
    }

    /// What was taken is valid for the schema, and is taken as it is when it is sent again.
    fn taken(&self, text: &str, answer: &Answer) {
        let changed = !answer.coercions.is_empty() || !answer.repairs.is_empty();
        assert_eq!(answer.coerced.is_some(), changed, "a change goes with what came of it");
        let taken = answer.coerced.as_deref().unwrap_or(text);
        if answer.coerced.is_none() && text.trim().is_empty() {
            return;
        }
        let value: Value = serde_json::from_str(taken).expect("what is taken is JSON");
        assert!(self.is_valid(value), "{taken} was taken, and is not valid for the schema");
        assert!(!has_name_twice(text), "of two values of one name, one was taken");
        if !changed {
            return;
        }
        let again = match self.call(taken) {
            Ok(again) => again,
            Err(problems) => panic!("{taken} is refused when it is sent again: {problems}"),
        };
        assert_eq!((&again.coercions[..], &again.repairs[..]), (&[][..], &[][..]), "{taken} is changed again");
        assert_eq!(again.coerced, None);
        assert_eq!(again.output, answer.output, "{taken} is another call than what it came from");
    }

    fn is_valid(&self, value: Value) -> bool {
        let value = with_own_names(value);
        self.validator.is_valid(&value) || self.validator.is_valid(&without_nulls(value))
    }

    /// The path that reads at once and the one that explains give the same answer.
    fn same_in_another_spelling(&self, text: &str, answer: &Result<Answer, Problems>, escaped: &str) {
        match (answer, &self.call(escaped)) {
            (Ok(a), Ok(b)) => {
                assert_eq!(a.output, b.output, "{escaped} is read as something else");
                assert_eq!((&a.coercions, &a.coerced), (&b.coercions, &b.coerced), "{escaped} is changed otherwise");
            }
            (Err(a), Err(b)) => assert_eq!(a.to_string(), b.to_string(), "{escaped} is refused otherwise"),
            (a, b) => panic!("{escaped}: {b:?}; but {text}: {a:?}"),
        }
    }

    /// Somebody who parses the arguments first gets the same answer.
    fn same_when_parsed(&self, answer: &Result<Answer, Problems>, parsed: Value) {
        match (answer, &self.call(parsed)) {
            (Ok(a), Ok(b)) => {
                assert_eq!(a.output, b.output, "the parsed value is read as something else");
                assert_eq!(rules(a), rules(b), "the parsed value is changed otherwise");
            }
            (Err(a), Err(b)) => assert_eq!(places(a), places(b), "the parsed value is refused otherwise"),
            (a, b) => panic!("parsed: {b:?}; but as text: {a:?}"),
        }
    }
}

/// The changes without their values; keys of a parsed value may be in another order.
fn rules(answer: &Answer) -> Vec<(&str, String)> {
    let mut rules: Vec<_> =
        answer.coercions.iter().map(|one| (one.pointer.as_str(), format!("{:?}", one.rule))).collect();
    rules.sort_unstable();
    rules
}

fn places(problems: &Problems) -> Vec<&str> {
    let mut places: Vec<_> = problems.iter().map(|problem| problem.pointer.as_str()).collect();
    places.sort_unstable();
    places
}

fn finish(work: Work) -> Output {
    let outcome = match work {
        Work::Inline(run) | Work::Blocking(run) => run(),
        Work::Async(future) => match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(outcome) => outcome,
            Poll::Pending => unreachable!("these tools wait for nothing"),
        },
        other => unreachable!("another kind of work: {other:?}"),
    };
    outcome.expect("these tools do not fail")
}

/// A refusal says something, each problem once and on a line of its own.
fn told(problems: &Problems) {
    let lines: Vec<_> = problems.iter().map(Problem::to_string).collect();
    assert!(!lines.is_empty(), "it is refused without a problem");
    for line in &lines {
        assert!(!line.trim().is_empty(), "a problem says nothing: {problems:?}");
        // Values are shown with the escapes of JSON, which leaves `DEL` and the breaks beyond ASCII as they are.
        let breaks = |c: char| matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}');
        assert!(!line.contains(breaks), "a problem is not on one line: {line:?}");
    }
    let once: BTreeSet<_> = lines.iter().collect();
    assert_eq!(once.len(), lines.len(), "a problem is told twice: {problems}");
}

/// The same arguments with the first letter of their first name escaped, which only the path that explains reads.
fn escaped(text: &str) -> Option<String> {
    let at = text.find('{')?.checked_add(1)?;
    let (before, rest) = text.split_at_checked(at)?;
    if before.trim() != "{" {
        return None;
    }
    let name = rest.trim_start().strip_prefix('"')?;
    let first = name.chars().next().filter(char::is_ascii_alphanumeric)?;
    Some(format!("{before}\"\\u{:04x}{}", u32::from(first), &name[first.len_utf8()..]))
}

/// Whether the parsed value says all that the text does: every entry of its objects and every digit of its numbers. The
/// sign of an integer zero is there or not according to how `serde_json` is built.
fn loses_nothing(text: &str, parsed: &Value) -> bool {
    match parsed {
        Value::Number(number) => text.trim() == number.to_string() && text.trim() != "-0",
        Value::Array(items) => {
            let parts: Vec<&RawValue> = serde_json::from_str(text).unwrap();
            parts.iter().zip(items).all(|(part, item)| loses_nothing(part.get(), item))
        }
        Value::Object(entries) => {
            let Parts(parts) = serde_json::from_str(text).unwrap();
            let kept = |(key, part): &(String, &RawValue)| {
                entries.get(key).is_some_and(|value| loses_nothing(part.get(), value))
            };
            parts.len() == entries.len() && parts.iter().all(kept)
        }
        _ => true,
    }
}

/// Whether an object inside has two entries of one name.
fn has_name_twice(text: &str) -> bool {
    if let Ok(Parts(parts)) = serde_json::from_str(text) {
        let names: BTreeSet<_> = parts.iter().map(|(name, _)| name).collect();
        return names.len() < parts.len() || parts.iter().any(|(_, part)| has_name_twice(part.get()));
    }
    let items: Vec<&RawValue> = serde_json::from_str(text).unwrap_or_default();
    items.iter().any(|item| has_name_twice(item.get()))
}

/// The entries of an object, with each that is there twice.
struct Parts<'t>(Vec<(String, &'t RawValue)>);

impl<'t> serde::Deserialize<'t> for Parts<'t> {
    fn deserialize<D: serde::Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;

        impl<'t> serde::de::Visitor<'t> for Entries {
            type Value = Parts<'t>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: serde::de::MapAccess<'t>>(self, mut map: A) -> Result<Parts<'t>, A::Error> {
                let mut parts = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    parts.push(entry);
                }
                Ok(Parts(parts))
            }
        }

        deserializer.deserialize_map(Entries)
    }
}

/// The second name of a field, which only its type knows, is not in the schema.
fn with_own_names(value: Value) -> Value {
    match value {
        Value::Object(entries) => {
            let own = |key: String| if key == "qty" { "count".to_owned() } else { key };
            entries.into_iter().map(|(key, value)| (own(key), with_own_names(value))).collect()
        }
        Value::Array(items) => items.into_iter().map(with_own_names).collect(),
        other => other,
    }
}

/// A null for what may be left out counts as left out, which the schema does not say.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(entries) => {
            let entries = entries.into_iter().filter(|(_, value)| !value.is_null());
            entries.map(|(key, value)| (key, without_nulls(value))).collect()
        }
        Value::Array(items) => items.into_iter().map(without_nulls).collect(),
        other => other,
    }
}
