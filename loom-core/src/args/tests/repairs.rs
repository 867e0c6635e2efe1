//! What is read over in a text that is not quite JSON, and what is not.

use super::{answer, prepare, problems, refused};
use crate::RepairKind::{self, CodeFence, ControlCharacter, LeadingEmptyObject, RepeatedDocument, TrailingComma};
use crate::{CoercionRule, ProblemKind, tool};

/// Takes a list and a text.
#[tool(blocking = false)]
fn both(list: Option<Vec<u8>>, text: Option<String>) -> String {
    format!("{list:?} {text:?}")
}

/// The answer, what was read over, and the arguments as they were taken.
fn repaired(sent: &str) -> (String, Vec<(RepairKind, usize, usize)>, String) {
    let repairs = prepare(&both::tool(), sent).unwrap().repairs;
    let answer = answer(&both::tool(), sent);
    let again = super::taken(&both::tool(), answer.coerced.as_deref().unwrap());
    assert_eq!(again, answer.output, "what was taken is taken again as it is");
    let repairs = repairs.into_iter().map(|one| (one.kind, one.offset, one.count));
    (answer.output, repairs.collect(), answer.coerced.unwrap())
}

#[test]
fn what_leaves_no_doubt_is_read_over_and_told() {
    let cases = [
        ("{\"text\":\"a\nb\tc\"}", r#"None Some("a\nb\tc")"#, vec![(ControlCharacter, 10, 2)], r#"{"text":"a\nb\tc"}"#),
        (
            r#"{"list":[1,2,],"text":"x" , }"#,
            r#"Some([1, 2]) Some("x")"#,
            vec![(TrailingComma, 12, 2)],
            r#"{"list":[1,2],"text":"x"}"#,
        ),
        ("{\"list\":[1]}\n{ \"list\" : [1] }", "Some([1]) None", vec![(RepeatedDocument, 13, 1)], r#"{"list":[1]}"#),
        ("{}{\"list\":[1]}", "Some([1]) None", vec![(LeadingEmptyObject, 0, 1)], r#"{"list":[1]}"#),
        ("{} {}", "None None", vec![(RepeatedDocument, 3, 1)], "{}"),
        ("```json\n{\"list\":[1]}\n```", "Some([1]) None", vec![(CodeFence, 0, 1)], r#"{"list":[1]}"#),
        ("\n```\n{\"list\":[1]}```  ", "Some([1]) None", vec![(CodeFence, 1, 1)], r#"{"list":[1]}"#),
        (
            "```JSON {\"list\":[1,],\"text\":\"\n\"}```",
            "Some([1]) Some(\"\\n\")",
            vec![(CodeFence, 0, 1), (TrailingComma, 18, 1), (ControlCharacter, 29, 1)],
            r#"{"list":[1],"text":"\n"}"#,
        ),
    ];
    for (sent, output, repairs, coerced) in cases {
        assert_eq!(repaired(sent), (output.to_owned(), repairs, coerced.to_owned()), "{sent}");
    }
}

#[test]
fn a_repair_says_what_was_read_over_and_where() {
    let told =
        |sent: &str| prepare(&both::tool(), sent).unwrap().repairs.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(
        told("```{\"text\":\"a\nb\nc\",}```"),
        [
            "a code fence at byte 0 was read over",
            "a raw control character in a string at byte 13 was read over, and 1 more",
            "a comma after the last item at byte 18 was read over",
        ]
    );
    assert_eq!(told("{}{\"list\":[1]}"), ["an empty object before the arguments at byte 0 was read over"]);
    assert_eq!(told("{} {}"), ["the same document once more at byte 3 was read over"]);
    assert_eq!(
        serde_json::to_string(&prepare(&both::tool(), "{} {}").unwrap().repairs).unwrap(),
        r#"[{"kind":"repeated_document","offset":3,"count":1}]"#
    );
}

#[test]
fn a_repaired_text_is_coerced_as_any_other() {
    let answer = answer(&both::tool(), r#"{"list":["1",],}"#);
    assert_eq!(answer.output, "Some([1]) None");
    assert_eq!(answer.coercions.iter().map(|one| one.rule).collect::<Vec<_>>(), [CoercionRule::TextToInteger]);
    assert_eq!(
        refused(&both::tool(), r#"{"list":[true,],}"#),
        ["/list/0: expected an integer from 0 to 255, got true"]
    );
}

#[test]
fn nothing_that_could_change_a_value_is_repaired() {
    let cases = [
        (
            r#"{"list":[1]}{"list":[2]}"#,
            r#"more text follows after the end of the JSON value near `{"list":[1]}{"list":[2]}`; send one JSON object"#,
        ),
        (
            r#"{"list":[1]}{"list":[1"#,
            r#"more text follows after the end of the JSON value near `{"list":[1]}{"list":[1`; send one JSON object"#,
        ),
        (
            r#"{"list":[1]}{}"#,
            r#"more text follows after the end of the JSON value near `{"list":[1]}{}`; send one JSON object"#,
        ),
        (r"{}{}{}", r"more text follows after the end of the JSON value near `{}{}{}`; send one JSON object"),
        (r#"{}{"list":[1"#, r#"the text is cut off: it ends inside a list near `{}{"list":[1`"#),
        (
            r#"{"list":[1]},"#,
            r#"more text follows after the end of the JSON value near `{"list":[1]},`; send the JSON object alone, without anything around it"#,
        ),
        (r#"{"list":[1,,2]}"#, r#"unexpected character `,` near `{"list":[1,,2]}`; there is a comma too many"#),
        (r#"{"list":[,]}"#, r#"unexpected character `,` near `{"list":[,]}`; there is a comma too many"#),
        (r#"{,"list":[1]}"#, r#"unexpected character `,` near `{,"list":[1]}`; there is a comma too many"#),
        (r#"{"list":[1 2]}"#, r#"unexpected character `2` near `{"list":[1 2]}`; a comma is missing"#),
        (
            r#"{"list":[1}"#,
            r#"unexpected character `}` near `{"list":[1}`; the brackets do not match: a list ends with `]`, an object with `}`"#,
        ),
        (r"{list:[1]}", r"unexpected character `l` near `{list:[1]}`; names stand in double quotes"),
        (r"{'list':[1]}", r"unexpected character `'` near `{'list':[1]}`; names and text stand in double quotes"),
        ("{\"list\":[1] // one\n}", "unexpected character `/` near `{\"list\":[1] // one\\n}`; JSON has no comments"),
        (r#"{"list":[0x1]}"#, r#"unexpected character `x` near `{"list":[0x1]}`"#),
        (r#"{"text":"\q"}"#, r#"invalid escape in a string: write a backslash itself as `\\` near `{"text":"\q"}`"#),
        (
            "Here it is: {\"list\":[1]}",
            "unexpected character `H` near `Here it is: {\"list\":…`; send the JSON object alone, without anything around it",
        ),
        (
            "```json\n{\"list\":[1]}\n```\nDone.",
            "unexpected character ``` near ````json\\n{\"list\":[1]…`; send the JSON object alone, without anything around it",
        ),
        (
            "```json\n{\"list\":[1",
            "unexpected character ``` near ````json\\n{\"list\":[1`; send the JSON object alone, without anything around it",
        ),
        (
            "```\n```json\n{}\n```\n```",
            "unexpected character ``` near ````\\n```json\\n{}\\n```\\n``…`; send the JSON object alone, without anything around it",
        ),
        ("```json\n```", "the text is empty: a JSON value was expected near ````json\\n````"),
    ];
    for (sent, reason) in cases {
        let told = refused(&both::tool(), sent);
        let [told] = told.as_slice() else { unreachable!("one problem: {told:?}") };
        assert_eq!(told, &format!("the arguments are not valid JSON: {reason}"), "{sent}");
    }
}

#[test]
fn what_was_cut_off_is_known_as_such() {
    let truncated = |sent: &str| {
        problems(&both::tool(), sent)
            .iter()
            .map(|problem| matches!(problem.kind, ProblemKind::Syntax { truncated: true, .. }))
            .collect::<Vec<_>>()
    };
    let whole = "{\"list\":[12,],\"text\":\"a\nb\\u00e9\"}";
    for end in (1..whole.len()).filter(|&end| whole.is_char_boundary(end)) {
        assert_eq!(truncated(&whole[..end]), [true], "{}", &whole[..end]);
    }
    for sent in [r#"{"list":[1]]"#, r#"{"list":1x"#, "[1,2", "\"{"] {
        let cut_off = sent.starts_with(['[', '"']);
        assert_eq!(truncated(sent), [cut_off], "{sent}");
    }
    assert_eq!(truncated("```json\n{\"list\":[1\n```"), [true]);
}
