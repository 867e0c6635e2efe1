//! Output schemas: of objects only.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::output;
use crate::tool;

/// What was found.
#[derive(Serialize, JsonSchema)]
struct Hit {
    /// Where.
    path: String,
    line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    sort: Sort,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Sort {
    Name,
}

/// Finds one.
#[tool]
fn one() -> Hit {
    Hit { path: String::new(), line: 1, text: None, sort: Sort::Name }
}

type Answer<T> = std::io::Result<T>;

/// Finds one or fails.
#[tool]
async fn one_or_error() -> Answer<Hit> {
    Ok(one())
}

/// Finds many.
#[tool]
fn many() -> Vec<Hit> {
    Vec::new()
}

/// Counts.
#[tool]
fn count() -> Result<u32, String> {
    Ok(0)
}

/// Maybe finds one.
#[tool]
fn maybe() -> Option<Hit> {
    None
}

/// Says something.
#[tool]
fn text() -> &'static str {
    "text"
}

/// Says nothing.
#[tool]
fn nothing() {}

/// Has no schema.
#[derive(Serialize)]
struct Bare {
    line: u32,
}

/// Gives a bare one.
#[tool]
fn bare() -> Bare {
    Bare { line: 1 }
}

/// Groups.
#[tool]
fn groups() -> BTreeMap<String, Hit> {
    BTreeMap::new()
}

#[derive(Serialize, JsonSchema)]
struct Folder {
    name: String,
    folders: Vec<Folder>,
}

/// Lists.
#[tool]
fn folder() -> Folder {
    Folder { name: String::new(), folders: Vec::new() }
}

#[derive(Serialize, JsonSchema)]
struct Page<T> {
    hit: T,
    next: Option<Box<Page<T>>>,
}

/// Pages.
#[tool]
fn page() -> Page<Hit> {
    Page { hit: one(), next: None }
}

fn hit() -> Value {
    json!({
        "type": "object",
        "description": "What was found.",
        "properties": {
            "path": {"type": "string", "description": "Where."},
            "line": {"type": "integer", "minimum": 0, "maximum": u32::MAX},
            "text": {"type": ["string", "null"]},
            "sort": {"type": "string", "enum": ["name"]},
        },
        "required": ["path", "line", "sort"],
    })
}

#[test]
fn an_object_describes_itself_and_stays_open() {
    assert_eq!(output(&one::tool()), Some(hit()));
}

#[test]
fn a_result_is_described_by_its_value_under_any_alias() {
    assert_eq!(output(&one_or_error::tool()), Some(hit()));
}

#[test]
fn what_is_no_object_or_has_no_schema_has_none() {
    for tool in [many::tool(), count::tool(), maybe::tool(), text::tool(), nothing::tool(), bare::tool()] {
        assert_eq!(output(&tool), None, "{}", tool.name());
    }
}

#[test]
fn a_map_is_an_object() {
    assert_eq!(
        output(&groups::tool()),
        Some(json!({
            "type": "object",
            "additionalProperties": {"$ref": "#/$defs/Hit"},
            "$defs": {"Hit": hit()},
        }))
    );
}

#[test]
fn a_recursive_object_is_defined_as_well() {
    let folder = json!({
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "folders": {"type": "array", "items": {"$ref": "#/$defs/Folder"}},
        },
        "required": ["name", "folders"],
    });
    let mut root = folder.clone();
    root["$defs"] = json!({"Folder": folder});
    assert_eq!(output(&self::folder::tool()), Some(root));
}

#[test]
fn a_generic_recursive_object() {
    let page = json!({
        "type": "object",
        "properties": {
            "hit": {"$ref": "#/$defs/Hit"},
            "next": {"anyOf": [{"$ref": "#/$defs/Page"}, {"type": "null"}]},
        },
        "required": ["hit", "next"],
    });
    let mut root = page.clone();
    root["$defs"] = json!({"Page": page, "Hit": hit()});
    assert_eq!(output(&self::page::tool()), Some(root));
}
