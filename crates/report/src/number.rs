//! Numbers as a language writes them: 1,234.5 in English, 1.234,5 in Dutch.

use fluent_bundle::FluentValue;

use crate::Lang;

/// Decimal sign and thousands separator.
const fn signs(lang: Lang) -> (char, char) {
    match lang {
        Lang::En => ('.', ','),
        Lang::Nl => (',', '.'),
    }
}

/// A whole number with its thousands apart.
pub fn whole(lang: Lang, n: u64) -> String {
    grouped(lang, &n.to_string())
}

/// A number with a fixed number of decimals; a number that is none is `?`.
pub fn fixed(lang: Lang, value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return "?".to_owned();
    }
    let plain = format!("{:.decimals$}", value.abs());
    let negative = value < 0.0 && plain.bytes().any(|b| (b'1'..=b'9').contains(&b));
    let (integer, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
    let mut out = String::new();
    if negative {
        out.push('-');
    }
    out.push_str(&grouped(lang, integer));
    if !fraction.is_empty() {
        out.push(signs(lang).0);
        out.push_str(fraction);
    }
    out
}

/// A number with `digits` significant digits, never in powers of ten: 0.0123, 1.23, 12.3, 1,230.
pub fn significant(lang: Lang, value: f64, digits: i32) -> String {
    if value == 0.0 || !value.is_finite() {
        return fixed(lang, value, 0);
    }
    let magnitude = value.abs().log10().floor() as i32;
    let rounded = {
        let scale = 10f64.powi(digits - 1 - magnitude);
        if scale.is_finite() && scale > 0.0 { (value * scale).round() / scale } else { value }
    };
    // Rounding may carry into the next power of ten: 9.996 is 10.0.
    let magnitude = rounded.abs().log10().floor() as i32;
    let decimals = usize::try_from(digits - 1 - magnitude).unwrap_or(0).min(12);
    fixed(lang, rounded, decimals)
}

/// What Fluent asks to write a number: only counts reach it.
pub fn fluent(lang: Lang, value: &FluentValue) -> Option<String> {
    match value {
        FluentValue::Number(number) => {
            let decimals = usize::from(number.value.fract() != 0.0);
            Some(fixed(lang, number.value, decimals))
        }
        _ => None,
    }
}

fn grouped(lang: Lang, digits: &str) -> String {
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(signs(lang).1);
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages() {
        assert_eq!(fixed(Lang::En, 1234.56, 1), "1,234.6");
        assert_eq!(fixed(Lang::Nl, 1234.56, 1), "1.234,6");
        assert_eq!(whole(Lang::En, 999), "999");
        assert_eq!(whole(Lang::Nl, 1_048_576), "1.048.576");
        assert_eq!(fixed(Lang::En, -0.04, 1), "0.0");
        assert_eq!(fixed(Lang::En, f64::NAN, 1), "?");
    }

    #[test]
    fn three_significant_digits() {
        for (value, text) in [
            (0.012345, "0.0123"),
            (9.996, "10.0"),
            (99.96, "100"),
            (1234.0, "1,230"),
            (0.0, "0"),
            (-3.0, "-3.00"),
        ] {
            assert_eq!(significant(Lang::En, value, 3), text);
        }
    }
}
