//! The tables of `facts/stack/`: which driver a CUDA family needs, what is compiled into which wheel, and so on.

pub mod compilers;
pub mod drivers;
pub mod frameworks;
pub mod rocm;
pub mod wheels;
pub mod xid;

/// Every file of `facts/stack/` with its text; a test fails when one is forgotten.
pub const FILES: &[(&str, &str)] = &[
    ("architectures.toml", include_str!("../../../../facts/stack/architectures.toml")),
    ("boards.csv", include_str!("../../../../facts/stack/boards.csv")),
    ("container.toml", include_str!("../../../../facts/stack/container.toml")),
    ("cuda_driver.toml", include_str!("../../../../facts/stack/cuda_driver.toml")),
    ("cuda_toolkit_pypi.csv", include_str!("../../../../facts/stack/cuda_toolkit_pypi.csv")),
    ("frameworks.toml", include_str!("../../../../facts/stack/frameworks.toml")),
    ("frameworks_pypi.csv", include_str!("../../../../facts/stack/frameworks_pypi.csv")),
    ("nvcc_host_compilers.csv", include_str!("../../../../facts/stack/nvcc_host_compilers.csv")),
    ("pytorch.toml", include_str!("../../../../facts/stack/pytorch.toml")),
    ("rocm.toml", include_str!("../../../../facts/stack/rocm.toml")),
    ("rocm_override.csv", include_str!("../../../../facts/stack/rocm_override.csv")),
    ("torch_pypi_linux_x86_64.csv", include_str!("../../../../facts/stack/torch_pypi_linux_x86_64.csv")),
    ("wheel_glibc.csv", include_str!("../../../../facts/stack/wheel_glibc.csv")),
    ("xid.csv", include_str!("../../../../facts/stack/xid.csv")),
];

/// The text of a file of `facts/stack/`.
pub fn text(name: &str) -> &'static str {
    FILES.iter().find(|(file, _)| *file == name).map_or("", |(_, text)| text)
}

/// The rows of a CSV file as cells by the header's names.
pub(crate) fn rows<T: serde::de::DeserializeOwned>(name: &str) -> Vec<T> {
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text(name).as_bytes());
    reader.deserialize().filter_map(Result::ok).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_is_forgotten() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../facts/stack");
        let mut there: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        there.sort();
        let listed: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
        assert_eq!(there, listed);
    }
}
