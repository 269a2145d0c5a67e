//! What is kept of a trace: small records of what ran on the accelerator and of what the host asked for, sets of times
//! for everything else.

use std::collections::HashMap;

use serde::Serialize;

use super::event::{Event, Field, Id};
use super::{Header, Limits, NameId, Names};
use crate::cover::Cover;
use crate::scan::Trouble;
use crate::tables::{CallClass, Category, CopyClass, Family, KernelClass, SpanClass, Vendor, tables};

/// How the events were wrapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Container {
    /// `{"traceEvents": […]}`.
    Object,
    /// A bare list.
    Array,
}

/// What ran on the accelerator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeviceKind {
    Compute,
    Communication,
    CopyToDevice,
    CopyToHost,
    CopyOther,
    Fill,
}

/// One piece of work on the accelerator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeviceSpan {
    pub start: i64,
    pub end: i64,
    pub correlation: i64,
    /// In the kernels' names for kernels, in the copies' for copies.
    pub name: NameId,
    pub lane: u16,
    pub kind: DeviceKind,
}

/// One request of the host.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    pub start: i64,
    pub end: i64,
    pub correlation: i64,
    pub thread: u16,
    pub class: CallClass,
}

/// A span of the host that has a meaning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marked {
    pub start: i64,
    pub end: i64,
    pub class: SpanClass,
    /// For steps: the number behind `#`.
    pub number: Option<u64>,
}

/// Copies of one name.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CopyTally {
    pub count: u64,
    pub time_ns: i64,
    pub bytes: u64,
    /// Copies that state their size.
    pub sized: u64,
    pub sized_time_ns: i64,
}

/// What the host did on one thread.
#[derive(Debug, Default)]
pub(crate) struct Thread {
    /// Times within an operator or a call.
    pub active: Cover,
    /// Launches made on it.
    pub launches: u64,
}

/// Sums over the whole file that need no order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sums {
    pub events: u64,
    pub unreadable: u64,
    pub negative: u64,
    pub kernels: u64,
    pub short_kernels: u64,
    pub kernel_ns: i128,
    pub sync_ns: i128,
    pub launch_calls: u64,
    pub steps: u64,
    pub step_ns: i128,
    pub loader_ns: i128,
    pub to_device_ns: i128,
    pub pageable_ns: i128,
    pub to_host_ns: i128,
    pub other_accelerator: u64,
    pub python: u64,
}

/// A trace in memory.
#[derive(Debug)]
pub(crate) struct Timeline {
    pub container: Container,
    pub header: Header,
    /// What was wrong behind the last event that was read.
    pub damage: Option<Trouble>,
    pub sums: Sums,
    /// By start.
    pub device: Vec<DeviceSpan>,
    /// By start.
    pub calls: Vec<Call>,
    /// By start.
    pub marked: Vec<Marked>,
    pub threads: Vec<Thread>,
    /// Device and stream of each lane.
    pub lanes: Vec<(i64, i64)>,
    pub kernels: Names<KernelClass>,
    pub copies: Names<CopyClass>,
    pub copy_tallies: Vec<CopyTally>,
    /// Whose accelerator the calls are made to; `None` without a call that says so.
    pub vendor: Option<Vendor>,
    /// Busy times of accelerators whose work is not kernels.
    pub other_accelerator: Cover,
}

/// Kernels below this are short: part of the definition of the numbers.
const SHORT_KERNEL_NS: i64 = 10_000;

/// Nothing takes longer (15 years): a longer duration is damage.
const DURATION_LIMIT_NS: i64 = 500_000_000_000_000_000;

/// More threads or streams are counted as one.
const LANES_LIMIT: usize = 4096;

/// Takes events one by one.
pub(crate) struct Collector {
    limits: Limits,
    line: Timeline,
    spans: Names<SpanClass>,
    call_names: Names<CallClass>,
    thread_ids: HashMap<(Id, Id), u16>,
    lane_ids: HashMap<(i64, i64), u16>,
    kept: usize,
}

impl Collector {
    pub(crate) fn new(limits: Limits) -> Self {
        let line = Timeline {
            container: Container::Object,
            header: Header::default(),
            damage: None,
            sums: Sums::default(),
            device: Vec::new(),
            calls: Vec::new(),
            marked: Vec::new(),
            threads: Vec::new(),
            lanes: Vec::new(),
            kernels: Names::new(),
            copies: Names::new(),
            copy_tallies: Vec::new(),
            vendor: None,
            other_accelerator: Cover::default(),
        };
        Self {
            limits,
            line,
            spans: Names::new(),
            call_names: Names::new(),
            thread_ids: HashMap::new(),
            lane_ids: HashMap::new(),
            kept: 0,
        }
    }

    /// Whether any event was read.
    pub(crate) fn has_events(&self) -> bool {
        self.line.sums.events > 0
    }

    /// Counts an element of the array that is no object.
    pub(crate) fn count_other(&mut self) {
        self.line.sums.events += 1;
    }

    /// Adds an event; `None` when there are more than the limit.
    pub(crate) fn add(&mut self, event: &Event) -> Option<()> {
        self.line.sums.events += 1;
        if event.phase != b'X' || event.category == Category::Other {
            return Some(());
        }
        let (start, duration) = match (event.start_ns, event.duration_ns) {
            (Field::Value(start), Field::Value(duration)) if (0..DURATION_LIMIT_NS).contains(&duration) => {
                (start, duration)
            }
            (Field::Value(_), Field::Value(duration)) if duration < 0 => {
                self.line.sums.negative += 1;
                return Some(());
            }
            (Field::Absent, _) | (_, Field::Absent) => return Some(()),
            _ => {
                self.line.sums.unreadable += 1;
                return Some(());
            }
        };
        let end = start + duration;
        match event.category {
            Category::Kernel => self.kernel(event, start, end),
            Category::Copy => self.copy(event, start, end),
            Category::Fill => self.device(event, (start, end), 0, DeviceKind::Fill),
            Category::Call => self.call(event, start, end),
            Category::Op | Category::Annotation | Category::Python | Category::Overhead => {
                self.span(event, start, end);
            }
            Category::OtherAccelerator => {
                self.line.sums.other_accelerator += 1;
                self.line.other_accelerator.add(start, end);
            }
            Category::Other => {}
        }
        (self.kept <= self.limits.kept_events).then_some(())
    }

    fn kernel(&mut self, event: &Event, start: i64, end: i64) {
        let (name, class) = self.line.kernels.look_up(&event.name, |name| tables().kernel(name));
        let sums = &mut self.line.sums;
        sums.kernels += 1;
        sums.short_kernels += u64::from(end - start < SHORT_KERNEL_NS);
        sums.kernel_ns += i128::from(end - start);
        let kind = if class.family == Family::Communication {
            DeviceKind::Communication
        } else {
            DeviceKind::Compute
        };
        self.device(event, (start, end), name, kind);
    }

    fn copy(&mut self, event: &Event, start: i64, end: i64) {
        let (name, class) = self.line.copies.look_up(&event.name, |name| tables().copy(name));
        self.line.copy_tallies.resize(self.line.copies.len(), CopyTally::default());
        if let Some(tally) = self.line.copy_tallies.get_mut(name as usize) {
            tally.count += 1;
            tally.time_ns = tally.time_ns.saturating_add(end - start);
            if let Some(bytes) = event.bytes.and_then(|bytes| u64::try_from(bytes).ok()) {
                tally.bytes = tally.bytes.saturating_add(bytes);
                tally.sized += 1;
                tally.sized_time_ns = tally.sized_time_ns.saturating_add(end - start);
            }
        }
        let time = i128::from(end - start);
        let sums = &mut self.line.sums;
        sums.to_device_ns += if class.to_device { time } else { 0 };
        sums.pageable_ns += if class.to_device && class.pageable { time } else { 0 };
        sums.to_host_ns += if class.to_host { time } else { 0 };
        let kind = match (class.to_device, class.to_host) {
            (true, _) => DeviceKind::CopyToDevice,
            (_, true) => DeviceKind::CopyToHost,
            _ => DeviceKind::CopyOther,
        };
        self.device(event, (start, end), name, kind);
    }

    fn device(&mut self, event: &Event, (start, end): (i64, i64), name: NameId, kind: DeviceKind) {
        let lane = (event.device.unwrap_or(event.process), event.stream.unwrap_or(event.thread));
        let lane = numbered(&mut self.lane_ids, lane, || self.line.lanes.push(lane));
        let correlation = event.correlation.unwrap_or(0);
        self.kept += 1;
        self.line.device.push(DeviceSpan { start, end, correlation, name, lane, kind });
    }

    fn call(&mut self, event: &Event, start: i64, end: i64) {
        let (_, class) = self.call_names.look_up(&event.name, |name| tables().call(name));
        let thread = self.thread(event);
        let launches = matches!(class, CallClass::Launch | CallClass::LaunchOther | CallClass::Graph);
        if let Some(thread) = self.line.threads.get_mut(usize::from(thread)) {
            thread.active.add(start, end);
            thread.launches += u64::from(launches);
        }
        self.line.sums.launch_calls += u64::from(class == CallClass::Launch);
        if class == CallClass::Sync {
            self.line.sums.sync_ns += i128::from(end - start);
        }
        if class != CallClass::Other {
            self.kept += 1;
            let correlation = event.correlation.unwrap_or(0);
            self.line.calls.push(Call { start, end, correlation, thread, class });
        }
    }

    fn span(&mut self, event: &Event, start: i64, end: i64) {
        let host = matches!(event.category, Category::Op | Category::Annotation);
        let (_, class) = self.look_up_span(event);
        let sums = &mut self.line.sums;
        sums.python += u64::from(event.category == Category::Python);
        match class {
            SpanClass::Step => {
                sums.steps += 1;
                sums.step_ns += i128::from(end - start);
            }
            SpanClass::Loader if host => sums.loader_ns += i128::from(end - start),
            SpanClass::Other if event.category == Category::Op => {
                let thread = self.thread(event);
                if let Some(thread) = self.line.threads.get_mut(usize::from(thread)) {
                    thread.active.add(start, end);
                }
            }
            _ => {}
        }
        if class != SpanClass::Other {
            self.kept += 1;
            let number = if class == SpanClass::Step { step_number(&event.name) } else { None };
            self.line.marked.push(Marked { start, end, class, number });
        }
    }

    /// One name may mean different things as an operator and as a Python function; the few that do are told apart by
    /// their category in front of the name.
    fn look_up_span(&mut self, event: &Event) -> (NameId, SpanClass) {
        let category = event.category;
        if category == Category::Op {
            return self.spans.look_up(&event.name, |name| tables().span(category, name));
        }
        let mark = match category {
            Category::Python => b'p',
            Category::Overhead => b'o',
            _ => b'a',
        };
        let mut key = Vec::with_capacity(event.name.len() + 2);
        key.extend_from_slice(&[0, mark]);
        key.extend_from_slice(&event.name);
        self.spans.look_up(&key, |name| tables().span(category, &name[2..]))
    }

    fn thread(&mut self, event: &Event) -> u16 {
        let threads = &mut self.line.threads;
        numbered(&mut self.thread_ids, (event.process, event.thread), || threads.push(Thread::default()))
    }

    /// Puts everything in order.
    pub(crate) fn finish(self, container: Container, header: Header, damage: Option<Trouble>) -> Timeline {
        let mut line = Timeline { container, header, damage, ..self.line };
        line.device.sort_by_key(|span| (span.start, span.end));
        line.calls.sort_by_key(|call| (call.start, call.end));
        line.marked.sort_by_key(|span| (span.start, span.end));
        let mut names = (0..self.call_names.len() as NameId).map(|id| self.call_names.text(id));
        line.vendor = names.find_map(|name| tables().vendor(name));
        line.other_accelerator.join();
        for thread in &mut line.threads {
            thread.active.join();
        }
        line
    }
}

/// The number of an identity; a new one gets the next, beyond the limit the last.
fn numbered(ids: &mut HashMap<(i64, i64), u16>, id: (i64, i64), push: impl FnOnce()) -> u16 {
    if let Some(&number) = ids.get(&id) {
        return number;
    }
    if ids.len() >= LANES_LIMIT {
        return LANES_LIMIT as u16 - 1;
    }
    let number = ids.len() as u16;
    ids.insert(id, number);
    push();
    number
}

/// `ProfilerStep#12` to 12.
fn step_number(name: &[u8]) -> Option<u64> {
    let digits =
        name.iter().skip_while(|byte| **byte != b'#').skip(1).take_while(|byte| byte.is_ascii_digit());
    std::str::from_utf8(&digits.copied().collect::<Vec<_>>()).ok()?.parse().ok()
}
