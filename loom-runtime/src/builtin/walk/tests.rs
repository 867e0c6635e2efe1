#![allow(clippy::unwrap_used)]

use super::super::tests::Place;
use super::*;

/// What a walk comes across, and what it passes over.
fn walked(walk: &Walk<'_>, path: &str) -> (Vec<String>, Passed) {
    let mut seen = Vec::new();
    let passed = walk.go(path, &mut |entry| {
        seen.push(format!("{} {} {:?}", entry.path, entry.below, entry.kind));
        Ok(Next::On)
    });
    (seen, passed.unwrap())
}

#[test]
fn entries_come_in_order_with_their_paths() {
    let place = Place::new(&[("b/c/x", ""), ("b-/y", ""), ("a", "")]);
    let cancelled = CancellationToken::new();
    let walk = Walk::new(&place.workspace, &cancelled);
    let none = Passed::default();
    let whole =
        ["a a File", "b b Directory", "b/c b/c Directory", "b/c/x b/c/x File", "b- b- Directory", "b-/y b-/y File"];
    assert_eq!(walked(&walk, "."), (whole.map(str::to_owned).to_vec(), none));
    assert_eq!(walked(&walk, "b/c/x"), (vec!["b/c/x x File".to_owned()], none));
    assert_eq!(walked(&walk.with_depth(1), "b"), (vec!["b/c c Directory".to_owned()], none));
}

#[test]
fn a_walk_stops_when_it_is_told_to() {
    let place = Place::new(&[("a/b/c", ""), ("d", "")]);
    let mut seen = 0;
    let passed = Walk::new(&place.workspace, &CancellationToken::new()).go(".", &mut |entry| {
        seen += 1;
        Ok(if entry.path == "a/b" { Next::Stop } else { Next::On })
    });
    assert_eq!((seen, passed.unwrap()), (2, Passed::default()));
    let failed = Walk::new(&place.workspace, &CancellationToken::new()).go(".", &mut |_| Err(FileError::Stopped));
    assert!(matches!(failed, Err(FileError::Stopped)));
}

#[test]
fn a_walk_has_an_end() {
    let place = Place::new(&[("a/1", ""), ("a/2", ""), ("b/3", ""), ("c", "")]);
    let cancelled = CancellationToken::new();
    let mut walk = Walk::new(&place.workspace, &cancelled);
    walk.most = 5;
    let (seen, passed) = walked(&walk, ".");
    assert_eq!(seen, ["a a Directory", "a/1 a/1 File", "a/2 a/2 File", "b b Directory", "c c File"]);
    assert!(passed.endless);
    walk.most = 6;
    assert_eq!(walked(&walk, ".").1, Passed::default());

    // Deeper than anybody goes.
    let deep = ["d"; 101].join("/");
    place.put(&format!("{deep}/x"), "");
    let (seen, passed) = walked(&Walk::new(&place.workspace, &cancelled), "d");
    assert_eq!((seen.len(), passed.endless), (100, true));
    assert_eq!(passed.notes(), ["the workspace is too large to go through as a whole: name a directory of it"]);
}

#[test]
fn what_was_passed_over_is_told() {
    assert_eq!(Passed::default().notes(), Vec::<String>::new());
    assert_eq!(
        Passed { ignored: 1, unreadable: 2, endless: false }.notes(),
        ["1 entry named by .gitignore left out", "2 entries could not be read"]
    );
}
