//! Which machine an output is of, where the text names it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::block::{Line, is_prompt};
use super::{Samples, log, nccl_tests, p2p};

/// The name in a banner of sysstat, a prompt, or a line of the journal.
fn named(line: &str) -> Option<&str> {
    if line.starts_with("Linux ") && line.trim_end().ends_with(" CPU)") {
        let (_, rest) = line.split_once(" (")?;
        return plausible(rest.split_once(')')?.0);
    }
    if let Some((before, _)) = line.split_once(" kernel: ") {
        return plausible(before.rsplit(' ').next()?).filter(|_| before.contains(' '));
    }
    let (prompt, _) = line.split_once("$ ").or_else(|| line.split_once("# "))?;
    let (_, rest) = prompt.split_once('@').filter(|_| is_prompt(prompt))?;
    plausible(rest.split([':', ' ', ']']).next()?)
}

/// A name that tells machines apart.
fn plausible(name: &str) -> Option<&str> {
    let plain = !name.is_empty()
        && name.len() <= 253
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_'));
    (plain && !matches!(name, "localhost" | "host")).then_some(name)
}

/// Outputs that speak of all machines of a job.
fn is_of_all(kind: &str) -> bool {
    [log::NCCL.kind, log::OTHER.kind, nccl_tests::FORMAT.kind, p2p::FORMAT.kind].contains(&kind)
}

/// Gives each block the machine that was named last before it, or, where the whole input names one only, that.
pub fn assign(lines: &[Line<'_>], samples: &mut Samples) {
    let told: Vec<(u32, Arc<str>)> = lines
        .iter()
        .filter(|line| line.text.len() < 200)
        .filter_map(|line| Some((line.number, Arc::from(named(line.text)?))))
        .collect();
    let all: BTreeSet<&Arc<str>> = told.iter().map(|(_, host)| host).collect();
    let only = all.first().filter(|_| all.len() == 1);
    for block in &mut samples.blocks {
        let before = told.iter().take_while(|(number, _)| *number <= block.place.line).last();
        let host = before.map(|(_, host)| host).or(only.copied());
        block.host = host.cloned().filter(|_| !is_of_all(block.kind));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_are_named_in_several_places() {
        assert_eq!(named("Linux 6.8.0-45-generic (gpu7) \t06/12/2026 \t_x86_64_\t(28 CPU)"), Some("gpu7"));
        assert_eq!(named("[jan@gpu8 ~]$ vmstat 1"), Some("gpu8"));
        assert_eq!(named("root@gpu-9.example:/data# iostat -x"), Some("gpu-9.example"));
        assert_eq!(named("Jun 12 14:02:10 gpu1 kernel: NVRM: Xid"), Some("gpu1"));
        assert_eq!(named("# Rank 0 Pid 1 on gpu1 device 0"), None);
        assert_eq!(named(" 1  0      0 9000000 12000"), None);
    }
}
