//! What may be returned.
use std::borrow::Cow;
use std::fmt;

use loom_runtime::prelude::*;
use serde::Serialize;

#[derive(Serialize)]
struct Hit {
    title: &'static str,
}

/// An error that is only text.
struct Reason;

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a reason")
    }
}

/// Nothing.
#[tool]
fn nothing() {}

/// Nothing.
#[tool]
fn unit() -> () {}

/// Text.
#[tool]
async fn text() -> &'static str {
    "text"
}

/// Text.
#[tool]
fn cow() -> Cow<'static, str> {
    "cow".into()
}

/// A number.
#[tool]
fn number() -> f64 {
    1.5
}

/// Maybe something.
#[tool]
fn maybe(#[arg(default)] there: bool) -> Option<Hit> {
    there.then_some(Hit { title: "there" })
}

/// Several.
#[tool]
fn several() -> Result<Vec<Hit>, Reason> {
    Ok(vec![Hit { title: "one" }, Hit { title: "two" }])
}

/// A reason.
#[tool]
async fn reason() -> Result<Hit, Reason> {
    Err(Reason)
}

/// Content.
#[tool]
fn content() -> Content {
    Content::text("content")
}

/// Contents.
#[tool]
async fn contents() -> Vec<Content> {
    vec![Content::text("one"), Content::image("image/png", [1])]
}

/// Contents, or a reason.
#[tool]
fn contents_or_reason(#[arg(default)] fail: bool) -> Result<Content, Reason> {
    if fail { Err(Reason) } else { Ok(Content::text("content")) }
}

/// Any output.
#[tool]
fn output() -> Result<Output, ToolError> {
    Ok(Output::text("output"))
}

/// A boxed value.
#[tool]
fn boxed() -> Box<dyn erased::Said> {
    Box::new(5)
}

mod erased {
    pub trait Said {
        fn say(&self) -> String;
    }

    impl Said for u8 {
        fn say(&self) -> String {
            format!("said {self}")
        }
    }

    impl serde::Serialize for dyn Said {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str(&self.say())
        }
    }
}

/// An opaque value.
#[tool]
fn opaque() -> impl Serialize {
    [1, 2]
}

/// An opaque value, or a reason.
#[tool]
async fn opaque_or_reason() -> Result<impl Serialize, impl fmt::Display> {
    Err::<u8, _>(Reason)
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let host = InProcessToolHost::new(tools![
        nothing, unit, text, cow, number, maybe, several, reason, content, contents, contents_or_reason, output, boxed,
        opaque, opaque_or_reason,
    ])
    .unwrap();
    let expected = [
        ("nothing", "{}", "ok"),
        ("unit", "{}", "ok"),
        ("text", "{}", "text"),
        ("cow", "{}", "cow"),
        ("number", "{}", "1.5"),
        ("maybe", "{}", "null"),
        ("maybe", r#"{"there": true}"#, r#"{"title":"there"}"#),
        ("several", "{}", r#"[{"title":"one"},{"title":"two"}]"#),
        ("reason", "{}", "a reason"),
        ("content", "{}", "content"),
        ("contents_or_reason", "{}", "content"),
        ("contents_or_reason", r#"{"fail": true}"#, "a reason"),
        ("output", "{}", "output"),
        ("boxed", "{}", "said 5"),
        ("opaque", "{}", "[1,2]"),
        ("opaque_or_reason", "{}", "a reason"),
    ];
    for (name, arguments, text) in expected {
        let results = host.dispatch([ToolCall::new("1", name, arguments)]).await;
        assert_eq!(results[0].text(), text, "{name}");
        assert_eq!(results[0].is_error(), text == "a reason", "{name}");
    }
    let results = host.dispatch([ToolCall::new("1", "contents", "{}")]).await;
    assert_eq!(results[0].parts().len(), 2);
}
