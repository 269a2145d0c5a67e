//! What to change about a finding, ready to copy.

use std::sync::LazyLock;

use super::rows;

/// Where a fix is pasted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixKind {
    /// Into a program.
    Code,
    /// Into a shell.
    Command,
}

/// One line to copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// Where it goes.
    pub kind: FixKind,
    /// The line.
    pub text: String,
}

/// The lines for a finding's code.
pub fn fixes(code: &str) -> impl Iterator<Item = &'static Fix> {
    static FIXES: LazyLock<Vec<(String, Fix)>> =
        LazyLock::new(|| rows("diagnose/trace-fixes.csv").into_iter().filter_map(parsed).collect());
    FIXES.iter().filter(move |(of, _)| of == code).map(|(_, fix)| fix)
}

fn parsed(row: Vec<String>) -> Option<(String, Fix)> {
    let [code, kind, text] = <[String; 3]>::try_from(row).ok()?;
    let kind = match kind.as_str() {
        "code" => FixKind::Code,
        "command" => FixKind::Command,
        _ => return None,
    };
    Some((code, Fix { kind, text }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_understood() {
        let rows = rows("diagnose/trace-fixes.csv");
        assert!(rows.iter().cloned().all(|row| parsed(row).is_some()));
        assert!(fixes("data-loader-wait").any(|fix| fix.kind == FixKind::Code));
    }
}
