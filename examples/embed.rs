//! The runtime inside a plain axum handler: it takes a provider's message with tool calls and answers with the
//! messages that carry the results.
//!
//! ```text
//! cargo run --example embed                          # sends itself one message and prints the answer
//! cargo run --example embed -- serve 127.0.0.1:8787  # serves POST /tool-calls
//! ```

use axum::body::Body;
use axum::extract::State as App;
use axum::http::{Request, header};
use axum::routing::post;
use axum::{Json, Router};
use loom_runtime::Arguments;
use loom_runtime::prelude::*;
use serde::{Deserialize, Serialize};
use tower::ServiceExt;

/// Look up the state of an order.
///
/// # Arguments
/// * `order_id` - The order's number, such as `A-1001`.
#[tool(read_only)]
async fn order_status(order_id: &str, #[context] run: &RunContext) -> Result<String, String> {
    // Stands for a look-up in a database.
    tokio::task::yield_now().await;
    match order_id {
        "A-1001" => Ok(format!("shipped to {}", run.user_id().unwrap_or("nobody"))),
        other => Err(format!("there is no order `{other}`")),
    }
}

/// Count the orders of some months.
#[tool(read_only)]
fn count_orders(#[arg(description = "The months, 1 to 12.")] months: &[u8]) -> usize {
    months.len() * 7
}

/// An assistant message of the chat-completions form; what is not named here is passed over.
#[derive(Deserialize)]
struct AssistantMessage {
    #[serde(default)]
    tool_calls: Vec<WireCall>,
}

#[derive(Deserialize)]
struct WireCall {
    id: String,
    function: WireFunction,
}

/// The arguments are a string that holds JSON, whatever the model wrote.
#[derive(Deserialize)]
struct WireFunction {
    name: String,
    arguments: String,
}

/// One answer, to be appended to the conversation.
#[derive(Serialize)]
struct ToolMessage {
    role: &'static str,
    tool_call_id: String,
    content: String,
}

async fn tool_calls(App(tools): App<Dispatcher>, Json(message): Json<AssistantMessage>) -> Json<Vec<ToolMessage>> {
    let calls = message
        .tool_calls
        .into_iter()
        .map(|call| ToolCall::new(call.id, call.function.name, Arguments::Text(call.function.arguments)));
    // In a real server the user comes from the request's own credentials.
    let run = RunContext::new().with_user_id("ada");
    let results = tools.with_context(run).dispatch(calls).await;
    let messages = results.into_iter().map(|result| ToolMessage {
        role: "tool",
        content: result.text().into_owned(),
        tool_call_id: result.call_id,
    });
    Json(messages.collect())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tools = Dispatcher::new(tools![order_status, count_orders])?;
    let app = Router::new().route("/tool-calls", post(tool_calls)).with_state(tools);

    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some("serve") {
        let address = arguments.next().unwrap_or_else(|| "127.0.0.1:8787".to_owned());
        let listener = tokio::net::TcpListener::bind(&address).await?;
        println!("POST http://{}/tool-calls", listener.local_addr()?);
        return Ok(axum::serve(listener, app).await?);
    }

    let message = serde_json::json!({
        "role": "assistant",
        "content": null,
        "tool_calls": [
            {"id": "call_a", "type": "function",
             "function": {"name": "order_status", "arguments": "{\"order_id\":\"A-1001\"}"}},
            {"id": "call_b", "type": "function",
             "function": {"name": "count_orders", "arguments": "{\"months\":\"[1, 2, 3]\"}"}},
            {"id": "call_c", "type": "function",
             "function": {"name": "order_status", "arguments": "{\"order\":\"A-10"}},
        ],
    });
    let request = Request::post("/tool-calls")
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(message.to_string()))?;
    let response = app.oneshot(request).await?;
    let body = axum::body::to_bytes(response.into_body(), 1 << 20).await?;
    let answers: serde_json::Value = serde_json::from_slice(&body)?;
    println!("{answers:#}");
    Ok(())
}
