//! `catalogue list, show, compare, offers, history, lint, export`: each a function from a request to an answer.

mod compare;
mod export;
mod history;
mod list;
mod offers;
mod show;
#[cfg(test)]
mod tests;
mod view;

pub use compare::{CompareBody, CompareRequest, Comparison, Metric, Wins, compare};
pub use export::{ExportBody, ExportRequest, ExportedFile, export};
pub use history::{HistoryBody, HistoryRequest, PricePoint, PriceSeries, history};
pub use list::{Kind, ListBody, ListRequest, list};
pub use offers::{OfferView, OffersBody, OffersRequest, UnrankedOffer, offers};
pub use show::{AcceleratorDetail, MeasuredRate, Name, ServerDetail, ShowBody, ShowRequest, show};
pub use view::{AcceleratorView, RateView};
