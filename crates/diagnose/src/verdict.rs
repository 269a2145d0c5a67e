//! The answer in one word and one sentence.

use maat_base::{Arg, Finding, Severity, Text, Verdict};
use maat_readings::monitor::{Part, Signal};

use crate::facts::limit;
use crate::rules::host::busiest;
use crate::traces::Traces;
use crate::view::{GpuPhase, Load, View};

/// The first finding that is more than information; else whether enough was seen to call the machine healthy.
pub fn verdict(view: &View<'_>, findings: &[Finding], traces: Option<&Traces>) -> Verdict {
    if let Some(first) = findings.iter().find(|finding| finding.severity != Severity::Info) {
        let ok = Some(!findings.iter().any(|finding| finding.severity == Severity::Error));
        let own = traces.filter(|traces| traces.judgement.verdict.code == first.code);
        let text = own.map_or_else(|| first.message.clone(), |traces| traces.judgement.verdict.text.clone());
        return Verdict { ok, code: first.code.clone(), text };
    }
    let healthy = |text: Text| Verdict { ok: Some(true), code: "healthy".into(), text };
    // Full processors are only told as information, and yet leave open what they hold back.
    let open = matches!(view.load, Load::Unknown) && processors_are_full(view) && traces.is_none();
    if let Some(note) = findings.first().filter(|_| !open) {
        return healthy(Text::new("diagnose-healthy-but").with("note", note.message.clone()));
    }
    if let Some(traces) = traces {
        let own = &traces.judgement.verdict;
        // A trace that cannot be judged says nothing against samples that can.
        if own.code == "healthy" || matches!(view.load, Load::Unknown) && !host_was_seen(view) {
            return own.clone();
        }
    }
    match view.load {
        Load::Busy if more_than_utilization(view) => healthy(Text::new("diagnose-healthy-busy")),
        Load::Idle => healthy(Text::new("diagnose-healthy-idle")),
        Load::Unknown if processors_are_full(view) => {
            Verdict { ok: None, code: "not-enough-data".into(), text: Text::new("diagnose-processors-full") }
        }
        Load::Unknown if slices_are_hidden(view) => {
            Verdict { ok: None, code: "not-enough-data".into(), text: Text::new("diagnose-slices-unseen") }
        }
        Load::Unknown if host_was_seen(view) => healthy(Text::new("diagnose-healthy-host")),
        _ => Verdict { ok: None, code: "not-enough-data".into(), text: missing(view) },
    }
}

/// A GPU in slices with work in them, of which no figure tells how busy it is.
fn slices_are_hidden(view: &View<'_>) -> bool {
    view.gpus.iter().any(GpuPhase::hides_work)
}

/// Full processors without anything in sight that they would hold back.
fn processors_are_full(view: &View<'_>) -> bool {
    let full = busiest(view).is_some_and(|(busy, _)| busy >= limit("cpu_saturated"));
    let stalls = view.highest(Part::Host, Signal::PressureCpuSome);
    full || stalls.is_some_and(|stalls| stalls.median() >= limit("pressure_cpu_alone"))
}

/// Whether something besides utilisation says that an accelerator works: a kernel of one thread counts as 100 %.
fn more_than_utilization(view: &View<'_>) -> bool {
    let signals = [
        Signal::PowerW,
        Signal::SmActive,
        Signal::DramActive,
        Signal::MemoryUtilization,
        Signal::EncoderUtilization,
    ];
    view.gpus
        .iter()
        .filter(|phase| phase.is_busy())
        .any(|phase| signals.iter().any(|signal| !phase.series(*signal).is_empty()))
}

/// Whether there are figures of the machine at work, and not only of how it is built.
fn host_was_seen(view: &View<'_>) -> bool {
    [Signal::CpuIdle, Signal::DiskUtilization, Signal::RunQueue, Signal::PressureCpuSome]
        .iter()
        .any(|signal| view.highest(Part::Host, *signal).or(view.highest(Part::Disk, *signal)).is_some())
}

fn missing(view: &View<'_>) -> Text {
    match view.load {
        Load::Waiting(idle) => Text::new("diagnose-waits-for-unknown").with("idle", Arg::Share(idle)),
        Load::Glance => Text::new("diagnose-one-look"),
        Load::Busy => Text::new("diagnose-utilization-alone"),
        _ => Text::new("diagnose-not-enough-data"),
    }
}
