//! `prices/hosts.csv`: what a computer around bought cards or processors costs.

use maat_base::{Bytes, Currency, Date, Fault, Money};
use serde::Serialize;

use crate::table::{File, Loaded, columns, date, read};

columns!(Columns {
    class,
    cards,
    ram_gb,
    cores,
    pcie_lanes,
    card_slots,
    price,
    currency,
    date,
    source,
    unsure
});

/// A computer without accelerators, to put bought ones in.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HostPrice {
    /// `desktop`, `workstation` or `server`.
    pub class: String,
    /// Most cards that it takes.
    pub cards: u32,
    /// Its memory.
    pub ram: Bytes,
    /// Cores of its processors.
    pub cores: Option<u32>,
    /// PCIe lanes of its processors.
    pub pcie_lanes: Option<u32>,
    /// Slots of the board and its case, each of the width of a thin card.
    pub card_slots: Option<u32>,
    /// Its price.
    pub price: Money,
    /// The price's currency.
    pub currency: Currency,
    /// When.
    pub date: Option<Date>,
    /// Who says so.
    pub source: String,
    /// What is not certain.
    pub unsure: Option<String>,
}

/// Reads every host, the smallest first.
pub(crate) fn hosts(files: &[File]) -> Loaded<HostPrice> {
    let mut loaded = read(files, "prices/hosts.csv", Columns::of, |row, c| {
        let currency = row.one_of(c.currency, "currency", |text| text.parse().ok())?;
        let amount = row.price(c.price, "price")?.ok_or_else(|| row.fault("price", ""))?;
        let missing = |name: &'static str| -> Fault { row.fault(name, "") };
        Ok(HostPrice {
            class: row.required(c.class, "class")?,
            cards: row.parsed(c.cards, "cards")?.ok_or_else(|| missing("cards"))?,
            cores: row.parsed(c.cores, "cores")?,
            pcie_lanes: row.parsed(c.pcie_lanes, "pcie_lanes")?,
            card_slots: row.parsed(c.card_slots, "card_slots")?,
            ram: Bytes::gib(row.parsed(c.ram_gb, "ram_gb")?.ok_or_else(|| missing("ram_gb"))?),
            price: Money::new(amount, currency),
            currency,
            date: date(row.text(c.date)),
            source: row.text(c.source).to_owned(),
            unsure: row.owned(c.unsure),
        })
    });
    loaded.items.sort_by_key(|host: &HostPrice| host.cards);
    loaded
}
