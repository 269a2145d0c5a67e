//! Where inputs come from: what was given, what the catalogue's defaults hold, what that assumes and leaves open.

use maat_base::{Arg, Assumed, Currency, Decimal, Fault, Finding, Money, Source, Text};
use maat_catalogue::{Catalogue, CostDefault, Terms};
use serde_json::Value;

use crate::input::{Per, Price, TariffChoice};
use crate::rent_or_buy::Spread;

/// Band of electricity that is taken where a country is given without one: a small business (500 to 2,000 MWh a year).
const USUAL_BAND: &str = "IC";
/// How the facts mark prices of electricity that hold value added tax.
const ALL_TAXES: &str = "all taxes included";
/// Country that is taken where none is given.
const USUAL_AREA: &str = "NL";

/// Cards in a computer of one's own, or machines of a data centre: which defaults hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Cards in a computer of one's own.
    Card,
    /// Machines of a data centre.
    Server,
}

impl Class {
    const fn name(self) -> &'static str {
        match self {
            Self::Card => "card",
            Self::Server => "server",
        }
    }
}

/// Collects inputs with what they assume.
pub struct Book<'a> {
    /// Prices, tariffs, defaults.
    pub catalogue: &'a Catalogue,
    /// Day and currency.
    pub terms: &'a Terms,
    /// Inputs that nobody gave.
    pub assumed: Vec<Assumed>,
    /// What to mind.
    pub findings: Vec<Finding>,
    /// How far inputs may lie from what was taken.
    pub spreads: Vec<Spread>,
    /// Whether the price of electricity that was taken holds all taxes.
    pub tariff_taxed: bool,
    sources: Vec<(String, String)>,
}

impl<'a> Book<'a> {
    /// An empty book.
    pub const fn new(catalogue: &'a Catalogue, terms: &'a Terms) -> Self {
        Self {
            catalogue,
            terms,
            assumed: Vec::new(),
            findings: Vec::new(),
            spreads: Vec::new(),
            tariff_taxed: false,
            sources: Vec::new(),
        }
    }

    /// The currency of the answer.
    pub fn currency(&self) -> Currency {
        self.terms.money()
    }

    /// Notes an input that nobody gave; each once.
    pub fn assume(&mut self, name: &'static str, value: impl Into<Value>, text: Text, why: Text) {
        if self.assumed.iter().all(|known| known.name != name) {
            self.assumed.push(Assumed { name, value: value.into(), text, why });
        }
    }

    /// Notes a source that a figure rests on.
    pub fn rests_on(&mut self, tags: &str, date: impl Into<String>) {
        let date = date.into();
        if !tags.is_empty() && self.sources.iter().all(|(known, _)| known != tags) {
            self.sources.push((tags.to_owned(), date));
        }
    }

    /// The sources: those of the list by their tags, others in their own words.
    pub fn sources(&self) -> Vec<Source> {
        let mut all: Vec<Source> = Vec::new();
        for (words, date) in &self.sources {
            for tag in words.split(';').map(str::trim).filter(|tag| !tag.is_empty()) {
                let known = self.catalogue.source(tag).cloned();
                let source = known.unwrap_or_else(|| Source {
                    tag: tag.to_owned(),
                    what: String::new(),
                    place: String::new(),
                    date: date.clone(),
                });
                if all.iter().all(|other| other.tag != source.tag) {
                    all.push(source);
                }
            }
        }
        all
    }

    /// The default of an input for a class.
    ///
    /// # Errors
    /// `cost-default-missing` where the facts hold none.
    pub fn default(&self, name: &'static str, class: Class) -> Result<&'a CostDefault, Fault> {
        let catalogue = self.catalogue;
        let of = |wanted: &str| {
            catalogue.cost_defaults().iter().rfind(|row| row.name == name && row.class == wanted)
        };
        of(class.name()).or_else(|| of("any")).ok_or_else(|| {
            Fault::content("cost-default-missing").with("name", name).at("prices/cost_defaults.csv")
        })
    }

    /// Takes a default: notes it as assumed, with its spread, and gives its usual figure.
    ///
    /// # Errors
    /// `cost-default-missing`.
    pub fn take(&mut self, name: &'static str, class: Class, arg: fn(f64) -> Arg) -> Result<f64, Fault> {
        let row = self.default(name, class)?;
        let text =
            Text::named(format!("assumed-cost-{}", name.replace('_', "-"))).with("value", arg(row.likely));
        self.assume(name, row.likely, text, why(row));
        self.spreads.push(Spread { input: name, low: row.low, high: row.high });
        self.rests_on(&row.source, row.date_words.as_str());
        Ok(row.likely)
    }

    /// Takes a default that is an amount of money, in the currency of the answer.
    ///
    /// # Errors
    /// `cost-default-missing`, `no-exchange-rate`.
    pub fn take_money(&mut self, name: &'static str, class: Class) -> Result<Decimal, Fault> {
        let row = self.default(name, class)?;
        let of = row.currency.unwrap_or_default();
        let amounts = [row.low, row.likely, row.high]
            .map(|amount| Money::new(Decimal::from_f64_retain(amount).unwrap_or_default().round_dp(9), of));
        let [low, likely, high] = amounts.map(|money| self.convert(money));
        let (low, likely, high) = (low?, likely?, high?);
        let text = Text::named(format!("assumed-cost-{}", name.replace('_', "-"))).with("value", likely);
        self.assume(name, likely.as_f64(), text, why(row));
        self.spreads.push(Spread { input: name, low: low.as_f64(), high: high.as_f64() });
        self.rests_on(&row.source, row.date_words.as_str());
        Ok(likely.amount)
    }

    /// Notes how far a given input is varied to rank inputs.
    ///
    /// # Errors
    /// `cost-default-missing`.
    pub fn vary(&mut self, input: &'static str, value: f64) -> Result<(), Fault> {
        let row = self.default("given_spread", Class::Server)?;
        let ends = [value * row.low, value * row.high];
        self.spreads.push(Spread { input, low: ends[0].min(ends[1]), high: ends[0].max(ends[1]) });
        Ok(())
    }

    /// An amount in the currency of the answer; a rate that nobody gave is assumed.
    ///
    /// # Errors
    /// `no-exchange-rate`.
    pub fn convert(&mut self, money: Money) -> Result<Money, Fault> {
        if money.currency == self.currency() {
            return Ok(money);
        }
        let converted = self
            .terms
            .convert(money, self.catalogue)
            .ok_or_else(|| Fault::content("no-exchange-rate").at("exchange.csv"))?;
        if self.terms.exchange.is_none()
            && let Some((rate, unsure)) = self.catalogue.exchange_rate()
        {
            let value = rate.eur_per_usd.to_string();
            let date = rate.date.map_or_else(String::new, |date| date.to_string());
            let text = Text::new("assumed-cost-fx")
                .with("rate", Arg::Number(value.parse().unwrap_or_default()))
                .with("date", date.as_str());
            let why = Text::new("why-cost-fx")
                .with("source", rate.source.as_str())
                .with("unsure", unsure.unwrap_or_default());
            self.assume("fx", value, text, why);
        }
        Ok(converted)
    }

    /// A price that was typed, in the currency of the answer. `per` is what the field means.
    ///
    /// # Errors
    /// `price-unit-wrong` for another unit, `no-exchange-rate`.
    pub fn price(&mut self, flag: &'static str, price: Price, per: Option<Per>) -> Result<Decimal, Fault> {
        if price.per.is_some() && price.per != per {
            let expected = per.map_or_else(|| "none".to_owned(), |per| format!("/{}", per.name()));
            return Err(Fault::usage("price-unit-wrong")
                .with("given", price.to_string())
                .at(flag)
                .hint(Text::new("hint-price-unit-wrong").with("expected", expected)));
        }
        let currency = price.currency.unwrap_or_else(|| self.currency());
        Ok(self.convert(Money::new(price.amount, currency))?.amount)
    }

    /// A price that was typed and that must not be zero.
    ///
    /// # Errors
    /// Those of [`Book::price`], and `price-zero`.
    pub fn positive(&mut self, flag: &'static str, price: Price, per: Option<Per>) -> Result<Decimal, Fault> {
        if price.amount == Decimal::ZERO {
            return Err(Fault::usage("price-zero").with("flag", flag).at(flag));
        }
        self.price(flag, price, per)
    }

    /// Price of a kilowatt-hour in the currency of the answer: as given, of a country and band, or the usual one.
    ///
    /// # Errors
    /// `tariff-unknown`, `no-exchange-rate`.
    pub fn tariff(&mut self, given: Option<&TariffChoice>) -> Result<Decimal, Fault> {
        let (area, band) = match given {
            Some(TariffChoice::Price(price)) => {
                let amount = self.price("--tariff", *price, Some(Per::Kwh))?;
                self.vary("tariff", Money::new(amount, self.currency()).as_f64())?;
                return Ok(amount);
            }
            Some(TariffChoice::Area { area, band }) => (area.as_str(), band.as_deref()),
            None => (USUAL_AREA, Some(USUAL_BAND)),
        };
        let wanted = band.unwrap_or(USUAL_BAND);
        let catalogue = self.catalogue;
        let of_area = || catalogue.tariffs().iter().filter(move |row| row.area.eq_ignore_ascii_case(area));
        let found = of_area()
            .filter(|row| {
                row.band.eq_ignore_ascii_case(wanted) && row.eur_per_kwh.is_some_and(|price| price > 0.0)
            })
            .max_by(|a, b| a.period.cmp(&b.period));
        let Some((row, eur)) = found.and_then(|row| Some((row, row.eur_per_kwh?))) else {
            let mut bands: Vec<&str> =
                of_area().map(|row| row.band.as_str()).filter(|band| band.len() == 2).collect();
            bands.sort_unstable();
            bands.dedup();
            return Err(Fault::usage("tariff-unknown")
                .with("area", area)
                .with("band", wanted)
                .at("--tariff")
                .hint(Text::new("hint-tariff-unknown").with("known", bands)));
        };
        self.tariff_taxed = row.taxes.starts_with(ALL_TAXES);
        let eur = Decimal::from_f64_retain(eur).unwrap_or_default().round_dp(6);
        let price = self.convert(Money::new(eur, Currency::Eur))?;
        let text = Text::new("assumed-tariff")
            .with("price", price)
            .with("area", area)
            .with("period", row.period.as_str());
        let why = Text::new("why-cost-tariff")
            .with("band", row.band.as_str())
            .with("consumer", row.consumer.as_str())
            .with("taxes", row.taxes.as_str())
            .with("source", row.source.as_str());
        self.assume("tariff", format!("{area}:{}", row.band), text, why);
        self.rests_on(&row.source, row.period.as_str());
        self.vary("tariff", price.as_f64())?;
        Ok(price.amount)
    }
}

/// Why a default: its source, date and doubt.
fn why(row: &CostDefault) -> Text {
    let id = if row.unsure.is_some() { "why-cost-default-unsure" } else { "why-cost-default" };
    let text = Text::new(id).with("source", row.source.as_str()).with("date", row.date_words.as_str());
    match &row.unsure {
        Some(unsure) => text.with("unsure", unsure.as_str()),
        None => text,
    }
}
