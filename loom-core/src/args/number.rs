//! JSON numbers as text: compared and converted without losing a digit.

use std::cmp::Ordering;

/// The largest integer up to which every integer is exact in a double: 2^53 − 1 (ECMA-262, `Number.MAX_SAFE_INTEGER`).
const MAX_SAFE: u64 = 9_007_199_254_740_991;

/// How many digits it has.
const MAX_SAFE_DIGITS: usize = 16;

/// Whether the JSON number is written as an integer. `-0` is not: no integer type of Rust reads it.
pub(super) fn is_integer(text: &str) -> bool {
    text != "-0" && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}

/// The integer that a number with a fraction or an exponent says, if it says one exactly, of a size up to which a
/// double holds every integer. Digit by digit: as a double, 4503599627370497.5 and 1e-400 would be integers too.
pub(super) fn integral(text: &str) -> Option<String> {
    let (sign, text) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_start_matches('0');
    if significant.is_empty() {
        return Some("0".to_owned());
    }
    // How many digits stand before the point, leading zeros aside.
    let leading = digits.len() - significant.len();
    let point = i64::try_from(whole.len()).ok()?.checked_sub(i64::try_from(leading).ok()?)?;
    let point =
        usize::try_from(point.checked_add(exponent.parse().ok()?)?).ok().filter(|point| *point <= MAX_SAFE_DIGITS)?;
    let significant = significant.trim_end_matches('0');
    if significant.len() > point {
        return None;
    }
    let integer = format!("{significant:0<point$}");
    (integer.parse::<u64>().ok()? <= MAX_SAFE).then(|| format!("{sign}{integer}"))
}

/// The integer that a text spells, trimmed: digits with an optional sign, and a fraction only of zeros.
pub(super) fn integer_text(text: &str) -> Option<&str> {
    let text = text.trim();
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    let plain = digits == "0" || (!digits.starts_with('0') && !digits.is_empty());
    let fits = plain
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && !fraction.is_empty()
        && fraction.bytes().all(|byte| byte == b'0');
    fits.then_some(if digits == "0" { digits } else { whole })
}

/// The number that a text spells, trimmed, if it is one finite JSON number.
pub(super) fn number_text(text: &str) -> Option<&str> {
    let text = text.trim();
    let parsed = super::json::Json::parse(text).ok()?;
    (matches!(parsed, super::json::Json::Number(_)) && is_finite(text)).then_some(text)
}

/// Whether a double holds something for the number: beyond its range nothing reads it.
pub(super) fn is_finite(text: &str) -> bool {
    // Every integer of up to 308 digits is within the range.
    (text.len() <= f64::MAX_10_EXP as usize && is_integer(text)) || text.parse::<f64>().is_ok_and(f64::is_finite)
}

/// Whether the number is written as an integer that takes more than 64 bits.
pub(super) fn is_wide(text: &str) -> bool {
    // Eighteen digits always fit.
    text.len() > 18 && is_integer(text) && text.parse::<u64>().is_err() && text.parse::<i64>().is_err()
}

/// Compares two JSON numbers by value: exactly where both are written as integers.
pub(super) fn compare(a: &str, b: &str) -> Option<Ordering> {
    if is_integer(a) && is_integer(b) {
        let (size_a, size_b) = (a.trim_start_matches('-'), b.trim_start_matches('-'));
        let by_size = size_a.len().cmp(&size_b.len()).then_with(|| size_a.cmp(size_b));
        return Some(match (a.starts_with('-'), b.starts_with('-')) {
            (false, false) => by_size,
            (true, true) => by_size.reverse(),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        });
    }
    a.parse::<f64>().ok()?.partial_cmp(&b.parse::<f64>().ok()?)
}

/// One spelling for all numbers of the same value, so that equal ones can be found by their text.
pub(super) fn canonical(text: &str) -> String {
    if is_integer(text) {
        return text.to_owned();
    }
    integral(text).or_else(|| text.parse::<f64>().ok().map(|number| number.to_string())).unwrap_or_default()
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
            assert_eq!(integer_text(text), expected, "{text:?}");
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
            ("-9007199254740991.0", Some("-9007199254740991")),
            ("9007199254740992.0", None),
            ("12.50e1", Some("125")),
            ("1200e-2", Some("12")),
            ("0.00120e5", Some("120")),
            ("0e999999999999999999999", Some("0")),
            ("0.0", Some("0")),
            ("4503599627370497.5", None),
            ("0.99999999999999999999", None),
            ("1.00000000000000000001", None),
            ("1e-400", None),
            ("1e99999999999999999999", None),
            ("1e9223372036854775807", None),
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
            assert_eq!(number_text(text), expected, "{text:?}");
        }
    }

    #[test]
    fn comparison_loses_no_digit() {
        assert_eq!(compare("9007199254740993", "9007199254740992"), Some(Ordering::Greater));
        assert_eq!(compare("1.5", "2"), Some(Ordering::Less));
        assert_eq!(compare("5.0", "5"), Some(Ordering::Equal));
        assert_eq!(compare("-10", "-9"), Some(Ordering::Less));
        assert_eq!(compare("-10", "9"), Some(Ordering::Less));
        assert_eq!(compare("9", "-10"), Some(Ordering::Greater));
        let (most, more) = ("340282366920938463463374607431768211455", "340282366920938463463374607431768211456");
        assert_eq!(compare(most, more), Some(Ordering::Less));
        assert!(is_multiple("9", "3") && !is_multiple("10", "3"));
        assert!(is_multiple("0.3", "0.1") && !is_multiple("0.35", "0.1"));
    }
}
