//! Holds the messages: complete and alike in every language, one for all that the crates name.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};
use maat_report::{FILES, Lang};

type Variables = BTreeSet<String>;

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn files_below(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            files_below(&entry, extension, found);
        } else if entry.extension().is_some_and(|found| found == extension) {
            found.push(entry);
        }
    }
}

/// Messages of a language with the variables of each.
fn messages(lang: Lang) -> BTreeMap<String, Variables> {
    let mut all = BTreeMap::new();
    for file in FILES {
        let resource = fluent_syntax::parser::parse(file.text(lang))
            .unwrap_or_else(|(_, errors)| panic!("{}/{}.ftl: {errors:?}", lang.code(), file.name));
        for entry in resource.body {
            let Entry::Message(message) = entry else { continue };
            let mut variables = Variables::new();
            message.value.iter().for_each(|pattern| of_pattern(pattern, &mut variables));
            let id = message.id.name.to_owned();
            let before = all.insert(id.clone(), variables);
            assert!(before.is_none(), "{}: {id} stands there twice ({})", lang.code(), file.name);
        }
    }
    all
}

fn of_pattern(pattern: &Pattern<&str>, variables: &mut Variables) {
    for element in &pattern.elements {
        if let PatternElement::Placeable { expression } = element {
            of_expression(expression, variables);
        }
    }
}

fn of_expression(expression: &Expression<&str>, variables: &mut Variables) {
    match expression {
        Expression::Inline(inline) => of_inline(inline, variables),
        Expression::Select { selector, variants } => {
            of_inline(selector, variables);
            for variant in variants {
                of_pattern(&variant.value, variables);
            }
        }
    }
}

fn of_inline(inline: &InlineExpression<&str>, variables: &mut Variables) {
    match inline {
        InlineExpression::VariableReference { id } => {
            variables.insert(id.name.to_owned());
        }
        InlineExpression::Placeable { expression } => of_expression(expression, variables),
        _ => {}
    }
}

#[test]
fn every_file_is_registered_in_every_language() {
    let registered: BTreeSet<String> = FILES.iter().map(|file| file.name.to_owned()).collect();
    assert_eq!(registered.len(), FILES.len(), "a file is registered twice");
    for lang in Lang::ALL {
        let mut found = Vec::new();
        files_below(&crates().join("report/messages").join(lang.code()), "ftl", &mut found);
        let found: BTreeSet<String> =
            found.iter().map(|file| file.file_stem().unwrap().to_string_lossy().into_owned()).collect();
        assert_eq!(found, registered, "messages/{}", lang.code());
    }
}

#[test]
fn languages_have_the_same_messages_with_the_same_variables() {
    let english = messages(Lang::En);
    let dutch = messages(Lang::Nl);
    let mut wrong = Vec::new();
    for id in english.keys().chain(dutch.keys()).collect::<BTreeSet<_>>() {
        match (english.get(id), dutch.get(id)) {
            (Some(en), Some(nl)) if en != nl => wrong.push(format!("{id}: en has {en:?}, nl {nl:?}")),
            (None, _) => wrong.push(format!("{id}: not in en")),
            (_, None) => wrong.push(format!("{id}: not in nl")),
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What makes a message's identifier out of the literal that follows, in the sources of all crates.
const MAKERS: &[(&str, &str)] = &[
    ("Text::new(", ""),
    ("Fault::usage(", "fault-"),
    ("Fault::content(", "fault-"),
    ("Fault::missing(", "fault-"),
    ("Finding::new(", "finding-"),
];

/// The same in the two crates that name labels.
const LABEL_MAKERS: &[&str] = &["label(", "heading(", "label: "];

/// Sources without their test modules.
fn sources() -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    for krate in std::fs::read_dir(crates()).unwrap() {
        files_below(&krate.unwrap().path().join("src"), "rs", &mut files);
    }
    assert!(files.len() > 20);
    files
        .into_iter()
        .map(|file| {
            let text = std::fs::read_to_string(&file).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let code: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
            (file, code.join("\n"))
        })
        .collect()
}

/// The identifiers between a maker's parentheses: one, or those of an `if` or `match` in them.
fn literals<'a>(code: &'a str, maker: &str) -> Vec<&'a str> {
    let mut found = Vec::new();
    for (start, _) in code.match_indices(maker) {
        let rest = &code[start + maker.len()..];
        let mut depth = usize::from(maker.ends_with('('));
        let first_only = depth == 0;
        let end = rest.find(|c| {
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && (c == ')' || c == ',' || c == '\n')
        });
        let inside = &rest[..end.unwrap_or(rest.len())];
        let direct = inside.trim_start().starts_with('"');
        let choice = inside.trim_start().starts_with("if ") || inside.trim_start().starts_with("match ");
        let literals = inside.split('"').skip(1).step_by(2).filter(|id| is_id(id));
        if direct || first_only {
            found.extend(literals.take(1));
        } else if choice {
            found.extend(literals);
        }
    }
    found
}

fn is_id(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

#[test]
fn every_message_that_the_crates_name_exists() {
    let known = messages(Lang::En);
    let mut wrong = BTreeSet::new();
    for (file, code) in sources() {
        let labels = ["report/src", "cli/src"].iter().any(|folder| file.to_string_lossy().contains(folder));
        let labels = LABEL_MAKERS.iter().filter(|_| labels).map(|maker| (*maker, ""));
        for (maker, prefix) in MAKERS.iter().copied().chain(labels) {
            for literal in literals(&code, maker) {
                let id = format!("{prefix}{literal}");
                if !known.contains_key(&id) {
                    wrong.insert(format!("{id} ({})", file.display()));
                }
            }
        }
        for chain in code.split("Finding::new(").skip(1) {
            let code = chain.trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next());
            let statement = chain.split(';').next().unwrap_or_default();
            if let Some(code) = code.filter(|_| statement.contains(".fixable()")) {
                let id = format!("fix-{code}");
                if !known.contains_key(&id) {
                    wrong.insert(format!("{id} ({})", file.display()));
                }
            }
        }
    }
    let wrong: Vec<String> = wrong.into_iter().collect();
    assert!(wrong.is_empty(), "no message for:\n{}", wrong.join("\n"));
}

#[test]
fn every_code_of_a_finding_has_its_message() {
    let path = crates().join("../facts/findings.csv");
    let text = std::fs::read_to_string(path).unwrap();
    let mut rows = text.lines();
    assert_eq!(rows.next(), Some("code,verb,severity,meaning"));
    let known = messages(Lang::En);
    let mut seen = BTreeSet::new();
    let mut wrong = Vec::new();
    for row in rows.filter(|row| !row.is_empty()) {
        let code = row.split(',').next().unwrap_or_default();
        if !seen.insert(code) {
            wrong.push(format!("{code} stands there twice"));
        }
        if !known.contains_key(&format!("finding-{code}")) {
            wrong.push(format!("finding-{code} is no message"));
        }
    }
    for (file, code) in sources() {
        for literal in literals(&code, "Finding::new(") {
            if !seen.contains(literal) {
                wrong.push(format!("{literal} is not in facts/findings.csv ({})", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
