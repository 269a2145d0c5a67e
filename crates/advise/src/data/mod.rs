//! Work without a neural network: is a processor enough, and from where does a GPU pay?

mod advise;
mod choose;
mod evidence;
mod request;
mod size;
mod work;

pub use advise::advise;
pub use request::DataRequest;
pub use size::size;
pub use work::is_data;
