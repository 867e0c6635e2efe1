//! Tools that are no functions: a closure with state of its own, and tools whose schemas are read at run time.
//!
//! `cargo run --example dynamic`

use std::collections::HashMap;
use std::io::IsTerminal;
use std::sync::{Arc, Mutex, PoisonError};

use loom_runtime::Json;
use loom_runtime::prelude::*;
use loom_runtime::render::Transcript;
use loom_runtime::types::DurationText;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Debug, Deserialize, JsonSchema)]
struct Remind {
    /// What to be reminded of.
    text: String,
    /// When, from now on.
    after: DurationText,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Reminders {
    open: usize,
}

/// A reminder list as a tool. The closure keeps its own handle to the list.
fn remind(list: &Arc<Mutex<Vec<Remind>>>) -> Result<Tool, loom_runtime::BuildError> {
    let list = Arc::clone(list);
    Tool::from_fn("remind", "Set a reminder.", async move |reminder: Remind| {
        let mut list = list.lock().unwrap_or_else(PoisonError::into_inner);
        list.push(reminder);
        Json(Reminders { open: list.len() })
    })
}

/// What a plug-in would say of its tools.
const PLUGIN: &str = r#"[
    {
        "name": "set_light",
        "description": "Set the light of a room.",
        "schema": {
            "type": "object",
            "properties": {
                "room": {"enum": ["kitchen", "hall"]},
                "brightness": {"type": "integer", "minimum": 0, "maximum": 100},
                "colour": {"type": "string", "pattern": "^#[0-9a-f]{6}$"}
            },
            "required": ["room"],
            "anyOf": [{"required": ["brightness"]}, {"required": ["colour"]}]
        }
    }
]"#;

#[derive(Debug, Deserialize)]
struct PluginTool {
    name: String,
    description: String,
    schema: Value,
}

/// The tools of the plug-in: each answers with what it would send to the device.
fn plugin() -> Result<Vec<Tool>, Box<dyn std::error::Error>> {
    let tools: Vec<PluginTool> = serde_json::from_str(PLUGIN)?;
    let build = |PluginTool { name, description, schema }| {
        let tool = Tool::builder(name).description(description).input_schema(schema);
        tool.build(async |arguments: HashMap<String, Value>| {
            let mut settings: Vec<_> = arguments.iter().map(|(name, value)| format!("{name}={value}")).collect();
            settings.sort();
            settings.join(" ")
        })
    };
    Ok(tools.into_iter().map(build).collect::<Result<_, _>>()?)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let list = Arc::default();
    let host = InProcessToolHost::new(plugin()?)?;
    host.register(remind(&list)?)?;
    let calls = [
        ToolCall::new("call_1", "remind", r#"{"text": "water the plants", "after": "1h30m"}"#),
        ToolCall::new("call_2", "remind", r#"{"text": "call back", "after": "soon"}"#),
        ToolCall::new("call_3", "set_light", r##"{"room": "Hall", "brightness": "40", "colour": "#ffc080",}"##),
        ToolCall::new("call_4", "set_light", r#"{"room": "cellar", "brightness": 140}"#),
        ToolCall::new("call_5", "set_light", r#"{"room": "hall"}"#),
    ];
    let results = host.dispatch(calls.clone()).await;
    print!("{}", Transcript::new(&calls, &results).with_colour(std::io::stdout().is_terminal()));
    for Remind { text, after } in &*list.lock().unwrap_or_else(PoisonError::into_inner) {
        println!("to remind of in {after}: {text}");
    }
    Ok(())
}
