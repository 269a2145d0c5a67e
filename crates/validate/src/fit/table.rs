//! The table of parameters with fitted values, as a person reads it.

use super::Fit;

/// The text of `efficiencies.csv` with the values of a fit, rounded to three digits; a parameter without a row gets one.
pub fn written(fit: &Fit, text: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (at, p) in fit.parameters.iter().enumerate().filter(|(at, _)| fit.is_told(*at)) {
        let start = format!("{},{},{},", p.group, p.key, p.name);
        let value = rounded(p.value(fit.x[at]));
        let source = "fitted,facts/measurements";
        let found = lines.iter().position(|line| line.starts_with(&start));
        let unit = found.and_then(|line| lines[line].split(',').nth(4).map(str::to_owned));
        let unit = unit.unwrap_or_else(|| unit_of(&p.name, &lines));
        let line = format!("{start}{value},{unit},{source}");
        if let Some(place) = found {
            lines[place] = line;
            continue;
        }
        let beside = format!("{},{},", p.group, p.key);
        let last = lines.iter().rposition(|line| line.starts_with(&beside));
        lines.insert(last.map_or(lines.len(), |place| place + 1), line);
    }
    lines.join("\n") + "\n"
}

/// The unit that the parameter has under another key.
fn unit_of(name: &str, lines: &[String]) -> String {
    let cells = |line: &String| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let same = lines.iter().map(cells).find(|cells| cells.get(2).is_some_and(|own| own == name));
    same.and_then(|cells| cells.get(4).cloned()).unwrap_or_default()
}

/// Three significant digits.
fn rounded(value: f64) -> String {
    let text = format!("{value:.2e}");
    let plain: f64 = text.parse().unwrap_or(value);
    if (0.01..1e5).contains(&plain) { format!("{plain}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn three_digits() {
        assert_eq!(rounded(0.123_456), "0.123");
        assert_eq!(rounded(1.234_5e-6), "1.23e-6");
        assert_eq!(rounded(1234.5), "1230");
    }
}
