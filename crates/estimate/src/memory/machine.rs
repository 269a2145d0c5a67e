//! The accelerators that a plan's ranks lie on.

use maat_base::Bytes;

use crate::Job;

/// The accelerators of a job in order of nodes and slots.
#[derive(Clone, Debug)]
pub(crate) struct Cards<'a> {
    job: Job<'a>,
    /// Whether a node's accelerators differ.
    pub mixed: bool,
    /// Whether the host's processors do the work.
    pub cpu: bool,
    /// Whether the accelerator's memory is the host's too.
    pub unified: bool,
}

impl<'a> Cards<'a> {
    pub(crate) fn of(job: &Job<'a>) -> Self {
        let slots = job.machine.map_or(&[][..], |machine| &machine.slots);
        Self {
            job: *job,
            mixed: slots.len() > 1,
            cpu: job.machine.is_some_and(|machine| machine.accelerators() == 0),
            unified: slots.first().is_some_and(|slot| slot.accelerator.unified),
        }
    }

    /// Name and memory of the accelerator at a place, counted through all nodes; the last where there are fewer.
    pub(crate) fn at(&self, index: u64) -> (Option<&'a str>, Option<Bytes>) {
        let Some(machine) = self.job.machine else { return (None, None) };
        let per_node = u64::from(machine.per_node());
        let mut place = index % per_node.max(1);
        for slot in &machine.slots {
            if place < u64::from(slot.count) {
                return (Some(&slot.accelerator.name), Some(slot.accelerator.capacity.value));
            }
            place -= u64::from(slot.count);
        }
        (None, machine.host.ram)
    }

    /// Name and memory of the accelerators that hold a stage of the first replica.
    pub(crate) fn stage_cards(&self, stage: u64) -> Vec<(Option<&'a str>, Option<Bytes>)> {
        let each = self.ranks_of_stage();
        (0..each.min(4096)).map(|rank| self.at(stage.saturating_mul(each).saturating_add(rank))).collect()
    }

    /// Ranks that share a stage.
    fn ranks_of_stage(&self) -> u64 {
        let parallel = &self.job.plan.parallel;
        let ranks = [parallel.tp, parallel.dp, parallel.cp].into_iter().map(|n| u64::from(n.max(1)));
        ranks.fold(1, u64::saturating_mul)
    }

    /// Name and memory of the smallest accelerator that holds a stage of any replica.
    pub(crate) fn of_stage(&self, stage: u64) -> (Option<&'a str>, Option<Bytes>) {
        if !self.mixed {
            return self.at(0);
        }
        let parallel = &self.job.plan.parallel;
        let each = self.ranks_of_stage();
        let replica = each.saturating_mul(u64::from(parallel.pp.max(1)));
        let there = (0..u64::from(parallel.replicas.max(1)))
            .flat_map(|r| (0..each).map(move |rank| (r, rank)))
            .map(|(r, rank)| {
                self.at(r
                    .saturating_mul(replica)
                    .saturating_add(stage.saturating_mul(each))
                    .saturating_add(rank))
            });
        // A machine has at most some thousand places that differ.
        there.take(4096).min_by_key(|(_, memory)| *memory).unwrap_or((None, None))
    }

    /// Ranks that run in one node.
    pub(crate) fn ranks_per_node(&self) -> u64 {
        let parallel = &self.job.plan.parallel;
        let all = [parallel.tp, parallel.pp, parallel.dp, parallel.cp, parallel.replicas];
        let all = all.into_iter().map(|n| u64::from(n.max(1))).fold(1, u64::saturating_mul);
        self.job.machine.map_or(all, |machine| all.min(u64::from(machine.per_node()))).max(1)
    }
}
