//! What is known about engines and hardware classes, as data.

/// Defaults and rules of engines by version and device, and efficiencies of hardware classes, read from `facts/`.
#[derive(Clone, Debug, Default)]
pub struct Rules {}
