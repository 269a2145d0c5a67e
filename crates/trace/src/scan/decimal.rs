//! Decimal text to integers, without a float in between: an absolute time of 1.7e15 µs has no room for nanoseconds in
//! a double.

/// Times beyond this are no times (±126 years); with durations of 15 years at most, every difference fits an `i64`.
const LIMIT_NS: i128 = 4_000_000_000_000_000_000;

/// A time in microseconds as nanoseconds, rounded half away from zero; `None` for what is no number or beyond
/// ±4e18 ns.
pub(crate) fn nanoseconds(text: &[u8]) -> Option<i64> {
    scaled(text, 3).filter(|value| value.abs() <= LIMIT_NS).and_then(|value| i64::try_from(value).ok())
}

/// A whole number; `None` for what is none.
pub(crate) fn integer(text: &[u8]) -> Option<i64> {
    let (negative, digits) = sign(text);
    if digits.is_empty() || digits.len() > 18 {
        return scaled(text, 0).and_then(|value| i64::try_from(value).ok());
    }
    let mut value = 0_i64;
    for &digit in digits {
        if !digit.is_ascii_digit() {
            return scaled(text, 0).and_then(|value| i64::try_from(value).ok());
        }
        value = value * 10 + i64::from(digit - b'0');
    }
    Some(if negative { -value } else { value })
}

fn sign(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, text),
    }
}

/// The number times ten to the power of `places`, rounded half away from zero.
fn scaled(text: &[u8], places: i32) -> Option<i128> {
    let (negative, mut rest) = sign(text);
    let mut mantissa = 0_i128;
    let mut exponent = places;
    let mut any = false;
    let mut fraction = false;
    while let [byte, tail @ ..] = rest {
        match byte {
            b'0'..=b'9' if mantissa < i128::MAX / 16 => {
                mantissa = mantissa * 10 + i128::from(byte - b'0');
                exponent -= i32::from(fraction);
                any = true;
            }
            // Digits beyond what can be kept only matter for the place of the point.
            b'0'..=b'9' => exponent = exponent.checked_add(i32::from(!fraction))?,
            b'.' if !fraction => fraction = true,
            b'e' | b'E' if any => {
                exponent = exponent.checked_add(written_exponent(tail)?)?;
                break;
            }
            _ => return None,
        }
        rest = tail;
    }
    let value = if any { shifted(mantissa, exponent)? } else { return None };
    Some(if negative { -value } else { value })
}

fn written_exponent(text: &[u8]) -> Option<i32> {
    let text = text.strip_prefix(b"+").unwrap_or(text);
    std::str::from_utf8(text).ok()?.parse().ok()
}

fn shifted(mantissa: i128, exponent: i32) -> Option<i128> {
    if mantissa == 0 {
        return Some(0);
    }
    let power = 10_i128.checked_pow(exponent.unsigned_abs());
    if exponent >= 0 {
        return mantissa.checked_mul(power?);
    }
    // Beyond the range of powers everything rounds to nothing.
    let Some(power) = power else { return Some(0) };
    Some(mantissa / power + i128::from(mantissa % power >= power - power / 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn microseconds_become_exact_nanoseconds() {
        // 1.7e15 µs with three decimals needs 61 bits; a double has 53.
        assert_eq!(nanoseconds(b"1712867402348289.125"), Some(1_712_867_402_348_289_125));
        assert_eq!(nanoseconds(b"20.5"), Some(20_500));
        assert_eq!(nanoseconds(b"0"), Some(0));
        assert_eq!(nanoseconds(b"-3"), Some(-3_000));
        assert_eq!(nanoseconds(b"1.5e3"), Some(1_500_000));
        assert_eq!(nanoseconds(b"15E-1"), Some(1_500));
        assert_eq!(nanoseconds(b"0.0004"), Some(0));
        assert_eq!(nanoseconds(b"0.0005"), Some(1));
        assert_eq!(nanoseconds(b"-0.0005"), Some(-1));
        assert_eq!(nanoseconds(b"1.00000000000000000000000000000000000000000000000000001"), Some(1_000));
    }

    #[test]
    fn what_is_no_time_is_none() {
        for text in [
            "",
            "-",
            ".",
            "NaN",
            "nan",
            "Infinity",
            "1e400",
            "1e99999999999",
            "9223372036854775807",
            "1..2",
            "0x10",
            "1e",
            "true",
        ] {
            assert_eq!(nanoseconds(text.as_bytes()), None, "{text}");
        }
        assert_eq!(nanoseconds(b"1e-400"), Some(0));
    }

    #[test]
    fn whole_numbers() {
        assert_eq!(integer(b"9223372036854775807"), Some(i64::MAX));
        assert_eq!(integer(b"-549452224"), Some(-549_452_224));
        assert_eq!(integer(b"18446744073709551615"), None);
        assert_eq!(integer(b"7.0"), Some(7));
        assert_eq!(integer(b"x"), None);
    }

    proptest! {
        #[test]
        fn three_decimals_survive(ns in -4_000_000_000_000_000_000_i64..=4_000_000_000_000_000_000) {
            let text = format!("{}{}.{:03}", if ns < 0 { "-" } else { "" }, ns.unsigned_abs() / 1000, ns.unsigned_abs() % 1000);
            prop_assert_eq!(nanoseconds(text.as_bytes()), Some(ns));
        }

        #[test]
        fn any_bytes_give_an_answer(text in proptest::collection::vec(any::<u8>(), 0..40)) {
            let _ = (nanoseconds(&text), integer(&text));
        }
    }
}
