//! Names that are near to another.

/// The three names that are nearest to `wanted`, best first; far ones are left out.
pub(crate) fn nearest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let wanted: Vec<char> = plain(wanted).chars().take(200).collect();
    let mut near: Vec<(usize, &str)> = names.map(|name| (distance(&wanted, &plain(name)), name)).collect();
    near.sort_unstable();
    near.dedup_by_key(|(_, name)| *name);
    let limit = wanted.len() / 2 + 1;
    near.into_iter().filter(|(far, _)| *far <= limit).take(3).map(|(_, name)| name.to_owned()).collect()
}

/// A name without case, owner and punctuation.
pub(crate) fn plain(name: &str) -> String {
    let name = name.rsplit('/').next().unwrap_or(name);
    name.chars().filter(|c| c.is_alphanumeric() || *c == '.').flat_map(char::to_lowercase).collect()
}

/// Levenshtein's distance.
fn distance(a: &[char], b: &str) -> usize {
    let mut row: Vec<usize> = (0..=a.len()).collect();
    for (i, cb) in b.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, ca) in a.iter().enumerate() {
            let replaced = diagonal + usize::from(*ca != cb);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[a.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_meant() {
        let names = ["meta-llama/Llama-3.1-8B", "Qwen/Qwen3-8B", "openai/gpt-oss-20b"];
        assert_eq!(nearest("lama3.1-8b", names.into_iter())[0], "meta-llama/Llama-3.1-8B");
        assert!(nearest("zzzzzzzzzzzzzz", names.into_iter()).is_empty());
    }
}
