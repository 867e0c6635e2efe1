//! Errors of every kind; those that are errors keep their sources.
use std::error::Error;
use std::sync::Arc;

use loom_runtime::prelude::*;

fn io() -> std::io::Error {
    std::io::Error::other("no disk")
}

/// An error of `anyhow`.
#[tool]
async fn any() -> Result<(), anyhow::Error> {
    Err(anyhow::Error::from(io()).context("cannot save"))
}

/// The same, by its alias.
#[tool]
fn any_alias() -> anyhow::Result<String> {
    anyhow::bail!("cannot save")
}

/// A boxed error that can be sent.
#[tool]
async fn boxed() -> Result<u8, Box<dyn Error + Send + Sync>> {
    Err(io())?
}

/// A boxed error that cannot.
#[tool]
fn boxed_here() -> Result<u8, Box<dyn Error>> {
    Err(io())?
}

/// An error of the standard library.
#[tool]
fn plain() -> std::io::Result<()> {
    Err(io())
}

/// Text.
#[tool]
fn text() -> Result<u8, &'static str> {
    Err("text")
}

/// Shared.
#[tool]
fn shared() -> Result<u8, Arc<std::io::Error>> {
    Err(Arc::new(io()))
}

/// One of loom's own.
#[tool]
fn own() -> Result<Content, ToolError> {
    Err(ToolError::new("own"))
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let host = InProcessToolHost::new(tools![any, any_alias, boxed, boxed_here, plain, text, shared, own]).unwrap();
    let expected = [
        ("any", "cannot save"),
        ("any_alias", "cannot save"),
        ("boxed", "no disk"),
        ("boxed_here", "no disk"),
        ("plain", "no disk"),
        ("text", "text"),
        ("shared", "no disk"),
        ("own", "own"),
    ];
    for (name, text) in expected {
        let results = host.dispatch([ToolCall::new("1", name, "{}")]).await;
        assert!(results[0].is_error(), "{name}");
        assert_eq!(results[0].text(), text, "{name}");
    }
}
