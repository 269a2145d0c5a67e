//! What can be asked of work without a neural network.

use maat_base::{Amount, Frequency, Share};
use maat_estimate::{Learner, VectorIndex};
use serde::{Deserialize, Serialize};

#[cfg(feature = "clap")]
use crate::request::named;

/// Tables, vectors and requests. What is not given is assumed, and listed so.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", command(next_help_heading = "Tables, vectors, requests"))]
pub struct DataRequest {
    /// Rows of the table, such as 10M
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub rows: Option<Amount>,
    /// Columns of the table [default: 50]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub columns: Option<Amount>,
    /// Trees of a fit, over all classes [default: 100]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub trees: Option<Amount>,
    /// What learns: gbdt forest linear svm [default: gbdt]
    #[cfg_attr(feature = "clap", arg(long, value_name = "LEARNER", value_parser = named::<Learner>))]
    pub learner: Option<Learner>,
    /// Vectors that are searched, such as 5M
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub vectors: Option<Amount>,
    /// Dimensions of a vector [default: 768]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub dim: Option<Amount>,
    /// How they are found: flat hnsw ivf-flat ivf-pq [default: hnsw]
    #[cfg_attr(feature = "clap", arg(long, value_name = "INDEX", value_parser = named::<VectorIndex>))]
    pub index: Option<VectorIndex>,
    /// Queries, transactions or requests, such as 1000/s [default: 100/s]
    #[cfg_attr(feature = "clap", arg(long, value_name = "RATE"))]
    pub queries: Option<Frequency>,
    /// Share of the work that runs at once on many cores [default: the kind's]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SHARE"))]
    pub parallel_share: Option<Share>,
}

impl DataRequest {
    /// Flags that are given, of those that are named.
    pub fn given(&self, names: &[&'static str]) -> Vec<&'static str> {
        let fields = serde_json::to_value(self).unwrap_or_default();
        let set = |name: &&'static str| !fields[name.replace('-', "_")].is_null();
        names.iter().copied().filter(set).collect()
    }
}
