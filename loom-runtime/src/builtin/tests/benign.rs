//! What is in the workspace is reached, by whatever path that leads there.

use super::*;

/// Tool, path, answer.
const BENIGN: &[(&str, &str, &str)] = &[
    ("read", "a.txt", "1\tinside CANARY\n"),
    ("read", "./a.txt", "1\tinside CANARY\n"),
    ("read", ".//a.txt", "1\tinside CANARY\n"),
    ("read", "src/../a.txt", "1\tinside CANARY\n"),
    ("read", "src/deep/../../a.txt", "1\tinside CANARY\n"),
    ("read", "src/deep/x.txt", "1\tdeep\n"),
    ("read", "..a.txt", "1\ttwo dots\n"),
    ("read", "a..txt", "1\ttwo dots within\n"),
    ("read", "~a.txt", "1\ttilde\n"),
    ("read", "with space.txt", "1\tspace\n"),
    ("read", "grüße/日本.txt", "1\tunicode\n"),
    ("read", ".hidden", "1\thidden\n"),
    ("read", ".gitignore", "1\tignored/\n"),
    ("read", "ignored/i.txt", "1\tignored CANARY\n"),
    ("read", ".git/config", "1\tof git\n"),
    ("read", "ab:c.txt", "1\tcolon\n"),
    (
        "list",
        "",
        "..a.txt\n.gitignore\n.hidden\na..txt\na.txt\nab:c.txt\ngrüße/\nsrc/\nwith space.txt\n~a.txt\n[1 entry named by .gitignore left out]\n",
    ),
    ("list", "src", "src/deep/\nsrc/main.rs\n"),
    ("list", "src/", "src/deep/\nsrc/main.rs\n"),
    ("list", "./src/.", "src/deep/\nsrc/main.rs\n"),
    ("list", "src/deep/..", "src/deep/\nsrc/main.rs\n"),
    ("list", "ignored", "ignored/i.txt\n"),
    ("glob", "src", "src/deep/x.txt\nsrc/main.rs\n"),
    ("glob", "a.txt", "a.txt\n"),
    ("grep", "a.txt", "a.txt:1:inside CANARY\n"),
    ("grep", ".", "a.txt:1:inside CANARY\n[1 entry named by .gitignore left out]\n"),
    ("grep", "ignored", "ignored/i.txt:1:ignored CANARY\n"),
    ("edit", "src/../a.txt", "replaced 1 occurrence in `src/../a.txt`, at line 1"),
    ("write", "new.txt", "created `new.txt`: 1 line, 11 bytes"),
    ("write", "./new.txt", "replaced `./new.txt`: 1 line, 11 bytes"),
    ("write", "new/a/b/c.txt", "created `new/a/b/c.txt`: 1 line, 11 bytes"),
    ("write", "new/a//d.txt", "created `new/a//d.txt`: 1 line, 11 bytes"),
    ("write", ".github/workflows/ci.yml", "created `.github/workflows/ci.yml`: 1 line, 11 bytes"),
    ("write", ".gitignore", "replaced `.gitignore`: 1 line, 11 bytes"),
    ("write", "git/hooks", "created `git/hooks`: 1 line, 11 bytes"),
];

fn place() -> Place {
    Place::new(&[
        ("a.txt", "inside CANARY\n"),
        ("src/main.rs", "fn main() {}\n"),
        ("src/deep/x.txt", "deep\n"),
        ("..a.txt", "two dots\n"),
        ("a..txt", "two dots within\n"),
        ("~a.txt", "tilde\n"),
        ("with space.txt", "space\n"),
        ("grüße/日本.txt", "unicode\n"),
        (".hidden", "hidden\n"),
        (".gitignore", "ignored/\n"),
        ("ignored/i.txt", "ignored CANARY\n"),
        (".git/config", "of git\n"),
        ("ab:c.txt", "colon\n"),
    ])
}

#[tokio::test]
async fn what_is_inside_is_reached() {
    let place = place();
    for (tool, path, answer) in BENIGN {
        assert_eq!(place.ask(tool, arguments(tool, path)).await, ok(answer), "{tool} {path}");
    }
    assert_eq!(place.text("a.txt"), "inside overwritten\n");
    for path in ["new.txt", "new/a/b/c.txt", "new/a/d.txt", ".github/workflows/ci.yml", "git/hooks"] {
        assert_eq!(place.text(path), "overwritten", "{path}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn links_that_lead_to_another_place_inside_are_followed() {
    use std::os::unix::fs::symlink;
    let place = place();
    for (link, target) in [
        ("link", "a.txt"),
        ("src/up", "../a.txt"),
        ("inner", "src"),
        ("twice", "inner/deep"),
        ("round", "src/../src/./deep"),
        ("to_new", "src/made.txt"),
    ] {
        symlink(target, place.path(link)).unwrap();
    }
    for (tool, path, answer) in [
        ("read", "link", "1\tinside CANARY\n"),
        ("read", "src/up", "1\tinside CANARY\n"),
        ("read", "inner/main.rs", "1\tfn main() {}\n"),
        ("read", "inner/../a.txt", "1\tinside CANARY\n"),
        ("read", "twice/x.txt", "1\tdeep\n"),
        ("read", "twice/../main.rs", "1\tfn main() {}\n"),
        ("read", "round/x.txt", "1\tdeep\n"),
        ("list", "twice", "src/deep/x.txt\n"),
        ("glob", "inner", "src/deep/x.txt\nsrc/main.rs\n"),
        ("grep", "src/up", "a.txt:1:inside CANARY\n"),
        ("edit", "src/up", "replaced 1 occurrence in `src/up`, at line 1"),
        ("write", "twice/y.txt", "created `twice/y.txt`: 1 line, 11 bytes"),
        ("write", "to_new", "created `to_new`: 1 line, 11 bytes"),
    ] {
        assert_eq!(place.ask(tool, arguments(tool, path)).await, ok(answer), "{tool} {path}");
    }
    // What a link leads to is written, and the link is still one.
    assert_eq!(place.text("a.txt"), "inside overwritten\n");
    assert_eq!(place.text("src/deep/y.txt"), "overwritten");
    assert_eq!(place.text("src/made.txt"), "overwritten");
    assert!(place.path("link").is_symlink() && place.path("src/up").is_symlink() && place.path("to_new").is_symlink());
}
