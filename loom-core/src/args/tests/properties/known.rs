//! Faults that are known, each with what comes of it now. The generated schemas keep clear of them; whoever mends one
//! finds it here, and takes it off.

use serde_json::Value;

use super::super::{change, coerced, taken};
use crate::CoercionRule::NumberToInteger;

#[test]
fn a_parsed_minus_zero_is_an_integer_without_a_note_where_numbers_are_text_still() {
    let tool = of!(i8);
    let with_note = (String::from("0"), vec![change("/v", NumberToInteger, "-0", "0")]);
    assert_eq!(coerced(&tool, r#"{"v":-0}"#), with_note);
    let parsed: Value = serde_json::from_str(r#"{"v":-0}"#).unwrap();
    // With `arbitrary_precision` the parsed value keeps the sign, and is read as an integer at once.
    let written = parsed["v"].to_string();
    if written == "-0" {
        assert_eq!(taken(&tool, parsed), "0");
    } else {
        assert_eq!(coerced(&tool, parsed).1, [change("/v", NumberToInteger, "-0.0", "0")]);
    }
}
