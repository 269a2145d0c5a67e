//! How many times as fast another machine is than this one.

use maat_base::{Arg, Range, Text};
use maat_estimate::{Bound, Speed};

use crate::answer::Gain;

impl Gain {
    /// How many times as fast another machine is, by each figure that both have.
    pub(super) fn of(own: &Speed, other: &Speed) -> Self {
        let ratio = |of: fn(&Speed) -> Option<Range>| {
            let (own, other) = (of(own)?.likely, of(other)?.likely);
            let times = other / own;
            (own > 0.0 && times.is_finite()).then_some(times)
        };
        Self {
            decode: ratio(|speed| speed.decode_tokens_per_s),
            prefill: ratio(|speed| speed.prefill_tokens_per_s),
            throughput: ratio(|speed| speed.throughput_tokens_per_s),
            train: ratio(|speed| speed.train_tokens_per_s),
            items: ratio(|speed| speed.items_per_s),
            finish: ratio(|speed| speed.time_to_finish_s.map(inverse)),
        }
    }

    /// In words, with what holds the other back then; `None` where there is nothing to compare.
    pub(super) fn text(&self, id: &'static str, machine: &str, other: &Speed) -> Option<Text> {
        let serves = self.decode.zip(self.throughput);
        let (what, times) = match (serves, self.train, self.items, self.finish) {
            (Some((decode, _)), ..) => ("tokens", decode),
            (None, Some(train), ..) => ("train", train),
            (None, None, Some(items), _) => ("items", items),
            (None, None, None, Some(finish)) => ("finish", finish),
            _ => return None,
        };
        let bounds = &other.bound;
        let bound = bound_name(bounds.decode.or(bounds.step).unwrap_or(bounds.main));
        Some(
            Text::new(id)
                .with("machine", machine)
                .with("what", what)
                .with("times", Arg::Number(times))
                .with("all", Arg::Number(self.throughput.unwrap_or(times)))
                .with("prompt", self.prefill.map_or("no", |_| "yes"))
                .with("prefill", Arg::Number(self.prefill.unwrap_or(times)))
                .with("bound", bound),
        )
    }
}

/// Seconds as jobs a second.
fn inverse(time: Range) -> Range {
    Range { low: 1.0 / time.high, likely: 1.0 / time.likely, high: 1.0 / time.low }
}

const fn bound_name(bound: Bound) -> &'static str {
    match bound {
        Bound::Compute => "compute",
        Bound::Memory => "memory",
        Bound::Network => "network",
        Bound::Launch => "launch",
        Bound::Cpu => "cpu",
        Bound::Storage => "storage",
    }
}
