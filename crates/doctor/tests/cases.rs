//! Inputs with the verdict that they must get: the project's own under `tests/cases`, and a second suite of gathered
//! cases beside the repository, where it is at hand.
//!
//! An own case is a text file. Its folder is the verdict; files that begin with `not-` must not get the verdict of their
//! folder. The first line says which verdict they get instead: `# expect: healthy`.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use maat_doctor::{DoctorBody, DoctorRequest, doctor};

fn judge(name: &str, bytes: &[u8]) -> maat_base::Answer<DoctorBody> {
    doctor(&DoctorRequest::default(), &[(name.to_owned(), bytes.to_vec())], None).unwrap()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn own_cases() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut wrong = Vec::new();
    let mut kinds: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for folder in files(&root) {
        let code = folder.file_name().unwrap().to_string_lossy().into_owned();
        for file in files(&folder) {
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            let text = std::fs::read_to_string(&file).unwrap();
            let (head, rest) = text.split_once('\n').unwrap();
            let stated = head.strip_prefix("# expect: ");
            let (expected, input) =
                stated.map_or((code.as_str(), text.as_str()), |expected| (expected, rest));
            let answer = judge(&name, input.as_bytes());
            let count = kinds.entry(code.clone()).or_default();
            if name.starts_with("not-") {
                assert!(
                    stated.is_some_and(|stated| stated != code),
                    "{code}/{name} must say what it expects"
                );
                count.1 += 1;
            } else {
                count.0 += 1;
            }
            let given: Vec<&str> = answer.findings.iter().map(|finding| &*finding.code).collect();
            let is_info = given.contains(&expected) && code == "mig-single-instance";
            if &*answer.verdict.code != expected && !is_info {
                wrong.push(format!(
                    "{code}/{name}: expected {expected}, got {} {given:?}",
                    &*answer.verdict.code
                ));
            }
            for finding in &answer.findings {
                assert!(!finding.evidence.is_empty(), "{code}/{name}: {} proves nothing", &*finding.code);
                assert!(finding.fix.is_some(), "{code}/{name}: {} has no fix", &*finding.code);
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    for code in maat_doctor::codes() {
        let (proves, refutes) = kinds.get(&code.code).copied().unwrap_or_default();
        assert!(
            proves >= 1 && refutes >= 1,
            "{}: {proves} inputs that prove it, {refutes} that do not",
            code.code
        );
    }
}

struct Gathered {
    verdict: String,
    also_allowed: Vec<String>,
    must_not: Vec<String>,
    facts: BTreeMap<String, String>,
}

fn gathered(text: &str) -> Gathered {
    let table: toml::Table = text.parse().unwrap();
    let list = |key: &str| -> Vec<String> {
        let items = table.get(key).and_then(|list| list.as_array());
        items
            .map_or_else(Vec::new, |list| list.iter().map(|item| item.as_str().unwrap().to_owned()).collect())
    };
    let facts = table.get("facts").and_then(|facts| facts.as_table()).cloned().unwrap_or_default();
    Gathered {
        verdict: table["verdict"].as_str().unwrap().to_owned(),
        also_allowed: list("also_allowed"),
        must_not: list("must_not"),
        facts: facts.into_iter().map(|(key, value)| (key, value.as_str().unwrap().to_owned())).collect(),
    }
}

#[test]
fn gathered_cases() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/samples/doctor/cases");
    let mut wrong = Vec::new();
    for folder in files(&root) {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let expected = gathered(&std::fs::read_to_string(folder.join("expected.toml")).unwrap());
        let answer = judge("input.txt", &std::fs::read(folder.join("input.txt")).unwrap());
        let given: Vec<&str> = answer.findings.iter().map(|finding| &*finding.code).collect();
        let verdict = &*answer.verdict.code;
        if verdict != expected.verdict && !expected.also_allowed.iter().any(|other| other == verdict) {
            wrong.push(format!("{name}: expected {}, got {verdict} {given:?}", expected.verdict));
        }
        for harmful in expected.must_not.iter().filter(|code| given.contains(&code.as_str())) {
            wrong.push(format!("{name}: gives {harmful}, which it must not"));
        }
        for (key, value) in &expected.facts {
            let own = answer.body.facts.get(key.as_str()).map(String::as_str);
            let same = match key.as_str() {
                "packages" => {
                    value.split(", ").all(|package| own.unwrap_or("").split(", ").any(|o| o == package))
                }
                _ => own == Some(value),
            };
            if !same {
                wrong.push(format!("{name}: {key} is {own:?}, expected {value}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// What is left of a text when it was cut or lines were lost.
fn damaged(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut damaged: Vec<String> = (1..lines.len()).map(|end| lines[..end].join("\n")).collect();
    damaged.extend((0..lines.len()).map(|lost| {
        let kept = lines.iter().enumerate().filter(|(index, _)| *index != lost).map(|(_, line)| *line);
        kept.collect::<Vec<_>>().join("\n")
    }));
    damaged.extend(
        (0..text.len()).step_by(97).filter(|at| text.is_char_boundary(*at)).map(|at| text[..at].to_owned()),
    );
    damaged
}

/// A text that was cut says less, never the opposite: what is wrong does not become right.
#[test]
fn a_cut_text_never_looks_healthy() {
    let mut wrong = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = files(&root.join("tests/cases")).into_iter().flat_map(|folder| files(&folder));
    let gathered = files(&root.join("../../../shared/samples/doctor/cases"))
        .into_iter()
        .map(|folder| folder.join("input.txt"));
    for file in own.chain(gathered) {
        let text = std::fs::read_to_string(&file).unwrap();
        let text =
            if text.starts_with("# expect") { text.split_once('\n').unwrap().1.to_owned() } else { text };
        let whole = judge("whole", text.as_bytes());
        let whole = &*whole.verdict.code;
        for part in damaged(&text) {
            let answer = judge("part", part.as_bytes());
            let verdict = &*answer.verdict.code;
            let unproven = answer.findings.iter().any(|finding| finding.evidence.is_empty());
            // What is left of a text that said too little may be right; a remap that waits may be the lost line.
            let may_be_right = matches!(whole, "healthy" | "not-enough-data" | "gpu-remap-pending");
            if verdict == "healthy" && !may_be_right || unproven {
                wrong.push(format!("{}: {whole} became {verdict}:\n{part}\n", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
