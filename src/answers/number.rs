//! Numbers of JSON by their value, whatever their spelling and length: nothing goes through a float.

use serde_json::Value;

/// Whether two values are equal: numbers by value, objects in whatever order.
pub(crate) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => match (decimal(&a.to_string()), decimal(&b.to_string())) {
            (Some(a), Some(b)) => a == b,
            _ => a == b,
        },
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        (a, b) => a == b,
    }
}

/// A whole number from 0, be it spelled `2` or `2.0`.
pub(crate) fn whole(value: &Value) -> Option<u64> {
    let number = value.as_number()?.to_string();
    let Decimal { negative, digits, exponent } = decimal(&number)?;
    if digits.is_empty() {
        return Some(0);
    }
    let zeros = usize::try_from(exponent).ok().filter(|zeros| *zeros <= 20 && !negative)?;
    format!("{digits}{}", "0".repeat(zeros)).parse().ok()
}

/// Digits times a power of ten.
#[derive(Debug, PartialEq, Eq)]
struct Decimal {
    negative: bool,
    /// Without zeros at either end; none for zero.
    digits: String,
    exponent: i64,
}

/// Reads a number of JSON; `None` when its exponent is beyond all measure.
fn decimal(text: &str) -> Option<Decimal> {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (int, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{int}{fraction}");
    let digits = digits.trim_start_matches('0');
    let kept = digits.trim_end_matches('0');
    if kept.is_empty() {
        return Some(Decimal { negative: false, digits: String::new(), exponent: 0 });
    }
    let shift = i64::try_from(digits.len() - kept.len()).ok()? - i64::try_from(fraction.len()).ok()?;
    let exponent = exponent.parse::<i64>().ok()?.checked_add(shift)?;
    Some(Decimal { negative, digits: kept.to_owned(), exponent })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn numbers_are_compared_by_value() {
        for (a, b, equal) in [
            ("5", "5.0", true),
            ("5", "50e-1", true),
            ("100", "1E+2", true),
            ("0.1", "0.10", true),
            ("0", "-0.0e9", true),
            ("-5", "5", false),
            ("0.1", "0.1000000000000000055511151231257827", false),
            ("9007199254740993", "9007199254740992", false),
            ("9007199254740993", "9007199254740993.0", true),
            ("1e400", "10e399", true),
            ("1e400", "1e401", false),
            ("1e99999999999999999999", "1e99999999999999999999", true),
            (r#"{"a": [1, {"b": 2}], "c": "1"}"#, r#"{"c": "1", "a": [1.0, {"b": 2e0}]}"#, true),
            ("[1, 2]", "[2, 1]", false),
            ("1", "\"1\"", false),
            ("{}", r#"{"a": null}"#, false),
        ] {
            assert_eq!(same(&read(a), &read(b)), equal, "{a} {b}");
            assert_eq!(same(&read(b), &read(a)), equal, "{b} {a}");
        }
    }

    #[test]
    fn a_whole_number_may_be_spelled_in_any_way() {
        for (text, number) in [
            ("0", Some(0)),
            ("2.0", Some(2)),
            ("2e1", Some(20)),
            ("18446744073709551615", Some(u64::MAX)),
            ("18446744073709551616", None),
            ("1e99", None),
            ("2.5", None),
            ("-1", None),
            ("\"2\"", None),
        ] {
            assert_eq!(whole(&read(text)), number, "{text}");
        }
    }
}
