//! Serving engines.

use maat_readings::monitor::{Part, Signal};

use super::add;
use crate::facts::limit;
use crate::found::Found;
use crate::view::{Load, Series, View};

/// An engine that has little to do: few requests, none waiting.
pub fn starvation(view: &View<'_>, found: &mut Vec<Found>) {
    for (name, rows) in view.groups(Part::Server) {
        let running = Series::of(rows, Signal::RequestsRunning);
        let waiting = Series::of(rows, Signal::RequestsWaiting);
        let working =
            !running.is_empty() && running.max() >= 1.0 && running.median() <= limit("server_few_requests");
        if !working || waiting.is_empty() || waiting.max() > 0.0 || view.load == Load::Busy {
            continue;
        }
        let mut new = Found::new("request-starvation", name);
        new.prove("queue", running.spread());
        new.prove("queue", waiting.spread());
        for phase in view.gpus.iter().filter(|phase| phase.waits()) {
            new.prove("gpu", phase.series(Signal::GpuUtilization).spread());
        }
        let cache = Series::of(rows, Signal::KvCacheUsage);
        if !cache.is_empty() && cache.max() < 0.3 {
            new.prove("cache", cache.spread());
        }
        new.asks = vec!["gpu"];
        add(found, new);
    }
}
