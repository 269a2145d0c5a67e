//! The licence that a model's folder names.

use std::io::Read;
use std::path::Path;

use crate::files::bounded;

/// How much of a model card is looked at: its front matter stands first.
const CARD: u64 = 16 << 10;
/// Longest name that is believed to be one.
const LONGEST: usize = 100;

/// A licence's name as files write it, without what would not fit on a line.
pub(crate) fn clean(name: &str) -> Option<String> {
    let name = name.trim().trim_matches(['"', '\'']).trim();
    let fits = !name.is_empty() && name.len() <= LONGEST && !name.chars().any(char::is_control);
    fits.then(|| name.to_owned())
}

/// The licence in the front matter of a folder's model card: `license_name` where there is one, for `license: other` says
/// nothing.
pub(crate) fn of_card(folder: &Path) -> Option<String> {
    let (file, _) = bounded::open(&folder.join("README.md")).ok()?;
    let mut bytes = Vec::new();
    file.take(CARD).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let front = text.strip_prefix("---")?.split("\n---").next()?.to_owned();
    let stated = |key: &str| front.lines().find_map(|line| clean(line.strip_prefix(key)?.strip_prefix(':')?));
    stated("license_name").or_else(|| stated("license"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_names_it_in_its_front_matter() {
        let folder = std::env::temp_dir().join(format!("maat-licence-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let card = |text: &str| {
            std::fs::write(folder.join("README.md"), text).unwrap();
            of_card(&folder)
        };
        assert_eq!(card("---\nlicense: apache-2.0\nlanguage: nl\n---\n# X\n").as_deref(), Some("apache-2.0"));
        let other = "---\nlicense: other\nlicense_name: 'own-terms'\n---\n";
        assert_eq!(card(other).as_deref(), Some("own-terms"));
        assert_eq!(card("# X\nlicense: mit\n"), None);
        assert_eq!(card("---\nx: y\n---\nlicense: mit\n"), None);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
