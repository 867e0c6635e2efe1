//! What a model reads: all problems of a call, in order, each with its place and in one line.

use std::collections::BTreeMap;

use super::super::{Problem, ProblemKind, nearest};
use super::{problems, refused};
use crate::tool;

/// Searches.
#[tool(blocking = false)]
fn search(query: String, limit: u8, max_results: Option<u8>, tags: Option<Vec<String>>) -> String {
    format!("{query} {limit} {max_results:?} {tags:?}")
}

#[test]
fn everything_is_told_at_once() {
    let found = problems(&search::tool(), r#"{"limt":5,"maxResults":"many","tags":["a",1],"tags":[]}"#);
    assert_eq!(
        found.to_string(),
        "the arguments do not fit, and the tool was not called:\n\
         - unknown argument `limt`; did you mean `limit`?\n\
         - unknown argument `maxResults`; did you mean `max_results`?\n\
         - /tags/1: expected a string, got 1\n\
         - argument `tags` is given more than once; give it once\n\
         - missing required arguments `query` and `limit`"
    );
    let unknown = |name: &str, nearest: &str| Problem::new("", ProblemKind::unknown(name, Some(nearest)));
    let expected = [
        unknown("limt", "limit"),
        unknown("maxResults", "max_results"),
        Problem::new("/tags/1", ProblemKind::Mismatch { expected: "a string".to_owned(), got: "1".to_owned() }),
        Problem::new("", ProblemKind::Duplicate { name: "tags".to_owned() }),
        Problem::new("", ProblemKind::Missing { names: vec!["query".to_owned(), "limit".to_owned()] }),
    ];
    assert_eq!(found.iter().cloned().collect::<Vec<_>>(), expected);
    assert_eq!(found.len(), 5);
}

#[test]
fn missing_names_are_in_the_order_of_the_signature() {
    /// Takes three.
    #[tool(blocking = false)]
    fn three(zebra: u8, mango: u8, apple: u8) -> u8 {
        zebra + mango + apple
    }
    assert_eq!(refused(&three::tool(), "{}"), ["missing required arguments `zebra`, `mango` and `apple`"]);
    assert_eq!(refused(&three::tool(), r#"{"mango":1}"#), ["missing required arguments `zebra` and `apple`"]);
    assert_eq!(refused(&three::tool(), r#"{"mango":1,"zebra":1}"#), ["missing required argument `apple`"]);
}

#[test]
fn a_name_that_is_there_is_not_suggested() {
    assert_eq!(
        refused(&search::tool(), r#"{"query":"x","limit":1,"limits":2,"queri":3}"#),
        [
            "unknown argument `limits`; the arguments are `query`, `limit`, `max_results` and `tags`",
            "unknown argument `queri`",
        ]
    );
}

#[test]
fn no_line_breaks_out_of_its_own() {
    /// Takes a map.
    #[tool(blocking = false)]
    fn map(v: BTreeMap<String, u8>) -> usize {
        v.len()
    }
    assert_eq!(
        refused(&map::tool(), "{\"v\":{\"a\\n- b\\u2028\\t\":\"x\\ny\"},\"new\\r\\nline\":1}"),
        [
            "/v/a\\n- b\\u2028\\t: expected an integer from 0 to 255, got \"x\\ny\"",
            "unknown argument `new\\r\\nline`; the only argument is `v`",
        ]
    );
    let long = "k".repeat(500);
    assert_eq!(
        refused(&map::tool(), format!(r#"{{"v":{{}},"{long}":1}}"#)),
        [format!("unknown argument `{}…`; the only argument is `v`", "k".repeat(120))]
    );
}

#[test]
fn long_values_are_shortened_on_a_character() {
    let tool = search::tool();
    let got = |value: &str| {
        let lines = refused(&tool, format!(r#"{{"query":"x","limit":{value}}}"#));
        let [line] = lines.as_slice() else { unreachable!("one problem: {lines:?}") };
        line.strip_prefix("/limit: expected an integer from 0 to 255, got ").unwrap().to_owned()
    };
    assert_eq!(got(&format!("\"{}\"", "é".repeat(58))), format!("\"{}\"", "é".repeat(58)));
    assert_eq!(got(&format!("\"{}\"", "é".repeat(59))), format!("\"{}…", "é".repeat(59)));
    assert_eq!(got(&format!("\"{}\"", "\\n".repeat(200))), format!("\"{}\\…", "\\n".repeat(29)));
    let list = format!("[{}]", vec!["12345"; 1000].join(","));
    assert_eq!(got(&list), format!("{}…", &list[..60]));
    let object = format!("{{{}}}", (0..1000).map(|n| format!("\"k{n}\":[{n}]")).collect::<Vec<_>>().join(","));
    assert_eq!(got(&object), format!("{}…", &object[..60]));
    assert_eq!(got(&"9".repeat(300)), format!("{}…", "9".repeat(60)));
}

#[test]
fn near_names() {
    let names = ["limit", "max_results", "query", "q", "tags"];
    let near = |name: &str| nearest(name, names.into_iter(), 2);
    assert_eq!(near("limt"), ["limit"]);
    assert_eq!(near("Limit"), ["limit"]);
    assert_eq!(near("max-results"), ["max_results"]);
    assert_eq!(near("maxresult"), ["max_results"]);
    assert_eq!(near("tgas"), ["tags"]);
    assert_eq!(near("tag"), ["tags"]);
    assert_eq!(near("xyz"), Vec::<&str>::new());
    assert_eq!(near(""), Vec::<&str>::new());
    assert_eq!(nearest("aab", ["aaa", "aac", "aab"].into_iter(), 2), ["aab", "aaa"]);
}
