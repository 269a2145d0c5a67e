//! `catalogue offers`.

use maat_base::Text;
use maat_catalogue::{OfferView, OffersBody};

use super::code;
use crate::render::kinds::kind;
use crate::render::{Cell, Column, Page, Present, Table, command};
use crate::{Localiser, argument, number};

/// Offers that a page lists unless more is asked for.
const LISTED: usize = 15;
/// Offers apart that it lists.
const APART: usize = 3;

impl Present for OffersBody {
    fn blocks(&self, page: &mut Page<'_>) {
        let most = if page.style.explain { usize::MAX } else { LISTED };
        if !self.offers.is_empty() {
            page.table(&table(page.local, &self.offers).first(most));
        }
        if self.offers.len() > most {
            let more = page.local.text(&Text::new("list-more").with("n", self.offers.len() - most));
            page.wrapped("  ", 2, &more);
        }
        let apart = if page.style.explain { usize::MAX } else { APART };
        if !self.unranked.is_empty() {
            page.heading("offers-apart-label");
        }
        for offer in self.unranked.iter().take(apart) {
            let why = Text::named(format!("unranked-{}", offer.why));
            let text = Text::new("offers-apart")
                .with("provider", &*offer.provider)
                .with("accelerator", &*offer.accelerator)
                .with("why", why);
            page.bullet(&text);
        }
    }

    fn table(&self, local: &Localiser) -> Option<Table> {
        Some(table(local, &self.offers))
    }

    fn next(&self) -> Vec<(Text, String)> {
        let show = |offer: &OfferView| {
            (Text::new("offers-next-show"), command(["maat", "catalogue", "show", &offer.accelerator]))
        };
        self.offers.first().map(show).into_iter().collect()
    }
}

/// Offers, with prices of one accelerator.
pub fn table(local: &Localiser, offers: &[OfferView]) -> Table {
    let mut table = Table::new(vec![
        Column::left("provider", local.label("column-provider")),
        Column::raw("offer"),
        Column::left("accelerator", local.label("column-accelerator")),
        Column::right("count", local.label("column-count")),
        Column::right("hourly_per_accelerator", local.label("column-hourly-each")),
        Column::raw("hourly"),
        Column::raw("currency"),
        Column::whole("kind", local.label("column-kind")),
        Column::left("region", local.label("column-region")),
        Column::whole("price_date", local.label("column-price-date")),
        Column::raw("source"),
    ]);
    for offer in offers {
        let price = argument::money(local.lang(), offer.hourly_per_accelerator, offer.currency.code());
        table.row(vec![
            Cell::word(&*offer.provider),
            Cell::raw(&*offer.offer),
            Cell::word(offer.accelerator.as_str()),
            Cell::new(offer.count, number::whole(local.lang(), u64::from(offer.count))),
            Cell::new(offer.hourly_per_accelerator, price),
            Cell::raw(offer.hourly),
            Cell::raw(offer.currency.code()),
            kind_cell(local, &code(&offer.kind)),
            Cell::or_unknown(offer.region.as_deref().map(Cell::word)),
            Cell::word(offer.price_date.to_string()),
            Cell::raw(&*offer.source),
        ]);
    }
    table
}

/// A kind of offer in words, its code for programs.
fn kind_cell(local: &Localiser, code: &str) -> Cell {
    Cell::new(code, kind(local, code))
}
