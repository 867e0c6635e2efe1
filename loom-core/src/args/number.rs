//! JSON numbers as text: compared and converted without losing a digit.

use std::cmp::Ordering;

/// The largest integer up to which every integer is exact in a double: 2^53 − 1 (ECMA-262, `Number.MAX_SAFE_INTEGER`).
const MAX_SAFE: f64 = 9_007_199_254_740_991.0;

/// Whether the JSON number is written as an integer. `-0` is not: no integer type of Rust reads it.
pub(super) fn is_integer(text: &str) -> bool {
    text != "-0" && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}

/// The integer that a number with a fraction or an exponent says, if it says one exactly.
pub(super) fn integral(text: &str) -> Option<String> {
    let value: f64 = text.parse().ok()?;
    #[expect(clippy::cast_possible_truncation, reason = "integral and within 2^53")]
    (value.fract() == 0.0 && value.abs() <= MAX_SAFE).then(|| (value as i64).to_string())
}

/// The integer that a text spells, trimmed: digits with an optional sign, and a fraction only of zeros.
pub(super) fn integer_text(text: &str) -> Option<String> {
    let text = text.trim();
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    let plain = digits == "0" || (!digits.starts_with('0') && !digits.is_empty());
    let fits = plain
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && !fraction.is_empty()
        && fraction.bytes().all(|byte| byte == b'0');
    fits.then(|| if digits == "0" { "0".to_owned() } else { whole.to_owned() })
}

/// The number that a text spells, trimmed, if it is one finite JSON number.
pub(super) fn number_text(text: &str) -> Option<String> {
    let text = text.trim();
    let parsed = super::json::Json::parse(text).ok()?;
    let finite = text.parse::<f64>().is_ok_and(f64::is_finite);
    (matches!(parsed, super::json::Json::Number(_)) && finite).then(|| text.to_owned())
}

/// Compares two JSON numbers by value: exactly where both are integers of up to 128 bits.
pub(super) fn compare(a: &str, b: &str) -> Option<Ordering> {
    match (a.parse::<i128>(), b.parse::<i128>()) {
        (Ok(a), Ok(b)) => Some(a.cmp(&b)),
        _ => a.parse::<f64>().ok()?.partial_cmp(&b.parse::<f64>().ok()?),
    }
}

/// Whether `value` is a multiple of `step`.
pub(super) fn is_multiple(value: &str, step: &str) -> bool {
    if let (Ok(value), Ok(step)) = (value.parse::<i128>(), step.parse::<i128>()) {
        return value.checked_rem(step) == Some(0);
    }
    let (Ok(value), Ok(step)) = (value.parse::<f64>(), step.parse::<f64>()) else { return false };
    let ratio = value / step;
    // A step such as 0.01 is no exact double: what is within rounding of a multiple is one.
    ratio.is_finite() && (ratio - ratio.round()).abs() <= ratio.abs().max(1.0) * f64::EPSILON * 4.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_spelled_in_one_way_only() {
        let cases = [
            ("7", Some("7")),
            (" -7 ", Some("-7")),
            ("7.00", Some("7")),
            ("0", Some("0")),
            ("-0", Some("0")),
            ("340282366920938463463374607431768211455", Some("340282366920938463463374607431768211455")),
            ("07", None),
            ("+7", None),
            ("7.", None),
            (".0", None),
            ("7.5", None),
            ("1e3", None),
            ("1,000", None),
            ("0x10", None),
            ("1_000", None),
            ("٣", None),
            ("", None),
            ("-", None),
            ("--7", None),
            ("7 8", None),
        ];
        for (text, expected) in cases {
            assert_eq!(integer_text(text).as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn integral_numbers_are_integers_up_to_what_a_double_holds() {
        let cases = [
            ("5.0", Some("5")),
            ("1e3", Some("1000")),
            ("-0", Some("0")),
            ("-2.0", Some("-2")),
            ("9007199254740991.0", Some("9007199254740991")),
            ("9007199254740993.0", None),
            ("5.5", None),
            ("1e400", None),
        ];
        for (text, expected) in cases {
            assert_eq!(integral(text).as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn numbers_are_finite_json_numbers() {
        let cases = [
            ("1.5", Some("1.5")),
            (" 1e3 ", Some("1e3")),
            ("NaN", None),
            ("inf", None),
            ("1e400", None),
            ("1.", None),
            ("\"1\"", None),
            ("true", None),
        ];
        for (text, expected) in cases {
            assert_eq!(number_text(text).as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn comparison_loses_no_digit() {
        assert_eq!(compare("9007199254740993", "9007199254740992"), Some(Ordering::Greater));
        assert_eq!(compare("1.5", "2"), Some(Ordering::Less));
        assert_eq!(compare("5.0", "5"), Some(Ordering::Equal));
        assert!(is_multiple("9", "3") && !is_multiple("10", "3"));
        assert!(is_multiple("0.3", "0.1") && !is_multiple("0.35", "0.1"));
    }
}
