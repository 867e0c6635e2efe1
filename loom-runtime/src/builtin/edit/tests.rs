#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use serde_json::json;

use super::super::tests::{Place, err, ok};
use super::*;

fn splice(file: &str, old: &str, new: &str, all: bool) -> Result<String, Fault> {
    splice::edited(file.as_bytes(), old, new, all).map(|edited| String::from_utf8(edited.content).unwrap())
}

#[expect(clippy::unnecessary_wraps, reason = "as it is compared with")]
fn done(text: &str) -> Result<String, Fault> {
    Ok(text.to_owned())
}

#[tokio::test]
async fn one_occurrence_is_replaced_and_its_line_told() {
    let place = Place::new(&[("a.txt", "one\ntwo\nthree\ntwo and two\n")]);
    let edit = |old: &'static str, new: &'static str, all: bool| {
        place.ask("edit", json!({"path": "a.txt", "old": old, "new": new, "replace_all": all}))
    };
    assert_eq!(edit("three", "3", false).await, ok("replaced 1 occurrence in `a.txt`, at line 3"));
    assert_eq!(
        edit("two", "2", false).await,
        err(
            "the text to replace is in `a.txt` 3 times, at lines 2, 4 and 4: add lines around it until it is there once, \
             or replace all"
        )
    );
    assert_eq!(place.text("a.txt"), "one\ntwo\n3\ntwo and two\n");
    assert_eq!(edit("two", "2", true).await, ok("replaced 3 occurrences in `a.txt`, at lines 2, 4 and 4"));
    assert_eq!(place.text("a.txt"), "one\n2\n3\n2 and 2\n");
    assert_eq!(edit("one\n2\n", "", false).await, ok("replaced 1 occurrence in `a.txt`, at line 1"));
    assert_eq!(place.text("a.txt"), "3\n2 and 2\n");
    assert_eq!(
        edit("3", "3", false).await,
        err("nothing would change in `a.txt`: the old text and the new one are the same")
    );
    assert_eq!(
        edit("", "x", false).await,
        err(
            "the arguments do not fit, and the tool was not called:\n- /old: expected a string of at least 1 character, got \"\""
        )
    );
    assert_eq!(place.text("a.txt"), "3\n2 and 2\n");
}

#[tokio::test]
async fn what_is_not_there_is_answered_with_what_comes_near() {
    let place = Place::new(&[
        ("a.rs", "fn main() {\n    let total = sum(values);\n\tprintln!(\"{total}\");\n}\n"),
        ("empty", ""),
    ]);
    let edit = |path: &'static str, old: &'static str| place.ask("edit", json!({"path": path, "old": old, "new": "x"}));
    // Only the spaces are wrong.
    assert_eq!(
        edit("a.rs", "    println!(\"{total}\");\n}").await,
        err("the text to replace is not in `a.rs`; what comes near its first line:\n3\t\tprintln!(\"{total}\");")
    );
    assert_eq!(
        edit("a.rs", "let total = sum(value);").await,
        err("the text to replace is not in `a.rs`; what comes near its first line:\n2\t    let total = sum(values);")
    );
    let nothing = ", nor is a line like its first one: read the file again";
    assert_eq!(edit("a.rs", "struct Other;").await, Err(format!("the text to replace is not in `a.rs`{nothing}")));
    assert_eq!(edit("empty", "x").await, Err(format!("the text to replace is not in `empty`{nothing}")));
    assert_eq!(edit("a.rs", "\n\n").await, err("the text to replace is not in `a.rs`: it is nothing but blank lines"));
    assert_eq!(edit("b.rs", "x").await, err("there is no `b.rs`; the part of it that is there is `.`"));
    assert_eq!(edit(".", "x").await, err("`.` is a directory, not a file"));
}

#[test]
fn line_ends_are_those_of_the_place() {
    assert_eq!(splice("a\r\nb\r\nc\r\n", "a\nb\n", "x\ny\nz\n", false), done("x\r\ny\r\nz\r\nc\r\n"));
    assert_eq!(splice("a\r\nb\r\n", "b", "x\ny", false), done("a\r\nx\r\ny\r\n"));
    // The last line has no end; the one before it says.
    assert_eq!(splice("a\r\nb", "b", "x\ny", false), done("a\r\nx\r\ny"));
    assert_eq!(splice("a\nb", "b", "x\ny", false), done("a\nx\ny"));
    assert_eq!(splice("b", "b", "x\ny", false), done("x\ny"));
    // Where they are mixed, each place keeps its own.
    assert_eq!(splice("a\r\nb\nc\r\n", "b\nc", "x\ny", false), done("a\r\nx\ny\r\n"));
    assert_eq!(splice("a;\nb\r\na;\r\n", "a;", "x\ny", true), done("x\ny\nb\r\nx\r\ny\r\n"));
    assert_eq!(splice("a\r\nb\n", "\n", "|", true), done("a|b|"));
    // A carriage return that ends no line is a character like any other.
    assert_eq!(splice("a\rb\n", "b", "x", false), done("a\rx\n"));
}

#[test]
fn a_text_with_carriage_returns_means_the_file_to_the_letter_if_it_can() {
    assert_eq!(splice("a\r\nb\r\n", "a\r\n", "a\n", false), done("a\nb\r\n"));
    assert_eq!(splice("a\r\nb\r\n", "\r\n", "\n", true), done("a\nb\n"));
    // The file has other line ends than the model thinks.
    assert_eq!(splice("a\nb\nc\n", "a\r\nb\r\n", "x\r\ny\r\n", false), done("x\ny\nc\n"));
    assert_eq!(splice("a\r\nb\r\n", "a\n", "x\r\ny\r\n", false), done("x\r\ny\r\nb\r\n"));
}

#[test]
fn the_mark_at_the_start_and_the_missing_end_are_kept() {
    assert_eq!(splice("\u{feff}a\nb", "a\nb", "x\ny", false), done("\u{feff}x\ny"));
    assert_eq!(splice("a\nb", "b\n", "x\n", false), done("a\nx"));
    assert_eq!(splice("a\nb", "b\n", "x\ny\n", false), done("a\nx\ny"));
    assert_eq!(splice("a\r\nb", "a\nb\n", "x\ny\n", false), done("x\r\ny"));
    assert_eq!(splice("a\nb\n", "b\n\n", "x", false), Err(Fault::None));
    assert_eq!(splice("a\nb", "\n\n", "x", false), Err(Fault::None));
    // Where the text is there with its line break, that is what is meant.
    assert_eq!(splice("x\nx", "x\n", "y\n", false), done("y\nx"));
}

#[test]
fn occurrences_that_overlap_are_several() {
    assert_eq!(splice("aaa", "aa", "b", false), Err(Fault::Several(vec![1, 1])));
    assert_eq!(splice("aaa", "aa", "b", true), done("ba"));
    assert_eq!(splice("x\n\n\n", "\n\n", "\n", false), Err(Fault::Several(vec![1, 2])));
}

#[test]
fn bytes_that_are_no_text_stay_as_they_are() {
    let place = Place::new(&[]);
    place.put("latin.txt", b"caf\xe9\r\nold\r\n\0");
    edit_file(&place.workspace, "latin.txt", "old", "new\nlines", false).unwrap();
    assert_eq!(place.bytes("latin.txt"), b"caf\xe9\r\nnew\r\nlines\r\n\0");
}

#[test]
fn a_file_that_is_too_large_is_left_alone() {
    let place = Place::new(&[("large", "x")]);
    let file = std::fs::OpenOptions::new().append(true).open(place.path("large")).unwrap();
    file.set_len((16 << 20) + 1).unwrap();
    assert_eq!(
        edit_file(&place.workspace, "large", "x", "y", false).unwrap_err().to_string(),
        "`large` has 16777217 bytes, and files of more than 16777216 bytes are not edited"
    );
    file.set_len(16 << 20).unwrap();
    edit_file(&place.workspace, "large", "x", "y", false).unwrap();
    assert_eq!(place.bytes("large")[..2], *b"y\0");
}

#[test]
fn a_file_that_somebody_else_changed_is_not_written() {
    let place = Place::new(&[("a.txt", "before")]);
    let target = target(place.workspace.resolve("a.txt").unwrap()).unwrap();
    for now in ["changed", "BEFORE", ""] {
        place.put("a.txt", now);
        let refused = target.replace(b"mine", Some(b"before")).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "`a.txt` was changed by somebody else meanwhile, and was not written: read it again"
        );
        assert_eq!(place.text("a.txt"), now);
    }
    std::fs::remove_file(place.path("a.txt")).unwrap();
    assert!(matches!(target.replace(b"mine", Some(b"before")), Err(FileError::Changed { .. })));
    assert_eq!(std::fs::read_dir(place.path("")).unwrap().count(), 0);
}

#[test]
fn edits_of_one_file_by_several_threads_all_count() {
    let place = Place::new(&[("a.txt", &(0..16).map(|n| format!("<{n}>")).collect::<Vec<_>>().concat())]);
    std::thread::scope(|scope| {
        for n in 0..16 {
            let workspace = place.workspace.clone();
            scope.spawn(move || edit_file(&workspace, "a.txt", &format!("<{n}>"), &format!("[{n}]"), false).unwrap());
        }
    });
    assert_eq!(place.text("a.txt"), (0..16).map(|n| format!("[{n}]")).collect::<Vec<_>>().concat());
}

#[test]
fn numbers_are_told_up_to_ten() {
    assert_eq!(numbers(&[7]), "7");
    assert_eq!(numbers(&[1, 2]), "1 and 2");
    let many: Vec<u64> = (1..=12).collect();
    assert_eq!(numbers(&many[..10]), "1, 2, 3, 4, 5, 6, 7, 8, 9 and 10");
    assert_eq!(numbers(&many), "1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more");
}

proptest! {
    /// A file of one kind of line end is edited as its text with plain ones is.
    #[test]
    fn an_edit_is_a_replacement_in_the_text(
        text in "[ab\n]{0,24}",
        old in "[ab\n]{1,3}",
        new in "[abc\n]{0,4}",
        all in any::<bool>(),
        crlf in any::<bool>(),
    ) {
        let written = |text: &str| if crlf && text.contains('\n') { text.replace('\n', "\r\n") } else { text.to_owned() };
        let file = written(&text);
        let starts = (0..text.len()).filter(|at| text[*at..].starts_with(&old)).count();
        // Of a text of one line nobody knows its line ends.
        prop_assume!(!crlf || text.contains('\n'));
        let edited = splice(&file, &old, &new, all);
        match starts {
            0 => match (old.strip_suffix('\n'), text.ends_with('\n')) {
                (Some(line), false) if !line.is_empty() && !line.ends_with('\n') && text.ends_with(line) => {
                    let kept = &text[..text.len() - line.len()];
                    let new = new.strip_suffix('\n').unwrap_or(&new);
                    prop_assert_eq!(edited, Ok(written(&format!("{kept}{new}"))));
                }
                _ => prop_assert_eq!(edited, Err(Fault::None)),
            },
            1 => prop_assert_eq!(edited, Ok(written(&text.replacen(&old, &new, 1)))),
            _ if all => prop_assert_eq!(edited, Ok(written(&text.replace(&old, &new)))),
            _ => prop_assert!(matches!(edited, Err(Fault::Several(lines)) if lines.len() >= 2)),
        }
    }

    /// Whatever the line ends are: what is not replaced stays byte for byte.
    #[test]
    fn what_is_around_an_edit_stays(before in "[ab\r\n]{0,12}", after in "[ab\r\n]{0,12}", new in "[c\n]{0,3}") {
        let edited = splice(&format!("{before}<->{after}"), "<->", &new, false).unwrap();
        let put = edited.strip_prefix(&before).and_then(|rest| rest.strip_suffix(&after)).unwrap();
        prop_assert_eq!(put.replace("\r\n", "\n"), new);
    }
}
