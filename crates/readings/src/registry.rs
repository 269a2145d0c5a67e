//! The one list of readers.

use maat_base::Fault;

use crate::{Input, monitor, stack};

/// What a reader made of an input.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// Facts on a machine's software stack.
    Stack(stack::Found),
    /// Samples of a running machine.
    Monitor(monitor::Samples),
}

impl Reading {
    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Stack(found) => found.is_empty(),
            Self::Monitor(samples) => samples.is_empty(),
        }
    }
}

/// A reader of one tool's output.
#[derive(Clone, Copy, Debug)]
pub struct Reader {
    /// Its name, as `--kind` takes it.
    pub kind: &'static str,
    /// Whether an input, or a part of it, looks like this tool's output. Cheap: it need not read all.
    pub recognises: fn(&Input) -> bool,
    /// Reads it. Total: what does not fit is left out.
    pub read: fn(&Input) -> Reading,
}

/// All readers, those of samples first: a text can hold the outputs of several tools.
pub static READERS: &[Reader] = &[
    // monitor
    monitor::READER,
    // stack
    stack::nvidia_smi::READER,
    stack::nvidia_smi_query::READER,
    stack::nvidia_driver::READER,
    stack::kernel_log::READER,
    stack::loader::READER,
    stack::python_packages::READER,
    stack::os_packages::READER,
    stack::devices::READER,
    stack::prose::READER,
    stack::cpu::READER,
    stack::rocm::READER,
    stack::traceback::READER,
    stack::wsl::READER,
    stack::lines::READER,
];

/// The names of all readers.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    READERS.iter().map(|reader| reader.kind)
}

/// The readers that see something of theirs in an input.
pub fn recognise(input: &Input) -> impl Iterator<Item = &'static Reader> {
    READERS.iter().filter(|reader| (reader.recognises)(input))
}

/// The fault for an input that no reader knows: "not recognised, expected one of …".
pub fn not_recognised(input: &Input) -> Fault {
    let names: Vec<&str> = kinds().collect();
    Fault::content("input-not-recognised").with("expected", names).at(input.name.to_string())
}
