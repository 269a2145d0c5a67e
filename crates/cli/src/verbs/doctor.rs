//! `maat doctor [FILE|-]…`.

use clap::Args;
use maat_base::Fault;
use maat_doctor::{DoctorRequest, doctor};

use crate::session::standard_input;
use crate::verb::{Verb, flags};

/// More of standard input than this is not read.
const LIMIT_BYTES: u64 = 256 << 20;

pub const VERB: Verb = Verb {
    name: "doctor",
    about: "Is the software stack right? This machine, or what you paste",
    examples: &[
        "maat doctor",
        "nvidia-smi | maat doctor -",
        "maat doctor collect_env.txt dmesg.txt",
        "maat doctor --wheel torch --gpu \"RTX 5090\" --driver 570",
        "maat doctor --can \"vllm 0.20\"",
    ],
    args: DoctorArgs::augment_args,
    run: |matches, session| {
        let args: DoctorArgs = flags(matches)?;
        // Nothing may say who and where: trouble is told by number.
        let hidden = |fault: Fault, number: usize| {
            if args.redact { fault.at(format!("input-{number}")) } else { fault }
        };
        let inputs = args
            .files
            .iter()
            .zip(1..)
            .map(|(name, number)| read(name).map_err(|fault| hidden(fault, number)))
            .collect::<Result<Vec<_>, _>>()?;
        let asks = args.can.is_some() || args.wheel.is_some();
        if let Some(flag) = [("--gpu", &args.gpu), ("--driver", &args.driver)]
            .into_iter()
            .find_map(|(flag, given)| given.as_ref().filter(|_| !asks).map(|_| flag))
        {
            return Err(Fault::usage("doctor-flag-needs-question").with("flag", flag).at(flag));
        }
        // A question with a card and a driver needs no machine; without them this machine is meant.
        let is_live = inputs.is_empty() && !(asks && (args.gpu.is_some() || args.driver.is_some()));
        let options = maat_probe::Options { deep: args.deep, all_environments: args.all_envs };
        let live = is_live.then(|| maat_probe::live(options));
        let request = DoctorRequest {
            redact: args.redact,
            facts_only: args.facts_only,
            can: args.can,
            wheel: args.wheel,
            gpu: args.gpu,
            driver: args.driver,
        };
        session.reply(doctor(&request, &inputs, live)?)
    },
    ..Verb::PLAIN
};

#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
struct DoctorArgs {
    /// Pasted output of tools, logs, tracebacks; - is standard input; without a file: this machine
    #[arg(value_name = "FILE")]
    files: Vec<String>,
    /// Also run nvidia-smi, dmesg, docker info and the like, each with a time limit
    #[arg(long)]
    deep: bool,
    /// Also look into Python environments that are not active
    #[arg(long)]
    all_envs: bool,
    /// Remove names, paths, addresses, identifiers and secrets from the answer
    #[arg(long)]
    redact: bool,
    /// Only what was read; judge nothing
    #[arg(long)]
    facts_only: bool,
    /// Would this work? A package, a version and a build, such as "torch 2.11 cu130"
    #[arg(long, value_name = "WHAT", conflicts_with = "wheel")]
    can: Option<String>,
    /// Which build of this package to install
    #[arg(long, value_name = "PACKAGE")]
    wheel: Option<String>,
    /// The card that --can and --wheel are asked for
    #[arg(long, value_name = "NAME")]
    gpu: Option<String>,
    /// The driver that --can and --wheel are asked for
    #[arg(long, value_name = "VERSION")]
    driver: Option<String>,
}

fn read(name: &str) -> Result<(String, Vec<u8>), Fault> {
    if name == "-" {
        return Ok((name.to_owned(), standard_input(LIMIT_BYTES)?));
    }
    let bytes = std::fs::read(name).map_err(|error| {
        Fault::content("doctor-file-unreadable").with("why", error.kind().to_string()).at(name)
    })?;
    Ok((name.to_owned(), bytes))
}
