//! What a question is answered from.

use maat_base::{Currency, Date, Decimal, ExchangeRate, Money, Source};
use maat_catalogue::Catalogue;
use maat_estimate::Rules;

/// The facts and conventions that a request is answered with; the same world gives the same answer.
#[derive(Clone, Copy, Debug)]
pub struct World<'a> {
    /// Hardware, names, offers, prices.
    pub catalogue: &'a Catalogue,
    /// Engines and efficiencies.
    pub rules: &'a Rules,
    /// The day that ages of prices are counted from; `None` for the newest offer's.
    pub as_of: Option<Date>,
    /// Currency of the answer; `None` for dollars.
    pub currency: Option<Currency>,
    /// Whether to say how speeds came about.
    pub explain: bool,
    /// Euros for a dollar, where the user gave it.
    pub eur_per_usd: Option<Decimal>,
}

impl World<'_> {
    /// The day that ages are counted from.
    pub fn day(&self) -> Date {
        self.as_of.or_else(|| self.catalogue.as_of()).unwrap_or_default()
    }

    /// The rate between currencies: the user's, else the catalogue's.
    pub fn exchange(&self) -> Option<ExchangeRate> {
        match self.eur_per_usd {
            Some(eur_per_usd) => Some(ExchangeRate { eur_per_usd, date: None, source: "user".to_owned() }),
            None => self.catalogue.exchange_rate().map(|(rate, _)| rate.clone()),
        }
    }

    /// The sources behind lists of tags joined by `;`, each once.
    pub fn sources<'t>(&self, tags: impl IntoIterator<Item = &'t str>) -> Vec<Source> {
        let mut found: Vec<Source> = Vec::new();
        for tag in tags.into_iter().flat_map(|tags| tags.split(';')).map(str::trim) {
            let known = found.iter().any(|source| source.tag == tag);
            if let Some(source) = self.catalogue.source(tag).filter(|_| !known) {
                found.push(source.clone());
            }
        }
        found
    }

    /// An amount in the answer's currency.
    pub fn money(&self, amount: Money) -> Option<Money> {
        let currency = self.currency.unwrap_or_default();
        if amount.currency == currency { Some(amount) } else { self.exchange()?.convert(amount, currency) }
    }
}
