//! What is accepted is compared with `serde_json`, what is refused with a table.

use std::borrow::Cow;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::SyntaxErrorKind::{
    BadEscape, BadNumber, ControlCharacter, CutOff, Empty, LoneSurrogate, TooDeep, Trailing, Unexpected,
};
use super::{Json, MAX_DEPTH, SyntaxError, SyntaxErrorKind, excerpt};

fn number(digits: &str) -> Json<'_> {
    Json::Number(Cow::Borrowed(digits))
}

fn string(text: &str) -> Json<'_> {
    Json::String(Cow::Borrowed(text))
}

fn object<'a>(entries: &[(&'a str, Json<'a>)]) -> Json<'a> {
    Json::Object(entries.iter().map(|(key, value)| (Cow::Borrowed(*key), value.clone())).collect())
}

fn written(value: &Json<'_>) -> String {
    let mut out = String::new();
    value.write(&mut out);
    out
}

/// `depth` lists or objects, in turns, inside one another.
fn nested(depth: usize, lists: bool, objects: bool) -> String {
    let is_list = |level: usize| lists && (!objects || level.is_multiple_of(2));
    let open = (0..depth).map(|level| if is_list(level) { "[" } else { "{\"k\":" });
    let close = (0..depth).rev();
    open.chain(["1"]).chain(close.map(|level| if is_list(level) { "]" } else { "}" })).collect()
}

#[test]
fn documents() {
    let wide = "340282366920938463463374607431768211456";
    let table = [
        ("null", Json::Null),
        (" \t\r\ntrue \t\r\n", Json::Bool(true)),
        ("false", Json::Bool(false)),
        ("-0", number("-0")),
        ("1e400", number("1e400")),
        ("-1.50E+007", number("-1.50E+007")),
        ("0e-0", number("0e-0")),
        (wide, number(wide)),
        (r#""""#, string("")),
        ("\"\u{7f}é\u{2028}\u{1f600}\"", string("\u{7f}é\u{2028}\u{1f600}")),
        (r#""\"\\\/\b\f\n\r\t""#, string("\"\\/\u{8}\u{c}\n\r\t")),
        (r#""a\u00e9b\uD83d\uDE00c\u0000""#, string("aéb\u{1f600}c\0")),
        (r#""\ud800\udc00\udbff\udfff""#, string("\u{10000}\u{10ffff}")),
        ("[ ]", Json::Array(vec![])),
        ("[1 , [2],\n{}]", {
            let inner = Json::Array(vec![number("2")]);
            Json::Array(vec![number("1"), inner, object(&[])])
        }),
        (
            r#"{ "b" : 1, "a": "x" , "b":2,"":null}"#,
            object(&[("b", number("1")), ("a", string("x")), ("b", number("2")), ("", Json::Null)]),
        ),
    ];
    for (text, expected) in table {
        assert_eq!(Json::parse(text), Ok(expected), "{text}");
    }
}

#[test]
fn errors() {
    let table = [
        // Nothing there.
        ("", 0, Empty),
        (" \n\t\r", 4, Empty),
        // The text ends too early, at its end whatever it ends inside of.
        ("\"ab", 3, CutOff("a string")),
        ("\"ab\\", 4, CutOff("a string")),
        (r#""\u12"#, 5, CutOff("a string")),
        (r#""\ud83d"#, 7, CutOff("a string")),
        (r#""\ud83d\"#, 8, CutOff("a string")),
        (r#""\ud83d\u"#, 9, CutOff("a string")),
        (r#""\ud83d\ude0"#, 12, CutOff("a string")),
        ("[", 1, CutOff("a list")),
        ("[1", 2, CutOff("a list")),
        ("[1, ", 4, CutOff("a list")),
        ("{", 1, CutOff("an object")),
        ("{\"a", 3, CutOff("a string")),
        ("{\"a\" ", 5, CutOff("an object")),
        ("{\"a\":", 5, CutOff("an object")),
        ("{\"a\":1", 6, CutOff("an object")),
        ("{\"a\":1,", 7, CutOff("an object")),
        ("{\"a\":[]", 7, CutOff("an object")),
        ("tru", 3, CutOff("the word `true`")),
        ("[f", 2, CutOff("the word `false`")),
        ("{\"a\":nul", 8, CutOff("the word `null`")),
        ("-", 1, CutOff("a number")),
        ("1.", 2, CutOff("a number")),
        ("1e", 2, CutOff("a number")),
        ("[1E+", 4, CutOff("a number")),
        // Something follows.
        ("{} {}", 3, Trailing),
        ("[1]]", 3, Trailing),
        ("truex", 4, Trailing),
        ("0x10", 1, Trailing),
        ("1\0", 1, Trailing),
        ("\"é\"é", 4, Trailing),
        // A character that cannot stand there.
        ("\u{feff}{}", 0, Unexpected('\u{feff}')),
        ("\u{a0}{}", 0, Unexpected('\u{a0}')),
        ("\0", 0, Unexpected('\0')),
        ("[\u{c}]", 1, Unexpected('\u{c}')),
        ("[\u{b}]", 1, Unexpected('\u{b}')),
        ("[\u{85}]", 1, Unexpected('\u{85}')),
        ("]", 0, Unexpected(']')),
        ("'a'", 0, Unexpected('\'')),
        ("None", 0, Unexpected('N')),
        ("trUe", 2, Unexpected('U')),
        ("[1,]", 3, Unexpected(']')),
        ("[,1]", 1, Unexpected(',')),
        ("[1 2]", 3, Unexpected('2')),
        ("[1, ...]", 4, Unexpected('.')),
        ("[1}", 2, Unexpected('}')),
        ("[\"é\", é]", 7, Unexpected('é')),
        ("{a: 1}", 1, Unexpected('a')),
        ("{,}", 1, Unexpected(',')),
        ("{\"a\":1,}", 7, Unexpected('}')),
        ("{\"a\" 1}", 5, Unexpected('1')),
        ("{\"a\":}", 5, Unexpected('}')),
        ("{\"a\":1 \"b\":2}", 7, Unexpected('"')),
        ("{\"a\":1,, \"b\":2}", 7, Unexpected(',')),
        ("{\"a\":1]", 6, Unexpected(']')),
        ("{\"a\":1 // b", 7, Unexpected('/')),
        // Strings.
        ("\"a\nb\"", 2, ControlCharacter('\n')),
        ("\"\\n\0\"", 3, ControlCharacter('\0')),
        ("{\"\u{1f}\":1}", 2, ControlCharacter('\u{1f}')),
        (r#""a\x41""#, 2, BadEscape),
        (r#""\U0041""#, 1, BadEscape),
        (r#""\u12g4""#, 1, BadEscape),
        (r#""\u+123""#, 1, BadEscape),
        (r#""\u12""#, 1, BadEscape),
        (r#""\é""#, 1, BadEscape),
        (r#""\u00é""#, 1, BadEscape),
        (r#""\ud83d\uzzzz""#, 7, BadEscape),
        (r#""a\ud83d""#, 2, LoneSurrogate),
        (r#""\ud83db""#, 1, LoneSurrogate),
        (r#""\ud83d\n""#, 1, LoneSurrogate),
        (r#""\ud83d\u0041""#, 1, LoneSurrogate),
        (r#""\ud83d\ud83d\ude00""#, 1, LoneSurrogate),
        (r#""\ud83d\ue000""#, 1, LoneSurrogate),
        (r#""\ude00\ud83d""#, 1, LoneSurrogate),
        (r#""\udc00"#, 1, LoneSurrogate),
        // Numbers.
        ("01", 0, BadNumber),
        ("[-00]", 1, BadNumber),
        ("[1, +1]", 4, BadNumber),
        ("[.5]", 1, BadNumber),
        ("[1.]", 1, BadNumber),
        ("[-.5]", 1, BadNumber),
        ("[1e]", 1, BadNumber),
        ("[1e+-1]", 1, BadNumber),
        ("- 1", 0, BadNumber),
        ("{\"a\":NaN}", 5, BadNumber),
        ("Infinity", 0, BadNumber),
        ("-Infinity", 0, BadNumber),
    ];
    for (text, offset, kind) in table {
        assert_eq!(Json::parse(text), Err(SyntaxError { offset, kind }), "{text}");
        assert!(serde_json::from_str::<Value>(text).is_err(), "{text}");
    }
}

#[test]
fn messages() {
    let table = [
        (CutOff("a string"), "the text is cut off: it ends inside a string"),
        (Empty, "the text is empty: a JSON value was expected"),
        (Trailing, "more text follows after the end of the JSON value"),
        (Unexpected('x'), "unexpected character `x`"),
        (Unexpected('"'), "unexpected character `\"`"),
        (Unexpected('\u{feff}'), r"unexpected character `\ufeff`"),
        (ControlCharacter('\n'), r"a control character stands unescaped in a string: write it as `\n`"),
        (ControlCharacter('\u{1}'), r"a control character stands unescaped in a string: write it as `\u0001`"),
        (BadEscape, r"invalid escape in a string: write a backslash itself as `\\`"),
        (LoneSurrogate, r"a `\u` escape is only half of a character: write the character itself"),
        (
            BadNumber,
            "invalid number: it takes digits around a `.`, and no leading zero, plus sign, `NaN` \
             or `Infinity`",
        ),
        (TooDeep(MAX_DEPTH), "nested too deeply: at most 127 lists and objects may stand inside one another"),
    ];
    for (kind, expected) in table {
        assert_eq!(kind.to_string(), expected);
    }
}

#[test]
fn depth_is_that_of_serde_json() {
    for (lists, objects) in [(true, false), (false, true), (true, true)] {
        let deepest = nested(MAX_DEPTH, lists, objects);
        assert_eq!(Json::parse(&deepest).map(|v| written(&v)), Ok(deepest.clone()));
        assert!(serde_json::from_str::<Value>(&deepest).is_ok());

        let deeper = nested(MAX_DEPTH + 1, lists, objects);
        let kind = Json::parse(&deeper).map_err(|error| error.kind);
        assert_eq!(kind, Err(TooDeep(MAX_DEPTH)));
        assert!(serde_json::from_str::<Value>(&deeper).is_err());
    }
    let hostile = "[".repeat(1_000_000);
    let error = SyntaxError { offset: MAX_DEPTH, kind: TooDeep(MAX_DEPTH) };
    assert_eq!(Json::parse(&hostile), Err(error));
    // Side by side is not inside one another.
    let wide = format!("[{}[]]", "[[]],{},".repeat(1_000));
    assert_eq!(Json::parse(&wide).map(|v| written(&v)), Ok(wide.clone()));
}

#[test]
fn borrows_where_nothing_is_escaped() {
    let text = r#"{"plain":"text","esc\u0061ped":"a\nb","number":1e5}"#;
    let is_borrowed = |c: &Cow<'_, str>| matches!(c, Cow::Borrowed(_));
    let Ok(Json::Object(entries)) = Json::parse(text) else {
        panic!("not an object");
    };
    let borrowed: Vec<_> = entries
        .iter()
        .map(|(key, value)| {
            let (Json::String(inner) | Json::Number(inner)) = value else {
                panic!("not a string or number");
            };
            (is_borrowed(key), is_borrowed(inner))
        })
        .collect();
    assert_eq!(borrowed, [(true, true), (false, false), (true, true)]);
}

#[test]
fn lookup() {
    let text = r#"{"a":1,"b":[null,true,"s",{}],"a":2}"#;
    let parsed = Json::parse(text);
    let Ok(value) = &parsed else {
        panic!("{parsed:?}");
    };
    assert_eq!(value.get("a"), Some(&number("1")));
    assert_eq!(value.get("c"), None);
    assert_eq!(value.get("a").and_then(|v| v.get("a")), None);
    let Some(list @ Json::Array(_)) = value.get("b") else {
        panic!("{parsed:?}");
    };
    assert_eq!(list.get("a"), None);
}

#[test]
fn strings_are_escaped_as_by_serde_json() {
    let all: String = ('\0'..='\u{ff}').chain(['\u{2028}', '\u{1f600}']).collect();
    let theirs = serde_json::to_string(&all).map_err(|error| error.to_string());
    assert_eq!(Ok(written(&string(&all))), theirs);
}

#[test]
fn excerpts() {
    let long = r#"{"city": "Oslo", "max": 5,, "both": [1, 2, 3, 4]}"#;
    let table = [
        ("", 0, ""),
        ("", 9, ""),
        ("{}", 1, "{}"),
        ("{}", usize::MAX, "{}"),
        (long, 0, r#"{"city": "Oslo", "ma…"#),
        (long, 26, r#"…Oslo", "max": 5,, "both": [1, 2, 3, …"#),
        (long, 49, r#"…o", "max": 5,, "both": [1, 2, 3, 4]}"#),
        ("a\n\t\u{1}\u{feff}\u{85}b", 3, r"a\n\t\u0001\ufeff\u0085b"),
        // Inside of the second character.
        ("aé", 2, "aé"),
        // An escape is shown whole or not at all.
        (&"\0".repeat(9), 4, r"…\u0000\u0000\u0000\u0000\u0000\u0000…"),
    ];
    for (text, offset, expected) in table {
        assert_eq!(excerpt(text, offset), expected, "{text:?} at {offset}");
    }
}

/// Whether the tree has a number that `serde_json` refuses as out of range.
///
/// It scales the digits by powers of ten, so close to the largest `f64` it may go either
/// way: those numbers count too.
fn overflows(value: &Json<'_>) -> bool {
    match value {
        Json::Number(digits) => digits.parse().is_ok_and(|float: f64| float.abs() > 1.797_693_134_862_315e308),
        Json::Array(items) => items.iter().any(overflows),
        Json::Object(entries) => entries.iter().any(|(_, value)| overflows(value)),
        Json::Null | Json::Bool(_) | Json::String(_) => false,
    }
}

/// Fails unless the parser and `serde_json` agree on whether `text` is JSON, and the
/// error, if there is one, is at a character of it.
///
/// The one exception is a number such as `1e400`: it is JSON, but no `Value` can hold it,
/// unless some other crate switches `arbitrary_precision` on. `IgnoredAny`, which looks
/// at the form of a number only, must still accept the text then.
fn agrees_with_serde_json(text: &str) -> TestCaseResult {
    let theirs = serde_json::from_str::<Value>(text);
    match Json::parse(text) {
        Ok(ours) => {
            prop_assert!(serde_json::from_str::<IgnoredAny>(text).is_ok());
            if let Err(error) = theirs {
                prop_assert!(overflows(&ours), "{error}");
                let message = error.to_string();
                prop_assert!(message.starts_with("number out of range at line "), "{message}");
            }
        }
        Err(SyntaxError { offset, kind }) => {
            prop_assert!(theirs.is_err(), "{kind:?}");
            let (_, after) = text.split_at_checked(offset).unwrap_or(("", "?"));
            let there = after.chars().next();
            match kind {
                CutOff(_) | Empty => prop_assert_eq!(there, None),
                Unexpected(c) | ControlCharacter(c) => prop_assert_eq!(there, Some(c)),
                BadEscape | LoneSurrogate => prop_assert_eq!(there, Some('\\')),
                Trailing | BadNumber | TooDeep(_) => prop_assert!(there.is_some()),
            }
            prop_assert!(text.is_char_boundary(offset));
        }
    }
    Ok(())
}

/// The text of a string, escaped in every way there is.
fn string_text() -> impl Strategy<Value = String> {
    let fragment = prop_oneof![
        4 => r#"[^\x00-\x1f"\\]"#,
        1 => r#"\\["\\/bfnrt]"#,
        1 => r"\\u[0-9a-cefA-CEF][0-9a-fA-F]{3}",
        1 => r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}",
    ];
    vec(fragment, 0..6).prop_map(|fragments| format!("\"{}\"", fragments.concat()))
}

/// The text of a number; its exponent may take it out of the range of a `f64`.
fn number_text() -> impl Strategy<Value = String> {
    r"-?(0|[1-9][0-9]{0,25})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?"
}

/// Entries of an object, few of whose keys differ.
fn object_text(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let key = prop_oneof![r#""[ab]""#, string_text()];
    let space = r"[ \t\r\n]{0,2}";
    let entry = (space, key, space, space, value, space);
    vec(entry, 0..5).prop_map(|entries| {
        let entries: Vec<_> =
            entries.into_iter().map(|(a, key, b, c, value, d)| format!("{a}{key}{b}:{c}{value}{d}")).collect();
        format!("{{{}}}", entries.join(","))
    })
}

/// The text of a document, laid out in every way there is.
fn document_text() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("false".to_owned()),
        number_text(),
        string_text(),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let list = vec((r"[ \t\r\n]{0,2}", inner.clone()), 0..4).prop_map(|items| {
            let items: Vec<_> = items.into_iter().map(|(a, item)| a + &item).collect();
            format!("[{}]", items.join(", "))
        });
        prop_oneof![list, object_text(inner)]
    })
}

/// A document with a few bytes deleted, inserted or replaced, by ones that matter to
/// JSON more often than not.
fn mutated_text() -> impl Strategy<Value = String> {
    let byte = prop_oneof![
        3 => proptest::sample::select(&br#"[]{}:,"\/.-+eEtfnu019dD "#[..]),
        1 => any::<u8>(),
    ];
    let change = (any::<proptest::sample::Index>(), 0..3, byte);
    (document_text(), vec(change, 1..4)).prop_map(|(text, changes)| {
        let mut bytes = text.into_bytes();
        for (place, how, byte) in changes {
            let at = place.index(bytes.len() + 1);
            let after = if how == 0 { at } else { bytes.len().min(at + 1) };
            bytes.splice(at..after, (how != 1).then_some(byte));
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Text that is not JSON but made of what JSON is made of.
fn soup_text() -> impl Strategy<Value = String> {
    r#"[\[\]{}:,"\\/. \n\x00+\-eEtrufalsn019dDé\u{feff}]{0,24}"#
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn accepts_what_serde_json_accepts(
        text in prop_oneof![document_text(), mutated_text(), soup_text(), any::<String>()],
    ) {
        agrees_with_serde_json(&text)?;
    }

    #[test]
    fn generated_documents_are_documents(text in document_text()) {
        prop_assert_eq!(Json::parse(&text).map(|_| ()), Ok(()));
    }

    #[test]
    fn a_prefix_of_an_object_is_cut_off(text in object_text(document_text())) {
        for (end, _) in text.char_indices() {
            let prefix = text.get(..end).unwrap_or_default();
            let kind = Json::parse(prefix).map_err(|error| error.kind);
            let as_expected = if prefix.is_empty() {
                kind == Err(SyntaxErrorKind::Empty)
            } else {
                matches!(kind, Err(CutOff(_)))
            };
            prop_assert!(as_expected, "{prefix:?} gives {kind:?}");
        }
    }

    #[test]
    fn writing_loses_nothing(text in document_text()) {
        let parsed = Json::parse(&text);
        let Ok(value) = parsed else {
            return Err(TestCaseError::fail(format!("{parsed:?}")));
        };
        let compact = written(&value);
        let as_serde_json_reads = |text| serde_json::from_str::<Value>(text).ok();
        prop_assert_eq!(as_serde_json_reads(&compact), as_serde_json_reads(&text));
        prop_assert_eq!(Json::parse(&compact), Ok(value.clone()));
        prop_assert_eq!(value.clone().into_owned(), value);
    }

    #[test]
    fn an_excerpt_is_short_and_on_one_line(
        text in prop_oneof![any::<String>(), "[a\n\0é\u{1f600}]{0,99}"],
        offset in prop_oneof![9 => 0..200_usize, 1 => any::<usize>()],
    ) {
        let excerpt = excerpt(&text, offset);
        prop_assert!(excerpt.chars().count() <= 38, "{excerpt}");
        prop_assert!(!excerpt.chars().any(char::is_control), "{excerpt:?}");
    }
}
