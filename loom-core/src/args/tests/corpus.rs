//! The plan over recorded calls and their perturbations, where the data is there.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::super::Shape;
use super::through_plan;
use crate::Schema;

/// Rows whose accepted call breaks its own schema.
const BROKEN: [&str; 4] = ["simple_python_307", "parallel_152", "parallel_multiple_21", "parallel_multiple_94"];

fn folder() -> Option<PathBuf> {
    let given = std::env::var_os("LOOM_TEST_DATA").map(PathBuf::from);
    let data = given.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data"));
    let folder = data.join("bfcl");
    if !folder.is_dir() {
        eprintln!("skipped: there is no recorded data at {}", folder.display());
        return None;
    }
    Some(folder)
}

fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The questions of all files: id and row.
fn questions(folder: &Path) -> HashMap<String, Value> {
    let files = ["bfcl_simple", "bfcl_multiple", "bfcl_parallel", "bfcl_parallel_multiple"];
    let rows = files.iter().flat_map(|file| lines(&folder.join(format!("{file}.jsonl"))));
    rows.map(|row| (row["id"].as_str().unwrap().to_owned(), row)).collect()
}

fn shape(row: &Value, tool: &str) -> Shape {
    let tools = row["tools"].as_array().unwrap();
    let tool = tools.iter().find(|candidate| candidate["name"] == tool).unwrap();
    Shape::new(Vec::new(), Schema::from_value(tool["parameters"].clone()))
}

/// The document that comes out, and how many coercions it took; `None` where the call is refused.
fn through(shape: &Shape, arguments: &Value) -> Result<(Value, usize), String> {
    let (document, changes) = through_plan(shape, &arguments.to_string()).map_err(|problems| problems.to_string())?;
    Ok((serde_json::from_str(&document).unwrap(), changes))
}

#[test]
fn accepted_calls_come_through_unchanged() {
    let Some(folder) = folder() else { return };
    let (mut calls, mut wrong) = (0, Vec::new());
    for (id, row) in questions(&folder) {
        for call in row["calls"].as_array().unwrap() {
            calls += 1;
            let arguments = &call["arguments"];
            let result = through(&shape(&row, call["name"].as_str().unwrap()), arguments);
            if result != Ok((arguments.clone(), 0)) {
                wrong.push((id.clone(), result));
            }
        }
    }
    println!("{calls} recorded calls");
    assert!(calls > 0);
    for id in BROKEN {
        assert!(wrong.iter().any(|(wrong, _)| wrong == id), "{id} does not break its schema");
    }
    wrong.retain(|(id, _)| !BROKEN.contains(&id.as_str()));
    assert_eq!(wrong, []);
}

#[test]
fn perturbed_calls_are_coerced_or_refused_as_stated() {
    let Some(folder) = folder() else { return };
    let questions = questions(&folder);
    let (mut counts, mut wrong) = (HashMap::<String, usize>::new(), Vec::new());
    for line in lines(&folder.join("coerce.jsonl")) {
        let (id, rule) = (line["id"].as_str().unwrap(), line["rule"].as_str().unwrap());
        *counts.entry(rule.to_owned()).or_default() += 1;
        let result = through(&shape(&questions[id], line["tool"].as_str().unwrap()), &line["sent"]);
        let right = match (&result, &line["expect"]) {
            (Err(_), Value::Null) => true,
            (Ok((value, changes)), expected) => value == expected && (*changes == 0) == (*expected == line["sent"]),
            (Err(_), _) => false,
        };
        if !right {
            wrong.push((id.to_owned(), rule.to_owned(), line["path"].to_string(), result));
        }
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort();
    println!("perturbed calls by rule: {counts:?}");
    assert!(!counts.is_empty());
    assert_eq!(wrong, []);
}

/// Cases that contradict the rules: a text that exactly one alternative takes, which the rule for unions coerces; and
/// three levels of quoting where two are allowed.
const CONTRADICTING: [&str; 2] = ["coerce_anyof_without_string", "coerce_nested_object_all_levels"];

/// What comes out of the cases that are not refused, where the recorded result is not the right one.
fn own_results() -> HashMap<&'static str, Value> {
    HashMap::from([
        ("probe:int big", json!({"v": 9_007_199_254_740_993_u64})),
        ("probe:bool True", json!({"v": true})),
        ("probe:enum case", json!({"v": "asc"})),
        ("probe:opt null str", json!({"v": "null"})),
        ("probe:null optional", json!({"a": 1})),
    ])
}

#[test]
fn nested_cases_give_what_is_right() {
    let Some(folder) = folder() else { return };
    let path = folder.join("../schemas/coercion_cases.jsonl");
    if !path.is_file() {
        eprintln!("skipped: there are no cases at {}", path.display());
        return;
    }
    let own = own_results();
    let (mut count, mut wrong) = (0, Vec::new());
    for line in lines(&path) {
        let topic = line["topic"].as_str().unwrap();
        let expected = match (line["loom"] == "same", line["typia_valid"] == true) {
            (true, valid) => valid.then(|| line["typia"].clone()),
            (false, _) => own.get(topic).cloned(),
        };
        let shape = Shape::new(Vec::new(), Schema::from_value(line["schema"].clone()));
        let result = through(&shape, &line["sent"]).ok().map(|(value, _)| value);
        count += 1;
        if result != expected {
            wrong.push(topic.to_owned());
        }
    }
    println!("{count} nested cases");
    assert!(count > 0);
    wrong.sort();
    assert_eq!(wrong, CONTRADICTING);
}
