//! Schemas that somebody else wrote: valid at all, and obeyed in every keyword.

use jsonschema::Validator;
use serde_json::Value;

use super::builder::BuildError;
use crate::args::{Problem, ProblemKind, Problems};
use crate::call::{Arguments, CallError};

/// The compiled schema. Nothing is fetched: what it refers to has to be in it.
pub(super) fn validator(tool: &str, of: &'static str, schema: &Value) -> Result<Validator, BuildError> {
    jsonschema::options().build(schema).map_err(|error| BuildError::Schema {
        tool: tool.to_owned(),
        of,
        pointer: error.instance_path().to_string(),
        reason: error.masked_with("this").to_string(),
    })
}

/// Checks the arguments as they are taken.
pub(super) fn check(validator: &Validator, sent: &Arguments, coerced: Option<&str>) -> Result<(), CallError> {
    let parsed;
    let value = match (sent, coerced) {
        (Arguments::Value(value), None) => value,
        (Arguments::Text(text), None) if text.trim().is_empty() => {
            parsed = Value::Object(serde_json::Map::new());
            &parsed
        }
        (Arguments::Text(text), None) => {
            parsed = parse(text)?;
            &parsed
        }
        (_, Some(text)) => {
            parsed = parse(text)?;
            &parsed
        }
    };
    let problems: Vec<_> = validator.iter_errors(value).map(|error| problem(&error)).collect();
    if problems.is_empty() { Ok(()) } else { Err(Problems::new(problems).into()) }
}

fn parse(text: &str) -> Result<Value, CallError> {
    // The text has been read before; a type that reads what JSON is not ends here.
    let refused = |error: serde_json::Error| {
        let kind = ProblemKind::Syntax { reason: error.to_string(), truncated: error.is_eof() };
        Problems::new(vec![Problem::new("", kind)])
    };
    Ok(serde_json::from_str(text).map_err(refused)?)
}

fn problem(error: &jsonschema::ValidationError<'_>) -> Problem {
    let reason = error.masked_with("it").to_string();
    Problem::new(error.instance_path().to_string(), ProblemKind::Refused { reason, got: None })
}
