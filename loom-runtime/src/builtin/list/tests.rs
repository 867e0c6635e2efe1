#![allow(clippy::unwrap_used)]

use serde_json::json;

use super::super::tests::{Place, err, ok};

#[tokio::test]
async fn directories_are_listed_as_deep_as_asked() {
    let place = Place::new(&[("b/c/d/e.txt", ""), ("b/x.txt", ""), ("a.txt", ""), ("z/y.txt", "")]);
    let list = |depth: u64| place.ask("list", json!({"depth": depth}));
    assert_eq!(list(1).await, ok("a.txt\nb/\nz/\n"));
    assert_eq!(list(2).await, ok("a.txt\nb/\nb/c/\nb/x.txt\nz/\nz/y.txt\n"));
    assert_eq!(list(4).await, ok("a.txt\nb/\nb/c/\nb/c/d/\nb/c/d/e.txt\nb/x.txt\nz/\nz/y.txt\n"));
    assert_eq!(place.ask("list", json!({"path": "b/c"})).await, ok("b/c/d/\n"));
    assert_eq!(place.ask("list", json!({"path": "a.txt"})).await, err("`a.txt` is not a directory"));
    assert_eq!(
        place.ask("list", json!({"path": "b/q"})).await,
        err("there is no `b/q`; the part of it that is there is `b`")
    );
    std::fs::create_dir(place.path("void")).unwrap();
    assert_eq!(place.ask("list", json!({"path": "void"})).await, ok("`void` has no entries to list\n"));
}

#[tokio::test]
async fn what_does_not_fit_is_counted() {
    let place = Place::new(&[]);
    (0..1003).for_each(|n| place.put(&format!("{n:04}.txt"), ""));
    let listed = place.ask("list", json!({})).await.unwrap();
    assert_eq!(listed.lines().count(), 1001);
    assert_eq!(listed.lines().nth(999), Some("0999.txt"));
    assert_eq!(listed.lines().last(), Some("[3 entries more left out: list one of the directories]"));
    // Long names fill the place sooner: 40 000 characters are 199 lines of 201.
    let place = Place::new(&[]);
    (0..300).for_each(|n| place.put(&format!("{n:0200}"), ""));
    let listed = place.ask("list", json!({})).await.unwrap();
    assert_eq!(listed.lines().count(), 200);
    assert_eq!(listed.lines().last(), Some("[101 entries more left out: list one of the directories]"));
}

#[cfg(unix)]
#[tokio::test]
async fn a_name_stays_on_its_line() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new(&[("a\nb.txt", "x\n")]);
    std::fs::write(place.path("").join(std::ffi::OsStr::from_bytes(b"c\xff.txt")), "x\n").unwrap();
    assert_eq!(place.ask("list", json!({})).await, ok("a\\nb.txt\nc\u{fffd}.txt\n"));
    assert_eq!(place.ask("grep", json!({"pattern": "x"})).await, ok("a\\nb.txt:1:x\nc\u{fffd}.txt:1:x\n"));
}

#[tokio::test]
async fn what_gitignore_names_is_left_out() {
    let place = Place::new(&[
        (".gitignore", "*.log\n/target/\n!keep.log\nb/**/tmp\n# comment\n[\n"),
        ("a.log", ""),
        ("keep.log", ""),
        ("target/x.txt", ""),
        ("b/target/x.txt", ""),
        ("b/.gitignore", "!a.log\nx.*\n"),
        ("b/a.log", ""),
        ("b/c/tmp/y.txt", ""),
        ("b/c/b.log", ""),
        ("c/.gitignore", "*\n!kept.txt\n"),
        ("c/kept.txt", ""),
        ("c/lost.txt", ""),
        (".git/HEAD", ""),
    ]);
    assert_eq!(
        place.ask("list", json!({"depth": 5})).await,
        ok(".gitignore\nb/\nb/.gitignore\nb/a.log\nb/c/\nb/target/\nc/\nc/kept.txt\nkeep.log\n\
            [7 entries named by .gitignore left out]\n")
    );
    // The rules of the directories above hold below them, and a path that is named is gone into all the same.
    assert_eq!(
        place.ask("list", json!({"path": "b", "depth": 5})).await,
        ok("b/.gitignore\nb/a.log\nb/c/\nb/target/\n[3 entries named by .gitignore left out]\n")
    );
    assert_eq!(place.ask("list", json!({"path": "target"})).await, ok("target/x.txt\n"));
    assert_eq!(place.ask("list", json!({"path": ".git"})).await, ok(".git/HEAD\n"));
}
