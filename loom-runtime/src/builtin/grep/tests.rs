#![allow(clippy::unwrap_used)]

use loom_core::ToolCall;
use serde_json::{Value, json};

use super::super::tests::{Place, err, ok};
use crate::Dispatcher;

fn place() -> Place {
    Place::new(&[
        ("a.rs", "fn main() {\n    one();\n    two();\n}\n"),
        ("b/c.rs", "fn one() {}\n\nfn two() {}\n"),
        ("b/d.txt", "fn three\r\nFN main\r\n"),
    ])
}

async fn grep(place: &Place, arguments: Value) -> Result<String, String> {
    place.ask("grep", arguments).await
}

#[tokio::test]
async fn lines_are_found_with_path_and_number() {
    let place = place();
    assert_eq!(
        grep(&place, json!({"pattern": "^fn \\w+"})).await,
        ok("a.rs:1:fn main() {\nb/c.rs:1:fn one() {}\nb/c.rs:3:fn two() {}\nb/d.txt:1:fn three\n")
    );
    assert_eq!(
        grep(&place, json!({"pattern": "fn main", "ignore_case": true})).await,
        ok("a.rs:1:fn main() {\nb/d.txt:2:FN main\n")
    );
    assert_eq!(grep(&place, json!({"pattern": "main$"})).await, ok("b/d.txt:2:FN main\n"));
    assert_eq!(
        grep(&place, json!({"pattern": "fn", "path": "b", "glob": "*.rs"})).await,
        ok("b/c.rs:1:fn one() {}\nb/c.rs:3:fn two() {}\n")
    );
    assert_eq!(grep(&place, json!({"pattern": "fn", "glob": "b/*.txt"})).await, ok("b/d.txt:1:fn three\n"));
    assert_eq!(grep(&place, json!({"pattern": "two", "path": "a.rs"})).await, ok("a.rs:3:    two();\n"));
    assert_eq!(grep(&place, json!({"pattern": "three", "glob": ""})).await, ok("b/d.txt:1:fn three\n"));
    assert_eq!(grep(&place, json!({"pattern": "zzz"})).await, ok("no line matches in 3 files\n"));
    assert_eq!(
        grep(&place, json!({"pattern": "x", "path": "q"})).await,
        err("there is no `q`; the part of it that is there is `.`")
    );
}

#[tokio::test]
async fn the_call_of_the_documentation_works_as_it_stands() {
    let place = place();
    let call = ToolCall::new("1", "grep", r#"{"pattern":"fn main","max":"3"}"#);
    let result = Dispatcher::new(place.workspace.tools()).unwrap().call(call).await;
    assert_eq!(result.text(), "a.rs:1:fn main() {\n");
    assert_eq!(result.coercions.len(), 1);
}

#[tokio::test]
async fn what_is_not_shown_is_counted() {
    let place = place();
    place.put("many.txt", "x\n".repeat(250));
    assert_eq!(
        grep(&place, json!({"pattern": "fn ", "max": 2})).await,
        ok("a.rs:1:fn main() {\nb/c.rs:1:fn one() {}\n\
            [2 of 4 matching lines in 3 files shown: narrow the pattern, the path or the glob]\n")
    );
    let text = grep(&place, json!({"pattern": "x"})).await.unwrap();
    assert_eq!(text.lines().count(), 101);
    assert_eq!(
        text.lines().last(),
        Some("[100 of 250 matching lines in 1 file shown: narrow the pattern, the path or the glob]")
    );
    // Beyond ten thousand nobody counts.
    place.put("many.txt", "x\n".repeat(20_000));
    let text = grep(&place, json!({"pattern": "x", "max": 1})).await;
    assert_eq!(
        text,
        ok(
            "many.txt:1:x\n[1 of at least 10000 matching lines in 1 file shown: narrow the pattern, the path or the glob]\n"
        )
    );
    // 40 000 characters are 93 lines of 426: the path, the number and 400 characters with the mark behind them.
    place.put("many.txt", format!("{}\n", "x".repeat(500)).repeat(99));
    let text = grep(&place, json!({"pattern": "x", "path": "many.txt"})).await.unwrap();
    assert!(text.chars().count() < 40_200 && text.chars().count() > 39_000);
    let shown = text.lines().count() - 1;
    assert_eq!(
        text.lines().last(),
        Some(
            format!("[{shown} of 99 matching lines in 1 file shown: narrow the pattern, the path or the glob]")
                .as_str()
        )
    );
}

#[tokio::test]
async fn lines_around_a_match_are_told_apart_from_it() {
    let place = Place::new(&[("a", "1\n2\n3 x\n4\n5\n6\n7\n8 x\n9 x\n"), ("b", "0\nx\n")]);
    assert_eq!(
        grep(&place, json!({"pattern": "x", "context": 1})).await,
        ok("a-2-2\na:3:3 x\na-4-4\n--\na-7-7\na:8:8 x\na:9:9 x\nb-1-0\nb:2:x\n")
    );
    // Lines before a match that is not shown are not shown either.
    assert_eq!(
        grep(&place, json!({"pattern": "x", "context": 1, "max": 1})).await,
        ok(
            "a-2-2\na:3:3 x\na-4-4\n[1 of 4 matching lines in 2 files shown: narrow the pattern, the path or the glob]\n"
        )
    );
}

#[tokio::test]
async fn long_lines_are_shown_around_the_match() {
    let place = Place::new(&[("a", &format!("{}needle{}\n", "x".repeat(1000), "y".repeat(1000)))]);
    assert_eq!(
        grep(&place, json!({"pattern": "needle"})).await,
        Ok(format!("a:1:… {}needle{} [… 706 characters more]\n", "x".repeat(100), "y".repeat(294)))
    );
    assert_eq!(
        grep(&place, json!({"pattern": "^x"})).await,
        Ok(format!("a:1:{} [… 1606 characters more]\n", "x".repeat(400)))
    );
    assert_eq!(grep(&place, json!({"pattern": "y$"})).await, Ok(format!("a:1:… {}\n", "y".repeat(400))));
}

#[tokio::test]
async fn a_line_ends_where_it_ends() {
    let place = Place::new(&[("a", "one\none two\n"), ("b", "one\r\none two\r\n"), ("c", "two one")]);
    assert_eq!(grep(&place, json!({"pattern": "one$"})).await, ok("a:1:one\nb:1:one\nc:1:two one\n"));
    assert_eq!(grep(&place, json!({"pattern": "^one$"})).await, ok("a:1:one\nb:1:one\n"));
    assert_eq!(grep(&place, json!({"pattern": "^one\\s+two"})).await, ok("a:2:one two\nb:2:one two\n"));
    assert_eq!(grep(&place, json!({"pattern": "one\\s*two"})).await, ok("a:2:one two\nb:2:one two\n"));
}

#[tokio::test]
async fn binary_files_are_left_out_and_other_encodings_read() {
    let place = Place::new(&[("a.txt", "needle\n")]);
    place.put("binary", b"needle\n\0needle\n");
    place.put("late", [b"needle\n".to_vec(), b"hay\n".repeat(50_000), b"\0".to_vec()].concat());
    place.put("wide.txt", "\u{feff}needle\n".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
    place.put("latin.txt", b"caf\xe9 needle\n");
    assert_eq!(
        grep(&place, json!({"pattern": "needle"})).await,
        ok("a.txt:1:needle\nlatin.txt:1:caf\u{fffd} needle\nwide.txt:1:needle\n[2 binary files left out]\n")
    );
}

#[tokio::test]
async fn a_pattern_that_cannot_be_used_says_why() {
    let place = place();
    for (pattern, reason) in [("(", "unclosed group"), ("a\\nb", "the literal \"\\n\" is not allowed in a regex")] {
        let refused = grep(&place, json!({"pattern": pattern})).await;
        assert_eq!(refused, Err(format!("`{pattern}` cannot be used as a pattern: {reason}")));
    }
    let large = grep(&place, json!({"pattern": "(?:\\w{1000}){1000}"})).await.unwrap_err();
    assert_eq!(
        large,
        "`(?:\\w{1000}){1000}` cannot be used as a pattern: compiled regex exceeds size limit of 16777216"
    );
    assert_eq!(
        grep(&place, json!({"pattern": "x", "max": 0})).await,
        err(
            "the arguments do not fit, and the tool was not called:\n- /max: expected an integer from 1 to 1000, got 0"
        )
    );
}
