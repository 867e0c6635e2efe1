use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::*;

fn text<T: Serialize>(value: T) -> String {
    Output::serialize(&value).unwrap().as_text().into_owned()
}

fn refusal<T: Serialize>(value: T) -> String {
    Output::serialize(&value).unwrap_err().to_string()
}

#[derive(Serialize)]
struct Unit;

#[derive(Serialize)]
struct Named(String);

#[derive(Serialize)]
enum Shape {
    Dot,
    Circle(f64),
    Pair(f32, f32),
    Box { width: f64 },
}

#[derive(Serialize)]
struct Nested {
    id: u8,
    inner: BTreeMap<String, Vec<f64>>,
    #[serde(flatten)]
    rest: BTreeMap<String, f32>,
}

#[test]
fn strings_are_text_without_quotes() {
    assert_eq!(text("a \"quoted\" word"), "a \"quoted\" word");
    assert_eq!(text(String::new()), "");
    assert_eq!(text('ß'), "ß");
    assert_eq!(text(Named("x".into())), "x");
    assert_eq!(text(Some("x")), "x");
    assert_eq!(text(Shape::Dot), "Dot");
    assert_eq!(text(std::path::Path::new("/a/b")), "/a/b");
    assert!(Output::serialize("x").unwrap().as_json().is_none());
}

#[test]
fn nothing_is_ok() {
    assert_eq!(text(()), "ok");
    assert_eq!(text(Unit), "ok");
}

#[test]
fn everything_else_is_its_json() {
    assert_eq!(text(7_u64), "7");
    assert_eq!(text(u128::MAX), "340282366920938463463374607431768211455");
    assert_eq!(text(1.5_f32), "1.5");
    assert_eq!(text(true), "true");
    assert_eq!(text(None::<u8>), "null");
    assert_eq!(text(Vec::<String>::new()), "[]");
    assert_eq!(text(["a", "b"]), r#"["a","b"]"#);
    assert_eq!(text(HashMap::from([("k", 1)])), r#"{"k":1}"#);
    assert_eq!(text(Shape::Circle(1.0)), r#"{"Circle":1.0}"#);
    assert_eq!(text(Shape::Box { width: 2.0 }), r#"{"Box":{"width":2.0}}"#);
    assert_eq!(text(((), 'x', Unit)), r#"[null,"x",null]"#);
    assert_eq!(text(serde_json::json!({"a": [null, "s"]})), r#"{"a":[null,"s"]}"#);
    assert_eq!(Output::serialize(&7).unwrap().as_json(), Some("7"));
}

#[test]
fn what_json_cannot_say_is_refused_with_its_path() {
    assert_eq!(refusal(f64::NAN), "the value at the top is NaN, which JSON cannot say");
    assert_eq!(refusal(Some(f32::NEG_INFINITY)), "the value at the top is -inf, which JSON cannot say");
    assert_eq!(refusal([0.0, f64::INFINITY]), "the value at /1 is inf, which JSON cannot say");
    assert_eq!(refusal(Shape::Circle(f64::NAN)), "the value at /Circle is NaN, which JSON cannot say");
    assert_eq!(refusal(Shape::Pair(0.0, f32::NAN)), "the value at /Pair/1 is NaN, which JSON cannot say");
    assert_eq!(refusal(Shape::Box { width: f64::NAN }), "the value at /Box/width is NaN, which JSON cannot say");
    let deep =
        Nested { id: 1, inner: BTreeMap::from([("a/b~c".to_owned(), vec![1.0, f64::NAN])]), rest: BTreeMap::new() };
    assert_eq!(deep.id, 1);
    assert_eq!(refusal(deep), "the value at /inner/a~1b~0c/1 is NaN, which JSON cannot say");
    let flat = Nested { id: 1, inner: BTreeMap::new(), rest: BTreeMap::from([("r".to_owned(), f32::NAN)]) };
    assert_eq!(refusal(flat), "the value at /r is NaN, which JSON cannot say");
}

#[test]
fn a_failing_serialize_is_refused_with_its_path() {
    struct Fails;
    impl Serialize for Fails {
        fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("no such luck"))
        }
    }
    assert_eq!(refusal((1, Fails)), "the value at /1 cannot be written as JSON: no such luck");
    assert_eq!(
        refusal(HashMap::from([(vec![1], 2)])),
        "the value at /[1] cannot be written as JSON: key must be a string"
    );
}

#[test]
fn rich_content_reads_as_text_too() {
    let output = Output::from(vec![Content::text("see"), Content::image("image/png", [1, 2, 3])]);
    assert_eq!(output.as_text(), "see\n[image, image/png, 3 bytes]");
    assert_eq!(Output::from(Content::text("only")).as_text(), "only");
    assert_eq!(Output::from(Vec::new()).as_text(), "");
    assert_eq!(Output::from(Resource::new("file:///a").with_text("body")).as_text(), "body");
    assert_eq!(Output::from(Content::resource("file:///a")).as_text(), "[resource file:///a]");
}

#[test]
fn a_closure_may_say_that_its_failure_can_be_tried_again() {
    use std::time::Duration;

    use crate::{CallError, ToolError};

    let failed = |error: ToolError| match Err::<String, _>(error).into_outcome() {
        Err(CallError::Failed(error)) => (error.to_string(), error.is_retryable(), error.retry_after()),
        other => panic!("it failed, and gave {other:?}"),
    };
    let second = Duration::from_secs(1);
    assert_eq!(failed(ToolError::new("no")), ("no".to_owned(), false, None));
    assert_eq!(failed(ToolError::new("busy").retryable_after(second)), ("busy".to_owned(), true, Some(second)));
    let Err(CallError::Failed(error)) = Err::<String, _>("plain").into_outcome() else { panic!("it failed") };
    assert_eq!((error.to_string(), error.is_retryable()), ("plain".to_owned(), false));
}
