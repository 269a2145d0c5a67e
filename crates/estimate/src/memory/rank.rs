//! What one accelerator holds, before it is reported.

use maat_base::Bytes;

use super::AcceleratorMemory;

/// A likely figure with its range: low, likely, high.
pub(crate) type Spread = [Bytes; 3];

/// The sum of two spreads.
pub(crate) fn plus(a: Spread, b: Spread) -> Spread {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// The larger of two spreads, end by end.
pub(crate) fn larger(a: Spread, b: Spread) -> Spread {
    [a[0].max(b[0]), a[1].max(b[1]), a[2].max(b[2])]
}

/// An amount without a range.
pub(crate) fn exact(bytes: Bytes) -> Spread {
    [bytes; 3]
}

/// Where everything lies: each kind of accelerator of one group, and the host's part.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placement {
    pub ranks: Vec<Rank>,
    /// Host memory; `None` where the accelerator is the host's memory.
    pub host: Option<Bytes>,
}

/// What one accelerator holds, and what it has.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Rank {
    /// Name of the part.
    pub name: Option<String>,
    pub capacity: Option<Bytes>,
    pub weights: Bytes,
    /// Caches and states that the work needs.
    pub kv: Bytes,
    pub state: Bytes,
    pub workspace: Spread,
    pub framework: Spread,
    /// What the engine takes, where it reserves.
    pub reserved: Option<Bytes>,
    /// What the engine must hold besides the pool within what it reserves.
    pub fixed: Bytes,
    /// Cache and state of one sequence of the context, as the engine demands it before it starts.
    pub one_sequence: Bytes,
    /// Cache and state of all users: with their input and output, or their context where that is kept for each.
    pub users: Bytes,
    /// Tokens and bytes of a block, where every layer keeps every token alike.
    pub block: Option<(u64, Bytes)>,
}

impl Rank {
    /// All that it holds.
    pub(crate) fn total(&self) -> Bytes {
        self.weights + self.kv + self.state + self.workspace[1] + self.framework[1]
    }

    /// Capacity less total.
    pub(crate) fn free(&self) -> Option<i64> {
        self.capacity.map(|capacity| difference(capacity, self.total()))
    }

    /// The cache's pool; nothing where the fixed parts already fill what is reserved.
    pub(crate) fn pool_bytes(&self) -> Option<Bytes> {
        self.reserved.map(|reserved| reserved - self.fixed)
    }

    /// What orders ranks by fullness: what is over the capacity, else the total.
    pub(crate) fn pressure(&self) -> i64 {
        difference(self.total(), self.capacity.unwrap_or(Bytes::ZERO))
    }

    /// As the answer shows it.
    pub(crate) fn report(&self, named: bool) -> AcceleratorMemory {
        let exact = self.weights + self.kv + self.state;
        AcceleratorMemory {
            name: self.name.clone().filter(|_| named),
            weights_bytes: self.weights,
            kv_cache_bytes: self.kv,
            state_bytes: self.state,
            workspace_bytes: self.workspace[1],
            framework_bytes: self.framework[1],
            total_bytes: self.total(),
            free_bytes: self.free(),
            total_bytes_range: [
                exact + self.workspace[0] + self.framework[0],
                exact + self.workspace[2] + self.framework[2],
            ],
            ..AcceleratorMemory::default()
        }
    }
}

/// `a - b` with its sign.
pub(crate) fn difference(a: Bytes, b: Bytes) -> i64 {
    let signed = i128::from(a.0) - i128::from(b.0);
    i64::try_from(signed).unwrap_or(if signed < 0 { i64::MIN } else { i64::MAX })
}
