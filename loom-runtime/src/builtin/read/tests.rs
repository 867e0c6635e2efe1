#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use serde_json::json;

use super::super::tests::{Place, err, ok};
use super::*;

#[tokio::test]
async fn lines_come_with_their_numbers() {
    let place = Place::new(&[
        ("plain", "a\n\n  b\n"),
        ("open", "a\nb"),
        ("crlf", "a\r\nb\r\n"),
        ("empty", ""),
        ("blank", "\n"),
        ("bom", "\u{feff}a\nb\n"),
    ]);
    let read = |path: &'static str| place.ask("read", json!({"path": path}));
    assert_eq!(read("plain").await, ok("1\ta\n2\t\n3\t  b\n"));
    assert_eq!(read("open").await, ok("1\ta\n2\tb\n"));
    assert_eq!(read("crlf").await, ok("1\ta\n2\tb\n"));
    assert_eq!(read("empty").await, ok("[the file is empty]\n"));
    assert_eq!(read("blank").await, ok("1\t\n"));
    assert_eq!(read("bom").await, ok("1\ta\n2\tb\n"));
    assert_eq!(read("none/x").await, err("there is no `none/x`; the part of it that is there is `.`"));
    assert_eq!(read(".").await, err("`.` is a directory, not a file"));
    assert_eq!(read("plain/").await, err("`plain/` is not a directory"));
}

#[tokio::test]
async fn a_part_says_where_to_go_on() {
    let text = (1..=10).map(|n| format!("line {n}\n")).collect::<Vec<_>>().concat();
    let place = Place::new(&[("a.txt", &text)]);
    let read = |offset: u64, limit: u64| place.ask("read", json!({"path": "a.txt", "offset": offset, "limit": limit}));
    assert_eq!(read(1, 2).await, ok("1\tline 1\n2\tline 2\n[lines 1 to 2 of 10; go on with offset 3]\n"));
    assert_eq!(read(8, 2).await, ok("8\tline 8\n9\tline 9\n[lines 8 to 9 of 10; go on with offset 10]\n"));
    assert_eq!(read(10, 2).await, ok("10\tline 10\n"));
    assert_eq!(read(11, 2).await, err("`a.txt` has 10 lines, so there is no line 11"));
    assert_eq!(
        read(0, 1).await,
        err(
            "the arguments do not fit, and the tool was not called:\n- /offset: expected an integer of at least 1, got 0"
        )
    );
}

#[tokio::test]
async fn long_lines_and_long_results_are_cut() {
    let place =
        Place::new(&[("long", &format!("{}\nb\n", "x".repeat(2500))), ("wide", &format!("x{}", "é".repeat(1500)))]);
    assert_eq!(
        place.ask("read", json!({"path": "long"})).await,
        Ok(format!("1\t{} [… 500 bytes more]\n2\tb\n", "x".repeat(2000)))
    );
    assert_eq!(
        place.ask("read", json!({"path": "wide"})).await,
        Ok(format!("1\tx{} [… 1002 bytes more]\n", "é".repeat(999)))
    );
    // 100 lines of 1002 characters each with number and tab: 39 of them fit into 40 000.
    place.put("many", format!("{}\n", "y".repeat(1000)).repeat(100));
    let text = place.ask("read", json!({"path": "many"})).await.unwrap();
    assert_eq!(text.lines().count(), 40);
    assert_eq!(text.lines().last(), Some("[lines 1 to 39 of 100; go on with offset 40]"));
    let text = place.ask("read", json!({"path": "many", "offset": 79})).await.unwrap();
    assert_eq!(text.lines().count(), 22);
    assert!(text.ends_with("y\n"));
}

#[tokio::test]
async fn of_a_huge_file_no_more_is_read_than_needed() {
    let place = Place::new(&[("huge", "first\nsecond\n")]);
    let file = std::fs::OpenOptions::new().append(true).open(place.path("huge")).unwrap();
    // Sixteen gigabytes of nothing, which take no place on the disk.
    file.set_len(16 << 30).unwrap();
    let text = place.ask("read", json!({"path": "huge", "limit": 1})).await;
    // It holds NUL bytes where a text has none.
    assert_eq!(text, ok("`huge` is a binary file of 17179869184 bytes, which cannot be shown as text"));

    place.put("long", "line\n".repeat((24 << 20) / 5));
    assert_eq!(
        place.ask("read", json!({"path": "long", "limit": 1})).await,
        ok("1\tline\n[lines 1 to 1 of many more; go on with offset 2]\n")
    );
}

#[tokio::test]
async fn what_is_no_text_is_said_to_be_what_it_is() {
    let place = Place::new(&[("bytes.txt", "")]);
    place.put("bytes.txt", b"a\xffb\nc\n");
    place.put("program", b"\x7fELF\x02\0\0\0");
    place.put("doc.pdf", b"%PDF-1.7\n");
    place.put("data", b"a\0b");
    place.put("wide.txt", b"\xff\xfea\0");
    place.put("not-bzip", b"BZhello\n");
    let read = |path: &'static str| place.ask("read", json!({"path": path}));
    assert_eq!(read("bytes.txt").await, ok("1\ta\u{fffd}b\n2\tc\n[bytes that are no UTF-8 are shown as \u{fffd}]\n"));
    assert_eq!(
        read("program").await,
        ok("`program` is a program or a library of 8 bytes, which cannot be shown as text")
    );
    assert_eq!(read("doc.pdf").await, ok("`doc.pdf` is a PDF document of 9 bytes, which cannot be shown as text"));
    assert_eq!(read("data").await, ok("`data` is a binary file of 3 bytes, which cannot be shown as text"));
    assert_eq!(read("wide.txt").await, ok("`wide.txt` is text in UTF-16 of 4 bytes, which cannot be shown as text"));
    assert_eq!(read("not-bzip").await, ok("1\tBZhello\n"));
}

#[test]
fn images_are_images_if_they_are_not_too_large() {
    let place = Place::new(&[]);
    let images: [(&str, &[u8], &str); 4] = [
        ("a.png", b"\x89PNG\r\n\x1a\nrest", "image/png"),
        ("a.jpg", b"\xff\xd8\xff\xe0rest", "image/jpeg"),
        ("a.gif", b"GIF89arest", "image/gif"),
        ("a.webp", b"RIFF\x01\x02\x03\x04WEBPrest", "image/webp"),
    ];
    for (path, bytes, mime_type) in images {
        place.put(path, bytes);
        let output = read_file(&place.workspace, &CancellationToken::new(), path, 1, 1).unwrap();
        assert_eq!(output.parts().to_vec(), [Content::image(mime_type, bytes)], "{path}");
    }
    // An image of many times what is looked at to know that it is one comes whole.
    let mut large = b"\x89PNG\r\n\x1a\n".to_vec();
    large.resize(3 << 20, 7);
    place.put("large.png", &large);
    let output = read_file(&place.workspace, &CancellationToken::new(), "large.png", 1, 1).unwrap();
    assert_eq!(output.parts().to_vec(), [Content::image("image/png", large.clone())]);
    large.push(7);
    place.put("large.png", &large);
    assert_eq!(
        read_file(&place.workspace, &CancellationToken::new(), "large.png", 1, 1).unwrap().as_text(),
        "`large.png` is a PNG image of 3145729 bytes, and images of more than 3145728 bytes are not shown"
    );
}

/// The answer to a read, from the text as a whole.
fn model(text: &str, offset: usize, limit: usize) -> Result<String, String> {
    let lines: Vec<_> = text.lines().collect();
    if lines.is_empty() && offset == 1 {
        return Ok("[the file is empty]\n".to_owned());
    }
    if offset > lines.len() {
        return Err(format!("`a.txt` has {} lines, so there is no line {offset}", lines.len()));
    }
    let numbered = lines.iter().zip(1..).skip(offset - 1).take(limit);
    let mut shown: Vec<_> = numbered.map(|(line, number)| format!("{number}\t{line}\n")).collect();
    let last = (offset + limit - 1).min(lines.len());
    if last < lines.len() {
        shown.push(format!("[lines {offset} to {last} of {}; go on with offset {}]\n", lines.len(), last + 1));
    }
    Ok(shown.concat())
}

proptest! {
    #[test]
    fn any_part_of_any_text_is_what_its_lines_say(
        lines in prop::collection::vec("[a-zé]{0,8}", 0..30),
        ends in prop::sample::select(vec!["\n", "\r\n"]),
        open in any::<bool>(),
        offset in 1..40_usize,
        limit in 1..40_usize,
    ) {
        let mut text = lines.join(ends);
        if !open && !lines.is_empty() {
            text.push_str(ends);
        }
        let place = Place::new(&[("a.txt", &text)]);
        let read = read_file(&place.workspace, &CancellationToken::new(), "a.txt", offset as u64, limit as u64);
        let read = read.map(|output| output.as_text().into_owned()).map_err(|error| error.to_string());
        prop_assert_eq!(read, model(&text, offset, limit));
    }

    #[test]
    fn lines_are_the_same_however_they_come_and_however_much_is_kept(
        bytes in prop::collection::vec(prop::sample::select(b"ab\n".to_vec()), 0..200),
        capacity in 1..20_usize,
        most in 0..10_usize,
    ) {
        let mut lines = Lines::new(BufReader::with_capacity(capacity, &bytes[..]));
        let mut found = Vec::new();
        while let Some(line) = lines.next(most).unwrap() {
            found.push(line);
        }
        let mut parts: Vec<_> = bytes.split(|byte| *byte == b'\n').collect();
        if parts.last().is_some_and(|last| last.is_empty()) {
            parts.pop();
        }
        let whole = |part: &&[u8]| {
            let (start, rest) = part.split_at(most.min(part.len()));
            Line { start: start.to_vec(), left_out: rest.len() as u64 }
        };
        prop_assert_eq!(found, parts.iter().map(whole).collect::<Vec<_>>());
        prop_assert_eq!(lines.bytes(), bytes.len() as u64);
    }
}
