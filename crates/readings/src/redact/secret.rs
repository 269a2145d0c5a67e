//! Tokens, keys and identifiers by their form.

/// How well-known tokens begin, with the least length of the whole.
const PREFIXES: &[(&str, usize)] = &[
    ("hf_", 12),
    ("ghp_", 12),
    ("gho_", 12),
    ("ghu_", 12),
    ("ghs_", 12),
    ("ghr_", 12),
    ("github_pat_", 16),
    ("glpat-", 12),
    ("sk-", 16),
    ("sk_live_", 12),
    ("pk_live_", 12),
    ("rk_live_", 12),
    ("AKIA", 16),
    ("ASIA", 16),
    ("xoxb-", 12),
    ("xoxp-", 12),
    ("xapp-", 12),
    ("eyJ", 20),
    ("ya29.", 12),
    ("npm_", 16),
    ("pypi-", 16),
    ("dckr_pat_", 12),
    ("nvapi-", 12),
    ("AIza", 20),
    ("r8_", 16),
    ("gsk_", 16),
    ("dop_v1_", 16),
    ("AGE-SECRET-KEY", 16),
    ("ssh-rsa", 64),
    ("AAAAB3Nza", 20),
    ("AAAAC3Nza", 20),
    ("wandb_v1_", 12),
    ("whsec_", 12),
    ("SG.", 20),
];
/// A name with one of these holds a secret.
const SECRET_NAMES: &[&str] = &[
    "token",
    "secret",
    "passw",
    "pwd",
    "api_key",
    "apikey",
    "api-key",
    "access_key",
    "access-key",
    "accesskey",
    "private_key",
    "credential",
    "authorization",
    "cookie",
    "license_key",
    "_key",
    "auth_key",
    "passphrase",
];
/// Names of identifiers of one device or machine.
const IDENTIFIER_NAMES: &[&str] =
    &["serial", "machine-id", "machine_id", "machine id", "boot id", "boot_id", "asset tag"];

/// Whether the value after this name is a secret: `HF_TOKEN=`, `"api_key":`, `--password`, `Bearer`.
pub fn names_a_secret(name: &str) -> bool {
    let name = name.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    // `tokens`, `max_tokens`, `sample_tokens` are counts.
    if name.ends_with("tokens") || name.contains("tokenizer") || name.contains("tokens_per") {
        return false;
    }
    name == "bearer" || SECRET_NAMES.iter().any(|part| name.contains(part))
}

/// Whether the value after these words is the number of one machine: `Serial Number : 1320…`.
pub fn names_an_identifier(name: &str) -> bool {
    let name = name.to_lowercase();
    IDENTIFIER_NAMES.iter().any(|part| name.contains(part))
}

/// What stands for a token or identifier in a clean text; `None` when it is none.
pub fn replace(word: &str) -> Option<String> {
    let known = |(prefix, least): &(&str, usize)| word.starts_with(prefix) && word.len() >= *least;
    if PREFIXES.iter().any(known) {
        return Some("<token>".to_owned());
    }
    for prefix in ["GPU-", "MIG-", "GPU-UUID-"] {
        if let Some(rest) = word.strip_prefix(prefix)
            && rest.len() >= 4
            && rest.chars().all(|c| c.is_ascii_hexdigit() || "-/".contains(c))
        {
            return Some(format!("{prefix}<uuid>"));
        }
    }
    if let Some((at, end)) = find_uuid(word) {
        let rest = replace(&word[end..]).unwrap_or_else(|| word[end..].to_owned());
        return Some(format!("{}<uuid>{rest}", &word[..at]));
    }
    is_random(word).then(|| "<token>".to_owned())
}

fn find_uuid(word: &str) -> Option<(usize, usize)> {
    const GROUPS: [usize; 5] = [8, 4, 4, 4, 12];
    let bytes = word.as_bytes();
    (0..bytes.len().saturating_sub(35)).find_map(|start| {
        let mut at = start;
        for (index, length) in GROUPS.iter().enumerate() {
            if index > 0 {
                (bytes.get(at) == Some(&b'-')).then_some(())?;
                at += 1;
            }
            bytes.get(at..at + length)?.iter().all(u8::is_ascii_hexdigit).then_some(())?;
            at += length;
        }
        Some((start, at))
    })
}

/// A long word of letters and digits without the look of a name: keys, digests, device serials.
fn is_random(word: &str) -> bool {
    let word = word.strip_prefix("sha256:").unwrap_or(word);
    let plain = word.bytes().all(|b| b.is_ascii_alphanumeric() || b"+/=".contains(&b));
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
    plain && word.len() >= 32 && digits >= 4 && letters >= 4 && !word.starts_with('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_tokens_are_no_secrets() {
        assert!(names_a_secret("HF_TOKEN"));
        assert!(names_a_secret("--api-key"));
        assert!(!names_a_secret("max_tokens"));
        assert!(!names_a_secret("tokenizer"));
    }

    #[test]
    fn symbols_and_file_names_are_not_random() {
        assert_eq!(replace("_ZN3c105ErrorC2ENS_14SourceLocationESs"), None);
        assert_eq!(replace("flash_attn_2_cuda.cpython-312-x86_64-linux-gnu.so"), None);
        assert_eq!(
            replace("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08").as_deref(),
            Some("<token>")
        );
    }
}
