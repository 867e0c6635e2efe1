//! Generated schemas, with values that fit them and values that do not.

use std::collections::HashSet;

use proptest::prelude::*;
use serde_json::Value;

use super::super::super::json::{Json, MAX_DEPTH};
use super::super::agree::reaches;
use super::super::through::{Planned, Through, compact};
use super::faults::plant;
use super::mutations::{changes, damage};
use super::spec::{Spec, spec};

fn spec_and_value() -> impl Strategy<Value = (Spec, Value)> {
    spec().prop_flat_map(|spec| {
        let values = spec.values();
        (Just(spec), values)
    })
}

/// Checks everything that holds for whatever is sent as a value of this schema.
fn check(schema: &Value, sent: &str) -> Result<Through, TestCaseError> {
    let planned = Planned::new(schema);
    let through = planned.through(sent);
    match &through {
        Ok((document, coercions)) => {
            prop_assert!(!has_name_twice(sent) && !has_name_twice(document), "{} became {}", sent, document);
            let validator = jsonschema::draft202012::new(schema).unwrap();
            let value: Value = serde_json::from_str(document).unwrap();
            prop_assert!(validator.is_valid(&value), "{} became {}, which is not valid for {}", sent, document, schema);
            prop_assert_eq!(&planned.through(document), &Ok((document.clone(), 0)), "{} for {}", document, schema);
            if *coercions == 0 {
                prop_assert_eq!(document, &compact(sent));
            }
        }
        Err(problems) => {
            prop_assert!(!problems.is_empty());
            let distinct: HashSet<_> = problems.iter().collect();
            prop_assert_eq!(distinct.len(), problems.len(), "{:?} for {}", problems, sent);
            let around = format!(r#"{{"v":{sent}}}"#);
            let Ok((arguments, _)) = Json::repair(&around, MAX_DEPTH) else {
                prop_assert_eq!(problems.len(), 1);
                prop_assert_eq!(&problems[0].0, "");
                return Ok(through);
            };
            for (pointer, words) in problems {
                let name = ["missing ", "unknown ", "argument "].iter().any(|start| words.starts_with(start));
                let found = reaches(arguments.get("v").unwrap(), pointer, name);
                prop_assert!(found, "{:?}: {} in {}", pointer, words, sent);
            }
        }
    }
    Ok(through)
}

/// Whether an object inside has two entries of one name.
pub(super) fn has_name_twice(text: &str) -> bool {
    fn inside(value: &Json<'_>) -> bool {
        match value {
            Json::Array(items) => items.iter().any(inside),
            Json::Object(entries) => {
                let mut seen = HashSet::new();
                entries.iter().any(|(key, value)| !seen.insert(key) || inside(value))
            }
            _ => false,
        }
    }
    Json::parse(text).is_ok_and(|document| inside(&document))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_valid_comes_through_as_it_is((spec, value) in spec_and_value()) {
        let schema = spec.schema();
        let through = check(&schema, &value.to_string())?;
        prop_assert_eq!(through, Ok((value.to_string(), 0)), "{}", schema);
        let pretty = serde_json::to_string_pretty(&value).unwrap();
        prop_assert_eq!(Planned::new(&schema).through(&pretty), Ok((value.to_string(), 0)), "{}", schema);
    }

    #[test]
    fn what_is_changed_is_valid_or_refused_with_its_place((spec, value) in spec_and_value(), changes in changes()) {
        let _ = check(&spec.schema(), &changes.write(&value))?;
    }

    #[test]
    fn what_is_damaged_is_valid_or_refused((spec, value) in spec_and_value(), changes in changes(), damage in damage()) {
        let _ = check(&spec.schema(), &damage.of(&changes.write(&value)))?;
    }

    #[test]
    fn every_fault_is_told_once(
        (spec, value) in spec_and_value(),
        seeds in prop::collection::vec(any::<u8>(), 8..40),
        most in 1_usize..8,
    ) {
        let mut sent = value;
        let mut planted = plant(&spec, &mut sent, &seeds, most);
        let schema = spec.schema();
        let problems = match check(&schema, &sent.to_string())? {
            Ok(through) => return Err(TestCaseError::fail(format!("{sent} was taken as {through:?} for {schema}"))),
            Err(problems) => problems,
        };
        let mut pointers: Vec<_> = problems.iter().map(|(pointer, _)| pointer.clone()).collect();
        pointers.sort();
        planted.sort();
        prop_assert_eq!(pointers, planted, "{:?} of {} for {}", problems, sent, schema);
    }
}
