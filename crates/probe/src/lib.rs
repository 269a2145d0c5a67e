//! The one crate that looks at the machine. It reads files and gives the facts that `maat-readings` gives of pasted
//! text; by default it starts nothing, imports nothing and touches no network.

pub mod bench;
mod deep;
mod driver;
pub mod machine;
mod pci;
mod python;
mod root;
mod system;
pub mod watch;

use std::path::Path;

use maat_readings::stack::Live;
use maat_readings::{Input, stack};

/// How far to look.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Also run the tools of drivers and containers, each with a time limit.
    pub deep: bool,
    /// Also look into Python environments that are not active.
    pub all_environments: bool,
}

/// What can be read on this machine. What cannot is named under `not_seen`.
pub fn live(options: Options) -> Live {
    let mut live = Live::default();
    system::look(&mut live);
    pci::look(&mut live);
    driver::look(&mut live);
    python::look(&mut live, options.all_environments);
    if options.deep {
        deep::look(&mut live);
    } else {
        live.not_seen.push(("nvidia-smi -q -x, dmesg, docker info".to_owned(), "deep"));
    }
    live
}

/// Files larger than this are not texts that a reader of ours knows.
const TEXT_LIMIT_BYTES: u64 = 1 << 20;

/// A small text file; notes why it could not be read when it is there.
fn text(live: &mut Live, path: &Path) -> Option<String> {
    let size = match std::fs::metadata(path) {
        // A pipe of that name would block for ever.
        Ok(metadata) if metadata.is_file() => metadata.len(),
        _ => return None,
    };
    if size > TEXT_LIMIT_BYTES {
        return None;
    }
    match std::fs::read(path) {
        Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) => {
            if error.kind() == std::io::ErrorKind::PermissionDenied {
                live.not_seen.push((path.display().to_string(), "permission"));
            }
            None
        }
    }
}

/// Gives a text to the readers under the name of the file or tool that it came from.
fn hand_over(live: &mut Live, name: &str, text: &str) {
    live.found.append(stack::read(&Input::new(name, text.as_bytes())));
}

#[cfg(test)]
mod tests {
    use super::*;
    use maat_readings::Key;

    #[test]
    fn this_machine_has_a_kernel_and_a_processor() {
        let live = live(Options::default());
        if !cfg!(target_os = "linux") {
            return;
        }
        let value =
            |key| live.found.facts.iter().find(|fact| fact.key == key).map(|fact| fact.value.as_str());
        let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
        assert_eq!(value(Key::Kernel), Some(release.trim()));
        assert!(live.not_seen.iter().any(|(_, why)| *why == "deep"));
    }
}
