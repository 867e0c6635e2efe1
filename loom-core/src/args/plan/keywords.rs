//! What single keywords of a schema say.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{Kind, NumberBounds, Size};

pub(super) fn kinds(schema: &Map<String, Value>) -> Option<Vec<Kind>> {
    match schema.get("type")? {
        Value::String(name) => Some(Kind::from_name(name).into_iter().collect()),
        Value::Array(names) => Some(names.iter().filter_map(Value::as_str).filter_map(Kind::from_name).collect()),
        _ => None,
    }
}

pub(super) fn size(schema: &Map<String, Value>, min: &str, max: &str) -> Size {
    let bound = |keyword: &str| schema.get(keyword).and_then(|value| value.as_u64().or(whole(value)));
    Size { min: bound(min), max: bound(max) }
}

/// `2.0` is the same bound as `2`.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "integral and not negative")]
fn whole(value: &Value) -> Option<u64> {
    let number = value.as_f64()?;
    (number.fract() == 0.0 && number >= 0.0).then_some(number as u64)
}

/// Whether these bounds are just the range of the Rust type that the format names, which deserialising checks. The
/// range of a 128-bit type, which a schema cannot say, is added to them.
pub(super) fn fits_format(bounds: &mut NumberBounds, format: Option<&str>) -> bool {
    let native = |min: &dyn ToString, max: &dyn ToString| (Some(min.to_string()), Some(max.to_string()));
    let (min, max) = match format {
        Some("int8") => native(&i8::MIN, &i8::MAX),
        Some("int16") => native(&i16::MIN, &i16::MAX),
        Some("int32") => native(&i32::MIN, &i32::MAX),
        Some("int64") => native(&i64::MIN, &i64::MAX),
        Some("int") => native(&isize::MIN, &isize::MAX),
        Some("int128") => native(&i128::MIN, &i128::MAX),
        Some("uint8") => native(&0, &u8::MAX),
        Some("uint16") => native(&0, &u16::MAX),
        Some("uint32") => native(&0, &u32::MAX),
        Some("uint64") => native(&0, &u64::MAX),
        Some("uint") => native(&0, &usize::MAX),
        Some("uint128") => native(&0, &u128::MAX),
        Some("float") => native(&Value::from(f64::from(f32::MIN)), &Value::from(f64::from(f32::MAX))),
        _ => (None, None),
    };
    if matches!(format, Some("int128" | "uint128")) {
        bounds.minimum = bounds.minimum.take().or_else(|| min.clone());
        bounds.maximum = bounds.maximum.take().or_else(|| max.clone());
    }
    let long = |bound: &Option<String>| bound.as_ref().is_some_and(|bound| bound.len() > "-2147483648".len());
    bounds.hides_minimum = long(&min) && bounds.minimum == min;
    bounds.hides_maximum = long(&max) && bounds.maximum == max;
    let plain =
        bounds.exclusive_minimum.is_none() && bounds.exclusive_maximum.is_none() && bounds.multiple_of.is_none();
    plain && bounds.minimum == min && bounds.maximum == max
}

/// A fragment of a reference without its percent-encoding, which names beyond plain ASCII need.
pub(crate) fn percent_decoded(fragment: &str) -> Option<Cow<'_, str>> {
    if !fragment.contains('%') {
        return Some(Cow::Borrowed(fragment));
    }
    let mut parts = fragment.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let (code, rest) = part.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(code, 16).ok()?);
        bytes.extend_from_slice(rest.as_bytes());
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}
