//! One word of a line, with what stands before it.

use super::{path, secret};

/// Hosts that everybody names.
const PUBLIC_HOSTS: &[&str] = &[
    "pypi.org",
    "pytorch.org",
    "nvidia.com",
    "github.com",
    "githubusercontent.com",
    "huggingface.co",
    "vllm.ai",
    "docker.io",
    "docker.com",
    "ghcr.io",
    "nvcr.io",
    "quay.io",
    "ubuntu.com",
    "debian.org",
    "redhat.com",
    "fedoraproject.org",
    "amd.com",
    "intel.com",
    "python.org",
    "anaconda.com",
    "anaconda.org",
    "conda.io",
    "tensorflow.org",
    "onnxruntime.ai",
    "pyg.org",
    "ollama.com",
    "kernel.org",
    "gnu.org",
    "microsoft.com",
    "readthedocs.io",
    "nvidia.github.io",
];
/// Last labels of host names; others are more likely modules or files.
const TOP_LABELS: &[&str] = &[
    "com",
    "org",
    "net",
    "io",
    "edu",
    "gov",
    "local",
    "internal",
    "corp",
    "lan",
    "intra",
    "cloud",
    "de",
    "nl",
    "uk",
    "eu",
    "fr",
    "ch",
    "be",
    "localdomain",
    "home",
    "arpa",
    "ac",
    "us",
    "in",
    "cn",
    "jp",
];
/// A number with three dots after one of these is a version.
const VERSION_WORDS: &[&str] = &[
    "version", "release", "cudnn", "cublas", "nccl", "nvidia", "cusparse", "cufft", "curand", "cusolver",
    "toolkit",
];

/// What stood before the word in its line.
#[derive(Clone, Debug, Default)]
pub struct Context {
    previous: String,
    line_so_far: String,
    assigned: bool,
    secret_scheme: bool,
}

impl Context {
    /// Notes the characters between two words.
    pub fn pass_delimiters(&mut self, text: &str) {
        self.line_so_far.push_str(text);
    }

    /// Notes a word.
    pub fn pass_word(&mut self, word: &str) {
        let colon = matches!(word, ":" | "=" | ":=");
        self.assigned = colon || word.ends_with(':') || word.ends_with('=');
        self.secret_scheme = matches!(word.to_lowercase().as_str(), "bearer" | "basic");
        if !colon {
            word.clone_into(&mut self.previous);
        }
        self.line_so_far.push_str(word);
    }

    fn expects_secret(&self) -> bool {
        self.secret_scheme
            || (secret::names_a_secret(&self.previous) && (self.assigned || self.previous.starts_with('-')))
            || (self.assigned && secret::names_an_identifier(&self.line_so_far))
    }

    fn expects_version(&self) -> bool {
        let previous = self.previous.to_lowercase();
        VERSION_WORDS.iter().any(|word| previous.contains(word)) || self.looks_like_package_row()
    }

    /// The first word of the line was a package's name with dashes, as `pip list` prints.
    fn looks_like_package_row(&self) -> bool {
        let line = self.line_so_far.trim();
        !line.contains(' ') && line.contains('-') && line.starts_with(|c: char| c.is_ascii_lowercase())
    }
}

/// Whether a character divides words.
pub fn is_delimiter(c: char) -> bool {
    c.is_whitespace() || "\"'`()[]{}<>,;|".contains(c)
}

/// The word as it may be shown.
pub fn replace(word: &str, context: &Context) -> String {
    if context.expects_secret() && word.chars().any(char::is_alphanumeric) && !is_scheme(word) {
        return "<secret>".to_owned();
    }
    if let Some((name, value)) = word.split_once('=').filter(|(name, _)| !name.is_empty()) {
        if value.is_empty() || value.starts_with('=') {
            return word.to_owned();
        }
        let value = if secret::names_a_secret(name) {
            "<secret>".to_owned()
        } else {
            replace(value, &Context::default())
        };
        return format!("{name}={value}");
    }
    let kinds: [fn(&str) -> Option<String>; 5] =
        [url, at_sign, path::replace, secret::replace, hardware_address];
    if let Some(clean) = kinds.iter().find_map(|kind| kind(word)) {
        return clean;
    }
    address(word, context).or_else(|| host(word)).or_else(|| parts(word)).unwrap_or_else(|| word.to_owned())
}

/// `eth0:10.0.0.1`, `image@sha256:…`: what is private behind the first divider.
fn parts(word: &str) -> Option<String> {
    let at = word.find([':', '@']).filter(|at| *at > 0)?;
    let (before, after) = (&word[..at], &word[at + 1..]);
    let clean_before = host(before).or_else(|| secret::replace(before));
    let clean_after = secret::replace(after)
        .or_else(|| address(after, &Context::default()))
        .or_else(|| host(after))
        .or_else(|| parts(after));
    if clean_before.is_none() && clean_after.is_none() {
        return None;
    }
    let before = clean_before.unwrap_or_else(|| before.to_owned());
    let after = clean_after.unwrap_or_else(|| after.to_owned());
    Some(format!("{before}{}{after}", &word[at..=at]))
}

fn is_scheme(word: &str) -> bool {
    matches!(word.to_lowercase().as_str(), "bearer" | "basic" | ":" | "=")
}

fn url(word: &str) -> Option<String> {
    let (scheme, rest) = word.split_once("://").filter(|(_, rest)| !rest.is_empty())?;
    if scheme == "file" {
        return Some("file://<path>".to_owned());
    }
    let (authority, tail) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let tail = tail.split(['?', '#']).next().unwrap_or("");
    if !authority.contains('@') && is_public(authority) {
        return Some(format!("{scheme}://{authority}{tail}"));
    }
    Some(format!("{scheme}://<host>"))
}

fn is_public(host: &str) -> bool {
    let host = host.split(':').next().unwrap_or("").trim_end_matches('.').to_lowercase();
    PUBLIC_HOSTS.iter().any(|public| host == *public || host.ends_with(&format!(".{public}")))
}

/// `user@host` and what may follow (`:~/folder$`), and mail addresses.
fn at_sign(word: &str) -> Option<String> {
    let (user, rest) = word.split_once('@')?;
    let named = |text: &str| text.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    if !named(user) || !named(rest) || user.contains('/') {
        return None;
    }
    let mark = if word.ends_with('$') || word.ends_with('#') { &word[word.len() - 1..] } else { "" };
    Some(format!("<user>@<host>{mark}"))
}

fn hardware_address(word: &str) -> Option<String> {
    let body = word.trim_end_matches(['.', ':']);
    let divider = if body.contains(':') { ':' } else { '-' };
    let groups: Vec<&str> = body.split(divider).collect();
    let hex = |group: &&str| group.len() == 2 && group.chars().all(|c| c.is_ascii_hexdigit());
    (matches!(groups.len(), 6 | 8 | 20) && groups.iter().all(hex)).then(|| "<mac>".to_owned())
}

fn address(word: &str, context: &Context) -> Option<String> {
    let body = word.trim_end_matches(['.', ':']);
    ip_version_6(body).or_else(|| ip_version_4(body, context))
}

fn ip_version_4(word: &str, context: &Context) -> Option<String> {
    let end = word.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(word.len());
    let (number, tail) = word.split_at(end);
    let octets: Vec<&str> = number.split('.').collect();
    let is_address = octets.len() == 4 && octets.iter().all(|octet| octet.parse::<u8>().is_ok());
    let tail_fits = tail.is_empty() || tail.starts_with([':', '/']);
    (is_address && tail_fits && !context.expects_version()).then(|| "<ip>".to_owned())
}

fn ip_version_6(word: &str) -> Option<String> {
    let body = word.split(['%', '/']).next().unwrap_or(word);
    let groups: Vec<&str> = body.split(':').collect();
    let hex = |group: &&str| group.len() <= 4 && group.chars().all(|c| c.is_ascii_hexdigit());
    let short = body.contains("::") && body.len() > 3 && groups.len() >= 3;
    (groups.iter().all(hex) && (groups.len() == 8 || short)).then(|| "<ip>".to_owned())
}

fn host(word: &str) -> Option<String> {
    let (name, tail) = word.split_at(word.find([':', '/']).unwrap_or(word.len()));
    let name = name.trim_end_matches('.');
    let labels: Vec<&str> = name.split('.').collect();
    let is_label = |label: &&str| {
        !label.is_empty()
            && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
            && !label.starts_with('-')
    };
    let named = labels.len() >= 2
        && labels.iter().all(is_label)
        && labels[0].starts_with(|c: char| c.is_ascii_alphabetic())
        && labels.last().is_some_and(|label| TOP_LABELS.contains(&label.to_lowercase().as_str()));
    let port = tail.strip_prefix(':').filter(|port| port.bytes().all(|b| b.is_ascii_digit()));
    let port = port.map_or(String::new(), |port| format!(":{port}"));
    (named && !is_public(name)).then(|| format!("<host>{port}"))
}
