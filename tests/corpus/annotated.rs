//! Calls of annotated functions: what was sent is what arrives.

use std::collections::BTreeSet;

use loom_runtime::{Arguments, CallError, CoercionRule, HostExt, InProcessToolHost, ProblemKind, ToolCall, ToolResult};
use serde_json::{Map, Value};

use crate::data::{self, Call, Definition, Row};
use crate::functions::{self, Function};

/// How many calls the corpus holds, and how many of them the functions are made for: fewer would mean that something
/// is passed over.
const CALLS: usize = 1_747;
const FITTING: usize = 271;
const NOT_FITTING: usize = 12;

/// A call of one of the functions, whose corpus schema the function covers.
struct Fitting<'a> {
    id: String,
    function: &'a Function,
    call: &'a Call,
}

#[test]
fn schemas_say_what_the_annotations_promise() {
    let functions = functions::all();
    let names: BTreeSet<_> = functions.iter().map(|function| function.tool.name()).collect();
    assert_eq!((functions.len(), names.len()), (40, 40), "forty functions with forty names");
    for function in &functions {
        let name = function.tool.name();
        let schema = &function.tool.definition().input_schema;
        let optional: BTreeSet<_> = schema.property_names().filter(|property| !schema.requires(property)).collect();
        assert_eq!(optional, function.defaults.keys().map(String::as_str).collect(), "{name}: what may be left out");
        for property in schema.property_names() {
            let property_schema = schema.property(property).expect("a listed property is there");
            let description = property_schema.get("description").and_then(Value::as_str);
            assert_ne!(description.unwrap_or_default(), "", "{name}: `{property}` is described");
            // An option that is left out is null; some schemas say so and some leave it open.
            let default = property_schema.get("default").filter(|default| !default.is_null()).map(by_value);
            let promised = function.defaults.get(property).filter(|default| !default.is_null()).map(by_value);
            assert_eq!(default, promised, "{name}: the default of `{property}`");
        }
    }
}

#[tokio::test]
async fn corpus_calls_arrive_as_sent() {
    let Some(rows) = data::rows(&data::ALL, "corpus_calls_arrive_as_sent") else { return };
    let functions = functions::all();
    let (fitting, misfits) = sort(&rows, &functions);
    for misfit in &misfits {
        println!("not fitting: {misfit}");
    }
    let calls: usize = rows.iter().map(|row| row.calls.len()).sum();
    println!(
        "{} functions, {calls} calls in the corpus, {} of them taken, {} of the right name not fitting",
        functions.len(),
        fitting.len(),
        misfits.len()
    );
    assert_eq!((calls, fitting.len(), misfits.len()), (CALLS, FITTING, NOT_FITTING));
    for function in &functions {
        let name = function.tool.name();
        assert!(fitting.iter().any(|one| one.call.name == name), "no call of `{name}` fits");
    }

    // Providers give arguments as text or parsed; both are read by code of their own.
    let host = host(&functions);
    for arguments in [as_text, as_value] {
        let turn = fitting.iter().map(|one| ToolCall::new(&*one.id, &*one.call.name, arguments(&one.call.arguments)));
        let results = host.dispatch(turn).await;
        assert_eq!(results.len(), fitting.len());
        for (one, result) in fitting.iter().zip(&results) {
            arrived(one, &one.call.arguments, result);
        }
    }
}

#[tokio::test]
async fn corpus_calls_get_the_defaults_of_what_they_leave_out() {
    let Some(rows) = data::rows(&data::ALL, "corpus_calls_get_the_defaults_of_what_they_leave_out") else { return };
    let functions = functions::all();
    let (fitting, _) = sort(&rows, &functions);
    let host = host(&functions);
    let bare: Vec<_> = fitting.iter().map(bare).collect();
    let turn = fitting.iter().zip(&bare).map(|(one, bare)| ToolCall::new(&*one.id, &*one.call.name, as_text(bare)));
    let results = host.dispatch(turn).await;
    assert_eq!(results.len(), fitting.len());
    for ((one, bare), result) in fitting.iter().zip(&bare).zip(&results) {
        arrived(one, bare, result);
    }
    let shortened = fitting.iter().zip(&bare).filter(|(one, bare)| one.call.arguments.len() > bare.len()).count();
    println!("{} calls with required arguments only, {shortened} of them shorter than they were", bare.len());
    assert!(shortened > 0);
}

#[tokio::test]
async fn no_part_of_a_corpus_call_runs() {
    let Some(rows) = data::rows(&data::ALL, "no_part_of_a_corpus_call_runs") else { return };
    let functions = functions::all();
    let (fitting, _) = sort(&rows, &functions);
    let host = host(&functions);
    let mut parts = 0;
    for one in &fitting {
        let text = Value::Object(one.call.arguments.clone()).to_string();
        // Not the empty text: that means no arguments, which is a call of its own.
        let ends = text.char_indices().map(|(end, _)| end).skip(1);
        let results = host.dispatch(ends.map(|end| ToolCall::new("", &*one.call.name, &text[..end]))).await;
        assert_eq!(results.len(), text.chars().count() - 1);
        parts += results.len();
        for result in results {
            let Err(CallError::BadArguments(problems)) = &result.outcome else { panic!("{}: {result:?}", one.id) };
            let kinds: Vec<_> = problems.iter().map(|problem| &problem.kind).collect();
            assert!(matches!(kinds.as_slice(), [ProblemKind::Syntax { .. }]), "{}: {kinds:?}", one.id);
        }
    }
    println!("{} calls cut off at {parts} places, none of which ran", fitting.len());
}

/// The calls that go to one of the functions; and why some that bear the name of one cannot.
fn sort<'a>(rows: &'a [Row], functions: &'a [Function]) -> (Vec<Fitting<'a>>, Vec<String>) {
    let mut fitting = Vec::new();
    let mut misfits = Vec::new();
    for row in rows {
        for (index, call) in row.calls.iter().enumerate() {
            let Some(function) = functions.iter().find(|function| function.tool.name() == call.name) else { continue };
            let id = format!("{}/{index}", row.id);
            match misfit(function, row.definition(&call.name)) {
                None => fitting.push(Fitting { id, function, call }),
                Some(reason) => misfits.push(format!("{id} {}: {reason}", call.name)),
            }
        }
    }
    (fitting, misfits)
}

/// Why the function does not cover another schema of the same name, if it does not.
fn misfit(function: &Function, other: &Definition) -> Option<String> {
    let schema = &function.tool.definition().input_schema;
    let theirs: BTreeSet<_> = other.parameters().map(|name| function.canonical(name)).collect();
    let extra: Vec<_> = theirs.iter().copied().filter(|name| schema.property(name).is_none()).collect();
    let ours = schema.property_names().filter(|name| schema.requires(name));
    let absent: Vec<_> = ours.filter(|name| !theirs.contains(name)).collect();
    match (extra.as_slice(), absent.as_slice()) {
        ([], []) => None,
        (extra, []) => Some(format!("the function does not know {}", extra.join(", "))),
        ([], absent) => Some(format!("that version has no {}", absent.join(", "))),
        (extra, absent) => Some(format!(
            "the function does not know {}, and that version has no {}",
            extra.join(", "),
            absent.join(", ")
        )),
    }
}

fn host(functions: &[Function]) -> InProcessToolHost {
    let tools: Vec<_> = functions.iter().map(|function| function.tool.clone()).collect();
    InProcessToolHost::new(tools).expect("the names are distinct")
}

fn as_text(arguments: &Map<String, Value>) -> Arguments {
    Value::Object(arguments.clone()).to_string().into()
}

fn as_value(arguments: &Map<String, Value>) -> Arguments {
    Value::Object(arguments.clone()).into()
}

/// The arguments without those that the function can do without.
fn bare(one: &Fitting<'_>) -> Map<String, Value> {
    let schema = &one.function.tool.definition().input_schema;
    let kept = one.call.arguments.iter().filter(|(name, _)| schema.requires(one.function.canonical(name)));
    kept.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// The call succeeded with exactly these arguments and the defaults of the others, and nothing was changed on the way
/// but other names of parameters.
fn arrived(one: &Fitting<'_>, sent: &Map<String, Value>, result: &ToolResult) {
    let Fitting { id, function, call } = one;
    assert_eq!((&result.call_id, &result.tool_name), (id, &call.name));
    let output = result.outcome.as_ref().unwrap_or_else(|error| panic!("{id} {}: {error}", call.name));
    let text = output.as_json().unwrap_or_else(|| panic!("{id}: the answer is not structured"));
    let echo: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{id}: {error}"));
    let mut expected = function.defaults.clone();
    expected.extend(sent.iter().map(|(name, value)| (function.canonical(name).to_owned(), value.clone())));
    assert_eq!(by_value(&echo), by_value(&Value::Object(expected)), "{id} {}", call.name);

    let aliases = sent.keys().filter(|name| function.canonical(name) != **name);
    let renamed: Vec<_> = aliases.map(|name| (format!("/{name}"), CoercionRule::Alias)).collect();
    let changed: Vec<_> = result.coercions.iter().map(|made| (made.pointer.clone(), made.rule)).collect();
    assert_eq!(changed, renamed, "{id} {}", call.name);
}

/// The value with numbers in one form, so that `5` equals `5.0`. Integers that a float cannot hold stay as they are.
fn by_value(value: &Value) -> Value {
    match value {
        Value::Number(number) => {
            let holds = number.as_i64().is_none_or(|integer| integer.unsigned_abs() <= 1 << 53);
            number.as_f64().filter(|_| holds).map_or_else(|| value.clone(), Value::from)
        }
        Value::Array(items) => items.iter().map(by_value).collect(),
        Value::Object(entries) => entries.iter().map(|(name, value)| (name.clone(), by_value(value))).collect(),
        Value::Null | Value::Bool(_) | Value::String(_) => value.clone(),
    }
}
