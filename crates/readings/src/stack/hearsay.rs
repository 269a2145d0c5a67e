//! Whether a sentence reports this machine now, or only talks: documentation, advice, other machines, the past.

/// Words that make a sentence talk, in lower case; each stands as whole words.
const TALK: &[&str] = &[
    "if you see",
    "if you get",
    "if you encounter",
    "means",
    "indicates",
    "refers to",
    "stands for",
    "according to",
    "readme",
    "last week",
    "last month",
    "last year",
    "weeks ago",
    "months ago",
    "years ago",
    "days ago",
    "in the past",
    "formerly",
    "back then",
    "before the update",
    "before the upgrade",
    "before we replaced",
    "was replaced",
    "was fixed",
    "has been fixed",
    "is fixed now",
    "another node",
    "another machine",
    "other machine",
    "other node",
    "someone",
    "somebody",
    "other users",
    "a colleague",
    "on the forum",
    "forum post",
];
/// Words that tools also write in their messages, but not in a line that a person writes about a number.
const TALK_OF_NUMBERS: &[&str] = &[
    "for example",
    "e.g",
    "such as",
    "usually",
    "typically",
    "whether",
    "if the log",
    "if dmesg",
    "look for",
    "watch for",
    "check for",
    "alert on",
    "grep",
    "documentation",
    "docs",
    "see http",
    "see https",
    "similar issue",
];

/// The same of a number that a person writes, such as an Xid: more words show that it is only talked about.
pub fn is_talk_of_number(line: &str, at: usize) -> bool {
    talks(line, at, TALK) || talks(line, at, TALK_OF_NUMBERS)
}

/// Whether the sentence around a byte offset of a line only talks. A line of a log is no sentence: its stamp or level at
/// the beginning says that a program wrote it.
pub fn is_hearsay(line: &str, at: usize) -> bool {
    talks(line, at, TALK)
}

fn talks(line: &str, at: usize, words: &[&str]) -> bool {
    if is_written_by_program(line) {
        return false;
    }
    let start = line[..at].rfind(". ").map_or(0, |end| end + 2);
    let end = line[at..].find(". ").map_or(line.len(), |end| at + end);
    let sentence: String = line[start..end].to_lowercase();
    words.iter().any(|talk| has_words(&sentence, talk))
}

fn is_written_by_program(line: &str) -> bool {
    let line = line.trim_start();
    let level = line.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or("");
    line.starts_with('[')
        || ["kernel: ", "Error: ", "Warning: ", "error: ", "warning: "].iter().any(|mark| line.contains(mark))
        || matches!(level, "ERROR" | "WARNING" | "INFO" | "DEBUG" | "FATAL" | "E" | "W" | "I")
        || level.len() > 5 && level.ends_with("Error")
}

fn has_words(sentence: &str, words: &str) -> bool {
    sentence.match_indices(words).any(|(at, _)| {
        !sentence[..at].ends_with(char::is_alphanumeric)
            && !sentence[at + words.len()..].starts_with(char::is_alphanumeric)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hearsay(line: &str, word: &str) -> bool {
        is_hearsay(line, line.find(word).unwrap())
    }

    #[test]
    fn a_sentence_that_talks_and_one_that_reports() {
        assert!(hearsay("Error 802 means that the fabric manager is down", "Error 802"));
        assert!(hearsay("Two weeks ago we had Error 803. Now it trains.", "Error 803"));
        assert!(!hearsay("Two weeks ago it trained. Now I get Error 803", "Error 803"));
        assert!(!hearsay("RuntimeError: CUDA error: if you see this, an error 802", "error 802"));
        assert!(!hearsay("[12.3] NVRM: this usually means trouble", "NVRM"));
    }

    proptest::proptest! {
        #[test]
        fn total_on_any_text(before in "\\PC{0,60}", after in "\\PC{0,60}") {
            let _ = is_hearsay(&format!("{before}{after}"), before.len());
        }
    }
}
