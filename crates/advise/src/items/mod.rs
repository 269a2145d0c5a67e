//! Models that make or read images and clips.

mod request;
mod size;
mod work;

pub use request::ItemRequest;
pub use size::size;
pub use work::is_items;
