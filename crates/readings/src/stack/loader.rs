//! What the loader makes of library names: `ldd`, `ldconfig -p`, `ls` of library folders, `ld.so.conf`, and
//! `LD_LIBRARY_PATH`.

use super::{Found, Library};
use crate::{Input, Key, Place, Reader, Reading};

/// The reader's line in the registry.
pub const READER: Reader = Reader { kind: "loader", recognises, read };

fn recognises(input: &Input) -> bool {
    let text = input.text();
    text.contains(" => ")
        || text.contains("LD_LIBRARY_PATH")
        || text.contains("ld.so.conf")
        || text.contains(".so.")
}

fn read(input: &Input) -> Reading {
    let mut found = Found::default();
    let mut expects = Expects::Nothing;
    for (place, line) in input.lines() {
        mapping(line, &place, &mut found);
        expects = follow(expects, line, &place, &mut found);
    }
    Reading::Stack(found)
}

/// What a command in the line before prints now.
#[derive(Clone, Copy, PartialEq)]
enum Expects {
    Nothing,
    LibraryPath,
    Configuration,
    Listing,
}

fn follow(expects: Expects, line: &str, place: &Place, found: &mut Found) -> Expects {
    let trimmed = line.trim();
    if let Some(value) = assignment(trimmed) {
        library_path(value, line, place, found);
        return Expects::Nothing;
    }
    let is_command = trimmed.starts_with(['$', '#', '>']);
    if is_command || trimmed.starts_with("ls ") {
        return command(trimmed);
    }
    match expects {
        Expects::LibraryPath => {
            library_path(trimmed, line, place, found);
            Expects::Nothing
        }
        Expects::Configuration => {
            if trimmed.starts_with('/') && trimmed.contains("compat") {
                found.sign_with("compat-path", Some(trimmed.to_owned()), line, place);
            }
            expects
        }
        Expects::Listing => {
            listing(trimmed, place, found);
            expects
        }
        Expects::Nothing => expects,
    }
}

fn command(line: &str) -> Expects {
    if line.contains("echo") && line.contains("LD_LIBRARY_PATH") {
        Expects::LibraryPath
    } else if line.contains("ld.so.conf") {
        Expects::Configuration
    } else if line.contains("ls ") || line.contains("find ") || line.contains("locate ") {
        Expects::Listing
    } else {
        Expects::Nothing
    }
}

/// `LD_LIBRARY_PATH=…`, also exported, printed by `env`, or told as `LD_LIBRARY_PATH: …`.
fn assignment(line: &str) -> Option<&str> {
    let at = line.find("LD_LIBRARY_PATH")?;
    let rest = &line[at + "LD_LIBRARY_PATH".len()..];
    let value =
        rest.strip_prefix('=').or_else(|| rest.strip_prefix(':')).or_else(|| rest.strip_prefix(" = "))?;
    let value = value.trim().trim_matches(['"', '\'']);
    value.starts_with('/').then_some(value)
}

fn library_path(value: &str, line: &str, place: &Place, found: &mut Found) {
    for folder in value.split(':').map(str::trim).filter(|folder| folder.starts_with('/')) {
        let folder = folder.split_whitespace().next().unwrap_or(folder).trim_end_matches([',', ';', ')']);
        if folder.contains("compat") {
            found.sign_with("compat-path", Some(folder.to_owned()), line, place);
        } else if is_cuda_folder(folder) {
            found.sign_with("library-path-cuda", Some(folder.to_owned()), line, place);
        }
    }
}

/// Whether a folder outside a Python environment holds CUDA libraries.
fn is_cuda_folder(folder: &str) -> bool {
    let inside_environment = folder.contains("site-packages") || folder.contains("dist-packages");
    !inside_environment && (folder.contains("cuda") || folder.contains("nccl") || folder.contains("cudnn"))
}

/// `libnccl.so.2 => /path`, `libcuda.so.1 (libc6,x86-64) => /path`, `libx.so => not found`.
fn mapping(line: &str, place: &Place, found: &mut Found) {
    let Some((left, right)) = line.split_once("=>") else { return };
    let mut words =
        left.split_whitespace().rev().skip_while(|word| word.ends_with(')') || word.starts_with('('));
    let Some(name) = words.next().filter(|name| name.contains(".so")) else { return };
    let right = right.trim();
    let path = right.split(" (0x").next().unwrap_or(right).trim();
    let path = (!path.is_empty() && !path.starts_with("not found")).then(|| path.to_owned());
    // `ldd` looked where the loader looks. The driver's own library is another matter.
    if right.starts_with("not found") && is_of_cuda(name) {
        found.printed(Key::MissingLibrary, name, place);
        found.sign_with("missing-library", Some(name.to_owned()), line, place);
        found.sign_with("looked-for-libraries", None, line, place);
    }
    found.libraries.push(Library { name: name.to_owned(), path, place: place.clone() });
}

/// Libraries of the CUDA toolkit.
fn is_of_cuda(name: &str) -> bool {
    [
        "libcudart.",
        "libcublas",
        "libcufft",
        "libcurand",
        "libcusolver",
        "libcusparse",
        "libnvrtc",
        "libnvJitLink",
        "libcupti",
    ]
    .iter()
    .any(|library| name.starts_with(library))
}

/// File names of a listing, each a library that is there.
fn listing(line: &str, place: &Place, found: &mut Found) {
    for word in line.split_whitespace() {
        let file = word.rsplit('/').next().unwrap_or(word);
        if file.starts_with("lib") && file.contains(".so") {
            found.libraries.push(Library {
                name: file.trim_end_matches([',', ';']).to_owned(),
                path: Some(word.to_owned()),
                place: place.clone(),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stack(text: &str) -> Found {
        let Reading::Stack(found) = read(&Input::new("t", text.as_bytes())) else { panic!() };
        found
    }

    #[test]
    fn mappings_of_both_tools() {
        let found = stack(
            "ldd: libnccl.so.2 => site-packages/nvidia/nccl/lib/libnccl.so.2 (0x0f)\n\
             \tlibcuda.so.1 (libc6,x86-64) => /lib/x86_64-linux-gnu/libcuda.so.1\n libx.so.3 => not found",
        );
        let names: Vec<_> = found.libraries.iter().map(|l| (l.name.as_str(), l.path.as_deref())).collect();
        assert_eq!(names[0], ("libnccl.so.2", Some("site-packages/nvidia/nccl/lib/libnccl.so.2")));
        assert_eq!(names[1], ("libcuda.so.1", Some("/lib/x86_64-linux-gnu/libcuda.so.1")));
        assert_eq!(names[2], ("libx.so.3", None));
    }

    #[test]
    fn what_ldd_misses() {
        let found = stack("\tlibcudart.so.12 => not found\n\tlibcuda.so.1 => not found\n");
        let missing: Vec<_> = found.facts.iter().map(|fact| (fact.key, fact.value.as_str())).collect();
        assert_eq!(missing, [(Key::MissingLibrary, "libcudart.so.12")]);
    }

    #[test]
    fn library_path_of_the_shell() {
        let found = stack("$ echo $LD_LIBRARY_PATH\n/usr/local/cuda-12.1/lib64:\n");
        assert_eq!(found.signs[0].value.as_deref(), Some("/usr/local/cuda-12.1/lib64"));
        let found = stack("export LD_LIBRARY_PATH=\"/usr/local/cuda/compat:/opt/x\"");
        assert_eq!(found.signs[0].id, "compat-path");
        assert!(
            stack("LD_LIBRARY_PATH=/venv/lib/python3.12/site-packages/nvidia/cuda_runtime/lib")
                .signs
                .is_empty()
        );
    }
}
