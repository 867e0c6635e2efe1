//! The official suite of JSON Schema, draft 2020-12, where the data is there: the plan changes no valid instance, and
//! what it lets through of the others is refused by a validator.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use jsonschema::Validator;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

mod exceptions;

use exceptions::{Exception, LEFT_TO_THE_VALIDATOR, NOT_TAKEN};

use super::through::{Planned, Through, compact};

/// Schemas that hold together, with their instances.
#[derive(Debug, Deserialize)]
struct Group {
    description: String,
    schema: Value,
    tests: Vec<Case>,
}

#[derive(Debug, Deserialize)]
struct Case {
    description: String,
    /// As it is written: a parsed number would have lost digits.
    data: Box<RawValue>,
    valid: bool,
}

/// What became of one instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// Valid, and taken as it is.
    Unchanged,
    /// Invalid, and refused by the plan.
    RefusedByPlan,
    /// Invalid, let through, and refused by the validator.
    RefusedByValidator,
    /// Invalid as sent, and valid after a change that a rule allows.
    Coerced,
    /// Valid, and refused or changed all the same. Nothing excuses it but the table of exceptions.
    NotTaken,
    /// Invalid, and let through by both. Nothing excuses it.
    LetThrough,
}

fn folder() -> Option<PathBuf> {
    let given = std::env::var_os("LOOM_TEST_DATA").map(PathBuf::from);
    let data = given.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data"));
    let folder = data.join("schemas/json_schema_test_suite");
    if !folder.is_dir() {
        eprintln!("skipped: there is no suite at {}", folder.display());
        return None;
    }
    Some(folder)
}

/// Of the optional files, those that say something of what the plan does.
const OPTIONAL: [&str; 4] = ["bignum", "float-overflow", "ecmascript-regex", "non-bmp-regex"];

/// The files of the suite: names and groups.
fn files(folder: &Path) -> BTreeMap<String, Vec<Group>> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let optional = OPTIONAL.iter().map(|name| folder.join(format!("optional/{name}.json")));
    let paths = paths.filter(|path| path.extension().is_some_and(|extension| extension == "json")).chain(optional);
    let read = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        (name, serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap())
    };
    paths.map(read).collect()
}

/// Keywords of foreign schemas that the plan leaves to the validator.
const LEFT: [&str; 22] = [
    "$anchor",
    "$dynamicAnchor",
    "$dynamicRef",
    "$id",
    "$vocabulary",
    "contains",
    "contentEncoding",
    "contentMediaType",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "else",
    "format",
    "if",
    "maxContains",
    "minContains",
    "not",
    "pattern",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];

/// Whether the plan compiles every keyword of the schema.
fn is_compiled(schema: &Value) -> bool {
    match schema {
        Value::Object(map) => map.iter().all(|(keyword, value)| {
            let literal = matches!(keyword.as_str(), "const" | "enum" | "default");
            literal || (!LEFT.contains(&keyword.as_str()) && is_compiled(value))
        }),
        Value::Array(schemas) => schemas.iter().all(is_compiled),
        _ => true,
    }
}

fn outcome(case: &Case, through: &Through, validator: &Validator) -> Outcome {
    let text = case.data.get();
    let validates = |document: &str| validator.is_valid(&serde_json::from_str(document).unwrap());
    match (case.valid, through) {
        (true, Ok((document, 0))) if *document == compact(text) => Outcome::Unchanged,
        (true, _) => Outcome::NotTaken,
        (false, Err(_)) => Outcome::RefusedByPlan,
        (false, Ok((document, _))) if !validates(document) => Outcome::RefusedByValidator,
        (false, Ok((_, 0))) => Outcome::LetThrough,
        (false, Ok(_)) => Outcome::Coerced,
    }
}

/// Instances by file and group.
type Told = BTreeMap<(String, String), Vec<String>>;

#[test]
fn the_suite_is_taken_unchanged_or_refused() {
    let Some(folder) = folder() else { return };
    let mut counts = BTreeMap::<(bool, Outcome), usize>::new();
    let (mut not_taken, mut left, mut let_through) = (Told::new(), Told::new(), Told::new());
    let mut skipped = 0;
    for (file, groups) in files(&folder) {
        for group in groups {
            // What refers to documents elsewhere has no validator here: nothing is fetched.
            let Ok(validator) = jsonschema::draft202012::new(&group.schema) else {
                skipped += group.tests.len();
                continue;
            };
            let planned = Planned::foreign(&group.schema);
            let compiled = is_compiled(&group.schema);
            for case in &group.tests {
                let through = planned.through(case.data.get());
                let outcome = outcome(case, &through, &validator);
                *counts.entry((compiled, outcome)).or_default() += 1;
                let told = match outcome {
                    Outcome::NotTaken => &mut not_taken,
                    Outcome::RefusedByValidator if compiled => &mut left,
                    Outcome::LetThrough => &mut let_through,
                    _ => continue,
                };
                let key = (file.clone(), group.description.clone());
                told.entry(key).or_default().push(format!("{}: {} became {through:?}", case.description, case.data));
            }
        }
    }
    print(&counts, skipped);
    assert_eq!(counts.keys().filter(|(_, outcome)| *outcome == Outcome::Unchanged).count(), 2, "the suite is there");
    assert_eq!(let_through, Told::new());
    compare(&not_taken, NOT_TAKEN);
    compare(&left, LEFT_TO_THE_VALIDATOR);
}

fn print(counts: &BTreeMap<(bool, Outcome), usize>, skipped: usize) {
    for (compiled, which) in [(true, "the plan compiles"), (false, "has keywords that the plan leaves to a validator")]
    {
        let counts = counts.iter().filter(|((of, _), _)| *of == compiled);
        let counts: BTreeMap<_, _> = counts.map(|((_, outcome), count)| (outcome, count)).collect();
        println!("{} instances of what {which}: {counts:?}", counts.values().copied().sum::<usize>());
    }
    println!("{skipped} instances of what refers to other documents were skipped");
}

/// What was found is what the table says: nothing more, and no exception that is not needed any more.
fn compare(found: &Told, table: &[(&str, &[Exception])]) {
    let mut unneeded = Vec::new();
    let mut found = found.clone();
    for &(file, group, count) in table.iter().flat_map(|(_, exceptions)| *exceptions) {
        match found.remove(&(file.to_owned(), group.to_owned())) {
            Some(told) if told.len() == count => {}
            told => unneeded.push((file, group, count, told)),
        }
    }
    assert_eq!(found, Told::new(), "no exception");
    assert_eq!(unneeded, [], "exceptions for another count of instances");
}
