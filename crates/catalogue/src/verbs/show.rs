//! `catalogue show NAME`: everything that is known of a part.

use std::sync::Arc;

use maat_base::{Answer, Assumed, Fault, Source, Text, Verdict};
use serde::{Deserialize, Serialize};

use super::offers::{OfferView, views};
use crate::accelerator::{Accelerator, NumberType};
use crate::catalogue::Catalogue;
use crate::load::{AliasKind, Claim, Cpu, MigProfile, PurchasePrice, RateClaim, Server};
use crate::terms::Terms;

/// Offers of a part that are shown.
const OFFERS: usize = 5;

/// Everything that is known of a part.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct ShowRequest {
    /// An accelerator, a processor, a server or a cloud instance, by any of its names
    #[cfg_attr(feature = "clap", arg(value_name = "NAME"))]
    pub name: String,
}

/// What was found: one of the three.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ShowBody {
    /// An accelerator.
    pub accelerator: Option<AcceleratorDetail>,
    /// A processor.
    pub cpu: Option<Arc<Cpu>>,
    /// A server or instance.
    pub server: Option<ServerDetail>,
    /// What it costs to buy.
    pub purchase: Vec<PurchasePrice>,
    /// The cheapest offers of it for rent, by accelerator and hour.
    pub offers: Vec<OfferView>,
}

/// An accelerator with all claims.
#[derive(Clone, Debug, Serialize)]
pub struct AcceleratorDetail {
    /// The part.
    #[serde(flatten)]
    pub part: Arc<Accelerator>,
    /// Every claim of a rate of which there is more than one.
    pub rate_claims: Vec<RateClaim>,
    /// Figures of other sources that are not used.
    pub claims: Vec<Claim>,
    /// Slices.
    pub mig: Vec<MigProfile>,
    /// Measured rates of large matrix products.
    pub measured: Vec<MeasuredRate>,
    /// Its names.
    pub names: Vec<Name>,
    /// Remarks.
    pub note: Option<String>,
    /// Where the row stands, as `path:line`.
    pub place: String,
}

/// A measured rate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeasuredRate {
    /// Number type.
    pub number: NumberType,
    /// Operations per second.
    pub flop_per_s: f64,
    /// Software that it was measured with.
    pub software: String,
    /// Tag of the source.
    pub source: String,
}

/// A name and who uses it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Name {
    /// The name.
    pub name: String,
    /// `nvml`, `pci`, `cloud`, `people` or `system`.
    pub used_by: String,
}

/// A server with its parts resolved.
#[derive(Clone, Debug, Serialize)]
pub struct ServerDetail {
    /// The server.
    #[serde(flatten)]
    pub server: Arc<Server>,
    /// Identifier of its accelerator, where its words say which.
    pub accelerator_id: Option<String>,
}

/// Shows a part by any of its names: servers and instances first, then accelerators, then processors.
///
/// # Errors
/// `part-unknown`, with near names of accelerators.
pub fn show(request: &ShowRequest, catalogue: &Catalogue, terms: &Terms) -> Result<Answer<ShowBody>, Fault> {
    let name = request.name.trim();
    let mut assumed = Vec::new();
    let mut body = ShowBody::default();
    let (id, shown, tags) = if let Some(server) = catalogue.resolve_server(name) {
        let found = (server.id.clone(), server.name.clone(), server.source.clone());
        let accelerator_id = catalogue.part_of_server(&server).map(|part| part.id.clone());
        body.server = Some(ServerDetail { server, accelerator_id });
        found
    } else {
        match (catalogue.resolve_accelerator(name), catalogue.resolve_cpu(name)) {
            (Ok(found), _) => {
                assumed.extend(found.why.map(|why| chosen(name, &found.part.name, why)));
                let ids = (found.part.id.clone(), found.part.name.clone(), found.part.sources.clone());
                body.offers = offers_of(&found.part, catalogue, terms);
                body.accelerator = Some(detail(found.part, catalogue));
                ids
            }
            (Err(_), Ok(found)) => {
                let ids = (found.part.id.clone(), found.part.name.clone(), found.part.source.clone());
                body.cpu = Some(found.part);
                ids
            }
            (Err(fault), Err(_)) => {
                return Err(Fault {
                    code: "part-unknown",
                    message: Text::new("fault-part-unknown").with("name", name),
                    ..fault
                });
            }
        }
    };
    body.purchase = catalogue.purchase_prices().iter().filter(|price| price.part == id).cloned().collect();
    let verdict =
        Verdict { ok: Some(true), code: "shown".into(), text: Text::new("verdict-show").with("name", shown) };
    let mut answer = Answer::new("catalogue show", verdict, body);
    answer.assumed = assumed;
    answer.sources = catalogue.sources_named(tags.split(';').map(str::trim));
    Ok(answer)
}

fn chosen(given: &str, part: &str, why: Text) -> Assumed {
    let text = Text::new("assumed-part").with("given", given).with("part", part);
    Assumed { name: "name", value: part.into(), text, why }
}

fn offers_of(part: &Accelerator, catalogue: &Catalogue, terms: &Terms) -> Vec<OfferView> {
    let of_part = |offer: &&crate::load::Offer| {
        offer.is_rankable() && offer.part.as_ref().is_some_and(|own| own.id == part.id)
    };
    let mut found = views(catalogue.offers().iter().filter(of_part), catalogue, terms);
    found.truncate(OFFERS);
    found
}

fn detail(part: Arc<Accelerator>, catalogue: &Catalogue) -> AcceleratorDetail {
    let of_part: Vec<&RateClaim> =
        catalogue.rates().iter().filter(|claim| claim.accelerator == part.id).collect();
    let contested = |claim: &&&RateClaim| {
        of_part
            .iter()
            .filter(|other| crate::load::rate_key(&other.rate) == crate::load::rate_key(&claim.rate))
            .count()
            > 1
    };
    let figures = catalogue.figures_of(&part.id);
    AcceleratorDetail {
        rate_claims: of_part.iter().filter(contested).map(|&claim| claim.clone()).collect(),
        claims: catalogue.claims().iter().filter(|claim| claim.accelerator == part.id).cloned().collect(),
        mig: catalogue.mig_profiles_of(&part.id).cloned().collect(),
        measured: catalogue.measured_rates(&part.id),
        names: names(&part.id, catalogue),
        note: figures.and_then(|it| it.note.clone()),
        place: figures.map(|it| it.place.clone()).unwrap_or_default(),
        part,
    }
}

impl Catalogue {
    /// Rates of large matrix products that were measured on a part.
    pub fn measured_rates(&self, part: &str) -> Vec<MeasuredRate> {
        let of_part = |run: &&crate::load::MeasuredMatmul| {
            self.resolve_accelerator(&run.accelerator).is_ok_and(|found| found.part.id == part)
        };
        self.measured()
            .iter()
            .flatten()
            .filter(of_part)
            .map(|run| MeasuredRate {
                number: run.number,
                flop_per_s: run.flop_per_s,
                software: run.software.clone(),
                source: run.source.clone(),
            })
            .collect()
    }
}

fn names(id: &str, catalogue: &Catalogue) -> Vec<Name> {
    let used_by = |kind| match kind {
        AliasKind::Name | AliasKind::Slug => None,
        AliasKind::Nvml => Some("nvml"),
        AliasKind::Pci => Some("pci"),
        AliasKind::Cloud => Some("cloud"),
        AliasKind::People => Some("people"),
        AliasKind::System => Some("system"),
    };
    catalogue
        .accelerator_names()
        .aliases
        .iter()
        .filter(|alias| alias.part == id)
        .filter_map(|alias| Some(Name { name: alias.name.clone(), used_by: used_by(alias.kind)?.to_owned() }))
        .collect()
}

impl Catalogue {
    /// The sources with these tags, each once, in the order of the tags; unknown tags are left out.
    pub fn sources_named<'a>(&self, tags: impl IntoIterator<Item = &'a str>) -> Vec<Source> {
        let mut found: Vec<Source> = Vec::new();
        for tag in tags {
            if let Some(source) = self.source(tag)
                && !found.contains(source)
            {
                found.push(source.clone());
            }
        }
        found
    }

    /// The sources of a machine's parts.
    pub fn sources_of(&self, machine: Option<&crate::Machine>) -> Vec<Source> {
        let tags = machine.into_iter().flat_map(|machine| &machine.slots);
        self.sources_named(tags.flat_map(|slot| {
            let part = &slot.accelerator;
            part.capacity.source.split(';').chain(part.sources.split(';')).map(str::trim)
        }))
    }
}
