//! `cargo xtask refresh-wheels METADATA…`: the pins of PyTorch's wheels, out of the wheels' own metadata.
//!
//! A wheel's `METADATA` is in the wheel, and beside it on the registry (`…whl.metadata`). For each file the row of its
//! version in `facts/stack/torch_pypi_linux_x86_64.csv` is written anew; other rows stay as they are.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Which requirement fills which column; the first that is there counts.
const COLUMNS: &[(&str, &[&str])] = &[
    ("cuda_runtime", &["nvidia-cuda-runtime", "cuda-toolkit"]),
    ("cudnn", &["nvidia-cudnn"]),
    ("nccl", &["nvidia-nccl"]),
    ("nvshmem", &["nvidia-nvshmem"]),
    ("cusparselt", &["nvidia-cusparselt"]),
    ("triton", &["triton"]),
];

pub fn run(files: &[String]) -> ExitCode {
    match refresh(files) {
        Ok(report) => {
            println!("{report}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn table() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../facts/stack/torch_pypi_linux_x86_64.csv")
}

fn refresh(files: &[String]) -> Result<String, String> {
    let path = table();
    let mut text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    for file in files {
        let metadata = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        let row = row(&metadata).ok_or_else(|| format!("{file}: no metadata of torch"))?;
        text = with_row(&text, &row);
    }
    std::fs::write(&path, &text).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(format!("{} rows in {}", text.lines().count() - 1, path.display()))
}

/// The row of a wheel. What the metadata do not say (the platform) is left for a person.
fn row(metadata: &str) -> Option<String> {
    let field = |name: &str| metadata.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    if field("Name:")? != "torch" {
        return None;
    }
    let version = field("Version:")?;
    let requires = || metadata.lines().filter_map(|line| line.strip_prefix("Requires-Dist:")).map(str::trim);
    let pin = |names: &[&str]| {
        names.iter().find_map(|name| requires().find_map(|line| pin_of(line, name))).unwrap_or_default()
    };
    let pins: Vec<String> = COLUMNS.iter().map(|(_, names)| pin(names)).collect();
    // A marker without the machine lets other processors have the CUDA build too.
    let everywhere = requires().any(|line| line.starts_with("nvidia-") && !line.contains("platform_machine"));
    let marker = if everywhere { "yes" } else { "no" };
    let python = field("Requires-Python:").unwrap_or_default();
    let python = if python.contains(',') { format!("\"{python}\"") } else { python.to_owned() };
    Some(format!("{version},{},{python},,{marker},\"wheel METADATA Requires-Dist\"", pins.join(",")))
}

/// `nvidia-cudnn-cu12==9.10.2.21 ; platform_system == "Linux"` pins `nvidia-cudnn` to 9.10.2.21.
fn pin_of(requirement: &str, name: &str) -> Option<String> {
    let end = requirement
        .find(|c: char| !(c.is_ascii_alphanumeric() || "-_.".contains(c)))
        .unwrap_or(requirement.len());
    let package = &requirement[..end];
    let suffix = package.strip_prefix(name)?;
    let is_it = suffix.is_empty()
        || suffix.strip_prefix("-cu").is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
    let specifier = requirement[end..].split(';').next()?.split(']').next_back()?;
    let specifier = specifier.trim().trim_matches(['(', ')']).trim();
    let version = specifier.strip_prefix("==").unwrap_or(specifier);
    is_it.then(|| version.to_owned()).filter(|version| !version.contains(','))
}

/// The table with a version's row written anew, or added at the end.
fn with_row(table: &str, row: &str) -> String {
    let version = row.split(',').next().unwrap_or("");
    let mut lines: Vec<String> = table.lines().map(str::to_owned).collect();
    match lines.iter_mut().skip(1).find(|line| line.split(',').next() == Some(version)) {
        Some(line) => {
            let platform =
                line.split(',').find(|cell| cell.starts_with("manylinux")).unwrap_or("").to_owned();
            *line = row.replacen(",,yes,", &format!(",{platform},yes,"), 1).replacen(
                ",,no,",
                &format!(",{platform},no,"),
                1,
            );
        }
        None => lines.push(row.to_owned()),
    }
    format!("{}\n", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const METADATA: &str = "Metadata-Version: 2.1\nName: torch\nVersion: 2.8.0\nRequires-Python: >=3.9.0\n\
        Requires-Dist: filelock\n\
        Requires-Dist: nvidia-cuda-runtime-cu12==12.8.90; platform_system == \"Linux\" and platform_machine == \"x86_64\"\n\
        Requires-Dist: nvidia-cudnn-cu12==9.10.2.21; platform_system == \"Linux\" and platform_machine == \"x86_64\"\n\
        Requires-Dist: nvidia-nccl-cu12==2.27.3; platform_system == \"Linux\" and platform_machine == \"x86_64\"\n\
        Requires-Dist: nvidia-cusparselt-cu12==0.7.1; platform_system == \"Linux\" and platform_machine == \"x86_64\"\n\
        Requires-Dist: triton==3.4.0; platform_system == \"Linux\" and platform_machine == \"x86_64\"\n";

    /// The metadata of torch 2.8.0, in their own form.
    #[test]
    fn a_row_out_of_metadata() {
        let row = row(METADATA).unwrap();
        assert!(row.starts_with("2.8.0,12.8.90,9.10.2.21,2.27.3,,0.7.1,3.4.0,>=3.9.0,,no,"), "{row}");
        let table = "torch,x\n2.8.0,old,manylinux_2_28_x86_64,no,\"s\"\n2.9.0,y\n";
        let table = with_row(table, &row);
        assert_eq!(table.lines().count(), 3);
        assert!(table.contains("3.4.0,>=3.9.0,manylinux_2_28_x86_64,no,"), "{table}");
    }

    #[test]
    fn newer_wheels_pin_the_toolkit() {
        assert_eq!(
            pin_of("cuda-toolkit[cublas,cudart]==13.0.2; platform_system == \"Linux\"", "cuda-toolkit")
                .as_deref(),
            Some("13.0.2")
        );
        assert_eq!(pin_of("nvidia-cudnn-cu13==9.19.0.56", "nvidia-cudnn").as_deref(), Some("9.19.0.56"));
        assert_eq!(pin_of("nvidia-cudnn-frontend>=1.0", "nvidia-cudnn"), None);
    }
}
