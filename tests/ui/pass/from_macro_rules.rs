//! Functions, names, texts and types that a `macro_rules!` puts together.
use loom_runtime::prelude::*;

macro_rules! getter {
    ($(#[$meta:meta])* $name:ident, $text:literal, $kind:ty, $default:expr, $max:expr, $description:expr) => {
        $(#[$meta])*
        #[doc = $text]
        #[tool(title = $text, timeout = $description, idempotent)]
        fn $name(
            #[arg(default = $default, max = $max, description = $text)] value: $kind,
            #[arg(default = $text)] text: String,
        ) -> $kind {
            let _ = text;
            value
        }
    };
}

getter!(#[allow(dead_code)] get_small, "Get a small one.", u8, 5, 9, "5s");
getter!(
    /// And more.
    get_large, "Get a large one.", Option<i64>, Some(-5), 5_000_000_000, "1m"
);

macro_rules! whole {
    ($item:item) => {
        $item
    };
}

whole! {
    /// From a whole item.
    #[tool]
    fn from_item(text: &str) -> &str {
        text
    }
}

macro_rules! typed {
    ($name:ident($($parameter:ident: $kind:ty),*) -> $output:ty $body:block) => {
        /// Typed.
        #[tool]
        async fn $name($($parameter: $kind),*) -> $output $body
    };
}

typed!(typed(text: &str, slice: &[u8], maybe: Option<&str>, owned: Vec<u8>) -> Result<usize, String> {
    Ok(text.len() + slice.len() + maybe.map_or(0, str::len) + owned.len())
});

mod exported {
    pub use loom_runtime as loom;

    #[macro_export]
    macro_rules! renamed {
        ($name:ident) => {
            /// Renamed.
            #[$crate::exported::loom::tool(crate = $crate::exported::loom)]
            pub(crate) fn $name(text: &str, #[arg(default = 5, max = 6)] number: u8) -> String {
                format!("{text} {number}")
            }
        };
    }
}

mod user {
    crate::renamed!(renamed_tool);
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    assert_eq!(get_small::tool().definition().description, "Get a small one.");
    assert_eq!(get_large::tool().definition().description, "And more.\nGet a large one.");
    let schema = serde_json::to_value(&get_large::tool().definition().input_schema).unwrap();
    assert_eq!(schema["properties"]["value"]["default"], -5);
    assert_eq!(schema["properties"]["text"]["default"], "Get a large one.");
    let host =
        InProcessToolHost::new(tools![get_small, get_large, from_item, typed, user::renamed_tool]).unwrap();
    let results = host
        .dispatch([
            ToolCall::new("1", "get_small", "{}"),
            ToolCall::new("2", "get_large", r#"{"value": 7}"#),
            ToolCall::new("3", "from_item", r#"{"text": "a"}"#),
            ToolCall::new("4", "typed", r#"{"text": "a", "slice": [1, 2], "maybe": "abc", "owned": []}"#),
            ToolCall::new("5", "renamed_tool", r#"{"text": "a"}"#),
        ])
        .await;
    let texts: Vec<_> = results.iter().map(|result| result.text().into_owned()).collect();
    assert_eq!(texts, ["5", "7", "a", "6", "a 5"]);
}
