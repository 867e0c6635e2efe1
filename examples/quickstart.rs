//! Three tools and one turn of six calls: good, coerced, slow, badly named, unknown and panicking ones, all at once.
//!
//! `cargo run --example quickstart`

use std::io::IsTerminal;
use std::time::Duration;

use loom_runtime::prelude::*;
use loom_runtime::render::Transcript;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a temperature is said.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Unit {
    Celsius,
    Fahrenheit,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Weather {
    city: String,
    temperature: f64,
    unit: Unit,
}

/// Look up the current weather in a city.
///
/// # Arguments
/// * `city` - The city's name, such as `Oslo`.
/// * `unit` - How the temperature is to be said.
#[tool(read_only)]
async fn get_weather(city: &str, #[arg(default = Unit::Celsius)] unit: Unit) -> Result<Weather, String> {
    // Stands for a request to a weather service.
    tokio::task::yield_now().await;
    let celsius = match city {
        "Oslo" => -3.0,
        "Nairobi" => 24.5,
        other => return Err(format!("no weather station in `{other}`")),
    };
    let temperature = match unit {
        Unit::Celsius => celsius,
        Unit::Fahrenheit => celsius * 9.0 / 5.0 + 32.0,
    };
    Ok(Weather { city: city.to_owned(), temperature, unit })
}

/// Divide two whole numbers.
///
/// Args:
///     dividend: What is divided.
///     divisor: What it is divided by.
#[tool(read_only, idempotent)]
fn divide(dividend: i64, divisor: i64) -> i64 {
    dividend / divisor
}

/// Archive the reports of a year. Takes its time.
#[tool(timeout = "2s")]
async fn archive(#[arg(min = 2000, max = 2100)] year: u16, reports: Vec<String>) -> String {
    tokio::time::sleep(Duration::from_millis(300)).await;
    format!("archived {} reports of {year}", reports.len())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // One of the calls panics on purpose. loom turns that into a result; without this hook, the default one would
    // print a backtrace between the lines below.
    std::panic::set_hook(Box::new(|_| {}));

    let host = InProcessToolHost::new(tools![get_weather, divide, archive])?;
    let calls = [
        ToolCall::new("call_1", "get_weather", r#"{"city": "Oslo"}"#),
        ToolCall::new("call_2", "divide", r#"{"dividend": "84", "divisor": 2.0}"#),
        ToolCall::new("call_3", "archive", r#"{"year": 2025, "reports": "[\"q1\", \"q2\"]"}"#),
        ToolCall::new("call_4", "get_weather", r#"{"town": "Oslo", "unit": "kelvin"}"#),
        ToolCall::new("call_5", "divide", r#"{"dividend": 1, "divisor": 0}"#),
        ToolCall::new("call_6", "get_wether", r#"{"city": "Nairobi"}"#),
    ];
    let results = host.dispatch(calls.clone()).await;

    let transcript = Transcript::new(&calls, &results).with_colour(std::io::stdout().is_terminal());
    print!("{transcript}");
    let failed = results.iter().filter(|result| result.is_error()).count();
    println!("\n{} calls, {} results, {failed} of them failures that a model can act on", calls.len(), results.len());
    Ok(())
}
