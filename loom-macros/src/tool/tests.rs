//! What users compile: the expansions of five tools, as a reviewer reads them.

use proc_macro2::TokenStream;

/// The expansion without the function itself, which stays as it was written.
fn expansion(attribute: &str, item: &str) -> String {
    let attribute: TokenStream = attribute.parse().expect("the attribute is made of tokens");
    let item: TokenStream = item.parse().expect("the item is made of tokens");
    let file = syn::parse2(super::tool(attribute, item)).expect("the expansion is a list of items");
    let mut file: syn::File = file;
    let function = file.items.iter().position(|item| matches!(item, syn::Item::Fn(_))).expect("the function stays");
    file.items.remove(function);
    prettyplease::unparse(&file)
}

macro_rules! snapshots {
    ($($name:ident($attribute:literal, $item:literal);)*) => {
        $(
            #[test]
            fn $name() {
                insta::assert_snapshot!(expansion($attribute, $item));
            }
        )*

        /// The aim is 1.5 KiB a tool, docs and lint attributes included.
        #[test]
        fn expansions_are_thin() {
            for (name, attribute, item) in [$((stringify!($name), $attribute, $item)),*] {
                let bytes = expansion(attribute, item).len();
                println!("{name}: {bytes} bytes");
                assert!(bytes <= 1_536 || name == "everything", "{name}: {bytes} bytes");
            }
        }
    };
}

snapshots! {
    add("crate = ::loom_runtime", "/// Add two numbers.\nfn add(a: i64, b: i64) -> i64 { a + b }");
    search(
        "crate = ::loom_runtime",
        r"/// Search the knowledge base.
        ///
        /// # Arguments
        /// * `query` - What to look for.
        /// * `limit` - How many results to return.
        pub async fn search(
            query: &str,
            #[arg(default = 5, max = 50)] limit: u32,
            tags: Vec<String>,
            filter: Option<Filter>,
            ranges: &[Range],
        ) -> Result<Vec<Hit>, SearchError> { todo() }"
    );
    delete_file(
        "crate = ::loom_runtime, destructive, timeout = \"30s\", writes(\"{path}\")",
        "/// Delete a file.\npub(crate) fn delete_file(path: PathBuf) -> std::io::Result<String> { todo() }"
    );
    with_context(
        "crate = ::loom_runtime, blocking = false",
        "/// Says who asks.\nfn with_context<'a>(#[context] run: &RunContext, text: &'a str) -> &'a str { text }"
    );
    everything(
        r#"crate = ::loom_runtime, name = NAME, title = "Write", description = include_str!("x.md"), ends_turn, read_only = false,
           idempotent, open_world, sequential, retries = 2, concurrency = 4, zone = workspace,
           reads("{path}", "{{{mode}}}/{text.name}"), tags("file", "write"),
           ui(kind = file_write, summary(verb = "Wrote", primary = path, meta(mode)),
              preview(content = text, format = code, max_lines = 10), open(target = "file-pane", path = path))"#,
        r#"fn everything(
            #[arg(name = "path", description = "Where.", pattern = "^/", min_length = 1, example = "/a")] _p: PathBuf,
            /// What.
            #[serde(alias = "content")] mut text: String,
            #[arg(default, name = "bits", format = "octal")] r#mode: Option<&str>,
            #[arg(one_or_many, max_length = 9)] tags: &[String],
            #[arg(one_or_many)] owners: Vec<u32>,
        ) -> impl Future<Output = Result<(), Error>> + Send { todo() }"#
    );
}
