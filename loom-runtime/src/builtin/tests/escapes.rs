//! Ways out of the workspace. Each is refused with a text that names the path as it was given, nothing beyond the
//! workspace is told, and nothing there is changed.

use std::os::unix::fs::symlink;

use super::*;

/// What the file beside the workspace holds.
const SECRET: &str = "CANARY 5f1c";

/// What a path is refused as.
#[derive(Clone, Copy)]
enum Is {
    Outside,
    Absolute,
    /// Absolute, and inside under this name.
    Inside(&'static str),
    Form(&'static str),
    /// Not there from this directory on.
    Missing(&'static str),
    NotDirectory,
    Git,
}

use Is::{Absolute, Form, Git, Inside, Missing, NotDirectory, Outside};

const CONTROL: Is = Form("it holds a control character");
const BACKSLASH: Is = Form("the parts of a path have `/` between them");
const DRIVE: Is = Form("it begins with a drive");
const HOME: Is = Form("`~` stands for no directory here");
const URL: Is = Form("it is a URL");
const LOOP: Is = Form("it goes through too many symbolic links");

/// Tool, path (with the place's own root for `{root}`), refusal.
const ESCAPES: &[(&str, &str, Is)] = &[
    // Straight up.
    ("read", "..", Outside),
    ("read", "../outside/secret.txt", Outside),
    ("write", "../outside/secret.txt", Outside),
    ("write", "../outside/new.txt", Outside),
    ("edit", "../outside/secret.txt", Outside),
    ("list", "..", Outside),
    ("list", "../", Outside),
    ("list", "../outside", Outside),
    ("glob", "..", Outside),
    ("grep", "..", Outside),
    ("grep", "../outside/secret.txt", Outside),
    // Up after going down.
    ("read", "src/../../outside/secret.txt", Outside),
    ("read", "./src/./../../outside/secret.txt", Outside),
    ("read", "src//..//..//outside//secret.txt", Outside),
    ("write", "src/deep/../../../outside/secret.txt", Outside),
    ("list", "src/../..", Outside),
    ("write", "new/../../outside/secret.txt", Missing(".")),
    ("read", "a.txt/../../outside/secret.txt", NotDirectory),
    // From the root.
    ("read", "/etc/passwd", Absolute),
    ("read", "//etc/passwd", Absolute),
    ("read", "/proc/self/root/etc/passwd", Absolute),
    ("write", "{root}/outside/secret.txt", Absolute),
    ("edit", "{root}/outside/secret.txt", Absolute),
    ("list", "/", Absolute),
    ("glob", "/proc/self/cwd", Absolute),
    ("grep", "{root}/outside", Absolute),
    ("read", "{root}/work/a.txt", Inside("a.txt")),
    ("read", "{root}/work/../outside/secret.txt", Inside("../outside/secret.txt")),
    // Through a link to a file.
    ("read", "link_file", Outside),
    ("read", "link_file_absolute", Outside),
    ("read", "chain_1", Outside),
    ("write", "link_file", Outside),
    ("write", "link_file_absolute", Outside),
    ("write", "chain_1", Outside),
    ("write", "link_new", Outside),
    ("edit", "link_file", Outside),
    ("edit", "chain_2", Outside),
    ("grep", "link_file", Outside),
    ("list", "link_file", Outside),
    // Through a link to a directory.
    ("read", "link_directory/secret.txt", Outside),
    ("read", "link_directory_absolute/secret.txt", Outside),
    ("read", "link_up/outside/secret.txt", Outside),
    ("read", "src/link_far/secret.txt", Outside),
    ("write", "link_directory/new.txt", Outside),
    ("write", "link_directory/new/new.txt", Outside),
    ("edit", "link_directory/secret.txt", Outside),
    ("list", "link_directory", Outside),
    ("list", "link_root", Outside),
    ("glob", "link_directory", Outside),
    ("grep", "link_directory", Outside),
    ("grep", "link_root/etc", Outside),
    // A link, and up from where it leads.
    ("read", "inner/../../outside/secret.txt", Outside),
    ("read", "inner_deep/../../../outside/secret.txt", Outside),
    ("read", "link_through/secret.txt", Outside),
    ("read", "link_proc/etc/passwd", Outside),
    ("read", "link_cwd/Cargo.toml", Outside),
    ("list", "link_fd", Outside),
    // A link that leads in, but by way of the root.
    ("read", "link_back", Outside),
    ("read", "loop", LOOP),
    ("write", "loop/new.txt", LOOP),
    // As other systems and programs write paths.
    ("read", "C:/Windows/win.ini", DRIVE),
    ("read", "c:secret.txt", DRIVE),
    ("read", "C:\\Windows\\win.ini", BACKSLASH),
    ("read", "..\\outside\\secret.txt", BACKSLASH),
    ("write", "src\\..\\..\\outside\\secret.txt", BACKSLASH),
    ("read", "\\\\?\\C:\\secret.txt", BACKSLASH),
    ("list", "\\\\server\\share", BACKSLASH),
    ("read", "~/.ssh/id_rsa", HOME),
    ("write", "~root/x", HOME),
    ("list", "~", HOME),
    ("read", "file:///etc/passwd", URL),
    ("write", "https://example.com/x", URL),
    ("read", "$HOME/.ssh/id_rsa", Missing(".")),
    ("read", "%2e%2e/outside/secret.txt", Missing(".")),
    ("read", "..%2foutside/secret.txt", Missing(".")),
    ("read", ".../outside/secret.txt", Missing(".")),
    ("read", ".. /outside/secret.txt", Missing(".")),
    ("read", "\u{ff0e}\u{ff0e}/outside/secret.txt", Missing(".")),
    // Bytes that end a name early.
    ("read", "a.txt\0", CONTROL),
    ("read", "\0../outside/secret.txt", CONTROL),
    ("write", "new.txt\0/../../outside/secret.txt", CONTROL),
    ("write", "new\n.txt", CONTROL),
    ("list", "src\0", CONTROL),
    // What git would run.
    ("write", ".git/hooks/pre-commit", Git),
    ("write", ".git/new/file", Git),
    ("write", ".git", Git),
    ("edit", ".git/config", Git),
    ("write", ".GIT/hooks/pre-commit", Git),
    ("write", ".git./hooks/pre-commit", Git),
    ("write", ".git /hooks/pre-commit", Git),
    ("write", ".git::$INDEX_ALLOCATION/hooks/pre-commit", Git),
    ("write", "GIT~1/hooks/pre-commit", Git),
    ("write", ".g\u{200c}it/hooks/pre-commit", Git),
    ("write", "src/../.git/hooks/pre-commit", Git),
    ("write", "link_git/hooks/pre-commit", Git),
    ("write", "link_hook", Git),
    ("edit", "link_git/config", Git),
    ("write", "src/.git/hooks/pre-commit", Git),
];

/// A workspace with links of every kind, most of which lead out.
fn place() -> Place {
    let place = Place::new(&[
        ("a.txt", "inside\n"),
        ("src/main.rs", "fn main() {}\n"),
        ("src/deep/x.txt", "deep\n"),
        (".git/config", "CANARY of git\n"),
    ]);
    fs::create_dir_all(place.path(".git/hooks")).unwrap();
    fs::create_dir_all(place.beside("outside/empty")).unwrap();
    fs::write(place.beside("outside/secret.txt"), SECRET).unwrap();
    let root = place.beside("").to_str().unwrap().trim_end_matches('/').to_owned();
    let links = [
        ("link_file", "../outside/secret.txt".to_owned()),
        ("link_file_absolute", format!("{root}/outside/secret.txt")),
        ("link_directory", "../outside".to_owned()),
        ("link_directory_absolute", format!("{root}/outside")),
        ("link_new", "../outside/new.txt".to_owned()),
        ("link_up", "..".to_owned()),
        ("link_root", "/".to_owned()),
        ("link_proc", "/proc/self/root".to_owned()),
        ("link_cwd", "/proc/self/cwd".to_owned()),
        ("link_fd", "/proc/self/fd".to_owned()),
        ("link_back", format!("{root}/work/a.txt")),
        ("link_through", "inner/../../outside".to_owned()),
        ("link_git", ".git".to_owned()),
        ("link_hook", ".git/hooks/pre-commit".to_owned()),
        ("src/link_far", "deep/../../../outside".to_owned()),
        ("inner", "src".to_owned()),
        ("inner_deep", "inner/deep".to_owned()),
        ("chain_1", "chain_2".to_owned()),
        ("chain_2", "src/../chain_3".to_owned()),
        ("chain_3", "../outside/secret.txt".to_owned()),
        ("loop", "loop".to_owned()),
    ];
    for (link, target) in links {
        symlink(target, place.path(link)).unwrap();
    }
    place
}

fn refusal(path: &str, is: Is) -> String {
    let path = path.to_owned();
    match is {
        Outside => FileError::Outside { path },
        Absolute => FileError::Absolute { path, inside: None },
        Inside(inside) => FileError::Absolute { path, inside: Some(inside.to_owned()) },
        Form(reason) => FileError::Form { path, reason },
        Missing(there) => FileError::Missing { path, there: there.to_owned() },
        NotDirectory => FileError::NotDirectory { path },
        Git => FileError::Git { path },
    }
    .to_string()
}

#[tokio::test]
async fn every_way_out_is_refused_and_nothing_there_is_told_or_changed() {
    let place = place();
    let root = place.beside("").to_str().unwrap().trim_end_matches('/').to_owned();
    let before = snapshot(&place.beside(""));
    for (tool, path, is) in ESCAPES {
        let path = path.replace("{root}", &root);
        let answer = place.ask(tool, arguments(tool, &path)).await;
        assert_eq!(answer, Err(refusal(&path, *is)), "{tool} {path:?}");
        assert!(!answer.unwrap_err().contains("5f1c"), "{tool} {path:?}");
    }
    // Nothing beyond the workspace has changed, and nothing within.
    assert_eq!(snapshot(&place.beside("")), before);
    assert_eq!(fs::read_to_string(place.beside("outside/secret.txt")).unwrap(), SECRET);
}

#[test]
fn the_texts_of_refusals_are_these() {
    assert_eq!(refusal("../x", Outside), "`../x` leads out of the workspace, and nothing there can be reached");
    assert_eq!(refusal("/x", Absolute), "`/x` is absolute, and paths are relative to the workspace");
    assert_eq!(refusal("/w/x", Inside("x")), "`/w/x` is absolute, and paths are relative to the workspace; write `x`");
    assert_eq!(refusal("x\0", CONTROL), "`x\\u{0}` cannot be used as a path: it holds a control character");
    assert_eq!(refusal("a/b", Missing("a")), "there is no `a/b`; the part of it that is there is `a`");
    assert_eq!(refusal("a/b", NotDirectory), "`a/b` is not a directory");
    assert_eq!(refusal(".git/x", Git), "`.git/x` is inside `.git`, where nothing may be written");
    assert_eq!(refusal(&"x".repeat(400), Outside).chars().count(), 364);
}

#[tokio::test]
async fn paths_have_an_end() {
    let place = place();
    symlink("a.txt", place.path("link_1")).unwrap();
    (1..41).for_each(|n| symlink(format!("link_{n}"), place.path(&format!("link_{}", n + 1))).unwrap());
    assert_eq!(place.ask("read", arguments("read", "link_40")).await, ok("1\tinside\n"));
    assert_eq!(place.ask("read", arguments("read", "link_41")).await, Err(refusal("link_41", LOOP)));
    let long = "x/".repeat(2049);
    assert_eq!(place.ask("read", arguments("read", &long)).await, Err(refusal(&long, Form("it is too long"))));
    let deep = ["d"; 129].join("/");
    fs::create_dir_all(place.path(&deep)).unwrap();
    let refused = refusal(&deep, Form("it goes through too many directories"));
    assert_eq!(place.ask("list", arguments("list", &deep)).await, Err(refused));
    let fits = &deep[2..];
    assert_eq!(place.ask("list", arguments("list", fits)).await, Ok(format!("{fits}/d/\n")));
}

#[tokio::test]
async fn patterns_do_not_lead_out() {
    let place = place();
    let reason = "it leads out of the workspace; patterns are relative to where the search begins";
    for pattern in ["../*", "/etc/*", "src/../../*", "{..,src}/*", "{src,..}/**", "./../*", ".."] {
        let refused = FileError::Pattern { pattern: pattern.to_owned(), reason: reason.to_owned() }.to_string();
        let answer = place.ask("glob", json!({"pattern": pattern})).await;
        assert_eq!(answer, Err(refused.clone()), "{pattern}");
        let answer = place.ask("grep", json!({"pattern": "CANARY", "glob": pattern})).await;
        assert_eq!(answer, Err(refused), "{pattern}");
    }
}

#[tokio::test]
async fn walks_do_not_go_through_links_nor_into_git() {
    let place = place();
    assert_eq!(place.ask("glob", json!({"pattern": "**"})).await, ok("a.txt\nsrc/deep/x.txt\nsrc/main.rs\n"));
    assert_eq!(place.ask("glob", json!({"pattern": "secret*"})).await, ok("no file matches\n"));
    assert_eq!(place.ask("grep", json!({"pattern": "CANARY"})).await, ok("no line matches in 3 files\n"));
    assert_eq!(
        place.ask("list", json!({"path": "src", "depth": 9})).await,
        ok("src/deep/\nsrc/deep/x.txt\nsrc/link_far@\nsrc/main.rs\n")
    );
    let listed = place.ask("list", json!({"depth": 9})).await.unwrap();
    let lines: Vec<_> = listed.lines().filter(|line| !line.ends_with('@')).collect();
    assert_eq!(lines, ["a.txt", "src/", "src/deep/", "src/deep/x.txt", "src/main.rs"]);
}

#[tokio::test]
async fn a_gitignore_that_is_a_link_out_is_not_read() {
    let place = place();
    fs::write(place.beside("outside/rules"), "a.txt\n").unwrap();
    symlink("../outside/rules", place.path(".gitignore")).unwrap();
    assert_eq!(place.ask("glob", json!({"pattern": "*.txt"})).await, ok("a.txt\nsrc/deep/x.txt\n"));
}

#[tokio::test]
async fn a_hard_link_to_a_file_outside_is_cut_by_writing() {
    let place = place();
    fs::hard_link(place.beside("outside/secret.txt"), place.path("hard.txt")).unwrap();
    assert_eq!(
        place.ask("edit", json!({"path": "hard.txt", "old": "5f1c", "new": "0000"})).await,
        ok("replaced 1 occurrence in `hard.txt`, at line 1")
    );
    assert_eq!(place.text("hard.txt"), "CANARY 0000");
    assert_eq!(
        place.ask("write", json!({"path": "hard.txt", "content": "new"})).await,
        ok("replaced `hard.txt`: 1 line, 3 bytes")
    );
    assert_eq!(fs::read_to_string(place.beside("outside/secret.txt")).unwrap(), SECRET);
}

#[tokio::test]
async fn a_workspace_stays_the_directory_that_was_opened() {
    let place = place();
    fs::rename(place.path(""), place.beside("moved")).unwrap();
    symlink("outside", place.beside("work")).unwrap();
    assert_eq!(place.ask("read", json!({"path": "a.txt"})).await, ok("1\tinside\n"));
    assert_eq!(place.ask("read", json!({"path": "secret.txt"})).await, Err(refusal("secret.txt", Missing("."))));
}

#[tokio::test]
async fn pipes_and_sockets_are_left_alone() {
    let place = place();
    let _socket = std::os::unix::net::UnixListener::bind(place.path("socket")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(place.path("pipe")).status().unwrap();
    assert!(made.success());
    for path in ["socket", "pipe"] {
        let special = FileError::Special { path: path.to_owned() }.to_string();
        for tool in ["read", "write", "edit", "glob", "grep"] {
            assert_eq!(place.ask(tool, arguments(tool, path)).await, Err(special.clone()), "{tool} {path}");
        }
    }
    // Had it become a pipe just now, it would be opened without waiting for somebody to write to it.
    let way = place.workspace.resolve("a.txt").unwrap();
    assert!(super::super::workspace::reading(way.dir(), "pipe".as_ref()).unwrap().is_none());
    assert_eq!(place.ask("grep", json!({"pattern": "inside"})).await, ok("a.txt:1:inside\n"));
}
