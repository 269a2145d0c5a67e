//! Work that may be interrupted, and sessions that are billed longer than they last: hours that are paid for each hour
//! of work.

use maat_base::Fault;

/// How often work is interrupted and what an interruption costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interruptions {
    /// Interruptions an hour.
    pub per_hour: f64,
    /// Hours between checkpoints.
    pub checkpoint_every_h: f64,
    /// Share of the time that writing checkpoints takes.
    pub checkpoint_overhead: f64,
    /// Hours to start again.
    pub restart_h: f64,
}

impl Interruptions {
    /// Hours that are paid for each hour of work: `(1 + o) / (1 - p (c / 2 + r))`, because each interruption loses half
    /// of the time since a checkpoint and the restart (Distributed Training Book, chapter 5, with the restart added).
    ///
    /// # Errors
    /// `interruptions-too-many` where no work would be left.
    pub fn hours_per_used(&self) -> Result<f64, Fault> {
        let lost = self.per_hour * (self.checkpoint_every_h / 2.0 + self.restart_h);
        if lost >= 1.0 {
            return Err(Fault::usage("interruptions-too-many").at("--interruptions"));
        }
        Ok((1.0 + self.checkpoint_overhead) / (1.0 - lost))
    }
}

/// Interruptions an hour at which a spot machine costs as much as one that stays, for the ratio of their prices:
/// `(1 - (1 + o) / ratio) / (c / 2 + r)`. `None` where the ratio does not even pay for the checkpoints.
pub fn spot_break_even(interruptions: &Interruptions, price_ratio: f64) -> Option<f64> {
    let lost_each = interruptions.checkpoint_every_h / 2.0 + interruptions.restart_h;
    let room = 1.0 - (1.0 + interruptions.checkpoint_overhead) / price_ratio;
    (room >= 0.0 && lost_each > 0.0).then(|| room / lost_each)
}

/// Hours that are billed for each hour of sessions that are billed at least so long.
pub fn billed_per_used(session_h: f64, minimum_h: f64) -> f64 {
    if session_h > 0.0 { session_h.max(minimum_h) / session_h } else { 1.0 }
}
