//! Numbers, units and times as tools write them.

/// Units of printed values: the factor to the base unit (bytes, seconds, watts, MHz, degrees, shares).
const UNITS: &[(&str, f64)] = &[
    ("%", 0.01),
    ("b", 1.0),
    ("kb", 1e3),
    ("mb", 1e6),
    ("gb", 1e9),
    ("tb", 1e12),
    ("kib", 1024.0),
    ("mib", 1_048_576.0),
    ("gib", 1_073_741_824.0),
    ("tib", 1_099_511_627_776.0),
    ("kb/s", 1e3),
    ("mb/s", 1e6),
    ("gb/s", 1e9),
    ("w", 1.0),
    ("mw", 1e-3),
    ("mhz", 1.0),
    ("ghz", 1e3),
    ("c", 1.0),
    ("us", 1e-6),
    ("ms", 1e-3),
    ("s", 1.0),
    ("gt/s", 1.0),
    ("x", 1.0),
    ("bank(s)", 1.0),
];

/// Words that stand for a flag or a state.
const WORDS: &[(&str, f64)] = &[
    ("active", 1.0),
    ("not active", 0.0),
    ("yes", 1.0),
    ("no", 0.0),
    ("enabled", 1.0),
    ("disabled", 0.0),
    ("completed", 1.0),
    ("success", 1.0),
    ("in progress", 0.0),
    ("not started", 0.0),
    ("failure", 0.0),
    ("none", 0.0),
    ("pass-through", 1.0),
    ("vgpu", 2.0),
    ("host vgpu", 3.0),
    ("vsga", 4.0),
    ("gpu reset", 1.0),
    ("gpu reset required", 1.0),
    ("node reboot required", 2.0),
    ("drain p2p", 3.0),
    ("drain and reset", 4.0),
];

/// A plain number; a decimal comma is accepted, as tools print it in some languages.
pub fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let first = text.as_bytes().first()?;
    if !(first.is_ascii_digit() || matches!(first, b'-' | b'+' | b'.')) {
        return None;
    }
    let parsed = if text.contains(',') && !text.contains('.') {
        text.replacen(',', ".", 1).parse().ok()
    } else {
        text.parse().ok()
    };
    parsed.filter(|value: &f64| value.is_finite())
}

/// A number with its unit, in base units; without a unit it is multiplied by `scale`. Flags and states are numbers.
/// What a tool could not tell (`N/A`, `ERR!`, `Requested functionality has been deprecated`) is `None`.
pub fn measured(text: &str, scale: f64) -> Option<f64> {
    let text = text.trim().trim_start_matches('[').trim_end_matches(']').trim();
    if let Some(value) = number(text) {
        return Some(value * scale);
    }
    let lower = text.to_ascii_lowercase();
    if let Some(&(_, value)) = WORDS.iter().find(|(word, _)| *word == lower) {
        return Some(value);
    }
    if let Some(rest) = lower.strip_prefix("0x") {
        return u64::from_str_radix(rest, 16).ok().map(|mask| mask as f64);
    }
    if let Some(rest) = lower.strip_prefix('p') {
        return number(rest).filter(|state| (0.0..=15.0).contains(state));
    }
    if let Some(rest) = lower.strip_prefix('x') {
        return number(rest);
    }
    let end = lower
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | '-' | '+')))
        .unwrap_or(lower.len());
    let (digits, unit) = (lower.get(..end)?, lower.get(end..)?.trim());
    let unit = unit.split_whitespace().next().unwrap_or("");
    let factor = UNITS.iter().find(|(name, _)| *name == unit)?.1;
    number(digits).map(|value| value * factor)
}

/// A size as `top` and `htop` write it: plain numbers are kibibytes, letters raise it.
pub fn kibibytes(text: &str) -> Option<f64> {
    let text = text.trim();
    let (digits, factor) = match text.bytes().last()? {
        b'm' | b'M' => (text.get(..text.len() - 1)?, 1024.0),
        b'g' | b'G' => (text.get(..text.len() - 1)?, 1024.0 * 1024.0),
        b't' | b'T' => (text.get(..text.len() - 1)?, 1024.0 * 1024.0 * 1024.0),
        b'k' | b'K' => (text.get(..text.len() - 1)?, 1.0),
        _ => (text, 1.0),
    };
    number(digits).map(|value| value * factor * 1024.0)
}

/// Seconds since midnight of `14:02:10`, `14:02:10.5` or `03:15:06` with `PM`.
pub fn clock(text: &str, half: Option<&str>) -> Option<f64> {
    let mut parts = text.split(':');
    let (hours, minutes, seconds) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || hours.len() != 2 || minutes.len() != 2 {
        return None;
    }
    let hours: f64 = number(hours)?;
    let hours = match half {
        Some("PM") if hours < 12.0 => hours + 12.0,
        Some("AM") if hours >= 12.0 => hours - 12.0,
        _ => hours,
    };
    Some(hours * 3600.0 + number(minutes)? * 60.0 + number(seconds)?)
}

/// Seconds of a date and time `2026/06/12 14:02:10.000` (or with `-`), from an arbitrary day.
pub fn date_and_clock(text: &str) -> Option<f64> {
    let text = text.trim();
    let (date, time) = text.split_once([' ', 'T'])?;
    let mut parts = date.split(['/', '-']);
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let (year, month, day) = (number(year)?, number(month)?, number(day)?);
    if !(1970.0..9999.0).contains(&year) || !(1.0..13.0).contains(&month) || !(1.0..32.0).contains(&day) {
        return None;
    }
    // Days of the proleptic Gregorian calendar (Hinnant, "chrono-compatible low-level date algorithms").
    let (year, month) = if month > 2.0 { (year, month - 3.0) } else { (year - 1.0, month + 9.0) };
    let days = (365.25 * year).floor() - (year / 100.0).floor()
        + (year / 400.0).floor()
        + ((153.0 * month + 2.0) / 5.0).floor()
        + day;
    let time: String = time.chars().take_while(|c| c.is_ascii_digit() || matches!(c, ':' | '.')).collect();
    Some(days * 86_400.0 + clock(&time, None)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_many_drivers() {
        assert_eq!(measured("8 %", 1.0), Some(0.08));
        assert_eq!(measured("2489 MiB", 1.0), Some(2489.0 * 1_048_576.0));
        assert_eq!(measured("2489", 1_048_576.0), Some(2489.0 * 1_048_576.0));
        assert_eq!(measured("122.53 W", 1.0), Some(122.53));
        assert_eq!(measured("Not Active", 1.0), Some(0.0));
        assert_eq!(measured("0x0000000000000004", 1.0), Some(4.0));
        assert_eq!(measured("P8", 1.0), Some(8.0));
        assert_eq!(measured("16x", 1.0), Some(16.0));
        assert_eq!(measured("329 KB/s", 1.0), Some(329_000.0));
        let silent = [
            "N/A",
            "[N/A]",
            "ERR!",
            "[Not Supported]",
            "-",
            "",
            "Requested functionality has been deprecated",
        ];
        for text in silent {
            assert_eq!(measured(text, 1.0), None, "{text}");
        }
    }

    #[test]
    fn decimal_commas_and_clocks() {
        assert_eq!(number("93,80"), Some(93.8));
        assert_eq!(number("nan"), None);
        assert_eq!(clock("03:15:06", Some("PM")), Some(15.0 * 3600.0 + 15.0 * 60.0 + 6.0));
        let (before, after) =
            (date_and_clock("2026/02/28 23:59:59"), date_and_clock("2026-03-01 00:00:01.500"));
        assert_eq!(after.unwrap() - before.unwrap(), 2.5);
        assert_eq!(kibibytes("1.9g"), Some(1.9 * 1024.0 * 1024.0 * 1024.0));
    }
}
