//! Where the corpus is, and how its rows are read.

use std::path::PathBuf;
use std::{env, fs};

use serde::Deserialize;
use serde_json::{Map, Value};

/// All files of the corpus.
pub(crate) const ALL: [&str; 4] = ["simple", "multiple", "parallel", "parallel_multiple"];

/// The files whose rows hold several calls.
pub(crate) const SEVERAL_CALLS: [&str; 2] = ["parallel", "parallel_multiple"];

/// A question: the tools that were offered and the calls that answer it. What else a row holds is not needed here.
#[derive(Debug, Deserialize)]
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) tools: Vec<Definition>,
    pub(crate) calls: Vec<Call>,
}

/// A tool as a model is shown it.
#[derive(Debug, Deserialize)]
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) parameters: Value,
}

/// A call that is known to be right.
#[derive(Debug, Deserialize)]
pub(crate) struct Call {
    pub(crate) name: String,
    pub(crate) arguments: Map<String, Value>,
}

impl Row {
    /// The definition that a call is of.
    pub(crate) fn definition(&self, name: &str) -> &Definition {
        let found = self.tools.iter().find(|tool| tool.name == name);
        found.unwrap_or_else(|| panic!("{}: no tool `{name}`", self.id))
    }
}

impl Definition {
    /// The names of the parameters.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = &str> {
        let properties = self.parameters.get("properties").and_then(Value::as_object);
        properties.into_iter().flat_map(Map::keys).map(String::as_str)
    }

    /// The names of the parameters that have to be sent.
    pub(crate) fn required(&self) -> Vec<String> {
        let required = self.parameters.get("required").and_then(Value::as_array);
        let names = required.into_iter().flatten().filter_map(Value::as_str);
        names.map(str::to_owned).collect()
    }
}

/// The rows of these files; where there is no corpus, `None`, and a line that says which test was skipped.
pub(crate) fn rows(files: &[&str], test: &str) -> Option<Vec<Row>> {
    let folder = root().join("bfcl");
    if !folder.is_dir() {
        println!("{test}: skipped, no corpus in {}; set LOOM_TEST_DATA to the folder above it", folder.display());
        return None;
    }
    let mut rows = Vec::new();
    for file in files {
        let path = folder.join(format!("bfcl_{file}.jsonl"));
        let content = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for (index, line) in content.lines().enumerate() {
            let row = serde_json::from_str(line);
            rows.push(row.unwrap_or_else(|error| panic!("{}:{}: {error}", path.display(), index + 1)));
        }
    }
    Some(rows)
}

/// The folder of all test data: the one that is named, else the one beside the checkout.
fn root() -> PathBuf {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    env::var_os("LOOM_TEST_DATA").map_or_else(beside, PathBuf::from)
}
