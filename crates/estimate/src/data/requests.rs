//! Web servers: many small, independent, branching requests.

use maat_base::{Bytes, Range};

use super::lane::Cpu;
use super::{DataCost, Facts};
use crate::Bound;

pub(super) fn web(facts: &Facts, cpu: &Cpu, queries_per_s: f64) -> DataCost {
    let each = facts.range("web_core_s");
    let power = cpu.cores * cpu.clock * facts.get("web_load_share");
    let rate = Range::new(power / each.high, power / each.likely, power / each.low);
    DataCost {
        memory: Bytes::ZERO,
        memory_range: [Bytes::ZERO, Bytes::ZERO],
        disk: Bytes::ZERO,
        time_s: each.scaled(1.0 / cpu.clock),
        rate_per_s: rate,
        setup_s: 0.0,
        transfer_s: 0.0,
        parallel_share: 1.0,
        machines_needed: (queries_per_s / rate.likely).max(1.0),
        spare: rate.likely / queries_per_s,
        bound: Bound::Cpu,
    }
}
