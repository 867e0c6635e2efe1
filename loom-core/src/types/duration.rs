//! A duration as a person writes it.

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::ops::Deref;
use std::str::FromStr;
use std::time::Duration;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::{Serialize, Serializer};

use super::excerpt;

/// A duration that is read from a text such as `30s`, `1h30m`, `250ms` or `2d`.
///
/// The text is whole numbers with their units: `d`, `h`, `m`, `s` and `ms`, each at most once, larger ones first,
/// without blanks. A number has at most 12 digits, so no text is too long a duration. It is written in the shortest
/// such form: `90m` comes out as `1h30m`, and nothing at all as `0s`.
///
/// ```
/// use std::time::Duration;
///
/// use loom_core::types::DurationText;
///
/// let timeout: DurationText = "1h30m".parse()?;
/// assert_eq!(timeout.get(), Duration::from_secs(5_400));
/// assert_eq!(timeout.as_secs(), 5_400);
/// assert_eq!(DurationText::from_secs(90).to_string(), "1m30s");
/// # Ok::<(), loom_core::types::DurationTextError>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DurationText(Duration);

/// Why a text is no duration, or a duration has no text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DurationTextError {
    /// There is no text.
    #[error("the text is empty; write a whole number and a unit, such as `30s` or `1h30m`")]
    Empty,
    /// Something else stands where a number has to.
    #[error("a whole number is expected before `{found}`; write a duration such as `30s` or `1h30m`, without blanks")]
    NoNumber {
        /// What stands there, shortened.
        found: String,
    },
    /// A number is not followed by a unit.
    #[error("`{number}` has no unit; write `d`, `h`, `m`, `s` or `ms` right after it")]
    NoUnit {
        /// The number, shortened.
        number: String,
    },
    /// A number is followed by something that is no unit.
    #[error("`{unit}` is no unit; the units are `d`, `h`, `m`, `s` and `ms`")]
    UnknownUnit {
        /// What follows it, shortened.
        unit: String,
    },
    /// A unit is given twice, or after a smaller one.
    #[error("`{unit}` is out of place; each unit is given at most once, larger ones first, such as `1h30m`")]
    OutOfOrder {
        /// The unit.
        unit: String,
    },
    /// A number has more than 12 digits.
    #[error("`{number}…` has more than {} digits", MOST_DIGITS)]
    TooManyDigits {
        /// The start of the number.
        number: String,
    },
    /// The duration has a part below a millisecond.
    #[error("a duration with a part below a millisecond cannot be written as text")]
    TooFine,
    /// The duration is more than 12 digits of every unit can say.
    #[error("a duration of more than a million million days cannot be written as text")]
    TooLong,
}

/// So many digits of any unit, and of all of them together, are far from the largest duration.
const MOST_DIGITS: usize = 12;

/// The largest number of that many digits.
const MOST: u128 = 999_999_999_999;

/// The units in the order in which they stand, in milliseconds.
const UNITS: [(&str, u128); 5] = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];

/// Every text but the empty one that matches is a duration, and no other text is.
const PATTERN: &str = "^([0-9]{1,12}d)?([0-9]{1,12}h)?([0-9]{1,12}m)?([0-9]{1,12}s)?([0-9]{1,12}ms)?$";

impl DurationText {
    /// A number of seconds.
    pub const fn from_secs(seconds: u32) -> Self {
        Self(Duration::from_secs(seconds as u64))
    }

    /// A number of milliseconds.
    pub const fn from_millis(milliseconds: u32) -> Self {
        Self(Duration::from_millis(milliseconds as u64))
    }

    /// The duration.
    pub const fn get(self) -> Duration {
        self.0
    }
}

impl Deref for DurationText {
    type Target = Duration;

    fn deref(&self) -> &Duration {
        &self.0
    }
}

impl From<DurationText> for Duration {
    fn from(text: DurationText) -> Self {
        text.0
    }
}

impl TryFrom<Duration> for DurationText {
    type Error = DurationTextError;

    /// Takes a duration that a text can say: whole milliseconds, and about a million million days at most.
    fn try_from(duration: Duration) -> Result<Self, DurationTextError> {
        if !duration.subsec_nanos().is_multiple_of(1_000_000) {
            return Err(DurationTextError::TooFine);
        }
        let (_, beyond) = parts(duration);
        if beyond > 0 { Err(DurationTextError::TooLong) } else { Ok(Self(duration)) }
    }
}

/// The number of each unit, and the milliseconds that are left over where every number has all its digits.
fn parts(duration: Duration) -> ([(u128, &'static str); 5], u128) {
    let mut rest = duration.as_millis();
    let parts = UNITS.map(|(unit, milliseconds)| {
        // Only a number that cannot get larger leaves more than its unit to the smaller ones.
        let number = (rest / milliseconds).min(MOST);
        rest -= number * milliseconds;
        (number, unit)
    });
    (parts, rest)
}

impl FromStr for DurationText {
    type Err = DurationTextError;

    fn from_str(text: &str) -> Result<Self, DurationTextError> {
        if text.is_empty() {
            return Err(DurationTextError::Empty);
        }
        let mut total = 0_u128;
        let mut units = UNITS.iter();
        let mut rest = text;
        while !rest.is_empty() {
            let (number, after) = split(rest, |c| c.is_ascii_digit());
            let (unit, after) = split(after, char::is_alphabetic);
            if number.is_empty() {
                return Err(DurationTextError::NoNumber { found: excerpt(rest).to_owned() });
            }
            if unit.is_empty() {
                return Err(DurationTextError::NoUnit { number: excerpt(number).to_owned() });
            }
            if number.len() > MOST_DIGITS {
                let number = number.get(..MOST_DIGITS).unwrap_or_default().to_owned();
                return Err(DurationTextError::TooManyDigits { number });
            }
            // Units that were passed over do not come back.
            let Some((_, milliseconds)) = units.find(|(name, _)| *name == unit) else {
                let unit = excerpt(unit).to_owned();
                let known = UNITS.iter().any(|(name, _)| *name == unit);
                return Err(if known {
                    DurationTextError::OutOfOrder { unit }
                } else {
                    DurationTextError::UnknownUnit { unit }
                });
            };
            let part = number.parse::<u128>().ok().and_then(|number| number.checked_mul(*milliseconds));
            total = part.and_then(|part| total.checked_add(part)).ok_or(DurationTextError::TooLong)?;
            rest = after;
        }
        let (seconds, milliseconds) = (u64::try_from(total / 1_000), u32::try_from(total % 1_000));
        match (seconds, milliseconds) {
            (Ok(seconds), Ok(milliseconds)) => Ok(Self(Duration::new(seconds, milliseconds * 1_000_000))),
            _ => Err(DurationTextError::TooLong),
        }
    }
}

/// The part whose characters are all of this kind, and the rest.
fn split(text: &str, kind: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at_checked(text.find(|c| !kind(c)).unwrap_or(text.len())).unwrap_or((text, ""))
}

impl fmt::Display for DurationText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_zero() {
            return f.pad("0s");
        }
        let (parts, _) = parts(self.0);
        let mut text = String::new();
        for (number, unit) in parts.iter().filter(|(number, _)| *number > 0) {
            write!(text, "{number}{unit}")?;
        }
        f.pad(&text)
    }
}

impl Serialize for DurationText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for DurationText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TextVisitor)
    }
}

struct TextVisitor;

impl Visitor<'_> for TextVisitor {
    type Value = DurationText;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a duration as text, such as `30s` or `1h30m`")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<DurationText, E> {
        text.parse().map_err(E::custom)
    }
}

impl JsonSchema for DurationText {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "DurationText".into()
    }

    fn schema_id() -> Cow<'static, str> {
        concat!(module_path!(), "::DurationText").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "minLength": 1,
            "pattern": PATTERN,
            "examples": ["30s", "1h30m", "250ms", "2d"],
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;
    use regex_lite::Regex;
    use serde_json::json;

    use super::DurationTextError::{Empty, NoNumber, NoUnit, OutOfOrder, TooFine, TooLong, TooManyDigits, UnknownUnit};
    use super::*;

    fn read(text: &str) -> Result<Duration, DurationTextError> {
        text.parse().map(DurationText::get)
    }

    const LONGEST: &str = "999999999999d999999999999h999999999999m999999999999s999999999999ms";

    #[test]
    fn units_add_up() {
        let cases = [
            ("30s", Duration::from_secs(30)),
            ("1h30m", Duration::from_mins(90)),
            ("250ms", Duration::from_millis(250)),
            ("2d", Duration::from_hours(48)),
            ("1d2h3m4s5ms", Duration::from_millis(93_784_005)),
            ("5m5ms", Duration::from_millis(300_005)),
            ("0s", Duration::ZERO),
            ("0d0h0m0s0ms", Duration::ZERO),
            ("1h05m", Duration::from_mins(65)),
            ("100m", Duration::from_mins(100)),
            ("999999999999d24h", Duration::from_hours(24_000_000_000_000)),
        ];
        for (text, duration) in cases {
            assert_eq!(read(text), Ok(duration), "{text}");
        }
    }

    #[test]
    fn whatever_else_is_refused_for_its_own_reason() {
        let no_number = |found: &str| NoNumber { found: found.to_owned() };
        let no_unit = |number: &str| NoUnit { number: number.to_owned() };
        let unknown = |unit: &str| UnknownUnit { unit: unit.to_owned() };
        let out_of_order = |unit: &str| OutOfOrder { unit: unit.to_owned() };
        let cases = [
            ("", Empty),
            ("30", no_unit("30")),
            ("1h30", no_unit("30")),
            ("30 s", no_unit("30")),
            ("1.5h", no_unit("1")),
            (" 30s", no_number(" 30s")),
            ("30s ", no_number(" ")),
            ("1h 30m", no_number(" 30m")),
            ("-3s", no_number("-3s")),
            ("+3s", no_number("+3s")),
            ("s", no_number("s")),
            ("PT30S", no_number("PT30S")),
            ("٣s", no_number("٣s")),
            ("30sec", unknown("sec")),
            ("30S", unknown("S")),
            ("5µs", unknown("µs")),
            ("1w", unknown("w")),
            ("30m1h", out_of_order("h")),
            ("1s1s", out_of_order("s")),
            ("1ms1s", out_of_order("s")),
            ("1234567890123ms", TooManyDigits { number: "123456789012".to_owned() }),
            ("0000000000001s", TooManyDigits { number: "000000000000".to_owned() }),
            ("a very long text instead of a duration", no_number("a very long text ins")),
        ];
        for (text, error) in cases {
            assert_eq!(read(text), Err(error), "{text}");
        }
    }

    #[test]
    fn messages_say_what_to_write() {
        let message = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(message(""), "the text is empty; write a whole number and a unit, such as `30s` or `1h30m`");
        assert_eq!(
            message("1h 30m"),
            "a whole number is expected before ` 30m`; write a duration such as `30s` or `1h30m`, without blanks"
        );
        assert_eq!(message("30"), "`30` has no unit; write `d`, `h`, `m`, `s` or `ms` right after it");
        assert_eq!(message("30sec"), "`sec` is no unit; the units are `d`, `h`, `m`, `s` and `ms`");
        assert_eq!(
            message("30m1h"),
            "`h` is out of place; each unit is given at most once, larger ones first, such as `1h30m`"
        );
        assert_eq!(message("1234567890123ms"), "`123456789012…` has more than 12 digits");
    }

    #[test]
    fn the_shortest_form_is_written() {
        let cases = [
            ("90m", "1h30m"),
            ("48h", "2d"),
            ("1000ms", "1s"),
            ("0ms", "0s"),
            ("07s", "7s"),
            ("86400001ms", "1d1ms"),
            (LONGEST, LONGEST),
        ];
        for (text, canonical) in cases {
            assert_eq!(text.parse::<DurationText>().unwrap().to_string(), canonical);
        }
        assert_eq!(format!("[{:>6}]", DurationText::from_secs(30)), "[   30s]");
        assert_eq!(serde_json::to_value(DurationText::from_millis(1_250)).unwrap(), json!("1s250ms"));
    }

    #[test]
    fn only_text_is_taken() {
        assert_eq!(serde_json::from_str::<DurationText>("\"1m\"").unwrap().get(), Duration::from_mins(1));
        for (sent, message) in [
            (
                "30",
                "invalid type: integer `30`, expected a duration as text, such as `30s` or `1h30m` at line 1 column 2",
            ),
            ("\"30\"", "`30` has no unit; write `d`, `h`, `m`, `s` or `ms` right after it at line 1 column 4"),
        ] {
            assert_eq!(serde_json::from_str::<DurationText>(sent).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn what_no_text_can_say_is_refused() {
        assert_eq!(DurationText::try_from(Duration::from_nanos(1)), Err(TooFine));
        assert_eq!(DurationText::try_from(Duration::from_micros(1_500)), Err(TooFine));
        assert_eq!(DurationText::try_from(Duration::from_secs(u64::MAX)), Err(TooLong));
        let longest = read(LONGEST).unwrap();
        assert_eq!(DurationText::try_from(longest).unwrap().to_string(), LONGEST);
        assert_eq!(DurationText::try_from(longest + Duration::from_millis(1)), Err(TooLong));
        assert_eq!(DurationText::try_from(Duration::from_secs(3)), Ok(DurationText::from_secs(3)));
        assert_eq!(DurationText::from_secs(u32::MAX).to_string(), "49710d6h28m15s");
        assert_eq!(Duration::from(DurationText::from_millis(5)), Duration::from_millis(5));
    }

    /// What the schema says of a text.
    fn matches(text: &str) -> bool {
        let schema = schemars::schema_for!(DurationText);
        let pattern = schema.get("pattern").unwrap().as_str().unwrap().to_owned();
        let at_least = usize::try_from(schema.get("minLength").unwrap().as_u64().unwrap()).unwrap();
        text.chars().count() >= at_least && Regex::new(&pattern).unwrap().is_match(text)
    }

    #[test]
    fn the_schema_says_the_form() {
        let schema = schemars::SchemaGenerator::default().subschema_for::<Option<DurationText>>();
        assert_eq!(
            schema.to_value(),
            json!({
                "type": ["string", "null"],
                "minLength": 1,
                "pattern": "^([0-9]{1,12}d)?([0-9]{1,12}h)?([0-9]{1,12}m)?([0-9]{1,12}s)?([0-9]{1,12}ms)?$",
                "examples": ["30s", "1h30m", "250ms", "2d"],
            })
        );
    }

    fn text() -> impl Strategy<Value = String> {
        let part = ("[0-9]{0,14}", prop::sample::select(vec!["d", "h", "m", "s", "ms", "", "x", " ", "S", "\n"]));
        let parts = prop::collection::vec(part, 0..6)
            .prop_map(|parts| parts.into_iter().map(|(number, unit)| number + unit).collect());
        let ordered = prop::array::uniform5("[0-9]{0,13}").prop_map(|numbers| {
            let parts = numbers.into_iter().zip(UNITS).filter(|(number, _)| !number.is_empty());
            parts.map(|(number, (unit, _))| number + unit).collect()
        });
        prop_oneof![parts, ordered, ".{0,8}"]
    }

    proptest! {
        #[test]
        fn the_schema_and_the_reader_take_the_same(text in text()) {
            prop_assert_eq!(matches(&text), text.parse::<DurationText>().is_ok(), "{:?}", text);
        }

        #[test]
        fn what_is_written_is_read_again(days in 0..1_040_000_000_000_u64, milliseconds in 0..86_400_000_u64) {
            let whole = Duration::from_secs(days * 86_400) + Duration::from_millis(milliseconds);
            let duration = DurationText::try_from(whole).unwrap();
            let text = duration.to_string();
            prop_assert_eq!(text.parse(), Ok(duration));
            prop_assert!(matches(&text), "{}", text);
            let sent = serde_json::to_string(&duration).unwrap();
            prop_assert_eq!(serde_json::from_str::<DurationText>(&sent).unwrap(), duration);
        }
    }
}
