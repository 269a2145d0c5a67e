//! `--deep`: tools of drivers and containers, each in a child process with a time limit.

use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use maat_readings::stack::Live;

use crate::hand_over;

const LIMIT: Duration = Duration::from_secs(10);
/// More output than this is cut.
const OUTPUT_LIMIT_BYTES: u64 = 8 << 20;

const TOOLS: &[&[&str]] = &[
    &["nvidia-smi"],
    &["nvidia-smi", "-L"],
    &["nvidia-smi", "-q", "-x"],
    &["rocminfo"],
    &["dmesg"],
    &["ldconfig", "-p"],
    &["docker", "info"],
    &["systemctl", "status", "nvidia-fabricmanager"],
];

pub fn look(live: &mut Live) {
    for tool in TOOLS {
        let name = tool.join(" ");
        match run(tool) {
            Ok(output) => hand_over(live, &name, &output),
            Err(why) => live.not_seen.push((name, why)),
        }
    }
}

/// What a tool prints on both streams.
fn run(tool: &[&str]) -> Result<String, &'static str> {
    let [program, arguments @ ..] = tool else { return Err("absent") };
    let mut child = Command::new(program)
        .args(arguments)
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|_| "absent")?;
    let (sender, receiver) = mpsc::channel();
    let streams: [Option<Box<dyn Read + Send>>; 2] = [
        child.stdout.take().map(|stream| Box::new(stream) as Box<dyn Read + Send>),
        child.stderr.take().map(|stream| Box::new(stream) as Box<dyn Read + Send>),
    ];
    for stream in streams.into_iter().flatten() {
        let sender = sender.clone();
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = stream.take(OUTPUT_LIMIT_BYTES).read_to_end(&mut bytes);
            let _ = sender.send(bytes);
        });
    }
    drop(sender);
    let mut output = Vec::new();
    for _ in 0..2 {
        match receiver.recv_timeout(LIMIT) {
            Ok(bytes) => output.extend(bytes),
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err("failed");
            }
        }
    }
    let _ = child.wait();
    Ok(String::from_utf8_lossy(&output).into_owned())
}
