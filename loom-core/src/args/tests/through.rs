//! The one place where these tests meet the plan: a schema and an instance go in, and what the plan makes of it comes
//! out.

use serde_json::{Value, json};

use super::super::Shape;
use super::super::json::{Json, MAX_DEPTH};
use super::through_plan;
use crate::Schema;

/// What came out of the plan: the document and how many coercions it took; else every problem, as pointer and text.
pub(super) type Through = Result<(String, usize), Vec<(String, String)>>;

/// Plans for instances of one schema.
pub(super) struct Planned(Shape);

fn around(schema: &Value) -> Schema {
    let mut schema = schema.clone();
    move_references(&mut schema);
    Schema::from_value(json!({"type": "object", "properties": {"v": schema}, "required": ["v"]}))
}

impl Planned {
    /// A plan for values of any kind. The arguments of a call are an object and have rules of their own, so the value
    /// is the one argument.
    pub(super) fn new(schema: &Value) -> Self {
        Self(Shape::new(Vec::new(), around(schema)))
    }

    /// The same for a schema that somebody else wrote, with a validator beside the plan.
    pub(super) fn foreign(schema: &Value) -> Self {
        Self(Shape::foreign(around(schema)))
    }

    pub(super) fn through(&self, instance: &str) -> Through {
        let text = format!(r#"{{"v":{instance}}}"#);
        let (written, coercions) = through_plan(&self.0, &text).map_err(|problems| {
            let inner = |pointer: &str| pointer.strip_prefix("/v").unwrap_or(pointer).to_owned();
            let words = |problem: &super::super::Problem| {
                let mut problem = problem.clone();
                problem.pointer = String::new();
                problem.to_string()
            };
            problems.iter().map(|problem| (inner(&problem.pointer), words(problem))).collect::<Vec<_>>()
        })?;
        let mut document = String::new();
        Json::parse(&written).unwrap().get("v").unwrap().write(&mut document);
        Ok((document, coercions))
    }
}

/// The text without blanks, and with its strings escaped as they are when a document is written; repaired, where it is
/// one that is taken so.
pub(super) fn compact(text: &str) -> String {
    let mut compact = String::new();
    // As the value that it is sent as: a comma after it is one after the last property.
    let sent = format!(r#"{{"v":{text}}}"#);
    Json::repair(&sent, MAX_DEPTH).unwrap().0.get("v").unwrap().write(&mut compact);
    compact
}

/// References to the schema's own root lead one level further down.
fn move_references(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            for (keyword, value) in map {
                match (keyword.as_str(), value) {
                    ("enum" | "const" | "default" | "examples", _) => {}
                    ("$ref", Value::String(reference)) => {
                        if let Some(pointer) =
                            reference.strip_prefix('#').filter(|p| p.is_empty() || p.starts_with('/'))
                        {
                            *reference = format!("#/properties/v{pointer}");
                        }
                    }
                    (_, value) => move_references(value),
                }
            }
        }
        Value::Array(schemas) => schemas.iter_mut().for_each(move_references),
        _ => {}
    }
}
