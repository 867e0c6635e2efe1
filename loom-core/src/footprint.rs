//! What a call reads and writes: the resources that its tool declares, named from the call's own arguments.
//!
//! Two calls of a turn that touch the same resource, one of them writing, keep their order. That may never be missed,
//! while an order that was not needed costs a little time only: wherever a name is not certain, it stands for
//! everything.

use std::borrow::Cow;
use std::cell::OnceCell;

use serde_json::Value;

use crate::args::{Json, open_document};
use crate::call::Arguments;
use crate::schema::Schema;
use crate::tool::ToolDef;

/// The resources that one call reads and writes.
///
/// ```
/// use loom_core::{Arguments, Footprint, Schema, ToolDef};
/// use serde_json::json;
///
/// let schema = Schema::from_value(json!({"type": "object", "properties": {"path": {"type": "string"}}}));
/// let mut edit = ToolDef::new("edit", "Edits a file.", schema);
/// edit.writes = vec!["{path}".into()];
///
/// let footprint = Footprint::of(&edit, &Arguments::from(r#"{"path": "./src/main.rs"}"#));
/// assert_eq!(footprint.writes().collect::<Vec<_>>(), ["src/main.rs"]);
/// assert_eq!(footprint.reads().count(), 0);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Footprint {
    reads: Vec<String>,
    writes: Vec<String>,
}

/// Everything: the resource that contains all others.
const EVERYTHING: &str = "";

impl Footprint {
    /// The footprint of a call of this tool with these arguments; of a tool that declares none it is empty.
    ///
    /// In a template, `{name}` stands for that argument and `{name.field}` for a field of it; a doubled brace is a brace.
    /// A list gives a resource for each of its items. An argument that is left out stands for its default. Where the value
    /// is not there, or is nothing that names a resource, the template stands for everything.
    pub fn of(definition: &ToolDef, arguments: &Arguments) -> Self {
        if definition.reads.is_empty() && definition.writes.is_empty() {
            return Self::default();
        }
        let inner = OnceCell::new();
        let document = open_document(arguments, &inner);
        let values = Values { document: document.as_ref(), schema: &definition.input_schema };
        let resolve = |templates: &[Cow<'static, str>]| {
            let mut resources: Vec<_> = templates.iter().flat_map(|template| values.resolve(template)).collect();
            resources.sort_unstable();
            resources.dedup();
            resources
        };
        Self { reads: resolve(&definition.reads), writes: resolve(&definition.writes) }
    }

    /// The resources that the call reads, in normal form: letters in lower case, `/` between the parts, nothing that means
    /// the same (`./`, a doubled or a last `/`). A resource contains those that begin with it and a `/`; the empty one
    /// contains everything.
    pub fn reads(&self) -> impl ExactSizeIterator<Item = &str> {
        self.reads.iter().map(String::as_str)
    }

    /// The resources that the call writes, in the same form.
    pub fn writes(&self) -> impl ExactSizeIterator<Item = &str> {
        self.writes.iter().map(String::as_str)
    }

    /// Whether the call touches nothing that its tool declares.
    pub const fn is_empty(&self) -> bool {
        self.reads.is_empty() && self.writes.is_empty()
    }
}

/// The values that templates are resolved from.
struct Values<'a> {
    document: Option<&'a Json<'a>>,
    schema: &'a Schema,
}

impl Values<'_> {
    fn resolve(&self, template: &str) -> Vec<String> {
        let Some(resolved) = self.fill(template) else { return vec![EVERYTHING.to_owned()] };
        resolved.into_iter().map(|resource| normalised(&resource)).collect()
    }

    /// The template with its places filled; `None` where one cannot be.
    fn fill(&self, template: &str) -> Option<Vec<String>> {
        let mut filled = vec![String::new()];
        let mut listed = false;
        let mut rest = template;
        while let Some(at) = rest.find(['{', '}']) {
            let (text, place) = rest.split_at(at);
            append(&mut filled, text);
            let brace = place.get(..1)?;
            let after = place.get(1..)?;
            if let Some(after) = after.strip_prefix(brace) {
                append(&mut filled, brace);
                rest = after;
                continue;
            }
            let (field, after) = after.split_once('}').filter(|_| brace == "{")?;
            rest = after;
            match self.names(field)? {
                Named::One(name) => append(&mut filled, &name),
                // The items of two lists would have to be paired, and nothing says how.
                Named::Each(_) if std::mem::replace(&mut listed, true) => return None,
                Named::Each(names) => {
                    let whole = |start: &String| names.iter().map(|name| format!("{start}{name}")).collect::<Vec<_>>();
                    filled = filled.iter().flat_map(whole).collect();
                }
            }
        }
        append(&mut filled, rest);
        Some(filled)
    }

    /// What a field names.
    fn names(&self, field: &str) -> Option<Named> {
        let mut steps = field.split('.');
        let name = steps.next()?;
        let mut value = self.document?.get(name);
        // A null counts as left out.
        if matches!(value, None | Some(Json::Null)) {
            // Unless it was sent under another name.
            if !self.knows_all() {
                return None;
            }
            let default = self.schema.property(name)?.get("default")?;
            return default_names(steps.try_fold(default, |value, step| value.get(step))?);
        }
        for step in steps {
            value = value?.get(step);
        }
        match value? {
            Json::Array(items) => items.iter().map(scalar).collect::<Option<_>>().map(Named::Each),
            one => scalar(one).map(Named::One),
        }
    }

    /// Whether every argument has a name that the schema has.
    fn knows_all(&self) -> bool {
        match self.document {
            Some(Json::Object(entries)) => entries.iter().all(|(name, _)| self.schema.property(name).is_some()),
            _ => false,
        }
    }
}

fn append(all: &mut [String], text: &str) {
    for one in all {
        one.push_str(text);
    }
}

/// The resources that a value names.
enum Named {
    One(String),
    Each(Vec<String>),
}

fn default_names(value: &Value) -> Option<Named> {
    match value {
        Value::Array(items) => items.iter().map(default_scalar).collect::<Option<_>>().map(Named::Each),
        one => default_scalar(one).map(Named::One),
    }
}

fn default_scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => name(text),
        Value::Number(number) => integer(&number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn scalar(value: &Json<'_>) -> Option<String> {
    match value {
        Json::String(text) => name(text),
        Json::Number(digits) => integer(digits),
        Json::Bool(flag) => Some(flag.to_string()),
        Json::Null | Json::Array(_) | Json::Object(_) => None,
    }
}

/// The name that a text gives. Texts that spell a value of another type may be read as that, which then has one name
/// however it is spelt; JSON in a text may be read as what it says, which is not looked into.
fn name(text: &str) -> Option<String> {
    let trimmed = text.trim();
    if trimmed.starts_with(['{', '[', '"']) || trimmed.eq_ignore_ascii_case("null") {
        return None;
    }
    Some(integer(trimmed).unwrap_or_else(|| trimmed.to_owned()))
}

/// The one spelling of an integer that fits; of other numbers several are equal.
fn integer(digits: &str) -> Option<String> {
    let whole = digits.split_once('.').filter(|(_, fraction)| fraction.bytes().all(|digit| digit == b'0'));
    whole.map_or(digits, |(whole, _)| whole).parse::<i128>().ok().map(|number| number.to_string())
}

/// One form for all spellings of a resource.
fn normalised(resource: &str) -> String {
    let folded = resource.trim().replace('\\', "/").to_lowercase();
    let parts: Vec<_> = folded.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    // Where a way back leads depends on links that only the file system knows.
    if parts.contains(&"..") {
        return EVERYTHING.to_owned();
    }
    let root = if folded.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tool(reads: &[&'static str], writes: &[&'static str]) -> ToolDef {
        let schema = Schema::from_value(json!({
            "type": "object",
            "properties": {
                "path": {"type": "string", "default": "."},
                "paths": {"type": "array", "default": ["a", "b"]},
                "user": {"type": "integer", "default": 7},
                "target": {"type": "object", "default": {"path": "t"}},
                "bare": {"type": "string"},
            }
        }));
        let mut definition = ToolDef::new("t", "Does something.", schema);
        definition.reads = reads.iter().map(|&template| template.into()).collect();
        definition.writes = writes.iter().map(|&template| template.into()).collect();
        definition
    }

    fn reads(template: &'static str, arguments: impl Into<Arguments>) -> Vec<String> {
        Footprint::of(&tool(&[template], &[]), &arguments.into()).reads().map(str::to_owned).collect()
    }

    #[test]
    fn a_template_is_filled_from_the_arguments() {
        assert_eq!(reads("{path}", r#"{"path": "src/a.rs"}"#), ["src/a.rs"]);
        assert_eq!(reads("{path}", json!({"path": "src/a.rs"})), ["src/a.rs"]);
        assert_eq!(reads("user:{user}/{path}", r#"{"user": 3, "path": "x"}"#), ["user:3/x"]);
        assert_eq!(reads("{target.path}", r#"{"target": {"path": "x"}}"#), ["x"]);
        assert_eq!(reads("db", r#"{"path": 3"#), ["db"]);
        assert_eq!(reads("{{{path}}}", r#"{"path": "x"}"#), ["{x}"]);
        assert_eq!(reads("{paths}/log", r#"{"paths": ["x", "y", "x"]}"#), ["x/log", "y/log"]);
        assert_eq!(reads("{paths}", r#"{"paths": []}"#), Vec::<String>::new());
    }

    #[test]
    fn one_resource_has_one_name_however_it_is_spelt() {
        for spelling in ["src/a.rs", "./src/a.rs", "src//a.rs", "SRC/A.rs", "src\\\\a.rs", " src/a.rs ", "src/./a.rs/"]
        {
            assert_eq!(reads("{path}", format!(r#"{{"path": "{spelling}"}}"#)), ["src/a.rs"], "{spelling}");
        }
        for spelling in ["3", "3.0", "\"3\"", "\" 3 \"", "\"03\"", "\"+3\"", "\"3.0\""] {
            assert_eq!(reads("u:{user}", format!(r#"{{"user": {spelling}}}"#)), ["u:3"], "{spelling}");
        }
        assert_eq!(reads("{path}", r#"{"path": "/Etc//x"}"#), ["/etc/x"]);
        assert_eq!(reads("{path}", r#""{\"path\": \"x\"}""#), ["x"]);
        assert_eq!(reads("{path}", "```json\n{\"path\": \"x\",}\n```"), ["x"]);
    }

    #[test]
    fn what_is_left_out_stands_for_its_default() {
        for left_out in ["", "{}", "null", r#"{"path": null}"#] {
            assert_eq!(reads("{path}", left_out), [""], "{left_out}");
        }
        assert_eq!(reads("{paths}", "{}"), ["a", "b"]);
        assert_eq!(reads("u:{user}", "{}"), ["u:7"]);
        assert_eq!(reads("{target.path}", "{}"), ["t"]);
    }

    #[test]
    fn what_is_not_certain_is_everything() {
        let everything = [""];
        assert_eq!(reads("u:{user}", r#"{"user": 1.5}"#), everything);
        assert_eq!(reads("{path}", r#"{"path": "a/../b"}"#), everything);
        assert_eq!(reads("{path}", r#"{"path": {}}"#), everything);
        assert_eq!(reads("{bare}", "{}"), everything);
        assert_eq!(reads("{unheard}", r#"{"path": "x"}"#), everything);
        // It may have been sent under a second name.
        assert_eq!(reads("u:{user}", r#"{"id": 3}"#), everything);
        assert_eq!(reads("{target.path}", r#"{"target": {}}"#), everything);
        assert_eq!(reads("{target.path}", r#"{"target": "{\"path\": \"x\"}"}"#), everything);
        assert_eq!(reads("{paths}", r#"{"paths": [["x"]]}"#), everything);
        assert_eq!(reads("{paths}-{paths}", r#"{"paths": ["x"]}"#), everything);
        assert_eq!(reads("{path}", r#"{"path": 3"#), everything);
        assert_eq!(reads("{path", "{}"), everything);
        assert_eq!(reads("path}", "{}"), everything);
        assert_eq!(reads("{path}", "[]"), everything);
    }

    #[test]
    fn reads_and_writes_are_told_apart_and_may_be_none() {
        let footprint = Footprint::of(&tool(&["{path}", "index"], &["{path}"]), &r#"{"path": "x"}"#.into());
        assert_eq!(footprint.reads().collect::<Vec<_>>(), ["index", "x"]);
        assert_eq!(footprint.writes().collect::<Vec<_>>(), ["x"]);
        assert!(!footprint.is_empty());
        assert!(Footprint::of(&tool(&[], &[]), &"{".into()).is_empty());
    }
}
