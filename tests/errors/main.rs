//! The exact texts that a model reads about calls that do not fit. They are read as a model would read them: whether
//! the call can be put right from the text alone.

#![allow(clippy::unwrap_used, clippy::missing_panics_doc, clippy::needless_pass_by_value)]

mod tools;

use loom_runtime::{HostExt, InProcessToolHost, ToolCall, tools};
use tools::{create_event, draw, edit_file, make_folders, notify, register, search, set_stock};

/// What is wrong, the tool, and the arguments as they were sent.
const CALLS: [(&str, &str, &str); 68] = [
    ("no arguments", "search", ""),
    ("missing several", "create_event", r#"{"end":"2025-03-15"}"#),
    (
        "missing one, inside a list",
        "create_event",
        r#"{"title":"Talk","start":"2025-03-14","attendees":[{"name":"Ann","email":"a@b.c","role":"guest"},{"name":"Bo","email":"b@b.c"}]}"#,
    ),
    ("null for a required one", "search", r#"{"query":null}"#),
    ("an unknown name near a known one", "search", r#"{"query":"lamp","limt":5}"#),
    ("an unknown name in another case", "search", r#"{"query":"lamp","filters":{"inStock":true}}"#),
    ("an unknown name near no other", "search", r#"{"query":"lamp","verbose":true}"#),
    ("a required name misspelt", "search", r#"{"qeury":"lamp"}"#),
    ("a name at the wrong level", "search", r#"{"query":"lamp","category":"books"}"#),
    ("a name given twice", "search", r#"{"query":"lamp","query":"desk"}"#),
    ("a name given twice, inside", "search", r#"{"query":"lamp","filters":{"price":{"min":1,"max":2,"min":3}}}"#),
    ("a text for a list", "create_event", r#"{"title":"Talk","start":"2025-03-14","attendees":"Ann, Bo"}"#),
    (
        "one object for a list",
        "create_event",
        r#"{"title":"Talk","start":"2025-03-14","attendees":{"name":"Ann","email":"a@b.c","role":"guest"}}"#,
    ),
    ("a list for an object", "search", r#"{"query":"lamp","filters":["books"]}"#),
    ("a number for a text", "search", r#"{"query":42}"#),
    ("words for a boolean", "register", r#"{"username":"ann","age":30,"languages":["En"],"newsletter":"yes"}"#),
    ("a number for a boolean", "register", r#"{"username":"ann","age":30,"languages":["En"],"newsletter":1}"#),
    ("a fraction for an integer", "search", r#"{"query":"lamp","limit":2.5}"#),
    ("words for an integer", "search", r#"{"query":"lamp","limit":"ten"}"#),
    (
        "a separator in an integer",
        "register",
        r#"{"username":"ann","age":"1,000","languages":["En"],"newsletter":true}"#,
    ),
    ("beyond a bound", "search", r#"{"query":"lamp","limit":1000}"#),
    ("below a bound", "register", r#"{"username":"ann","age":12,"languages":["En"],"newsletter":true}"#),
    (
        "beyond the type",
        "create_event",
        r#"{"title":"Talk","start":"2025-03-14","attendees":[],"reminders_minutes":[10,70000]}"#,
    ),
    ("zero where it is excluded", "create_event", r#"{"title":"Talk","start":"2025-03-14","attendees":[],"room":0}"#),
    ("negative for an unsigned integer", "notify", r#"{"to":-5,"text":"hi"}"#),
    ("an empty text", "search", r#"{"query":""}"#),
    ("too long a text", "register", r#"{"username":"a_very_long_name","age":30,"languages":["En"],"newsletter":true}"#),
    ("against a pattern", "register", r#"{"username":"Ann Lee","age":30,"languages":["En"],"newsletter":true}"#),
    (
        "against a pattern, inside",
        "create_event",
        r#"{"title":"Talk","start":"2025-03-14","attendees":[{"name":"Ann","email":"ann at b.c","role":"guest"}]}"#,
    ),
    ("not as its type is written", "create_event", r#"{"title":"Talk","start":"14 March 2025","attendees":[]}"#),
    ("none of the names", "search", r#"{"query":"lamp","sort":"newest"}"#),
    ("none of the names, deep inside", "search", r#"{"query":"lamp","filters":{"category":"garden"}}"#),
    ("a list where one name is expected", "search", r#"{"query":"lamp","sort":["relevance"]}"#),
    (
        "an item twice in a set",
        "register",
        r#"{"username":"ann","age":30,"languages":["En","De","En"],"newsletter":true}"#,
    ),
    ("too few items", "register", r#"{"username":"ann","age":30,"languages":[],"newsletter":true}"#),
    ("too few items in an array", "draw", r#"{"shape":"nothing","colour":[255,0]}"#),
    ("too many items in a tuple", "draw", r#"{"shape":{"polygon":[[0,0],[1,0,7]]},"colour":[0,0,0]}"#),
    ("too large an integer in a text", "search", r#"{"query":"lamp","limit":"1000"}"#),
    ("null inside a list", "register", r#"{"username":"ann","age":30,"languages":["En",null],"newsletter":true}"#),
    (
        "not as its type is written, beside another fault",
        "create_event",
        r#"{"title":7,"start":"14 March 2025","attendees":[]}"#,
    ),
    (
        "a list in quotes that is cut off",
        "create_event",
        r#"{"title":"Talk","start":"2025-03-14","attendees":"[{\"name\":\"Ann\",\"email\""}"#,
    ),
    (
        "a wrong tag of something optional",
        "edit_file",
        r#"{"path":"a.rs","edits":[],"finally":{"op":"delete","line":3}}"#,
    ),
    ("a list where something optional is expected", "edit_file", r#"{"path":"a.rs","edits":[],"finally":[]}"#),
    ("a tag without the rest", "edit_file", r#"{"path":"a.rs","edits":[{"op":"delete_lines"}]}"#),
    ("a name of a tag instead of the object", "edit_file", r#"{"path":"a.rs","edits":["insert"]}"#),
    ("two variants at once", "draw", r#"{"shape":{"circle":{"radius":1},"polygon":[]},"colour":[0,0,0]}"#),
    ("a wrong value in a variant", "draw", r#"{"shape":{"circle":{"radius":"big"}},"colour":[0,0,300]}"#),
    ("a wrong item of an alternative", "notify", r#"{"to":[1,"two"],"text":"hi"}"#),
    ("a wrong tag", "edit_file", r#"{"path":"a.rs","edits":[{"op":"delete","line":3}]}"#),
    ("no tag", "edit_file", r#"{"path":"a.rs","edits":[{"line":3,"text":"x"}]}"#),
    ("the fields of another variant", "edit_file", r#"{"path":"a.rs","edits":[{"op":"replace","line":3,"text":"x"}]}"#),
    ("a variant that is not there", "draw", r#"{"shape":{"square":{"side":1}},"colour":[0,0,0]}"#),
    ("a variant without its data", "draw", r#"{"shape":"circle","colour":[0,0,0]}"#),
    ("none of several alternatives", "notify", r#"{"to":"general","text":"hi"}"#),
    ("an alternative with a misspelt name", "notify", r#"{"to":{"chanel":"general"},"text":"hi"}"#),
    (
        "wrong values in a map",
        "set_stock",
        r#"{"counts":{"lamp":3,"desk":"many","a/b":-1},"shelves":{"1":"left","top":"right"}}"#,
    ),
    (
        "several at once",
        "create_event",
        r#"{"titel":"Talk","start":20250314,"attendees":[{"name":"Ann","email":"x","role":"boss","age":3},"Bo"],"room":"A1"}"#,
    ),
    ("cut off", "create_event", r#"{"title":"Talk","start":"2025-03-14","attendees":[{"name":"Ann","email":"a@b"#),
    ("text after the end", "search", r#"{"query":"lamp"} I hope this helps!"#),
    ("wrong quotes", "search", "{'query': 'lamp'}"),
    ("two commas", "search", r#"{"query":"lamp",,"limit":5}"#),
    ("Python's words", "search", r#"{"query":"lamp","filters":None}"#),
    ("words around the document", "search", "Here is the call:\n```json\n{\"query\":\"lamp\"}\n```"),
    ("a comment", "search", "{\"query\":\"lamp\" // the word\n}"),
    ("two calls in one", "search", r#"{"query":"lamp"}{"query":"desk"}"#),
    ("an escape that is none", "edit_file", r#"{"path":"C:\files\a.rs","edits":[]}"#),
    ("leading zeros", "search", r#"{"query":"lamp","limit":007}"#),
    ("in quotes, and cut off inside", "search", r#""{\"query\":\"lamp\",\"filters\":{\"price\"""#),
];

/// A call that is nested deeper than any is read.
fn too_deep() -> String {
    format!(r#"{{"root":{}{}{}}}"#, r#"{"name":"x","folders":["#.repeat(70), r#"{"name":"y"}"#, "]}".repeat(70))
}

#[tokio::test]
async fn a_model_can_put_its_call_right() {
    let tools = tools![create_event, draw, edit_file, make_folders, notify, register, search, set_stock];
    let host = InProcessToolHost::new(tools).unwrap();
    let deep = too_deep();
    let more = [
        (
            "deep inside a tree",
            "make_folders",
            r#"{"root":{"name":"a","folders":[{"name":"b","folders":[{"nam":"c"}]}]}}"#,
        ),
        ("too deep", "make_folders", deep.as_str()),
        ("not an object at all", "search", "[\"lamp\"]"),
        (
            "a long value of the wrong kind",
            "search",
            r#"{"query":{"text":"a lamp for the desk that can be dimmed and turned, in black or in brass","exact":true}}"#,
        ),
    ];
    let mut texts = Vec::new();
    for (what, tool, arguments) in CALLS.into_iter().chain(more) {
        let result = host.call(ToolCall::new("call", tool, arguments)).await;
        assert!(result.is_error(), "{what}: taken as {}", result.text());
        let shown: String = arguments.chars().take(240).collect();
        texts.push(format!("{what}\n> {tool} {shown}\n{}", result.text()));
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(".");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("texts", texts.join("\n\n")));
}
