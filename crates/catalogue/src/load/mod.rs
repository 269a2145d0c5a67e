//! From the tables of `facts/` to types, one file a table.

mod accelerators;
mod aliases;
mod carbon;
mod claims;
mod cpus;
mod links;
mod mig;
mod offers;
mod prices;
mod rates;
mod servers;
mod shared;
mod small;

pub(crate) use accelerators::{PartFigures, accelerators};
pub(crate) use aliases::{Alias, AliasKind, accelerator_aliases, cpu_aliases};
pub use carbon::{EmbodiedCarbon, GridCarbon, Tariff};
pub(crate) use carbon::{embodied, grid, tariffs};
pub use claims::Claim;
pub(crate) use claims::claims;
pub use cpus::Cpu;
pub(crate) use cpus::cpus;
pub use links::LinkFact;
pub(crate) use links::links;
pub use mig::MigProfile;
pub(crate) use mig::mig;
pub use offers::{NoPart, Offer, PriceKind};
pub(crate) use offers::{RawOffer, offers};
pub use prices::{PriceHistory, PriceSpread, PurchasePrice, RentalPoint};
pub(crate) use prices::{history, purchase, rental, spread};
pub use rates::RateClaim;
pub(crate) use rates::{preferred, rates};
pub use servers::Server;
pub(crate) use servers::servers;
pub(crate) use shared::{SharedMemory, shared, usable};
pub use small::TensorRow;
pub(crate) use small::{MeasuredMatmul, exchange, measured, number_types, sources, tensor_rows};
