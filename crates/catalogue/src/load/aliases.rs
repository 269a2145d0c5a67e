//! `hardware/aliases/*.csv` and `hardware/cpu_aliases/*.csv`: all names of a part.

use std::borrow::Cow;

use serde::Serialize;

use crate::table::{File, Loaded, columns, read};

columns!(Columns { accelerator, alias, kind, preferred, unstated });
columns!(CpuColumns { cpu, alias, kind, preferred });

/// Who uses a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum AliasKind {
    /// The part's name here.
    Name,
    /// Its identifier here.
    Slug,
    /// `nvidia-smi` and NVML.
    Nvml,
    /// A PCI vendor and device identifier.
    Pci,
    /// Cloud providers and benchmark submissions.
    Cloud,
    /// People.
    People,
    /// Other tools of the system.
    System,
}

/// One name of a part.
#[derive(Clone, Debug)]
pub(crate) struct Alias {
    /// The part's identifier.
    pub part: String,
    /// The name.
    pub name: String,
    /// Who uses it.
    pub kind: AliasKind,
    /// Whether it is the one that is meant, of several parts with the name.
    pub preferred: bool,
    /// What the name does not say although there are several (`form`), beyond what the parts here show.
    pub unstated: bool,
    path: Cow<'static, str>,
    line: usize,
}

impl Alias {
    /// Where it stands, as `path:line`.
    pub fn place(&self) -> String {
        format!("{}:{}", self.path, self.line)
    }
}

fn kind(word: &str) -> Option<AliasKind> {
    Some(match word {
        "name" => AliasKind::Name,
        "slug" => AliasKind::Slug,
        "nvml" => AliasKind::Nvml,
        "pci" => AliasKind::Pci,
        "cloud" => AliasKind::Cloud,
        "people" => AliasKind::People,
        "system" => AliasKind::System,
        _ => return None,
    })
}

/// Reads every name of an accelerator.
pub(crate) fn accelerator_aliases(files: &[File]) -> Loaded<Alias> {
    read(files, "hardware/aliases", Columns::of, |row, c| {
        Ok(Alias {
            part: row.required(c.accelerator, "accelerator")?,
            name: row.required(c.alias, "alias")?,
            kind: row.one_of(c.kind, "kind", kind)?,
            preferred: row.yes(c.preferred, "preferred")?.unwrap_or(false),
            unstated: row.given(c.unstated).is_some(),
            path: row.path(),
            line: row.line,
        })
    })
}

/// Reads every name of a processor.
pub(crate) fn cpu_aliases(files: &[File]) -> Loaded<Alias> {
    read(files, "hardware/cpu_aliases", CpuColumns::of, |row, c| {
        Ok(Alias {
            part: row.required(c.cpu, "cpu")?,
            name: row.required(c.alias, "alias")?,
            kind: row.one_of(c.kind, "kind", kind)?,
            preferred: row.yes(c.preferred, "preferred")?.unwrap_or(false),
            unstated: false,
            path: row.path(),
            line: row.line,
        })
    })
}
