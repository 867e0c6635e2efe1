//! Who swaps a file or a directory for a link between two steps of a tool leads it nowhere.

use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, Ordering};

use super::super::walk::{Next, Walk};
use super::super::workspace::{entered, reading, target};
use super::*;
use crate::CancellationToken;

/// A workspace with a directory whose twin is outside.
fn place() -> Place {
    let place = Place::new(&[
        ("box/inner.txt", "harmless CANARY\n"),
        ("box/other.txt", "other\n"),
        ("z.txt", "z\n"),
        (".git/inner.txt", "CANARY of git\n"),
    ]);
    fs::create_dir(place.beside("outside")).unwrap();
    fs::write(place.beside("outside/inner.txt"), "CANARY 5f1c\n").unwrap();
    place
}

/// Links that are put in the place of a directory: out of the workspace, and to where nothing is written or listed.
const TRAPS: [&str; 2] = ["../outside", ".git"];

/// Puts a link in the place of the directory.
fn swap(place: &Place, trap: &str) {
    fs::rename(place.path("box"), place.path("parked")).unwrap();
    symlink(trap, place.path("box")).unwrap();
}

/// What nobody may change.
fn guarded(place: &Place) -> [Vec<(PathBuf, Option<Vec<u8>>)>; 2] {
    [snapshot(&place.beside("outside")), snapshot(&place.path(".git"))]
}

#[test]
fn a_directory_that_becomes_a_link_is_not_gone_into() {
    for trap in TRAPS {
        let place = place();
        let mut seen = Vec::new();
        let passed = Walk::new(&place.workspace, &CancellationToken::new()).go(".", &mut |entry| {
            if entry.path == "box" {
                swap(&place, trap);
            }
            seen.push(entry.path.to_owned());
            Ok(Next::On)
        });
        assert_eq!(seen, ["box", "z.txt"], "{trap}");
        assert_eq!(passed.unwrap().unreadable, 1, "{trap}");
    }
}

#[test]
fn a_file_that_becomes_a_link_is_not_opened() {
    for trap in ["../../outside/inner.txt", "other.txt"] {
        let place = place();
        let mut opened = Vec::new();
        let passed = Walk::new(&place.workspace, &CancellationToken::new()).go("box", &mut |entry| {
            if entry.path == "box/inner.txt" {
                fs::remove_file(place.path("box/inner.txt")).unwrap();
                symlink(trap, place.path("box/inner.txt")).unwrap();
            }
            opened.push((entry.path.to_owned(), reading(entry.dir, entry.name).is_ok()));
            Ok(Next::On)
        });
        assert_eq!(opened, [("box/inner.txt".to_owned(), false), ("box/other.txt".to_owned(), true)], "{trap}");
        assert_eq!(passed.unwrap().unreadable, 0, "{trap}");
    }
}

#[test]
fn nothing_is_opened_through_a_link() {
    for trap in ["../outside", ".git", "box", "box/../box"] {
        let place = place();
        symlink(trap, place.path("link")).unwrap();
        let way = place.workspace.resolve(".").unwrap();
        assert!(entered(way.dir(), "box".as_ref()).is_ok());
        assert!(entered(way.dir(), "link".as_ref()).is_err(), "{trap}");
        assert!(reading(way.dir(), "link".as_ref()).is_err(), "{trap}");
    }
}

#[test]
fn what_was_resolved_is_written_where_it_was() {
    for trap in TRAPS {
        let place = place();
        let before = guarded(&place);
        let way = place.workspace.resolve("box/inner.txt").unwrap();
        swap(&place, trap);
        target(way).unwrap().replace(b"new", None).unwrap();
        assert_eq!(place.text("parked/inner.txt"), "new", "{trap}");
        // The same for directories that have to be made.
        let new = place.workspace.resolve("new/b.txt").unwrap();
        symlink(trap, place.path("new")).unwrap();
        assert!(target(new).is_err(), "{trap}");
        assert_eq!(guarded(&place), before, "{trap}");
    }
}

#[test]
fn a_target_that_becomes_a_link_is_replaced_itself() {
    let place = place();
    let outside = snapshot(&place.beside("outside"));
    let target = target(place.workspace.resolve("z.txt").unwrap()).unwrap();
    fs::remove_file(place.path("z.txt")).unwrap();
    symlink("../outside/inner.txt", place.path("z.txt")).unwrap();
    // An edit notices; a write puts the file in the place of the link.
    assert!(target.replace(b"new", Some(b"z\n")).is_err());
    target.replace(b"new", None).unwrap();
    assert!(!place.path("z.txt").is_symlink());
    assert_eq!((place.text("z.txt").as_str(), snapshot(&place.beside("outside"))), ("new", outside));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn however_often_it_is_swapped_nothing_is_told_or_changed() {
    for trap in TRAPS {
        let place = place();
        symlink(trap, place.path("link")).unwrap();
        let before = guarded(&place);
        let (over, work) = (AtomicBool::new(false), place.path(""));
        let mut told = Vec::new();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !over.load(Ordering::SeqCst) {
                    let step = |from: &str, to: &str| {
                        while fs::rename(work.join(from), work.join(to)).is_err() {
                            // A write has made a directory there meanwhile, within the workspace.
                            let _removed = fs::remove_dir_all(work.join("box"));
                        }
                    };
                    step("box", "parked");
                    step("link", "box");
                    step("box", "link");
                    step("parked", "box");
                }
            });
            let calls = async {
                for round in 0..300 {
                    let tool = ["read", "list", "glob", "grep", "edit", "write"][round % 6];
                    let path = if matches!(tool, "list" | "glob") { "box" } else { "box/inner.txt" };
                    told.push(place.ask(tool, arguments(tool, path)).await);
                }
            };
            tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(calls));
            over.store(true, Ordering::SeqCst);
        });
        assert!(told.iter().all(|answer| !answer.as_ref().unwrap_or_else(|error| error).contains("5f1c")));
        assert_eq!(told.len(), 300);
        assert_eq!(guarded(&place), before, "{trap}");
    }
}
