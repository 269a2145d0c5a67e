//! How a command ends: exit codes, `verdict.ok`, and what is written where.

use std::io::Write;

use maat_base::{Fault, FaultKind, Finding, Verdict};
use maat_report::{FaultView, Format, Localiser};

use crate::common::{Common, FailOn};
use crate::session::Environment;

/// An answer was given.
pub const ANSWERED: u8 = 0;
/// Something given cannot be read.
pub const UNREADABLE: u8 = 1;
/// The command makes no sense.
pub const USAGE: u8 = 2;
/// It does not fit, or there is no candidate.
pub const DOES_NOT_FIT: u8 = 3;
/// Data are missing or stale, under `--strict`.
pub const DATA_MISSING: u8 = 4;
/// There are findings at or above `--fail-on`.
pub const FINDINGS: u8 = 5;

/// Verdicts that mean that the job cannot be done so.
const UNFIT: &[&str] = &["does-not-fit", "does-not-fit-tight", "no-candidate"];
/// The verdict that says that nothing can be said.
const UNDECIDED: &str = "not-enough-data";
/// Findings that say that data are missing or stale, which `--strict` does not accept.
const DATA_FINDINGS: &[&str] = &["price-old", "prices-old", "price-without-date", "price-without-source"];

/// What is written, and the exit code.
pub struct Reply {
    stdout: Vec<u8>,
    stderr: String,
    exit: u8,
}

impl Reply {
    /// An answer.
    pub fn answer(text: String, exit: u8) -> Self {
        Self { stdout: text.into_bytes(), stderr: String::new(), exit }
    }

    /// Something that is no answer, such as a manual page.
    pub fn bytes(stdout: Vec<u8>) -> Self {
        Self { stdout, stderr: String::new(), exit: ANSWERED }
    }

    /// An answer as a file.
    pub fn file(stdout: Vec<u8>, exit: u8) -> Self {
        Self { stdout, stderr: String::new(), exit }
    }

    /// Help or the version, which were asked for.
    pub fn help(error: &clap::Error, environment: &Environment) -> Self {
        let text = error.render();
        let text = if environment.color(crate::common::ColorChoice::Auto) {
            text.ansi().to_string()
        } else {
            text.to_string()
        };
        Self::answer(text, ANSWERED)
    }

    /// A fault: one message on standard error, and for programs the same on standard output.
    pub fn fault(fault: &Fault, common: &Common, environment: &Environment) -> Self {
        let local = Localiser::new(environment.lang(common));
        let view = FaultView::new(&local, fault);
        let json = common.format() == Format::Json;
        let stdout = if json { format!("{:#}\n", view.json()).into_bytes() } else { Vec::new() };
        let exit = match fault.kind {
            FaultKind::Usage => USAGE,
            FaultKind::Content => UNREADABLE,
            FaultKind::Missing => DATA_MISSING,
        };
        Self { stdout, stderr: view.text(&local), exit }
    }
}

/// The exit code of an answer. Usage and unreadable content never get this far; of the rest missing data come first,
/// then what does not fit, then findings.
pub fn exit(verdict: &Verdict, findings: &[Finding], fail_on: FailOn, strict: bool) -> u8 {
    if strict && findings.iter().any(|finding| DATA_FINDINGS.contains(&&*finding.code)) {
        DATA_MISSING
    } else if UNFIT.contains(&&*verdict.code) {
        DOES_NOT_FIT
    } else if findings.iter().any(|finding| fail_on.counts(finding.severity)) {
        FINDINGS
    } else {
        ANSWERED
    }
}

/// `verdict.ok`: whether the exit code is 0, nothing when there was not enough data.
pub fn ok(verdict: &Verdict, exit: u8) -> Option<bool> {
    (verdict.code != UNDECIDED).then_some(exit == ANSWERED)
}

/// Writes the reply and gives the exit code. A reader that has gone away (`maat … | head -1`) is not a failure.
pub fn write(reply: &Reply) -> u8 {
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_all(reply.stderr.as_bytes());
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(&reply.stdout).and_then(|()| stdout.flush()) {
        Ok(()) => reply.exit,
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => reply.exit,
        Err(error) => {
            let _ = writeln!(stderr, "error: {error}");
            UNREADABLE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maat_base::{Severity, Text};

    fn verdict(code: &'static str) -> Verdict {
        Verdict { ok: None, code: code.into(), text: Text::new("list-and") }
    }

    #[test]
    fn missing_data_come_before_what_does_not_fit_and_that_before_findings() {
        let stale = [Finding::new("price-old", Severity::Error, "offer")];
        let unfit = verdict("does-not-fit");
        assert_eq!(exit(&unfit, &stale, FailOn::Error, true), DATA_MISSING);
        assert_eq!(exit(&unfit, &stale, FailOn::Error, false), DOES_NOT_FIT);
        assert_eq!(exit(&verdict("fits"), &stale, FailOn::Error, false), FINDINGS);
        assert_eq!(exit(&verdict("fits"), &stale, FailOn::Never, false), ANSWERED);
        assert_eq!(exit(&verdict("no-hardware-given"), &[], FailOn::Info, true), ANSWERED);
    }

    #[test]
    fn findings_about_data_are_on_the_list() {
        let list = include_str!("../../../facts/findings.csv");
        for code in DATA_FINDINGS {
            assert!(list.lines().any(|row| row.starts_with(&format!("{code},"))), "{code}");
        }
    }

    #[test]
    fn ok_follows_the_exit_code() {
        assert_eq!(ok(&verdict("fits"), ANSWERED), Some(true));
        assert_eq!(ok(&verdict("does-not-fit"), DOES_NOT_FIT), Some(false));
        assert_eq!(ok(&verdict("not-enough-data"), ANSWERED), None);
    }
}
