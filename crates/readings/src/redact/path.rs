//! Paths: system folders stay, private ones go.

/// Folders whose layout is the same on every machine.
const SYSTEM: &[&str] = &[
    "/usr/",
    "/lib/",
    "/lib64/",
    "/bin/",
    "/sbin/",
    "/proc/",
    "/sys/",
    "/dev/",
    "/etc/",
    "/boot/",
    "/opt/rocm",
    "/site-packages",
    "/dist-packages",
    "/opt/conda/lib/",
    "/opt/nvidia/",
    "/run/cdi",
    "/var/run/cdi",
    "/var/lib/dkms",
    "/run/containerenv",
];
/// Folders below which only public packages lie.
const PUBLIC_TAILS: &[&str] = &[
    "site-packages/",
    "dist-packages/",
    "site-packages\\",
    "dist-packages\\",
    "site-packages",
    "dist-packages",
];
/// System folders with private names below them all the same.
const PRIVATE: &[&str] = &["/usr/home/", "/usr/local/share/", "/etc/ssh/", "/proc/self/cwd"];

/// What stands for the path in a clean text; `None` when the word is no path or may stay.
pub fn replace(word: &str) -> Option<String> {
    let start = word.find(|c: char| c != ':' && c != '=').unwrap_or(0);
    let path = &word[start..];
    let unix = path.starts_with('/') && path.len() > 1 && !path.starts_with("//");
    let home = path.starts_with("~/");
    let drive = path.as_bytes().get(1..3) == Some(b":\\") && path.as_bytes()[0].is_ascii_alphabetic();
    let share = path.starts_with("\\\\");
    let below_private = path.contains("/home/") || path.contains("/Users/") || path.contains("\\Users\\");
    if !(unix || home || drive || share || below_private) {
        return None;
    }
    if unix && path.contains(':') && path.split(':').filter(|part| part.starts_with('/')).count() > 1 {
        return replace_list(&word[..start], path);
    }
    let with_slash = format!("{path}/");
    let system = SYSTEM.iter().any(|root| path.starts_with(root) || with_slash.starts_with(root));
    if system && !PRIVATE.iter().any(|root| path.starts_with(root)) {
        return None;
    }
    let tail = PUBLIC_TAILS.iter().find_map(|mark| path.find(mark).map(|at| &path[at..]));
    Some(match tail {
        Some(tail) => format!("{}<path>/{}", &word[..start], tail.replace('\\', "/")),
        None => format!("{}<path>{}", &word[..start], line_number(path)),
    })
}

/// `LD_LIBRARY_PATH` and the like: each entry by itself.
fn replace_list(before: &str, list: &str) -> Option<String> {
    let clean: Vec<String> =
        list.split(':').map(|part| replace(part).unwrap_or_else(|| part.to_owned())).collect();
    let clean = format!("{before}{}", clean.join(":"));
    (clean.len() != before.len() + list.len() || !clean.ends_with(list)).then_some(clean)
}

/// The `:42` or `:` after a path, which is of use and names nobody.
fn line_number(path: &str) -> &str {
    let at = path.rfind(':').filter(|at| *at > 1).unwrap_or(path.len());
    let tail = &path[at..];
    if tail.chars().skip(1).all(|c| c.is_ascii_digit()) { tail } else { "" }
}
