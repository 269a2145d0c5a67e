//! From the hardware of a request to a machine, with every default listed.

mod connect;
mod custom;
mod host;
mod slice;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use maat_base::{Assumed, Fault, Text};

use crate::accelerator::Accelerator;
use crate::build::named;
use crate::catalogue::Catalogue;
use crate::gpu::{self, Count, Item, What};
use crate::load::Server;
use crate::machine::{Machine, Slot};
use crate::request::HardwareRequest;

/// Counts of accelerators in a node that are tried for `?x`: all that one host takes, then whole domains of a switch.
const COUNTS: [u32; 14] = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 32, 64, 72];
/// Most accelerators of a node without a switch of their own.
const MOST_ON_PCIE: u32 = 16;

/// A machine as it was asked for: put together, its count perhaps still open.
#[derive(Clone, Debug)]
pub struct MachineSpec {
    /// The machines to try, the smallest first; one where the count was given.
    machines: Vec<Machine>,
    open: bool,
}

impl MachineSpec {
    /// The machines to try, the smallest first: one, or for `?x` one for each count.
    pub fn machines(&self) -> impl Iterator<Item = Machine> + '_ {
        self.machines.iter().cloned()
    }

    /// Whether the number of accelerators is left open (`?x`).
    pub const fn count_is_open(&self) -> bool {
        self.open
    }
}

/// What was chosen on the way.
#[derive(Default)]
struct Notes(Vec<Assumed>);

impl Notes {
    fn add(&mut self, name: &'static str, value: impl Into<serde_json::Value>, text: Text, why: Text) {
        let note = Assumed { name, value: value.into(), text, why };
        if !self.0.contains(&note) {
            self.0.push(note);
        }
    }
}

/// The machine that a request names, or `None` where it names none, and what was assumed of it.
///
/// # Errors
/// `accelerator-unknown`, `cpu-unknown` and usage faults of the fields, each naming its flag.
pub fn machine(
    request: &HardwareRequest,
    catalogue: &Catalogue,
) -> Result<(Option<MachineSpec>, Vec<Assumed>), Fault> {
    let mut notes = Notes::default();
    let this = match (request.here, catalogue.this_machine()) {
        (false, _) => None,
        (true, Some(this)) => Some(this),
        (true, None) => return Err(Fault::usage("here-not-looked").at("--here")),
    };
    notes.0.extend(this.iter().flat_map(|this| this.assumed.iter().cloned()));
    if request.nodes == Some(0) {
        return Err(Fault::usage("gpu-count").with("given", "0").at("--nodes"));
    }
    custom::check_amounts(request)?;
    custom::check(request)?;
    let parts = parts(request, catalogue, &mut notes)?;
    let host = host::host(request, catalogue, &mut notes)?;
    if parts.is_empty() && host.processor.is_none() {
        return Ok((None, notes.0));
    }
    // Parts that are named besides take the place of this machine's own: what would it do with that card?
    if let Some(this) = this
        && parts.is_empty()
        && request.cpu.is_none()
    {
        let mut machine = this.machine.clone();
        machine.host = host;
        machine.nodes = request.nodes.unwrap_or(1);
        machine.power_limit_w = request.power_limit.map(|limit| limit.0).or(machine.power_limit_w);
        machine.psu_w = request.psu.map(|psu| psu.0).or(machine.psu_w);
        return Ok((Some(MachineSpec { machines: vec![machine], open: false }), notes.0));
    }
    let open = parts.iter().any(|part| part.count == Count::Open);
    if open && parts.len() > 1 {
        return Err(Fault::usage("gpu-open-and-mixed").at("--gpu"));
    }
    let counts: Vec<u32> = if open { counts(&parts) } else { vec![1] };
    let mut machines = Vec::with_capacity(counts.len());
    for open_count in counts {
        let slots: Vec<Slot> = parts.iter().map(|part| part.slot(open_count)).collect();
        let mut machine = Machine::of_slots(machine_name(&slots, &host), &slots, request.nodes.unwrap_or(1));
        machine.slice = parts.iter().find_map(|part| part.slice.clone());
        machine.host = host.clone();
        connect::connect(request, &mut machine, &mut notes)?;
        machines.push(machine);
    }
    Ok((Some(MachineSpec { machines, open }), notes.0))
}

/// A fault with the flag that it is about, where it names no place of its own.
fn placed(fault: Fault, flag: &'static str) -> Fault {
    if fault.place.is_none() { fault.at(flag) } else { fault }
}

/// A part that was named.
struct Part {
    count: Count,
    accelerator: Arc<Accelerator>,
    slice: Option<String>,
}

impl Part {
    fn slot(&self, open: u32) -> Slot {
        let count = match self.count {
            Count::Fixed(count) => count.unwrap_or(1),
            Count::Open => open,
        };
        Slot { accelerator: Arc::clone(&self.accelerator), count }
    }
}

fn parts(request: &HardwareRequest, catalogue: &Catalogue, notes: &mut Notes) -> Result<Vec<Part>, Fault> {
    let mut parts = Vec::new();
    if let Some(text) = &request.gpu_like {
        parts.push(
            custom::part(text, request, catalogue, notes).map_err(|fault| placed(fault, "--gpu-like"))?,
        );
    }
    let of_gpu = |fault| placed(fault, "--gpu");
    for text in &request.gpu {
        for item in gpu::items(text, &|name| catalogue.names_a_part(name)).map_err(of_gpu)? {
            parts.push(part(item, request, catalogue, notes).map_err(of_gpu)?);
        }
    }
    Ok(parts)
}

fn part(
    item: Item,
    request: &HardwareRequest,
    catalogue: &Catalogue,
    notes: &mut Notes,
) -> Result<Part, Fault> {
    let (name, slice) = match item.what {
        What::Memory(memory) => {
            let accelerator = Arc::new(Accelerator::of_memory(custom::memory_name(memory), memory));
            return Ok(Part { count: item.count, accelerator, slice: None });
        }
        What::Named { name, slice } => (name, slice),
    };
    let mut accelerator = named_part(&name, catalogue, notes)?;
    if let Some(ram) = request.ram
        && let Some(sized) = catalogue.sized(&accelerator, ram.0)
    {
        accelerator = Arc::new(sized);
    }
    if let Some(profile) = &slice {
        accelerator = Arc::new(slice::cut(&accelerator, profile, catalogue)?);
    } else if accelerator.devices > 1 {
        let n = accelerator.devices;
        let text = Text::new("assumed-devices").with("part", accelerator.name.as_str()).with("n", n);
        notes.add("devices", n, text, Text::new("why-devices"));
    }
    Ok(Part { count: item.count, accelerator, slice })
}

/// The part of a name, the choice among several noted. A part whose memory is an option of the machine takes the size
/// that its name states.
fn named_part(name: &str, catalogue: &Catalogue, notes: &mut Notes) -> Result<Arc<Accelerator>, Fault> {
    let found = match catalogue.resolve_accelerator(name) {
        Ok(found) => found,
        Err(fault) => return catalogue.sized_by_name(name).map(Arc::new).ok_or(fault),
    };
    if let Some(why) = found.why {
        let text = Text::new("assumed-part").with("given", name).with("part", found.part.name.as_str());
        notes.add("gpu", found.part.name.clone(), text, why);
    }
    Ok(found.part)
}

fn counts(parts: &[Part]) -> Vec<u32> {
    let domain = parts
        .iter()
        .filter_map(|part| part.accelerator.peer_link.as_ref())
        .filter(|link| link.built_in)
        .map(|link| link.most)
        .max();
    let most = domain.unwrap_or(MOST_ON_PCIE).min(COUNTS[COUNTS.len() - 1]);
    COUNTS.into_iter().filter(|&count| count <= most).collect()
}

fn machine_name(slots: &[Slot], host: &crate::machine::Host) -> String {
    if slots.is_empty() {
        return host.processor.as_ref().map(|it| it.name.clone()).unwrap_or_default();
    }
    let names: Vec<String> = slots.iter().map(|slot| named(slot.count, &slot.accelerator.name)).collect();
    names.join(" + ")
}

impl Catalogue {
    /// A node with such accelerators, linked as they are by themselves; nothing else is known of it.
    pub fn machine_of_slots(&self, name: String, slots: &[Slot]) -> Machine {
        Machine::of_slots(name, slots, 1)
    }

    /// A part whose memory is the machine's own, with another size of it; `None` where it has memory of its own or the
    /// size is no smaller than the part's.
    pub fn sized_part(&self, part: &Accelerator, memory: maat_base::Bytes) -> Option<Accelerator> {
        self.sized(part, memory)
    }

    /// The accelerator of a server, where its words say which.
    pub fn part_of_server(&self, server: &Server) -> Option<Arc<Accelerator>> {
        let (_, name) = gpu::count(&server.accelerators).ok()?;
        self.resolve_accelerator(name).ok().map(|found| found.part)
    }

    /// A server as a machine: its accelerators (or processors), memory, power; what its facts state in words only is left
    /// out. `None` where its parts are not known.
    pub fn machine_of_server(&self, server: &Server) -> Option<Machine> {
        let cpu = gpu::count(&server.cpu).ok().and_then(|(count, name)| {
            let sockets = match count {
                Count::Fixed(sockets) => sockets.unwrap_or(1),
                Count::Open => return None,
            };
            self.resolve_cpu(name).ok().map(|found| (found.part, sockets))
        });
        let mut machine = if server.accelerator_count == 0 {
            let (cpu, sockets) = cpu.as_ref()?;
            Machine::of_processor(cpu, *sockets)
        } else {
            Machine::of_part(&self.part_of_server(server)?, server.accelerator_count)
        };
        machine.name.clone_from(&server.name);
        machine.host.ram = server.ram;
        machine.host.cores = server.cores;
        machine.host.class = Some(server.kind.clone());
        machine.host.max_power_w = server.max_power_w;
        machine.host.disk = server.data_bytes();
        machine.psu_w = server.psu_w();
        machine.network = connect::network(&server.network).ok();
        if let Some((cpu, sockets)) = cpu {
            machine.host.pcie_lanes = cpu.lanes_of(sockets);
            machine.host.processor = crate::machine::Processor::of(&cpu, sockets);
        }
        Some(machine)
    }
}
