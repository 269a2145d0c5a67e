//! Programs by the free text that measurements name them with.

use maat_estimate::Engine;

use crate::files::reading;

/// A program as estimates know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The engine whose rules of memory it follows.
    pub engine: Engine,
    /// Key of its parameters and ranges.
    pub key: std::sync::Arc<str>,
    /// Its version, where the text states one.
    pub version: Option<String>,
}

/// A row of the table of words.
#[derive(Debug)]
struct Word {
    text: String,
    engine: Engine,
    key: std::sync::Arc<str>,
    /// The year from which on the row does not hold.
    until: Option<u32>,
}

/// The table of words.
#[derive(Debug)]
pub struct Programs {
    words: Vec<Word>,
}

impl Programs {
    /// Reads the table.
    pub fn new() -> Self {
        let read = |row: csv::StringRecord| {
            Some(Word {
                text: row.get(0)?.to_owned(),
                engine: engine(row.get(1)?)?,
                key: std::sync::Arc::from(row.get(2)?),
                until: row.get(3)?.parse().ok(),
            })
        };
        Self { words: reading("software").into_iter().filter_map(read).collect() }
    }

    /// The program of a text: the first row of the table whose word the text has, as a word of its own, and that holds
    /// at the date, which begins with its year.
    pub fn find(&self, text: &str, date: &str) -> Option<Program> {
        let lower = text.to_ascii_lowercase();
        let whole = |word: &str| {
            [word.to_owned(), word.replace('-', " ")].iter().find_map(|word| position(&lower, word))
        };
        let year: Option<u32> = date.get(..4).and_then(|year| year.parse().ok());
        let holds = |row: &&Word| row.until.is_none_or(|until| year.is_some_and(|year| year < until));
        let (end, row) = self.words.iter().filter(holds).find_map(|row| Some((whole(&row.text)?, row)))?;
        Some(Program { engine: row.engine, key: row.key.clone(), version: version(&lower[end..]) })
    }
}

/// Where a word ends in a text in which no letters surround it.
fn position(text: &str, word: &str) -> Option<usize> {
    let at = text.find(word)?;
    let before = text[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
    let end = at + word.len();
    let after = text[end..].chars().next().is_none_or(|c| !c.is_alphabetic());
    (before && after).then_some(end)
}

/// A version right behind a name: digits with points, or llama.cpp's `b4384`.
fn version(rest: &str) -> Option<String> {
    let word = rest.trim_start_matches([' ', '-', '_', '@', '=']).split([' ', ',', ';', ')', '(']).next()?;
    let digits = word.strip_prefix(['v', 'b']).unwrap_or(word);
    let is_it = digits.starts_with(|c: char| c.is_ascii_digit());
    is_it.then(|| word.trim_start_matches('v').to_owned())
}

fn engine(name: &str) -> Option<Engine> {
    serde_json::from_value(serde_json::Value::String(name.to_owned())).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_of_free_texts() {
        let programs = Programs::new();
        let of = |text: &str| {
            programs
                .find(text, "2026-02-14")
                .map(|found| ((*found.key).to_owned(), found.version.unwrap_or_default()))
        };
        for (text, key, version) in [
            (
                "vLLM 0.9.0.2.dev108+g71faa1880.d20250730.rocm641, Pytorch 2.7",
                "vllm",
                "0.9.0.2.dev108+g71faa1880.d20250730.rocm641",
            ),
            ("llama.cpp b4384", "llamacpp", "b4384"),
            ("ollama / llama.cpp", "ollama", ""),
            ("ik_llama.cpp 2024-12", "ik-llamacpp", "2024-12"),
            ("TensorRT-LLM 0.6.1 (L40S: 0.5)", "trtllm", "0.6.1"),
            ("TensorRT 10.11, CUDA 12.9", "trtllm", "10.11"),
            ("trtllm 1.2.0rc6.post2", "trtllm", "1.2.0rc6.post2"),
            ("Exllama V2", "exllamav2", ""),
            ("exllama README", "exllama", ""),
            ("SGLang / DeepSeek profile", "sglang", ""),
        ] {
            assert_eq!(of(text), Some((key.to_owned(), version.to_owned())), "{text}");
        }
        assert_eq!(of("something new"), None);
        assert_eq!(&*programs.find("vLLM", "2023-09").unwrap().key, "vllm-2023");
    }

    #[test]
    fn every_row_of_the_table_is_read() {
        assert_eq!(Programs::new().words.len(), reading("software").len());
    }
}
