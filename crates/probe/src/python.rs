//! Python environments, read and not run: distributions by the names of their folders, PyTorch's own `version.py`, the
//! architectures that are written in its library, and files that two packages own.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use maat_readings::fact::Strength;
use maat_readings::stack::{Live, Manager, Package, canonical_name, versions};
use maat_readings::{Key, Place};

use crate::text;

/// As many environments as are looked into.
const ENVIRONMENT_LIMIT: usize = 24;

pub fn look(live: &mut Live, all: bool) {
    let mut folders = Vec::new();
    for prefix in prefixes(all) {
        for folder in site_packages(&prefix) {
            if !folders.contains(&folder) {
                folders.push(folder);
            }
        }
    }
    folders.truncate(ENVIRONMENT_LIMIT);
    for folder in &folders {
        environment(live, folder);
    }
}

/// The active environment; without one, the interpreter of the search path and the user's own packages.
fn prefixes(all: bool) -> Vec<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let active = variable("VIRTUAL_ENV").or_else(|| variable("CONDA_PREFIX"));
    let mut prefixes: Vec<PathBuf> = active.into_iter().collect();
    let home = variable("HOME");
    if prefixes.is_empty() {
        prefixes.extend(interpreter_prefix());
        prefixes.extend(home.iter().map(|home| home.join(".local")));
    }
    if all {
        let parents =
            ["miniconda3/envs", "anaconda3/envs", "miniforge3/envs", ".virtualenvs", ".venvs", "venvs"];
        let mut folders: Vec<PathBuf> =
            home.iter().flat_map(|home| parents.map(|parent| home.join(parent))).collect();
        folders.push(PathBuf::from("/opt/conda/envs"));
        prefixes.extend(
            folders
                .iter()
                .filter_map(|folder| std::fs::read_dir(folder).ok())
                .flat_map(|entries| entries.filter_map(Result::ok).map(|entry| entry.path())),
        );
        prefixes.extend([".venv", "venv"].map(PathBuf::from));
        prefixes.extend(["/usr", "/usr/local", "/opt/conda"].map(PathBuf::from));
    }
    prefixes
}

/// `/usr` for a `python3` in `/usr/bin`.
fn interpreter_prefix() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let binary =
        std::env::split_paths(&path).map(|folder| folder.join("python3")).find(|file| file.exists())?;
    Some(binary.parent()?.parent()?.to_owned())
}

fn site_packages(prefix: &Path) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for library in ["lib", "lib64"] {
        let Ok(entries) = std::fs::read_dir(prefix.join(library)) else { continue };
        for entry in entries.filter_map(Result::ok) {
            if entry.file_name().to_string_lossy().starts_with("python3") {
                folders.push(entry.path().join("site-packages"));
                folders.push(entry.path().join("dist-packages"));
            }
        }
    }
    folders.push(prefix.join("Lib/site-packages"));
    folders.retain(|folder| folder.is_dir());
    folders.sort();
    folders
}

fn environment(live: &mut Live, folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let place = Place::whole(&folder.display().to_string());
    let mut owners: BTreeMap<String, String> = BTreeMap::new();
    for entry in entries.filter_map(Result::ok) {
        let file = entry.file_name().to_string_lossy().into_owned();
        let Some((name, version)) = file.strip_suffix(".dist-info").and_then(|stem| stem.split_once('-'))
        else {
            continue;
        };
        let name = canonical_name(name);
        if name.starts_with("nvidia-") {
            overlaps(live, &entry.path(), &name, &mut owners);
        }
        live.found.packages.push(Package {
            name,
            version: version.to_owned(),
            manager: Manager::Python,
            place: place.clone(),
        });
    }
    torch(live, &folder.join("torch"));
}

/// Notes a file that an earlier package also owns.
fn overlaps(live: &mut Live, folder: &Path, package: &str, owners: &mut BTreeMap<String, String>) {
    let path = folder.join("RECORD");
    let Some(record) = text(live, &path) else { return };
    let files = record.lines().filter_map(|line| line.split(',').next());
    for file in files.filter(|file| file.starts_with("nvidia/") && file.contains(".so")) {
        match owners.get(file) {
            Some(other) if other != package => {
                let shown = format!("{other} and {package} own {file}");
                let place = Place::whole(&path.display().to_string());
                live.found.sign_with("two-owners", Some(file.to_owned()), &shown, &place);
            }
            _ => {
                owners.insert(file.to_owned(), package.to_owned());
            }
        }
    }
}

/// `version.py` says what was built; the library says for which architectures.
fn torch(live: &mut Live, folder: &Path) {
    let path = folder.join("version.py");
    let Some(source) = text(live, &path) else { return };
    let name = path.display().to_string();
    let mut has_cuda = false;
    for (index, line) in source.lines().enumerate() {
        let Some((left, value)) = line.split_once('=') else { continue };
        let variable = left.split(':').next().unwrap_or(left).trim();
        let value = value.trim().trim_matches(['\'', '"']);
        let place = Place { file: name.as_str().into(), line: u32::try_from(index + 1).unwrap_or(0) };
        match (variable, value) {
            ("cuda", "None") if !source.contains("hip: Optional[str] = '") => {
                live.found.fact(Key::TorchCuda, "none", &place, Strength::Exact);
            }
            ("cuda", version) if version != "None" => {
                has_cuda = true;
                let version = versions::major_minor(version).unwrap_or_else(|| version.to_owned());
                live.found.fact(Key::TorchCuda, version, &place, Strength::Exact);
            }
            ("hip", version) if version != "None" => {
                live.found.fact(Key::Rocm, version, &place, Strength::Exact);
            }
            _ => {}
        }
    }
    if has_cuda {
        architectures(live, &folder.join("lib/libtorch_python.so"));
    }
}

/// The list stands as text, `sm_75 sm_80 …`, in the library; it is read in pieces until found.
fn architectures(live: &mut Live, path: &Path) {
    const PIECE: usize = 1 << 20;
    if !path.is_file() {
        return;
    }
    let Ok(mut file) = std::fs::File::open(path) else { return };
    let mut piece = Vec::with_capacity(PIECE + 256);
    let mut chunk = vec![0; PIECE];
    while let Ok(read @ 1..) = file.read(&mut chunk) {
        let kept = piece.len().saturating_sub(256);
        piece.drain(..kept);
        piece.extend_from_slice(&chunk[..read]);
        if let Some(list) = list_in(&piece) {
            live.found.fact(
                Key::WheelArchs,
                list,
                &Place::whole(&path.display().to_string()),
                Strength::Exact,
            );
            return;
        }
    }
}

/// At least two `sm_NN` divided by spaces and ended by a zero byte.
fn list_in(bytes: &[u8]) -> Option<String> {
    memchr::memmem::find_iter(bytes, b"sm_").find_map(|at| {
        let rest = &bytes[at..bytes.len().min(at + 256)];
        let end = memchr::memchr(0, rest)?;
        let text = std::str::from_utf8(&rest[..end]).ok()?;
        let words: Vec<&str> = text.split(' ').collect();
        let is_arch = |word: &&str| word.starts_with("sm_") || word.starts_with("compute_");
        (words.len() > 1 && words.iter().all(is_arch))
            .then(|| words.iter().map(|word| word.trim_start_matches("sm_")).collect::<Vec<_>>().join(","))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_inside_a_library() {
        assert_eq!(list_in(b"\0x\0sm_75 sm_80 sm_90 compute_90\0y").as_deref(), Some("75,80,90,compute_90"));
        assert_eq!(list_in(b"sm_75 is a name\0"), None);
        assert_eq!(list_in(b"sm_75\0"), None);
    }

    #[test]
    fn an_environment_on_disk() {
        let folder = std::env::temp_dir().join(format!("maat-probe-{}", std::process::id()));
        let site = folder.join("lib/python3.12/site-packages");
        for (name, record) in [
            ("nvidia_nccl_cu11-2.14.3.dist-info", "nvidia/nccl/lib/libnccl.so.2,sha256=x,1\n"),
            ("nvidia_nccl_cu12-2.27.3.dist-info", "nvidia/nccl/lib/libnccl.so.2,sha256=y,1\n"),
        ] {
            std::fs::create_dir_all(site.join(name)).unwrap();
            std::fs::write(site.join(name).join("RECORD"), record).unwrap();
        }
        std::fs::create_dir_all(site.join("torch/lib")).unwrap();
        std::fs::create_dir_all(site.join("torch-2.8.0+cu128.dist-info")).unwrap();
        std::fs::write(
            site.join("torch/version.py"),
            "__version__ = '2.8.0+cu128'\ncuda: Optional[str] = '12.8'\nhip: Optional[str] = None\n",
        )
        .unwrap();
        std::fs::write(site.join("torch/lib/libtorch_python.so"), b"\x7fELF\0sm_70 sm_75\0").unwrap();
        let mut live = Live::default();
        for site in site_packages(&folder) {
            environment(&mut live, &site);
        }
        std::fs::remove_dir_all(&folder).unwrap();
        let value =
            |key| live.found.facts.iter().find(|fact| fact.key == key).map(|fact| fact.value.as_str());
        assert_eq!(value(Key::TorchCuda), Some("12.8"));
        assert_eq!(value(Key::WheelArchs), Some("70,75"));
        assert!(
            live.found
                .packages
                .iter()
                .any(|package| package.name == "torch" && package.version == "2.8.0+cu128")
        );
        assert_eq!(live.found.signs.iter().filter(|sign| sign.id == "two-owners").count(), 1);
    }
}
