#![allow(clippy::unwrap_used)]

use serde_json::json;

use super::super::tests::{Place, err, ok};

#[tokio::test]
async fn files_are_found_by_name_or_by_path() {
    let place = Place::new(&[
        ("a.rs", ""),
        ("src/b.rs", ""),
        ("src/c.ts", ""),
        ("src/deep/d.rs", ""),
        ("src/deep/[x].rs", ""),
        (".hidden/e.rs", ""),
    ]);
    let glob = |pattern: &'static str| place.ask("glob", json!({"pattern": pattern}));
    let all = ".hidden/e.rs\na.rs\nsrc/b.rs\nsrc/deep/[x].rs\nsrc/deep/d.rs\n";
    assert_eq!(glob("*.rs").await, ok(all));
    assert_eq!(glob("**/*.rs").await, ok(all));
    assert_eq!(glob("src/*.rs").await, ok("src/b.rs\n"));
    assert_eq!(glob("./src/*.rs").await, ok("src/b.rs\n"));
    assert_eq!(glob("src/**/*.{rs,ts}").await, ok("src/b.rs\nsrc/c.ts\nsrc/deep/[x].rs\nsrc/deep/d.rs\n"));
    assert_eq!(glob("src/deep/").await, ok("src/deep/[x].rs\nsrc/deep/d.rs\n"));
    assert_eq!(glob("src/deep/[[]x].rs").await, ok("src/deep/[x].rs\n"));
    assert_eq!(glob("src/?.[a-r]*").await, ok("src/b.rs\n"));
    assert_eq!(glob("src").await, ok("no file matches\n"));
    assert_eq!(
        place.ask("glob", json!({"pattern": "*.rs", "path": "src/deep"})).await,
        ok("src/deep/[x].rs\nsrc/deep/d.rs\n")
    );
    assert_eq!(
        place.ask("glob", json!({"pattern": "deep/*", "path": "src"})).await,
        ok("src/deep/[x].rs\nsrc/deep/d.rs\n")
    );
    assert_eq!(place.ask("glob", json!({"pattern": "src/*", "path": "src"})).await, ok("no file matches\n"));
    assert_eq!(glob("a[").await, err("`a[` cannot be used as a pattern: unclosed character class; missing ']'"));
    assert_eq!(glob("./").await, err("`./` cannot be used as a pattern: it is empty"));
}

#[tokio::test]
async fn what_does_not_fit_is_counted() {
    let place = Place::new(&[]);
    (0..1003).for_each(|n| place.put(&format!("{n:04}.txt"), ""));
    let found = place.ask("glob", json!({"pattern": "*"})).await.unwrap();
    assert_eq!(found.lines().count(), 1001);
    assert_eq!(found.lines().last(), Some("[3 files more left out: narrow the pattern]"));
}
