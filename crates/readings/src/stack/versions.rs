//! Versions: comparison, and the notations in which CUDA versions are hidden.

use std::cmp::Ordering;

/// Compares component by component as numbers; what is not there counts as zero. `580.9 < 580.10`, `12 == 12.0`.
pub fn compare(a: &str, b: &str) -> Ordering {
    let (a, b) = (numbers(a), numbers(b));
    (0..a.len().max(b.len()))
        .map(|i| a.get(i).unwrap_or(&0).cmp(b.get(i).unwrap_or(&0)))
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// Whether a version is at least another.
pub fn at_least(version: &str, least: &str) -> bool {
    compare(version, least).is_ge()
}

/// The leading numeric components: `2.7.0.dev1+cu128` is 2, 7, 0.
pub fn numbers(version: &str) -> Vec<u64> {
    let version = version.trim().trim_start_matches(['v', 'V']);
    let mut numbers = Vec::new();
    for part in version.split('.') {
        let digits = &part[..part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len())];
        match digits.parse() {
            Ok(number) => numbers.push(number),
            Err(_) => break,
        }
        if digits.len() < part.len() {
            break;
        }
    }
    numbers
}

/// The first component.
pub fn major(version: &str) -> Option<u64> {
    numbers(version).first().copied()
}

/// `major.minor`, where there are two components.
pub fn major_minor(version: &str) -> Option<String> {
    match numbers(version).as_slice() {
        [major, minor, ..] => Some(format!("{major}.{minor}")),
        _ => None,
    }
}

/// `cu128` or `128` is 12.8, `cu92` is 9.2.
pub fn of_cu_tag(tag: &str) -> Option<String> {
    let digits = tag.trim_start_matches("cu");
    let digits = &digits[..digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len())];
    // Two digits were last used by CUDA 9.2; `cu12` of a text that was cut is no version.
    let is_old = digits.len() == 2 && matches!(digits.as_bytes()[0], b'7'..=b'9');
    match digits.len() {
        2 if !is_old => None,
        2 | 3 => {
            let (major, minor) = digits.split_at(digits.len() - 1);
            Some(format!("{major}.{minor}"))
        }
        _ => None,
    }
}

/// 12080, as the driver's interface counts, is 12.8.
pub fn of_api_number(number: &str) -> Option<String> {
    let number: u32 = number.parse().ok()?;
    (5000..100_000).contains(&number).then(|| format!("{}.{}", number / 1000, number % 1000 / 10))
}

/// `sm_120`, `compute_90a` or `120` is 12.0.
pub fn capability_of_sm(sm: &str) -> Option<String> {
    let digits = sm.trim_start_matches("sm_").trim_start_matches("compute_").trim_start_matches("sm");
    let digits = &digits[..digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len())];
    let number: u32 = digits.parse().ok()?;
    (20..300).contains(&number).then(|| format!("{}.{}", number / 10, number % 10))
}

/// The driver's own version behind the number that Windows shows: 31.0.15.4601 is 546.01.
pub fn of_windows_driver(version: &str) -> Option<String> {
    let parts: Vec<&str> = version.split('.').collect();
    let [_, _, third, fourth] = parts.as_slice() else { return None };
    (fourth.len() == 4 && third.len() >= 2 && fourth.bytes().all(|b| b.is_ascii_digit()))
        .then(|| format!("{}{}.{}", &third[third.len() - 1..], &fourth[..2], &fourth[2..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compares_numerically() {
        assert_eq!(compare("550.90.07", "550.107.02"), Ordering::Less);
        assert_eq!(compare("570.124.06", "570.124.04"), Ordering::Greater);
        assert!(at_least("580.65.06", "580"));
        assert!(!at_least("525.60.12", "525.60.13"));
        assert_eq!(compare("2.7.0+cu128", "2.7"), Ordering::Equal);
    }

    #[test]
    fn hidden_cuda_versions() {
        assert_eq!(of_cu_tag("cu128").as_deref(), Some("12.8"));
        assert_eq!(of_cu_tag("cu92").as_deref(), Some("9.2"));
        assert_eq!(of_cu_tag("cu12"), None);
        assert_eq!(of_api_number("12080").as_deref(), Some("12.8"));
        assert_eq!(capability_of_sm("sm_121a").as_deref(), Some("12.1"));
        assert_eq!(capability_of_sm("sm_86").as_deref(), Some("8.6"));
        assert_eq!(of_windows_driver("31.0.15.4601").as_deref(), Some("546.01"));
    }
}
