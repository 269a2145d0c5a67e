//! cuDNN: too old within its major, of the wrong major, or not there.
//!
//! A binary asks for its major by the file's name; which of the three it is depends on which cuDNN is there.

use maat_base::{Finding, Text};
use maat_readings::Key;
use maat_readings::stack::versions;

use super::{Hit, Rule};
use crate::case::Case;
use crate::codes;
use crate::tables::frameworks;

pub const RULE: Rule =
    Rule { name: "cudnn", codes: &["cudnn-too-old", "cudnn-wrong-major", "cudnn-not-found"], judge };

fn judge(case: &Case) -> Vec<Hit> {
    loaded(case).or_else(|| missing(case)).into_iter().collect()
}

/// What was loaded against what was compiled with, both printed.
fn loaded(case: &Case) -> Option<Hit> {
    case.sign("cudnn-loaded-vs-built")?;
    let (found, built) = (case.value(Key::Cudnn)?, case.value(Key::CudnnBuiltWith)?);
    let code = if versions::major(found) != versions::major(built) {
        "cudnn-wrong-major"
    } else if versions::compare(found, built).is_lt() {
        "cudnn-too-old"
    } else {
        return None;
    };
    let finding = with_versions(codes::finding(code), found, built);
    let finding = case.show(finding, &["cudnn-loaded-vs-built"]);
    Some(Hit::proven(case.prove(finding, &[Key::Cudnn, Key::CudnnBuiltWith, Key::Torch])))
}

fn with_versions(finding: Finding, found: &str, built: &str) -> Finding {
    let fix = Text::named(format!("fix-{}", finding.code)).with("needed", built);
    finding.with("found", found).with("needed", built).fix(fix)
}

fn missing(case: &Case) -> Option<Hit> {
    let named = case.facts(Key::MissingLibrary).find(|fact| fact.value.contains("cudnn"));
    if named.is_none() && !case.has("cudnn-dll-missing") {
        return None;
    }
    let library = named.map_or("cudnn", |fact| fact.value.as_str());
    let wanted = wanted_major(library);
    let there = majors_there(case);
    let other = there.iter().find(|(major, _)| Some(*major) != wanted && wanted.is_some());
    let same = there.iter().any(|(major, _)| Some(*major) == wanted);
    // The name alone does not say whether another major is there: something must have been looked at.
    let looked = case.has("tf-skips-gpu")
        || case.has("looked-for-libraries")
        || case.has("cudnn-dll-missing")
        || !case.packages().is_empty()
        || [Key::Torch, Key::Cuda, Key::Nvcc].iter().any(|key| case.fact(*key).is_some());
    if other.is_none() && !looked {
        return None;
    }
    let code = if other.is_some() && !same { "cudnn-wrong-major" } else { "cudnn-not-found" };
    let needed = wanted.map_or("unknown".to_owned(), |major| major.to_string());
    let found = other.map_or("unknown".to_owned(), |(_, what)| what.clone());
    let mut finding = with_versions(codes::finding(code), &found, &needed).with("library", library);
    finding = case.show(finding, &["missing-library", "cudnn-dll-missing"]);
    finding = case.prove(finding, &[Key::MissingLibrary, Key::Cudnn, Key::Packages]);
    finding.commands = commands(case, wanted);
    Some(Hit::proven(finding))
}

/// `libcudnn_ops_infer.so.8` and `cudnn_ops64_9.dll` name the major.
fn wanted_major(library: &str) -> Option<u64> {
    let number = library.split_once(".so.").map(|(_, number)| number);
    let number =
        number.or_else(|| library.strip_suffix(".dll")?.rsplit_once("64_").map(|(_, number)| number))?;
    versions::major(number)
}

/// The majors that are there: by file names, by a version that is told, and by the wheel.
fn majors_there(case: &Case) -> Vec<(u64, String)> {
    let files = case.libraries("libcudnn").filter(|library| library.path.is_some()).filter_map(|library| {
        let version = library.name.split_once(".so.")?.1;
        Some((versions::major(version)?, library.name.clone()))
    });
    let told =
        case.facts(Key::Cudnn).filter_map(|fact| Some((versions::major(&fact.value)?, fact.value.clone())));
    files.chain(told).collect()
}

fn commands(case: &Case, wanted: Option<u64>) -> Vec<String> {
    let mut commands = Vec::new();
    if let Some(package) = case.package("ctranslate2")
        && frameworks::need("ctranslate2", &package.version).and_then(|need| need.cudnn_major) == Some(8)
    {
        commands.push("pip install \"ctranslate2>=4.5\"".to_owned());
    }
    if case.package("tensorflow").is_some() || case.has("tf-skips-gpu") {
        commands.push("pip install \"tensorflow[and-cuda]\"".to_owned());
    }
    if let Some(major) = wanted {
        commands.push(format!("pip install \"nvidia-cudnn-cu12=={major}.*\""));
    }
    commands
}
