//! The machine that does the work, with what it costs.

use maat_base::{Answer, Assumed, Fault, Finding, Range, Share, Source, Watts};
use maat_catalogue::Terms;
use maat_economics::rent_or_buy::{OwnRequest, RentOrBuyBody, RentOrBuyRequest, rent_or_buy};
use maat_economics::{Plain, Price, Prices, prices};
use serde::{Deserialize, Serialize};

use crate::answer::SizeBody;
use crate::request::SizeRequest;
use crate::size;
use crate::world::World;

/// What the machine costs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", command(next_help_heading = "Price of the machine"))]
pub struct PriceRequest {
    /// Rent of one accelerator, such as 2.90/h [default: the median of the catalogue's offers]
    #[cfg_attr(feature = "clap", arg(long, value_name = "MONEY/h", allow_hyphen_values = true))]
    pub rent: Option<Price>,
    /// Rent of the whole machine, such as 98.32/h
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "MONEY/h", allow_hyphen_values = true, conflicts_with = "rent")
    )]
    pub rent_total: Option<Price>,
    /// Kind of offer that is rented: on-demand, spot, marketplace, committed [default: on-demand]
    #[cfg_attr(feature = "clap", arg(long, value_name = "KIND"))]
    pub kind: Option<maat_catalogue::PriceKind>,
    /// Purchase of the whole machine [default: the catalogue's]
    #[cfg_attr(feature = "clap", arg(long, value_name = "MONEY", allow_hyphen_values = true))]
    pub buy: Option<Price>,
    /// Purchase of each accelerator, with its share of the machine around it
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "MONEY", allow_hyphen_values = true, conflicts_with = "buy")
    )]
    pub buy_each: Option<Price>,
    /// Years that a purchase is spread over [default: 3]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", allow_hyphen_values = true))]
    pub years: Option<Plain>,
    /// No discount, residual, staff, energy or upkeep unless given
    #[cfg_attr(feature = "clap", arg(long))]
    pub bare: bool,
    /// What owning costs.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub own: OwnRequest,
}

impl PriceRequest {
    /// The question of renting and buying for these parts.
    pub fn question(&self, gpu: &[String], nodes: Option<u32>, power: Option<Range>) -> RentOrBuyRequest {
        let mut own = self.own.clone();
        own.power = own.power.or_else(|| power.map(|power| Watts(power.likely)));
        RentOrBuyRequest {
            gpu: gpu.to_vec(),
            nodes,
            rent: self.rent,
            rent_total: self.rent_total,
            kind: self.kind,
            buy: self.buy,
            buy_each: self.buy_each,
            years: self.years,
            bare: self.bare,
            own,
            ..RentOrBuyRequest::default()
        }
    }
}

/// A machine at its work, with its prices.
pub struct Priced {
    /// What `size` says.
    pub size: Answer<SizeBody>,
    /// What renting and buying it cost.
    pub prices: Prices,
    /// The question that they answer.
    pub question: RentOrBuyRequest,
}

/// Sizes the work on a machine and looks its prices up.
///
/// # Errors
/// Those of `size` and of the prices.
pub fn priced(request: &SizeRequest, price: &PriceRequest, world: &World) -> Result<Priced, Fault> {
    let size = size::size(request, world)?;
    let power = size.body.power.as_ref().and_then(|power| power.node_w);
    let nodes = f64::from(size.body.machine.as_ref().map_or(1, |machine| machine.nodes));
    let question =
        price.question(&request.hardware.gpu, request.hardware.nodes, power.map(|node| node.scaled(nodes)));
    let prices = prices(&question, world.catalogue, &world.terms())?;
    Ok(Priced { size, prices, question })
}

impl Priced {
    /// Owning and renting at a use; `None` where one of the prices is not known.
    ///
    /// # Errors
    /// Those of the question.
    pub fn compared(
        &self,
        utilisation: Option<f64>,
        world: &World,
    ) -> Result<Option<Answer<RentOrBuyBody>>, Fault> {
        if self.prices.rent_per_hour.is_none() || self.prices.buy_total.is_none() {
            return Ok(None);
        }
        let question = RentOrBuyRequest { utilisation: utilisation.map(Share), ..self.question.clone() };
        rent_or_buy(&question, None, world.catalogue, &world.terms()).map(Some)
    }
}

/// Joins what several answers assumed and found; each once.
#[derive(Default)]
pub struct Joined {
    /// Inputs that nobody gave.
    pub assumed: Vec<Assumed>,
    /// What to mind.
    pub findings: Vec<Finding>,
    /// Sources.
    pub sources: Vec<Source>,
}

impl Joined {
    /// Adds what an answer says beside its body.
    pub fn add<'a>(
        &mut self,
        assumed: impl IntoIterator<Item = &'a Assumed>,
        findings: impl IntoIterator<Item = &'a Finding>,
        sources: impl IntoIterator<Item = &'a Source>,
    ) {
        for one in assumed {
            if self.assumed.iter().all(|known| known.name != one.name) {
                self.assumed.push(one.clone());
            }
        }
        for one in findings {
            if !self.findings.contains(one) {
                self.findings.push(one.clone());
            }
        }
        for one in sources {
            if !self.sources.contains(one) {
                self.sources.push(one.clone());
            }
        }
    }

    /// Puts all beside an answer's body.
    pub fn into_answer<T>(self, mut answer: Answer<T>) -> Answer<T> {
        answer.assumed = self.assumed;
        answer.findings = crate::lints::sorted(self.findings);
        answer.sources = self.sources;
        answer
    }
}

impl World<'_> {
    /// Day and currency as `economics` takes them.
    pub fn terms(&self) -> Terms {
        let exchange = self.eur_per_usd.and_then(|_| self.exchange());
        Terms { as_of: self.as_of, currency: self.currency, exchange }
    }
}
