//! The parts that pictures of a trace are made of.

use maat_trace::{Micros, Piece, RankReport, Split, TraceDiff, Waits};

/// A part: its place in the order, the message that names it, its colour.
pub struct Part {
    pub place: usize,
    pub label: &'static str,
    /// For SVG; told apart by lightness too.
    pub color: &'static str,
}

/// All parts in the order in which they are drawn.
pub const PARTS: [Part; 7] = [
    Part { place: 0, label: "trace-part-compute", color: "#1f6f8b" },
    Part { place: 1, label: "trace-part-communication", color: "#e0a030" },
    Part { place: 2, label: "trace-part-copies", color: "#8fbf6f" },
    Part { place: 3, label: "trace-part-loader", color: "#b03a2e" },
    Part { place: 4, label: "trace-part-sync", color: "#8e5ea2" },
    Part { place: 5, label: "trace-part-launch", color: "#d98880" },
    Part { place: 6, label: "trace-part-other", color: "#c8c8c8" },
];

/// The times of the parts of a whole trace.
pub fn of_trace(trace: &RankReport) -> [Micros; 7] {
    trace.split.map(|split| times(&split, &trace.waits)).unwrap_or_default()
}

/// The times of the parts of a piece of it.
pub fn of_piece(piece: &Piece) -> [Micros; 7] {
    times(&piece.split, &piece.waits)
}

/// The times of the parts of one side of a comparison: 0 before, 1 after.
pub fn of_changes(diff: &TraceDiff, side: usize) -> [Micros; 7] {
    let named = [
        "compute_us",
        "exposed_comm_us",
        "exposed_memcpy_us",
        "waits.loader_us",
        "waits.sync_us",
        "waits.launch_us",
    ];
    let mut times = [Micros::default(); 7];
    for part in &diff.parts {
        let time = if side == 0 { part.before_us } else { part.after_us };
        let place = named.iter().position(|name| *name == part.part).unwrap_or(named.len());
        times[place] = Micros::from_ns(times[place].ns().saturating_add(time.ns()));
    }
    times
}

fn times(split: &Split, waits: &Waits) -> [Micros; 7] {
    let named = [waits.loader_us, waits.sync_us, waits.launch_us];
    let rest = named.iter().fold(split.idle_us.ns(), |rest, time| rest.saturating_sub(time.ns())).max(0);
    [
        split.compute_us,
        split.exposed_comm_us,
        split.exposed_memcpy_us,
        waits.loader_us,
        waits.sync_us,
        waits.launch_us,
        Micros::from_ns(rest),
    ]
}
