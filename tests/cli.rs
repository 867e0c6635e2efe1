//! What a program made by `cli::run` prints and how it ends, as a script sees it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

struct Ended {
    code: i32,
    out: String,
    err: String,
}

impl Ended {
    fn json(&self) -> Value {
        serde_json::from_str(&self.out).expect("the output is one JSON document")
    }
}

fn run(arguments: &[&str], input: &[u8]) -> Ended {
    let mut program = Command::new(env!("CARGO_BIN_EXE_cli-fixture"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that ends without reading its input closes the pipe.
    let _written = program.stdin.take().unwrap().write_all(input);
    let ended = program.wait_with_output().unwrap();
    Ended {
        code: ended.status.code().unwrap(),
        out: String::from_utf8(ended.stdout).unwrap(),
        err: String::from_utf8(ended.stderr).unwrap(),
    }
}

#[test]
fn list_is_readable_and_machine_readable() {
    let listed = run(&["list"], b"");
    assert_eq!(listed.code, 0);
    assert_eq!(
        listed.out,
        "add    Add two numbers.  [read_only]\n\
         fail   Fail with a reason.  [destructive]\n\
         hang   Never come back.\n\
         block  Block the thread for an hour.\n\
         count  Count, and say how far it is.\n"
    );
    let tools = run(&["--json", "list", "reason"], b"").json();
    assert_eq!(
        tools,
        json!([{
            "name": "fail",
            "description": "Fail with a reason.",
            "inputSchema": {
                "type": "object",
                "properties": {"reason": {"type": "string"}},
                "required": ["reason"],
                "additionalProperties": false
            },
            "flags": ["destructive"]
        }])
    );
    assert_eq!(run(&["list", "--json"], b"").json().as_array().unwrap().len(), 5);
}

#[test]
fn a_schema_is_in_the_order_of_the_signature() {
    let schema = run(&["schema", "add"], b"");
    assert_eq!(schema.code, 0);
    let names: Vec<_> = schema.out.lines().filter(|line| line.starts_with("    \"")).map(str::trim).collect();
    assert_eq!(names, ["\"b\": {", "\"a\": {", "\"b\",", "\"a\""]);
    let all = run(&["schema"], b"").json();
    assert_eq!(all["add"], schema.json());
    assert_eq!(all.as_object().unwrap().len(), 5);

    let unknown = run(&["schema", "ad"], b"");
    assert_eq!((unknown.code, unknown.out.as_str()), (4, ""));
    assert_eq!(unknown.err, "error: there is no tool named `ad`; did you mean `add`?\n");
}

#[test]
fn a_call_is_shown_with_what_was_changed_in_it() {
    let called = run(&["call", "add", r#"{"a": "1", "b": 2}"#], b"");
    assert_eq!((called.code, called.err.as_str()), (0, ""));
    assert_eq!(called.out, "✓ add {\"a\": \"1\", \"b\": 2}\n    /a: \"1\" was read as 1\n    {\"sum\":3}\n");

    let called = run(&["call", "add", "-", "--json"], br#"{"a": "1", "b": 2}"#);
    assert_eq!(called.code, 0);
    assert_eq!(
        called.json(),
        json!({
            "callId": "call_1",
            "toolName": "add",
            "isError": false,
            "text": "{\"sum\":3}",
            "structured": {"sum": 3},
            "coercions": [{"pointer": "/a", "rule": "text_to_integer", "from": "\"1\"", "to": "1"}]
        })
    );
}

#[test]
fn exit_codes_tell_what_went_wrong() {
    let code = |arguments: &[&str]| run(arguments, b"").code;
    assert_eq!(code(&["call", "fail", r#"{"reason": "because"}"#]), 1);
    assert_eq!(code(&["call"]), 2);
    assert_eq!(code(&["dance"]), 2);
    assert_eq!(code(&["call", "add"]), 3);
    assert_eq!(code(&["call", "add", "{"]), 3);
    assert_eq!(code(&["call", "ad"]), 4);
    assert_eq!(code(&["call", "hang"]), 5);
    assert_eq!(run(&["call", "hang", "--json"], b"").json()["error"], "timed_out");
    // The thread goes on for an hour; the program does not.
    assert_eq!(code(&["call", "block"]), 5);
    assert_eq!(code(&["--help"]), 0);
}

#[test]
fn a_turn_answers_every_call_in_order() {
    let calls = br#"[
        {"id": "x", "name": "hang"},
        {"id": "y", "name": "add", "arguments": {"a": 1, "b": 2}},
        {"name": "add", "arguments": "{\"a\": 1, \"b\": 2}"},
        {"id": "call_3", "name": "fail", "arguments": {"reason": "because"}},
        {"id": "x", "name": "fail", "arguments": {"reason": "because"}}
    ]"#;
    let ended = run(&["turn", "--json"], calls);
    assert_eq!(ended.code, 5);
    let results = ended.json();
    let told: Vec<_> = results
        .as_array()
        .unwrap()
        .iter()
        .map(|result| format!("{} {}", result["callId"].as_str().unwrap(), result["text"].as_str().unwrap()))
        .collect();
    assert_eq!(
        told,
        [
            "x the call timed out after 0.001 seconds",
            "y {\"sum\":3}",
            // Without an id of its own, it gets one that no other call has.
            "call_4 {\"sum\":3}",
            "call_3 because",
            "x the id `x` was given to an earlier call of the same message, so this call was not run; make it again under \
             an id of its own"
        ]
    );
    assert_eq!(results[0]["error"], "timed_out");

    assert_eq!((run(&["turn"], b"[]").code, run(&["turn", "--json"], b"[]").json()), (0, json!([])));
}

#[test]
fn how_far_a_call_has_come_is_told_beside_the_result() {
    let ended = run(&["call", "count", r#"{"to": "2"}"#, "--json"], b"");
    assert_eq!((ended.code, &ended.json()["text"]), (0, &json!("2")));
    assert_eq!(ended.err, "count: 1/2 at 1\u{fffd}\ncount: 2/2 at 2\u{fffd}\n");
    let quiet = run(&["--quiet", "call", "count", r#"{"to": 2}"#], b"");
    assert_eq!((quiet.out.as_str(), quiet.err.as_str()), ("✓ count {\"to\": 2}\n    2\n", ""));
}

#[test]
fn input_that_is_no_turn_says_what_is_expected() {
    let ended = run(&["turn"], br#"{"name": "add"}"#);
    assert_eq!((ended.code, ended.out.as_str()), (2, ""));
    assert_eq!(
        ended.err,
        "error: the input is no JSON array of calls such as `[{\"name\": \"…\", \"arguments\": {}}]`: invalid type: \
         map, expected a sequence at line 1 column 0\n"
    );
    let ended = run(&["turn"], b"\xff");
    assert_eq!((ended.code, ended.out.as_str()), (2, ""));
    assert_eq!(ended.err, "error: the input is not text: stream did not contain valid UTF-8\n");
}
