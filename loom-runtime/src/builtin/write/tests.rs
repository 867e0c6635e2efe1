#![allow(clippy::unwrap_used)]

use serde_json::json;

use super::super::tests::{Place, err, ok};
use super::*;

#[tokio::test]
async fn a_file_is_written_as_it_was_sent() {
    let place = Place::new(&[("dir/old.txt", "old\n")]);
    let write =
        |path: &'static str, content: &'static str| place.ask("write", json!({"path": path, "content": content}));
    assert_eq!(write("a.txt", "").await, ok("created `a.txt`: 0 lines, 0 bytes"));
    assert_eq!(write("a.txt", "x\r\ny\u{feff}é").await, ok("replaced `a.txt`: 2 lines, 9 bytes"));
    assert_eq!(place.text("a.txt"), "x\r\ny\u{feff}é");
    assert_eq!(write("dir/old.txt", "new\n").await, ok("replaced `dir/old.txt`: 1 line, 4 bytes"));
    assert_eq!(write("dir", "x").await, err("`dir` is a directory, not a file"));
    assert_eq!(write("", "x").await, err("`` is a directory, not a file"));
    assert_eq!(write("new/", "x").await, err("there is no `new/`; the part of it that is there is `.`"));
    assert_eq!(write("a.txt/b", "x").await, err("`a.txt/b` is not a directory"));
    // A refused call leaves nothing behind: neither a directory nor a draft.
    let left: Vec<_> = std::fs::read_dir(place.path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[cfg(unix)]
#[test]
fn permissions_are_kept_and_write_protection_holds() {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new(&[("run.sh", "old"), ("locked.txt", "old")]);
    let mode = |path: &str| fs::metadata(place.path(path)).unwrap().permissions().mode() & 0o7777;
    fs::set_permissions(place.path("run.sh"), Permissions::from_mode(0o750)).unwrap();
    fs::set_permissions(place.path("locked.txt"), Permissions::from_mode(0o444)).unwrap();
    write_file(&place.workspace, "run.sh", "new").unwrap();
    assert_eq!((place.text("run.sh").as_str(), mode("run.sh")), ("new", 0o750));
    super::super::edit_file(&place.workspace, "run.sh", "new", "newer", false).unwrap();
    assert_eq!((place.text("run.sh").as_str(), mode("run.sh")), ("newer", 0o750));
    let refused = write_file(&place.workspace, "locked.txt", "new").unwrap_err();
    assert_eq!(refused.to_string(), "`locked.txt` is write-protected");
    assert_eq!(place.text("locked.txt"), "old");
}

#[cfg(unix)]
#[test]
fn who_has_the_file_open_keeps_the_old_one() {
    use std::io::Read;
    let place = Place::new(&[("a.txt", "old")]);
    let mut open = std::fs::File::open(place.path("a.txt")).unwrap();
    write_file(&place.workspace, "a.txt", "new").unwrap();
    let mut text = String::new();
    open.read_to_string(&mut text).unwrap();
    assert_eq!((text.as_str(), place.text("a.txt").as_str()), ("old", "new"));
}

#[test]
fn a_draft_that_was_left_behind_is_in_nobodys_way() {
    let place = Place::new(&[]);
    // Whatever numbers the next drafts get, some of these have them.
    let name = |number: usize| format!(".loom-{}-{number}.tmp", std::process::id());
    (0..50).for_each(|number| place.put(&name(number), "left behind"));
    write_file(&place.workspace, "a.txt", "new").unwrap();
    assert_eq!(place.text("a.txt"), "new");
    assert!((0..50).all(|number| place.text(&name(number)) == "left behind"));
}
