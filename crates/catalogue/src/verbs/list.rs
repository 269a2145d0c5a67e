//! `catalogue list`: which parts there are.

use std::cmp::Reverse;
use std::sync::Arc;

use maat_base::{Answer, Fault, LabelSize, Text, Verdict};
use serde::{Deserialize, Serialize};

use super::view::AcceleratorView;
use crate::accelerator::NumberType;
use crate::catalogue::Catalogue;
use crate::load::{Cpu, Server};

/// What is listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Kind {
    /// Accelerators.
    #[default]
    Accelerators,
    /// Processors.
    Cpus,
    /// Servers, workstations and cloud instances.
    Servers,
}

/// Which parts there are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct ListRequest {
    /// What to list [default: accelerators]
    #[cfg_attr(feature = "clap", arg(value_name = "KIND"))]
    pub what: Option<Kind>,
    /// Only parts that compute in all of these types, such as fp8,bf16
    #[cfg_attr(feature = "clap", arg(long, value_name = "TYPES", value_delimiter = ','))]
    pub supports: Vec<NumberType>,
    /// Only these makers
    #[cfg_attr(feature = "clap", arg(long, value_name = "VENDOR", value_delimiter = ','))]
    pub vendor: Vec<String>,
    /// Only parts with at least this much memory, such as 24GB
    #[cfg_attr(feature = "clap", arg(long, value_name = "SIZE"))]
    pub min_memory: Option<LabelSize>,
}

/// The parts, most memory first, then widest bandwidth, then by name.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ListBody {
    /// Accelerators.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accelerators: Vec<AcceleratorView>,
    /// Processors.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cpus: Vec<Arc<Cpu>>,
    /// Servers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub servers: Vec<Arc<Server>>,
    /// Parts of which it is not known whether they compute in the types asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_known: Vec<String>,
}

/// Lists the parts that a request lets through.
///
/// # Errors
/// `vendor-unknown`.
pub fn list(request: &ListRequest, catalogue: &Catalogue) -> Result<Answer<ListBody>, Fault> {
    let kind = request.what.unwrap_or_default();
    check_vendors(request, kind, catalogue)?;
    let mut body = ListBody::default();
    match kind {
        Kind::Accelerators => accelerators(request, catalogue, &mut body),
        Kind::Cpus => {
            body.cpus =
                catalogue.cpus().iter().filter(|cpu| of_vendor(request, &cpu.vendor)).cloned().collect();
            body.cpus
                .sort_by(|a, b| Reverse(a.cores).cmp(&Reverse(b.cores)).then_with(|| a.name.cmp(&b.name)));
        }
        Kind::Servers => {
            body.servers = catalogue.servers().to_vec();
            body.servers.sort_by(|a, b| a.name.cmp(&b.name));
        }
    }
    let count = body.accelerators.len() + body.cpus.len() + body.servers.len();
    let text = Text::new(match kind {
        Kind::Accelerators => "verdict-list-accelerators",
        Kind::Cpus => "verdict-list-cpus",
        Kind::Servers => "verdict-list-servers",
    });
    let verdict = Verdict { ok: Some(true), code: "listed".into(), text: text.with("n", count) };
    Ok(Answer::new("catalogue list", verdict, body))
}

fn of_vendor(request: &ListRequest, vendor: &str) -> bool {
    request.vendor.is_empty() || request.vendor.iter().any(|wanted| wanted.eq_ignore_ascii_case(vendor))
}

fn check_vendors(request: &ListRequest, kind: Kind, catalogue: &Catalogue) -> Result<(), Fault> {
    let mut known: Vec<&str> = match kind {
        Kind::Accelerators => catalogue.accelerators().iter().map(|part| part.vendor.as_str()).collect(),
        Kind::Cpus => catalogue.cpus().iter().map(|cpu| cpu.vendor.as_str()).collect(),
        Kind::Servers => return Ok(()),
    };
    known.sort_unstable();
    known.dedup();
    let missing = request.vendor.iter().find(|v| !known.iter().any(|known| known.eq_ignore_ascii_case(v)));
    match missing {
        None => Ok(()),
        Some(vendor) => Err(Fault::usage("vendor-unknown")
            .with("given", vendor.as_str())
            .hint(Text::new("hint-vendor-unknown").with("known", known))),
    }
}

fn accelerators(request: &ListRequest, catalogue: &Catalogue, body: &mut ListBody) {
    let large =
        |part: &crate::Accelerator| request.min_memory.is_none_or(|least| part.memory_label_bytes >= least.0);
    for part in catalogue.accelerators() {
        if !of_vendor(request, &part.vendor) || !large(part) {
            continue;
        }
        let known: Vec<Option<bool>> = request.supports.iter().map(|&number| part.supports(number)).collect();
        if known.contains(&Some(false)) {
            continue;
        }
        if known.contains(&None) {
            body.not_known.push(part.name.clone());
        } else {
            body.accelerators.push(AcceleratorView::from(part.as_ref()));
        }
    }
    body.not_known.sort_unstable();
    let wide = |part: &AcceleratorView| part.bandwidth_bytes_per_s.unwrap_or(0.0);
    body.accelerators.sort_by(|a, b| {
        let memory = b.memory_label_bytes.cmp(&a.memory_label_bytes);
        memory.then_with(|| wide(b).total_cmp(&wide(a))).then_with(|| a.name.cmp(&b.name))
    });
}
