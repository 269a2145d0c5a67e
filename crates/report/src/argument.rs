//! Arguments of texts as a language writes them.
//!
//! Sizes are decimal everywhere, as the contract's `GB`: 1 GB is 10^9 bytes, with one decimal. Only the memory table
//! shows GiB (2^30) beside it, because drivers and engines print that.

use maat_base::{Arg, Text};

use crate::{Lang, Localiser, number};

/// An argument in words.
pub fn shown(local: &Localiser, arg: &Arg) -> String {
    let lang = local.lang();
    match arg {
        Arg::Str(text) => clean(text),
        Arg::Count(n) => number::whole(lang, *n),
        Arg::Number(value) => number::significant(lang, *value, 3),
        Arg::Bytes(n) => bytes(lang, *n as f64),
        Arg::Seconds(value) => seconds(local, *value),
        Arg::Share(share) => percent(lang, *share),
        Arg::Money(amount, currency) => money(lang, *amount, currency),
        Arg::Watts(value) => scaled(lang, *value, 1000.0, &["W", "kW", "MW", "GW"], 3),
        Arg::Date(date) => clean(date),
        Arg::BytesPerSecond(value) => bandwidth(lang, *value),
        Arg::FlopPerSecond(value) => {
            const UNITS: &[&str] =
                &["FLOP/s", "kFLOP/s", "MFLOP/s", "GFLOP/s", "TFLOP/s", "PFLOP/s", "EFLOP/s"];
            scaled(lang, *value, 1000.0, UNITS, 3)
        }
        Arg::TokensPerSecond(value) => format!("{} tokens/s", tokens(lang, *value)),
        Arg::Text(text) => local.text(text),
        Arg::List(items) => list(local, items),
    }
}

/// Text of strangers without what could steer a terminal.
pub fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// Bytes with one decimal, in decimal units: 812 MB, 1.1 GB, 2.4 TB.
pub fn bytes(lang: Lang, n: f64) -> String {
    let size = n.abs();
    let (factor, unit, decimals) = match size {
        _ if size < 1e3 => (1.0, "B", 0),
        _ if size < 999.5e3 => (1e3, "kB", 0),
        _ if size < 999.5e6 => (1e6, "MB", 0),
        _ if size < 9999.5e9 => (1e9, "GB", 1),
        _ => (1e12, "TB", 1),
    };
    format!("{} {unit}", number::fixed(lang, n / factor, decimals))
}

/// A bandwidth: 760 GB/s, 3,350 GB/s.
pub fn bandwidth(lang: Lang, value: f64) -> String {
    let (factor, unit) = match value.abs() {
        size if size < 1e6 => (1e3, "kB/s"),
        size if size < 1e9 => (1e6, "MB/s"),
        size if size < 1e13 => (1e9, "GB/s"),
        _ => (1e12, "TB/s"),
    };
    let value = value / factor;
    let digits = if value >= 1000.0 { 4 } else { 3 };
    format!("{} {unit}", number::significant(lang, value, digits))
}

/// A share in percent: 60%, 0.4%.
pub fn percent(lang: Lang, share: f64) -> String {
    let percent = share * 100.0;
    if 0.0 < percent && percent < 0.05 {
        return format!("<{}%", number::fixed(lang, 0.1, 1));
    }
    let decimals = usize::from(percent != 0.0 && percent.abs() < 9.95);
    format!("{}%", number::fixed(lang, percent, decimals))
}

/// Tokens per second without the unit: whole from 10 up.
pub fn tokens(lang: Lang, value: f64) -> String {
    if value.abs() < 9.95 {
        number::fixed(lang, value, 1)
    } else {
        number::fixed(lang, three_digits(value), 0)
    }
}

/// A number of at least 10 to three significant digits, whole.
fn three_digits(value: f64) -> f64 {
    let step = 10f64.powf((value.abs().log10().floor() - 2.0).max(0.0));
    (value / step).round() * step
}

/// Money with its sign: $2.90, € 2,90; whole from a thousand up, three digits below ten cents.
pub fn money(lang: Lang, amount: f64, currency: &str) -> String {
    let sign = match currency {
        "USD" => "$",
        "EUR" => "€",
        other => other,
    };
    let size = amount.abs();
    let digits = match size {
        _ if size == 0.0 => number::fixed(lang, amount, 2),
        _ if size < 0.0995 => number::significant(lang, amount, 2),
        _ if size < 999.995 => number::fixed(lang, amount, 2),
        _ => number::fixed(lang, amount, 0),
    };
    let apart = if lang == Lang::Nl { " " } else { "" };
    format!("{sign}{apart}{digits}")
}

/// A time in the unit that suits it: 12 ms, 1.4 s, 3.2 min, 5.1 h, 12 days.
pub fn seconds(local: &Localiser, value: f64) -> String {
    let lang = local.lang();
    let size = value.abs();
    let of = |factor: f64, unit: &str| format!("{} {unit}", number::significant(lang, value / factor, 2));
    match size {
        _ if size == 0.0 => "0 s".to_owned(),
        _ if size < 0.9995e-3 => of(1e-6, "µs"),
        _ if size < 0.9995 => of(1e-3, "ms"),
        _ if size < 99.95 => of(1.0, "s"),
        _ if size < 7200.0 => of(60.0, "min"),
        _ if size < 172_800.0 => of(3600.0, &local.label("unit-hour")),
        _ => {
            let days = number::significant(lang, value / 86_400.0, 2);
            local.text(&Text::new("unit-days").with("days", days))
        }
    }
}

/// A number with the greatest unit that leaves at least 1.
fn scaled(lang: Lang, value: f64, step: f64, units: &[&str], digits: i32) -> String {
    let mut value = value;
    let mut place = 0;
    while value.abs() >= step && place + 1 < units.len() {
        value /= step;
        place += 1;
    }
    let unit = units.get(place).copied().unwrap_or_default();
    let number = if place == 0 && value.fract() == 0.0 {
        number::fixed(lang, value, 0)
    } else {
        number::significant(lang, value, digits)
    };
    format!("{number} {unit}")
}

fn list(local: &Localiser, items: &[Arg]) -> String {
    let shown: Vec<String> = items.iter().map(|item| shown(local, item)).collect();
    match shown.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => {
            let joined = Text::new("list-and").with("first", rest.join(", ")).with("last", last.as_str());
            local.text(&joined)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_decimal_with_one_decimal() {
        for (n, text) in [
            (0.0, "0 B"),
            (811.7e6, "812 MB"),
            (1.14e9, "1.1 GB"),
            (999.6e6, "1.0 GB"),
            (2.4e13, "24.0 TB"),
            (-3e9, "-3.0 GB"),
        ] {
            assert_eq!(bytes(Lang::En, n), text);
        }
        assert_eq!(bytes(Lang::Nl, 1.14e12), "1.140,0 GB");
    }

    #[test]
    fn money_in_both_languages() {
        assert_eq!(money(Lang::En, 2.9, "USD"), "$2.90");
        assert_eq!(money(Lang::Nl, 2.9, "EUR"), "€ 2,90");
        assert_eq!(money(Lang::En, 260000.0, "USD"), "$260,000");
        assert_eq!(money(Lang::En, 0.01234, "USD"), "$0.012");
    }

    #[test]
    fn times_choose_their_unit() {
        let local = Localiser::new(Lang::En);
        for (value, text) in [
            (0.0123, "12 ms"),
            (1.44, "1.4 s"),
            (192.0, "3.2 min"),
            (18_360.0, "5.1 h"),
            (1_036_800.0, "12 days"),
        ] {
            assert_eq!(seconds(&local, value), text);
        }
    }

    #[test]
    fn control_characters_of_strangers_do_not_reach_the_terminal() {
        assert_eq!(clean("a\u{1b}[31mb\n"), "a\u{fffd}[31mb\u{fffd}");
    }
}
