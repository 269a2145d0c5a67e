//! The system under the wheels: glibc, libstdc++ and the CPU's instructions.

use maat_readings::Key;
use maat_readings::stack::versions;

use super::{Hit, Rule};
use crate::case::Case;
use crate::codes;

pub const RULE: Rule = Rule { name: "system", codes: &["glibc-too-old", "cpu-lacks-avx"], judge };

fn judge(case: &Case) -> Vec<Hit> {
    [glibc(case), avx(case)].into_iter().flatten().collect()
}

/// The loader's own message is proof. A wheel's tag is a floor that pip checks: with the system's version it is proof too.
fn glibc(case: &Case) -> Option<Hit> {
    let needed =
        case.facts(Key::GlibcNeeded).map(|fact| fact.value.as_str()).max_by(|a, b| versions::compare(a, b));
    let system = case.value(Key::Glibc);
    let enough =
        matches!((needed, system), (Some(needed), Some(system)) if versions::at_least(system, needed));
    let refused = case.has("wheel-unsupported") && system.is_some() && needed.is_some();
    let library = case.has("libstdcxx-missing");
    let said = case.has("glibc-missing") || refused;
    if !(said && !enough || library) {
        return None;
    }
    let sign =
        case.sign("libstdcxx-missing").and_then(|sign| sign.value.clone()).map(|v| format!("GLIBCXX {v}"));
    let finding = codes::finding("glibc-too-old")
        .with(
            "needed",
            needed.map(|needed| format!("glibc {needed}")).or(sign).unwrap_or_else(|| "unknown".to_owned()),
        )
        .with("system", system.unwrap_or("unknown"));
    let finding = case.show(finding, &["glibc-missing", "libstdcxx-missing", "wheel-unsupported"]);
    Some(Hit::proven(case.prove(finding, &[Key::Glibc, Key::GlibcNeeded, Key::Packages])))
}

/// A program that dies of an illegal instruction on a CPU whose flags lack what was compiled in.
fn avx(case: &Case) -> Option<Hit> {
    let died = case.has("illegal-instruction");
    let said = case.has("avx-not-available");
    let lacks_avx = case.value(Key::Avx) == Some("no");
    let lacks_more = case.has("cpu-without-avx2");
    if !(said || died && (lacks_avx || lacks_more)) {
        return None;
    }
    let what = if lacks_avx { "AVX" } else { "AVX2" };
    let finding = codes::finding("cpu-lacks-avx")
        .with("cpu", case.value(Key::Cpu).unwrap_or("unknown"))
        .with("what", what);
    let finding = case.show(finding, &["illegal-instruction", "avx-not-available"]);
    Some(Hit::proven(case.prove(finding, &[Key::Cpu, Key::Avx])))
}
