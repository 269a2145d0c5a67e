//! `catalogue export`: the facts as files, to change and lay over.

use maat_base::{Answer, Fault, Text, Verdict};
use serde::{Deserialize, Serialize};

use crate::catalogue::Catalogue;
use crate::table::is_under;

/// The facts as files.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct ExportRequest {
    /// Only this file or folder, such as offers or hardware/accelerators/nvidia.csv
    #[cfg_attr(feature = "clap", arg(value_name = "PATH"))]
    pub path: Option<String>,
}

/// Files of facts.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ExportBody {
    /// The files.
    pub files: Vec<ExportedFile>,
}

/// A file of facts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExportedFile {
    /// Path below a facts folder.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// Gives the files whose path is, or lies below, the one asked for.
///
/// # Errors
/// `facts-path-unknown`.
pub fn export(request: &ExportRequest, catalogue: &Catalogue) -> Result<Answer<ExportBody>, Fault> {
    let wanted = request.path.as_deref().map(|path| path.trim_end_matches('/'));
    let files: Vec<ExportedFile> = catalogue
        .files()
        .iter()
        .filter(|file| wanted.is_none_or(|wanted| is_under(&file.path, wanted)))
        .map(|file| ExportedFile { path: file.path.to_string(), text: file.text.to_string() })
        .collect();
    if files.is_empty() {
        return Err(Fault::usage("facts-path-unknown").with("path", wanted.unwrap_or_default()));
    }
    let text = Text::new("verdict-export").with("n", files.len());
    let verdict = Verdict { ok: Some(true), code: "exported".into(), text };
    Ok(Answer::new("catalogue export", verdict, ExportBody { files }))
}
