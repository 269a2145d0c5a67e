//! Which user and host names a line gives away.

use std::collections::BTreeSet;

/// Names that say nothing about anybody.
const COMMON: &[&str] = &[
    "root",
    "user",
    "users",
    "ubuntu",
    "localhost",
    "linux",
    "nvidia",
    "home",
    "admin",
    "host",
    "name",
    "none",
    "null",
    "kernel",
    "docker",
    "jovyan",
    "vllm",
    "torch",
    "python",
    "conda",
    "pip",
    "git",
    "system",
    "nobody",
    "default",
    "public",
    "shared",
    "gpu",
    "cuda",
    "amd",
    "rocm",
    "error",
    "windows",
    "microsoft",
];
/// Words before a host name.
const HOST_LABELS: &[&str] =
    &["hostname", "host name", "nodename", "node name", "computer name", "machine name"];
/// Words before a user name.
const USER_LABELS: &[&str] = &["user", "username", "user name", "login", "logname", "account"];
const MONTHS: &[&str] = &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Adds the names of one line.
pub fn learn(line: &str, users: &mut BTreeSet<String>, hosts: &mut BTreeSet<String>) {
    home_folders(line, users);
    at_signs(line, users, hosts);
    labels(line, users, hosts);
    if let Some(host) = log_prefix(line).or_else(|| uname(line)) {
        keep(host, hosts);
    }
    for part in line.split("uid=").skip(1) {
        if let Some((_, after)) = part.split_once('(') {
            keep(name_at(after), users);
        }
    }
}

/// Adds a name, unless it is one that says nothing about anybody.
pub(super) fn keep(name: &str, names: &mut BTreeSet<String>) {
    let name = name.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let has_letter = name.chars().any(char::is_alphabetic);
    if name.chars().count() >= 2 && has_letter && !COMMON.contains(&name.as_str()) {
        names.insert(name);
    }
}

fn name_at(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')).unwrap_or(text.len());
    &text[..end]
}

fn home_folders(line: &str, users: &mut BTreeSet<String>) {
    for mark in ["/home/", "/Users/", "/users/"] {
        for part in line.split(mark).skip(1) {
            keep(name_at(part), users);
        }
    }
    // On Windows the name of a person can have spaces.
    for part in line.split("\\Users\\").skip(1) {
        let folder = part.split('\\').next().unwrap_or("");
        folder.split([' ', '.']).take(4).for_each(|name| keep(name, users));
    }
}

/// `user@host` of prompts and addresses; the host may be dotted.
fn at_signs(line: &str, users: &mut BTreeSet<String>, hosts: &mut BTreeSet<String>) {
    for (index, _) in line.match_indices('@') {
        let before = &line[..index];
        let start = before
            .char_indices()
            .rev()
            .take_while(|(_, c)| c.is_alphanumeric() || "-_.+".contains(*c))
            .last()
            .map_or(index, |(at, _)| at);
        let user = &before[start..];
        let after = &line[index + 1..];
        let host = name_at(after);
        if user.is_empty() || host.is_empty() || before[..start].ends_with('/') {
            continue;
        }
        user.split(['.', '+']).for_each(|part| keep(part, users));
        if !host.starts_with(|c: char| c.is_ascii_digit() || c == 'v') || host.len() > 6 {
            keep(host, hosts);
        }
    }
}

fn labels(line: &str, users: &mut BTreeSet<String>, hosts: &mut BTreeSet<String>) {
    let Some((label, value)) = line.split_once([':', '=']) else { return };
    let label = label.trim().trim_start_matches("export ").to_lowercase();
    let value = value.trim();
    let docker_name = label == "name" && line.starts_with(' ') && !value.contains(' ') && value.contains('-');
    if (HOST_LABELS.contains(&label.as_str()) || docker_name) && !value.starts_with("gfx") {
        value.split('.').take(1).for_each(|part| keep(name_at(part), hosts));
    } else if USER_LABELS.contains(&label.as_str()) {
        keep(name_at(value), users);
    }
}

/// `Nov 30 12:00:00 HOST kernel:` or an ISO time before it.
fn log_prefix(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let first = words.next()?;
    let is_clock =
        |word: &str| word.matches(':').count() == 2 && word.starts_with(|c: char| c.is_ascii_digit());
    if MONTHS.contains(&first.to_lowercase().as_str()) {
        words.next()?.parse::<u8>().ok()?;
        words.next().filter(|word| is_clock(word))?;
    } else if !(first.contains('T') && is_clock(first.split_once('T')?.1.split(['+', 'Z']).next()?)) {
        return None;
    }
    let host = words.next()?;
    let program = words.next()?;
    (program.ends_with(':') && !host.ends_with(':')).then_some(host)
}

/// `Linux HOST 5.15.0-105-generic #115 …`
fn uname(line: &str) -> Option<&str> {
    let words: Vec<&str> = line.split_whitespace().take(4).collect();
    match words.as_slice() {
        ["Linux", host, release, build] if release.contains('.') && build.starts_with('#') => Some(host),
        _ => None,
    }
}
