//! From a timeline to numbers. Everything is computed in whole nanoseconds on sets of times.

mod idle;
mod kernels;
mod launches;
mod layers;
mod numbers;
mod steps;

pub use idle::{IdleKinds, Waits};
pub use kernels::{CollectiveRow, CopyRow, FamilyRow, KernelRow, StreamRow, TensorCores};
pub use launches::Launches;
pub use numbers::Numbers;
pub use steps::{Resource, Split, Step};

pub(crate) use idle::{Correlations, Idle};
pub(crate) use kernels::{collectives, copies, kernels, streams, tensor_cores};
pub(crate) use launches::{launches, median as median_of};
pub(crate) use layers::Layers;
pub(crate) use steps::steps;
