//! Typed closures.

use super::*;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Search {
    /// What to look for.
    query: String,
    /// How many results.
    #[serde(default = "five")]
    #[schemars(range(min = 1, max = 50))]
    limit: u32,
    #[serde(default)]
    filters: BTreeMap<String, bool>,
    #[serde(alias = "kind")]
    category: Option<Category>,
}

fn five() -> u32 {
    5
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Category {
    News,
    Blog,
}

fn search() -> Tool {
    let calls = Arc::new(AtomicUsize::new(0));
    let search = Tool::from_fn("search", "Searches.", async move |args: Search| {
        let before = calls.fetch_add(1, Ordering::Relaxed);
        let Search { query, limit, filters, category } = args;
        format!("{before} {query:?} {limit} {filters:?} {category:?}")
    });
    search.unwrap()
}

#[test]
fn a_closure_is_described_by_its_argument() {
    let tool = search();
    assert_eq!(tool.definition().description, "Searches.");
    let schema = &tool.definition().input_schema;
    assert_eq!(
        serde_json::to_value(schema).unwrap(),
        json!({
            "type": "object",
            "properties": {
                "query": {"description": "What to look for.", "type": "string"},
                "limit": {
                    "default": 5, "description": "How many results.", "maximum": 50, "minimum": 1, "type": "integer"
                },
                "filters": {"additionalProperties": {"type": "boolean"}, "default": {}, "type": "object"},
                "category": {"enum": ["news", "blog"], "type": "string"}
            },
            "required": ["query"],
            "additionalProperties": false
        })
    );
    assert_eq!(schema.property_names().collect::<Vec<_>>(), ["query", "limit", "filters", "category"]);
}

#[test]
fn its_arguments_are_taken_coerced_and_refused_as_any() {
    let tool = search();
    assert_eq!(answer(&tool, r#"{"query":"a"}"#), Ok(r#"0 "a" 5 {} None"#.to_owned()));
    assert_eq!(answer(&tool, json!({"query": "a", "kind": "blog"})), Ok(r#"1 "a" 5 {} Some(Blog)"#.to_owned()));
    let sent = r#"{"query":"7","limit":"7","filters":"{\"x\":\"True\"}","category":" NEWS",}"#;
    let prepared = prepare(&tool, sent).unwrap();
    let rules: Vec<_> = prepared.coercions.iter().map(|one| (one.pointer.as_str(), one.rule)).collect();
    assert_eq!(
        rules,
        [
            ("/limit", CoercionRule::TextToInteger),
            ("/filters", CoercionRule::TextToJson),
            ("/filters/x", CoercionRule::TextToBoolean),
            ("/category", CoercionRule::NameCase),
        ]
    );
    assert_eq!(prepared.repairs.iter().map(|one| one.kind).collect::<Vec<_>>(), [RepairKind::TrailingComma]);
    assert_eq!(prepared.coerced.unwrap(), r#"{"query":"7","limit":7,"filters":{"x":true},"category":"news"}"#);
    assert_eq!(run(prepared.work).unwrap().as_text(), r#"2 "7" 7 {"x": true} Some(News)"#);
    assert_eq!(
        answer(&tool, r#"{"limit":51,"filters":{"x":1,"x":true},"catgory":"news"}"#),
        refusal(
            "- /limit: expected an integer from 1 to 50, got 51\n\
             - /filters/x: expected true or false, got 1\n\
             - /filters: property `x` is given more than once; give it once\n\
             - unknown argument `catgory`; did you mean `category`?\n\
             - missing required argument `query`"
        )
    );
    assert_eq!(answer(&tool, ""), refusal("- missing required argument `query`"));
    assert_eq!(answer(&tool, "[]"), refusal("- expected an object with `query`, got []"));
    assert_eq!(
        answer(&tool, r#"{"query":"a"#),
        refusal(
            "- the arguments are not valid JSON: the text is cut off: it ends inside a string near `{\"query\":\"a`"
        )
    );
}

/// Takes nothing.
#[derive(Debug, Deserialize, JsonSchema)]
struct Nothing {}

#[test]
fn a_closure_without_arguments_takes_none() {
    let ping = Tool::from_fn("ping", "Answers.", async |Nothing {}: Nothing| "pong").unwrap();
    for sent in ["", "{}", "null"] {
        assert_eq!(answer(&ping, sent), Ok("pong".to_owned()), "{sent:?}");
    }
    assert_eq!(answer(&ping, r#"{"a":1}"#), refusal("- unknown argument `a`"));
}

async fn named(Nothing {}: Nothing) -> Result<u8, std::num::ParseIntError> {
    "300".parse()
}

#[derive(Serialize, JsonSchema)]
struct Hit {
    title: &'static str,
}

#[test]
fn what_a_closure_returns_is_content_json_text_or_an_error() {
    let outcome = |tool: Result<Tool, BuildError>| {
        let tool = tool.unwrap();
        let output = run(prepare(&tool, "{}").unwrap().work).map_err(|error| error.to_string());
        (output, tool.definition().output_schema.as_ref().map(|schema| schema.as_value().clone()))
    };
    assert_eq!(
        outcome(Tool::from_fn("t", "d", named)),
        (Err("number too large to fit in target type".to_owned()), None)
    );
    assert_eq!(outcome(Tool::from_fn("t", "d", async |_: Nothing| {})), (Ok(Output::nothing()), None));
    assert_eq!(
        outcome(Tool::from_fn("t", "d", async |_: Nothing| [Content::text("x")])),
        (Ok(Content::text("x").into()), None)
    );
    let hit = || Json(Hit { title: "x" });
    let schema = json!({"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]});
    let (output, described) = outcome(Tool::from_fn("t", "d", async move |_: Nothing| Ok::<_, String>(hit())));
    assert_eq!(output.unwrap().as_json(), Some(r#"{"title":"x"}"#));
    assert_eq!(described, Some(schema));
    assert_eq!(outcome(Tool::from_fn("t", "d", async |_: Nothing| Err::<(), _>("no"))), (Err("no".to_owned()), None));
}

#[test]
fn what_is_no_tool_is_refused_when_it_is_built() {
    let long = "x".repeat(65);
    for name in ["", "two words", "a.b", long.as_str()] {
        let error = Tool::from_fn(name.to_owned(), "d", async |_: Nothing| ()).unwrap_err();
        assert_eq!(error, BuildError::Name { name: name.to_owned() });
    }
    assert_eq!(
        Tool::from_fn("a b", "d", async |_: Nothing| ()).unwrap_err().to_string(),
        "`a b` is no name for a tool: it takes 1 to 64 characters from A-Z a-z 0-9 _ - only"
    );
    let error = Tool::from_fn("twice", "d", async |n: i64| n * 2).unwrap_err();
    let text = error.to_string();
    // The keys of a schema are in the order of `serde_json`'s maps.
    let schema = text.strip_prefix("the arguments of `twice` have to be an object, and their schema says otherwise: ");
    assert_eq!(
        serde_json::from_str::<Value>(schema.unwrap()).unwrap(),
        json!({"type": "integer", "minimum": i64::MIN, "maximum": i64::MAX})
    );
}

#[test]
fn the_builder_says_what_the_attribute_can() {
    let tool = Tool::builder("wipe")
        .description("Wipes.")
        .title("Wipe")
        .destructive()
        .idempotent()
        .timeout(std::time::Duration::from_secs(3))
        .retries(2)
        .zone(crate::Zone::Machine)
        .writes(["{path}"])
        .tags(vec!["disk".to_owned()])
        .build(async |_: Nothing| ())
        .unwrap();
    assert_eq!(
        serde_json::to_value(tool.definition()).unwrap(),
        json!({
            "name": "wipe", "title": "Wipe", "description": "Wipes.",
            "inputSchema": {"type": "object", "additionalProperties": false},
            "flags": ["destructive", "idempotent"], "timeoutMs": 3000, "retries": 2, "zone": "machine",
            "writes": ["{path}"], "tags": ["disk"],
        })
    );
}

#[test]
fn any_type_that_implements_the_trait_is_a_tool() {
    struct Echo;

    impl crate::ToolHandler for Echo {
        fn prepare(&self, arguments: &Arguments, context: &CallContext<'_>) -> Result<Prepared, CallError> {
            let text = format!("{} {}", context.tool_name(), arguments.to_text());
            Ok(Prepared::new(Work::Async(Box::pin(async move { Ok(Output::text(text)) }))))
        }
    }

    let schema = crate::Schema::from_value(json!({"type": "object"}));
    let echo = Tool::new(crate::ToolDef::new("echo", "Echoes.", schema), Echo);
    assert_eq!(answer(&echo, Value::Null), Ok("echo null".to_owned()));
}

#[test]
fn nothing_of_the_closure_runs_before_its_work_does() {
    let begun = Arc::new(AtomicUsize::new(0));
    let count = |by: usize| {
        let begun = Arc::clone(&begun);
        move || begun.fetch_add(by, Ordering::Relaxed)
    };
    let at_once = count(1);
    let tool = Tool::from_fn("t", "d", move |_: Nothing| {
        at_once();
        std::future::ready(())
    });
    let prepared = prepare(&tool.unwrap(), "{}").unwrap();
    assert_eq!(begun.load(Ordering::Relaxed), 0);
    assert_eq!(run(prepared.work).unwrap(), Output::nothing());
    assert_eq!(begun.load(Ordering::Relaxed), 1);

    let on_a_thread = count(10);
    let tool = Tool::builder("t").build_blocking(move |_: Nothing| on_a_thread()).unwrap();
    let Work::Blocking(work) = prepare(&tool, "").unwrap().work else { unreachable!("it may block") };
    assert_eq!(begun.load(Ordering::Relaxed), 1);
    assert_eq!(work().unwrap().as_text(), "1");
    assert_eq!(begun.load(Ordering::Relaxed), 11);
}
