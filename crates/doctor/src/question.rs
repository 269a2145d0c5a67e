//! "Would this work here?" (`can`) and "which build do I install?" (`wheel`), and the inverse: which driver a build needs.

use maat_base::{Answer, Fault, Finding, Text};
use maat_readings::Key;
use maat_readings::stack::architecture::board_in;
use maat_readings::stack::{canonical_name, versions};

use crate::answer::{DoctorBody, DoctorRequest, Install, verdict};
use crate::case::Case;
use crate::codes;
use crate::install;
use crate::tables::wheels::{self, Misfit};
use crate::tables::{drivers, frameworks};

/// What the question is asked for.
struct Machine {
    gpu: Option<String>,
    cc: Option<String>,
    driver: Option<String>,
    glibc: Option<String>,
    windows: bool,
}

/// Answers `can` or `wheel`.
pub fn answer(
    request: &DoctorRequest,
    case: &Case,
    mut body: DoctorBody,
) -> Result<Answer<DoctorBody>, Fault> {
    let machine = machine(request, case)?;
    let (install, findings) = match (&request.can, &request.wheel) {
        (Some(question), _) => {
            let install = parse(question)?;
            let findings = judge(&install, &machine);
            (install, findings)
        }
        (None, Some(package)) => newest(package, &machine)?,
        (None, None) => return Err(Fault::usage("doctor-no-question")),
    };
    let known = machine.driver.is_some() && machine.cc.is_some() && !is_unlisted(&install, &machine);
    let words = |id: &'static str| {
        Text::new(id)
            .with("package", install.package.as_str())
            .with("version", install.version.as_str())
            .with("cuda", install.cuda.as_str())
            .with("driver", install.driver_min_linux.as_deref().unwrap_or("unknown"))
    };
    let verdict = match findings.first() {
        Some(finding) => maat_base::Verdict {
            ok: Some(false),
            code: finding.code.clone(),
            text: Text::new("verdict-doctor-finding").with("what", finding.message.clone()),
        },
        None if known => verdict("healthy", words("verdict-doctor-works")),
        None => verdict("not-enough-data", words("verdict-doctor-needs")),
    };
    if !known {
        body.ask = crate::ask::next(case);
    }
    let mut install = install;
    if !findings.is_empty() {
        // What does not work is not offered to copy.
        install.command.clear();
    }
    body.install = Some(install);
    let mut answer = Answer::new("doctor", verdict, body);
    answer.findings = findings;
    Ok(answer)
}

fn machine(request: &DoctorRequest, case: &Case) -> Result<Machine, Fault> {
    let gpu = request.gpu.clone().or_else(|| case.value(Key::Gpu).map(str::to_owned));
    let cc = match &request.gpu {
        Some(name) => {
            let board = board_in(name).and_then(|board| board.capability.clone());
            Some(board.ok_or_else(|| Fault::content("doctor-gpu-unknown").with("name", name.as_str()))?)
        }
        None => case.value(Key::Cc).map(str::to_owned),
    };
    let driver = request.driver.clone().or_else(|| case.value(Key::Driver).map(str::to_owned));
    if let Some(driver) = &driver
        && versions::numbers(driver).is_empty()
    {
        return Err(Fault::usage("doctor-driver-unreadable").with("driver", driver.as_str()));
    }
    let glibc = case.value(Key::Glibc).map(str::to_owned);
    Ok(Machine { gpu, cc, driver, glibc, windows: case.is_windows() })
}

/// `torch 2.11 cu130`, `vllm==0.20`, `torch`.
fn parse(question: &str) -> Result<Install, Fault> {
    let words: Vec<&str> = question
        .split(|c: char| c.is_whitespace() || c == '=' || c == ',')
        .filter(|w| !w.is_empty())
        .collect();
    let unknown = || {
        Fault::usage("doctor-question-unreadable")
            .with("question", question)
            .hint(Text::new("hint-doctor-question"))
    };
    let package = canonical_name(words.first().ok_or_else(unknown)?);
    let mut version = None;
    let mut tag = None;
    for word in &words[1..] {
        if word.starts_with("cu") {
            tag = Some(versions::of_cu_tag(word).ok_or_else(unknown)?);
        } else if let Some((plain, local)) = word.split_once('+') {
            version = Some(plain.to_owned());
            tag = versions::of_cu_tag(local.trim_start_matches("cu"));
        } else if word.starts_with(|c: char| c.is_ascii_digit()) {
            version = Some((*word).to_owned());
        } else {
            return Err(unknown());
        }
    }
    build(&package, version.as_deref(), tag.as_deref()).ok_or_else(|| package_unknown(&package))
}

fn package_unknown(package: &str) -> Fault {
    Fault::content("doctor-package-unknown").with("package", package).hint(Text::new("hint-doctor-package"))
}

/// What a build of a package needs; the registry's default build where no CUDA version is given.
fn build(package: &str, version: Option<&str>, cuda: Option<&str>) -> Option<Install> {
    if package == "torch" || package == "pytorch" {
        return torch_build(version, cuda);
    }
    let row = match version {
        Some(version) => nearest(package, version),
        None => frameworks::versions_of(package).into_iter().next(),
    };
    let version = version.map(str::to_owned).or_else(|| row.map(|row| row.version.clone()))?;
    let by_need = frameworks::need(package, &version).and_then(|need| need.wheel_cuda.clone());
    let by_torch =
        row.and_then(|row| wheels::release(&row.torch_pin)).map(|release| release.pypi_cuda.clone());
    let by_name =
        package.strip_prefix("jax-cuda").and_then(|rest| rest.get(..2)).map(|major| format!("{major}.0"));
    let cuda =
        cuda.map(str::to_owned).or(by_torch).or(by_need.map(|cuda| cuda.replace(".x", ".0"))).or(by_name)?;
    let archs = row
        .and_then(|row| wheels::compiled(&row.torch_pin, &cuda))
        .map_or_else(Vec::new, |compiled| compiled.sm.to_vec());
    Some(filled(package, version.clone(), cuda, archs, format!("pip install {package}=={version}")))
}

/// The table's row of a version, or of the newest before it of the same minor.
fn nearest(package: &str, version: &str) -> Option<&'static frameworks::Pinned> {
    frameworks::pinned(package, version).or_else(|| {
        let minor = versions::major_minor(version)?;
        frameworks::versions_of(package)
            .into_iter()
            .find(|row| versions::major_minor(&row.version).as_deref() == Some(&minor))
    })
}

fn torch_build(version: Option<&str>, cuda: Option<&str>) -> Option<Install> {
    let release = match version {
        Some(version) => {
            wheels::release(&if version.contains('.') { version.to_owned() } else { format!("{version}.0") })?
        }
        None => wheels::releases().first()?,
    };
    let cuda = cuda.unwrap_or(&release.pypi_cuda).to_owned();
    let archs =
        wheels::compiled(&release.torch, &cuda).map_or_else(Vec::new, |compiled| compiled.sm.to_vec());
    let version = version.map_or_else(|| release.torch.clone(), str::to_owned);
    let exact = if versions::numbers(&version).len() > 2 { version.clone() } else { format!("{version}.*") };
    let tag = cuda.replace('.', "");
    let command =
        format!("pip install \"torch=={exact}\" --index-url https://download.pytorch.org/whl/cu{tag}");
    Some(filled("torch", version, cuda, archs, command))
}

fn filled(package: &str, version: String, cuda: String, archs: Vec<String>, command: String) -> Install {
    Install {
        driver_min_linux: drivers::minimum(&cuda, false).map(str::to_owned),
        driver_min_windows: drivers::minimum(&cuda, true).map(str::to_owned),
        glibc_min: frameworks::glibc_floor(package, &version),
        package: package.to_owned(),
        version,
        cuda,
        archs,
        command,
    }
}

/// What would not work.
fn judge(install: &Install, machine: &Machine) -> Vec<Finding> {
    let mut findings = Vec::new();
    let source = "facts/stack";
    if install.package == "torch"
        && let Some(release) = wheels::release(&install.version)
        && !release.cuda_variants().iter().any(|(_, cuda)| *cuda == install.cuda)
    {
        let mut finding = Finding::new("wheel-variant-missing", maat_base::Severity::Error, "torch")
            .with("version", install.version.as_str())
            .with("cuda", install.cuda.as_str())
            .because("variants", release.variants.join(", "), format!("{source}/pytorch.toml"));
        finding.fix = Some(Text::new("fix-wheel-variant-missing"));
        findings.push(finding);
    }
    if let Some(driver) = &machine.driver
        && let Some(needed) = drivers::minimum(&install.cuda, machine.windows)
        && !versions::at_least(driver, needed)
    {
        let finding = codes::finding("driver-too-old")
            .with("driver", driver.as_str())
            .with("cuda", install.cuda.as_str())
            .with("needed", needed)
            .because("driver_min", needed, format!("{source}/cuda_driver.toml"));
        findings.push(finding);
    }
    findings.extend(out_of_range(machine));
    if let Some(cc) = &machine.cc
        && let Some(misfit) = misfit(install, cc)
    {
        let code = if misfit == Misfit::Newer { "arch-newer-than-wheel" } else { "arch-dropped-by-wheel" };
        let mut finding = codes::finding(code)
            .with("gpu", machine.gpu.as_deref().unwrap_or(cc))
            .with("cc", cc.as_str())
            .because("wheel_archs", install.archs.join(","), format!("{source}/pytorch.toml"));
        finding.commands = install::torch_command(Some(cc), machine.driver.as_deref(), machine.windows)
            .into_iter()
            .collect();
        findings.push(finding);
    }
    if let (Some(system), Some(floor)) = (&machine.glibc, &install.glibc_min)
        && !versions::at_least(system, floor)
    {
        let finding = codes::finding("glibc-too-old")
            .with("needed", format!("glibc {floor}"))
            .with("system", system.as_str())
            .because("glibc_min", floor.as_str(), format!("{source}/wheel_glibc.csv"));
        findings.push(finding);
    }
    findings
}

/// Whether it is unknown what the build holds, for a card whose architecture NVIDIA has ended: builds leave such cards
/// out before the toolkit does.
fn is_unlisted(install: &Install, machine: &Machine) -> bool {
    let row = machine.cc.as_deref().and_then(drivers::capability);
    install.package == "torch" && install.archs.is_empty() && row.is_some_and(|row| row.last_driver.is_some())
}

/// The driver knows the card from the branch of the architecture's first toolkit to the last that supports it.
fn out_of_range(machine: &Machine) -> Option<Finding> {
    let (driver, cc) = (machine.driver.as_deref()?, machine.cc.as_deref()?);
    let (branch, row) = (versions::major(driver)?, drivers::capability(cc)?);
    let source = "facts/stack/architectures.toml";
    if let Some(last) = row.last_driver.filter(|last| branch > *last) {
        let shown = format!("{last}.xx");
        return Some(
            codes::finding("gpu-dropped-by-driver")
                .with("gpu", machine.gpu.as_deref().unwrap_or(cc))
                .with("driver", driver)
                .with("branch", shown.as_str())
                .because("last_driver", shown.as_str(), source)
                .fix(Text::new("fix-gpu-dropped-by-driver").with("branch", shown.as_str())),
        );
    }
    let cuda = row.first_cuda.as_deref()?;
    let first = drivers::branch_for(cuda).filter(|first| branch < *first)?.to_string();
    let finding = codes::finding("driver-too-old").with("driver", driver).with("cuda", cuda);
    Some(finding.with("needed", first.as_str()).because("first_cuda", cuda, source))
}

fn misfit(install: &Install, cc: &str) -> Option<Misfit> {
    if !install.archs.is_empty() {
        let found = wheels::misfit(install.archs.iter().map(String::as_str), cc);
        let ptx =
            wheels::compiled(&install.version, &install.cuda).and_then(|compiled| compiled.ptx) == Some(true);
        return found.filter(|misfit| !(ptx && *misfit == Misfit::Newer));
    }
    let row = drivers::capability(cc)?;
    if row.is_newer_than_toolkit(&install.cuda) {
        Some(Misfit::Newer)
    } else {
        row.is_dropped_by_toolkit(&install.cuda).then_some(Misfit::Older)
    }
}

/// The newest version that works on the machine; when none does, the newest with what is wrong with it.
fn newest(package: &str, machine: &Machine) -> Result<(Install, Vec<Finding>), Fault> {
    let package = canonical_name(package);
    let unknown = || package_unknown(&package);
    let ordered = |release| install::variants_for(release, machine.driver.as_deref());
    let candidates: Vec<Install> = if package == "torch" || package == "pytorch" {
        wheels::releases()
            .iter()
            .flat_map(|release| ordered(release).into_iter().map(|(_, cuda)| (release.torch.as_str(), cuda)))
            .filter_map(|(torch, cuda)| torch_build(Some(torch), Some(&cuda)))
            .filter(|build| !is_unlisted(build, machine))
            .collect()
    } else {
        let rows = frameworks::versions_of(&package);
        rows.into_iter().filter_map(|row| build(&package, Some(&row.version), None)).collect()
    };
    let mut first = None;
    for candidate in candidates {
        let findings = judge(&candidate, machine);
        if findings.is_empty() {
            return Ok((candidate, findings));
        }
        first.get_or_insert((candidate, findings));
    }
    first.ok_or_else(unknown)
}
