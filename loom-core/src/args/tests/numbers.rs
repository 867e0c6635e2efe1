//! R1, R2, R3: integers of every width, and floats.

use std::num::{NonZeroI8, NonZeroU64};

use serde_json::json;

use super::{answer, argument, change, coerced, problems, refused, taken};
use crate::CoercionRule::{NumberToInteger, TextToBoolean, TextToInteger, TextToNumber};
use crate::{Tool, tool};

/// The ends of the range are taken, in digits and as text; what is beyond is refused, with the range or what is worth
/// telling of it.
fn range(tool: &Tool, min: &str, max: &str, below: (&str, &str), above: (&str, &str)) {
    for end in [min, max] {
        assert_eq!(taken(tool, argument(end)), end);
        let text = format!("{end:?}");
        assert_eq!(coerced(tool, argument(&text)), (end.to_owned(), vec![change("/v", TextToInteger, &text, end)]));
    }
    for (beyond, expected) in [below, above] {
        assert_eq!(refused(tool, argument(beyond)), [format!("/v: expected {expected}, got {beyond}")]);
        let text = format!("{beyond:?}");
        // The text is read as the integer that it spells, which is then out of range.
        assert_eq!(refused(tool, argument(&text)), [format!("/v: expected {expected}, got {beyond}")]);
    }
}

#[test]
fn integers_of_every_width_are_taken_up_to_their_ends() {
    range(&of!(i8), "-128", "127", ("-129", "an integer from -128 to 127"), ("128", "an integer from -128 to 127"));
    range(&of!(u8), "0", "255", ("-1", "an integer from 0 to 255"), ("256", "an integer from 0 to 255"));
    let i16s = "an integer from -32768 to 32767";
    range(&of!(i16), "-32768", "32767", ("-32769", i16s), ("32768", i16s));
    range(&of!(u16), "0", "65535", ("-1", "an integer from 0 to 65535"), ("65536", "an integer from 0 to 65535"));
    let i32s = "an integer from -2147483648 to 2147483647";
    range(&of!(i32), "-2147483648", "2147483647", ("-2147483649", i32s), ("2147483648", i32s));
    let u32s = "an integer from 0 to 4294967295";
    range(&of!(u32), "0", "4294967295", ("-1", u32s), ("4294967296", u32s));
    // Of the wider ones only the end that was passed is told.
    let i64_min = ("-9223372036854775809", "an integer of at least -9223372036854775808");
    let i64_max = ("9223372036854775808", "an integer of at most 9223372036854775807");
    range(&of!(i64), "-9223372036854775808", "9223372036854775807", i64_min, i64_max);
    range(&of!(isize), "-9223372036854775808", "9223372036854775807", i64_min, i64_max);
    let u64_min = ("-1", "an integer of at least 0");
    let u64_max = ("18446744073709551616", "an integer from 0 to 18446744073709551615");
    range(&of!(u64), "0", "18446744073709551615", u64_min, u64_max);
    range(&of!(usize), "0", "18446744073709551615", u64_min, u64_max);
    range(
        &of!(i128),
        "-170141183460469231731687303715884105728",
        "170141183460469231731687303715884105727",
        ("-170141183460469231731687303715884105729", "an integer of at least -170141183460469231731687303715884105728"),
        ("170141183460469231731687303715884105728", "an integer of at most 170141183460469231731687303715884105727"),
    );
    range(
        &of!(u128),
        "0",
        "340282366920938463463374607431768211455",
        ("-1", "an integer of at least 0"),
        ("340282366920938463463374607431768211456", "an integer from 0 to 340282366920938463463374607431768211455"),
    );
}

#[test]
fn an_integer_that_is_never_zero() {
    let small = of!(NonZeroI8);
    assert_eq!(taken(&small, argument("-128")), "-128");
    assert_eq!(taken(&small, argument("1")), "1");
    assert_eq!(refused(&small, argument("0")), ["/v: expected an integer from -128 to 127, but not 0, got 0"]);
    assert_eq!(refused(&small, argument("128")), ["/v: expected an integer from -128 to 127, but not 0, got 128"]);
    let large = of!(NonZeroU64);
    assert_eq!(taken(&large, argument("18446744073709551615")), "18446744073709551615");
    assert_eq!(refused(&large, argument("0")), ["/v: expected an integer of at least 1, got 0"]);
}

#[test]
fn a_bound_equal_to_the_range_of_another_type_is_checked() {
    /// Takes bounded values.
    #[tool(blocking = false)]
    fn bounded(
        #[arg(min = 0, max = 255)] byte: u32,
        #[arg(min = -128, max = 127)] small: i64,
        #[arg(min = 0)] positive: f64,
    ) -> String {
        format!("{byte} {small} {positive}")
    }
    let tool = bounded::tool();
    assert_eq!(taken(&tool, r#"{"byte":255,"small":-128,"positive":0}"#), "255 -128 0");
    assert_eq!(
        refused(&tool, r#"{"byte":256,"small":128,"positive":-0.5}"#),
        [
            "/byte: expected an integer from 0 to 255, got 256",
            "/small: expected an integer from -128 to 127, got 128",
            "/positive: expected a number of at least 0, got -0.5",
        ]
    );
}

#[test]
fn bounds_hold_at_their_edges() {
    /// Takes bounded values.
    #[tool(blocking = false)]
    fn bounded(#[arg(min = 1, max = 50)] count: u32, #[arg(min = 0.5, max = 1.5)] ratio: f64) -> String {
        format!("{count} {ratio}")
    }
    let tool = bounded::tool();
    assert_eq!(taken(&tool, r#"{"count":1,"ratio":0.5}"#), "1 0.5");
    assert_eq!(taken(&tool, r#"{"count":50,"ratio":1.5}"#), "50 1.5");
    assert_eq!(
        refused(&tool, r#"{"count":0,"ratio":0.49}"#),
        ["/count: expected an integer from 1 to 50, got 0", "/ratio: expected a number from 0.5 to 1.5, got 0.49"]
    );
    assert_eq!(
        refused(&tool, r#"{"count":51,"ratio":"1.51"}"#),
        ["/count: expected an integer from 1 to 50, got 51", "/ratio: expected a number from 0.5 to 1.5, got 1.51"]
    );
}

#[test]
fn a_number_without_a_fraction_is_an_integer() {
    let tool = of!(i64);
    let cases = [
        ("5.0", "5"),
        ("-5.00", "-5"),
        ("1e3", "1000"),
        ("1.5E1", "15"),
        ("-0", "0"),
        ("0.0", "0"),
        ("9007199254740991.0", "9007199254740991"),
    ];
    for (sent, integer) in cases {
        assert_eq!(
            coerced(&tool, argument(sent)),
            (integer.to_owned(), vec![change("/v", NumberToInteger, sent, integer)])
        );
    }
    // Fractions, however small; and floats beyond the integers that a double tells apart.
    for sent in ["5.5", "4503599627370497.5", "0.99999999999999999999", "1e-400", "9007199254740993.0"] {
        assert_eq!(refused(&tool, argument(sent)), [format!("/v: expected an integer, got {sent}")]);
    }
    assert_eq!(
        refused(&tool, argument("1e300")),
        ["/v: expected an integer of at most 9223372036854775807, got 1e300"]
    );
}

#[test]
fn digits_are_kept() {
    assert_eq!(taken(&of!(i64), argument("9007199254740993")), "9007199254740993");
    let (_, coercions) = coerced(&of!(i64), argument(r#""9007199254740993""#));
    assert_eq!(coercions, [change("/v", TextToInteger, r#""9007199254740993""#, "9007199254740993")]);
    // What a parsed value has lost cannot be brought back, and is not made up.
    let value = json!(340_282_366_920_938_463_463_374_607_431_768_211_455.0);
    assert_eq!(
        refused(&of!(u128), json!({"v": value})),
        [format!("/v: expected an integer of at least 0, got {value}")]
    );
}

#[test]
fn only_plain_digits_spell_an_integer() {
    let tool = of!(i32);
    let expected = "an integer from -2147483648 to 2147483647";
    for (text, integer) in [(r#"" 7 ""#, "7"), (r#""-7""#, "-7"), (r#""7.00""#, "7"), (r#""-0""#, "0")] {
        assert_eq!(
            coerced(&tool, argument(text)),
            (integer.to_owned(), vec![change("/v", TextToInteger, text, integer)])
        );
    }
    let never = [
        "7.5", "7 apples", "1,000", "1_000", "0x10", "1e3", "٣", "+7", "07", "7.", ".7", "", " ", "null", "true",
        "seven", "NaN",
    ];
    for text in never {
        let text = format!("{text:?}");
        assert_eq!(refused(&tool, argument(&text)), [format!("/v: expected {expected}, got {text}")]);
    }
    for other in ["true", "false", "null", "[7]", r#"{"value":7}"#] {
        assert_eq!(refused(&tool, argument(other)), [format!("/v: expected {expected}, got {other}")]);
    }
}

#[test]
fn floats() {
    let tool = of!(f64);
    for (sent, float) in [("1.5", "1.5"), ("7", "7.0"), ("-0.0", "-0.0"), ("1e300", "1e300")] {
        assert_eq!(taken(&tool, argument(sent)), float);
    }
    for (text, number, float) in [(r#""1.5""#, "1.5", "1.5"), (r#"" 1e3 ""#, "1e3", "1000.0"), (r#""7""#, "7", "7.0")] {
        assert_eq!(coerced(&tool, argument(text)), (float.to_owned(), vec![change("/v", TextToNumber, text, number)]));
    }
    for never in [r#""NaN""#, r#""inf""#, r#""1e400""#, r#""1.5 m""#, r#""1,5""#, r#""""#, "true", "null", "[1.5]"] {
        assert_eq!(refused(&tool, argument(never)), [format!("/v: expected a number, got {never}")]);
    }
    assert_eq!(
        refused(&tool, argument("1e400")),
        ["/v: expected a number within the range of a 64-bit float, got 1e400"]
    );
}

#[test]
fn a_single_float_is_finite_after_narrowing() {
    let tool = of!(f32);
    assert_eq!(taken(&tool, argument("0.1")), "0.1");
    assert_eq!(taken(&tool, argument("3.4028234663852886e38")), "3.4028235e38");
    let most = "/v: expected a number of at most 3.4028234663852886e+38";
    let least = "/v: expected a number of at least -3.4028234663852886e+38";
    assert_eq!(refused(&tool, argument("1e300")), [format!("{most}, got 1e300")]);
    assert_eq!(refused(&tool, argument("-1e300")), [format!("{least}, got -1e300")]);
    // The next double would still round to the largest single: the schema says where the range ends.
    assert_eq!(refused(&tool, argument("3.4028235e38")), [format!("{most}, got 3.4028235e38")]);
    assert_eq!(refused(&tool, json!({"v": 1e300})), [format!("{most}, got 1e+300")]);
    assert_eq!(refused(&tool, argument(r#""x""#)), [r#"/v: expected a number, got "x""#]);
}

#[test]
fn a_number_is_read_to_its_end() {
    // A type that reads digits would stop before the exponent.
    for tool in [of!(i64), of!(i128)] {
        assert_eq!(
            coerced(&tool, argument("1e2")),
            ("100".to_owned(), vec![change("/v", NumberToInteger, "1e2", "100")])
        );
        assert_eq!(problems(&tool, argument("1e0000000309")).len(), 1);
    }
}

/// Takes numbers and more.
#[tool(blocking = false)]
fn spelled(n: u8, on: Option<bool>, ratio: f32, text: String) -> String {
    format!("{n} {on:?} {ratio} {text:?}")
}

#[test]
fn what_a_text_spells_is_the_same_whatever_stands_around_it() {
    let told = |sent: &str| {
        let answer = answer(&spelled::tool(), sent);
        let coercions = answer.coercions.into_iter().map(|one| (one.pointer, one.rule, one.from, one.to));
        (answer.output, coercions.collect::<Vec<_>>(), answer.coerced.unwrap())
    };
    let changes = vec![
        change("/n", TextToInteger, r#"" 7.0""#, "7"),
        change("/on", TextToBoolean, r#""True""#, "true"),
        change("/ratio", TextToNumber, r#""1e1""#, "1e1"),
    ];
    let output = r#"7 Some(true) 10 "a b: [1, 2]""#.to_owned();
    let coerced = r#"{"n":7,"on":true,"ratio":1e1,"text":"a b: [1, 2]"}"#.to_owned();
    let expected = (output, changes, coerced);
    for sent in [
        r#"{"n":" 7.0","on":"True","ratio":"1e1","text":"a b: [1, 2]"}"#,
        "\n{ \"n\" : \" 7.0\" ,\n\t\"on\": \"True\", \"ratio\": \"1e1\", \"text\": \"a b: [1, 2]\" }\r\n",
        r#"{"\u006e":" 7.0","on":"True","ratio":"1e1","text":"a b: [1, 2]"}"#,
        r#"{"n":"\u0020\u0037.0","on":"True","ratio":"1e1","text":"a b: [1, 2]"}"#,
        r#"{"n":" 7.0","on":"True","ratio":"1e1","text":"a b:\u0020[1, 2]"}"#,
    ] {
        assert_eq!(told(sent), expected, "{sent}");
    }
    // What one text lacks does not lose what another spells.
    assert_eq!(
        refused(&spelled::tool(), r#"{"n":"256","on":"yes","ratio":"1.5","text":7}"#),
        [
            "/n: expected an integer from 0 to 255, got 256",
            r#"/on: expected true or false, got "yes""#,
            "/text: expected a string, got 7",
        ]
    );
}
