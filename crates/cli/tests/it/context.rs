//! Runs `maat` where nothing of this machine can change the answer.

use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

/// A home of its own: no environment, no own facts, no terminal.
pub struct TestContext {
    home: PathBuf,
    environment: Vec<(&'static str, String)>,
}

/// How a command ended.
pub struct Outcome {
    pub exit: i32,
    pub stdout: String,
    pub stderr: String,
}

impl TestContext {
    pub fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("home-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&home).unwrap();
        Self { home, environment: Vec::new() }
    }

    /// Sets a variable of the environment.
    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        self.environment.push((name, value.to_owned()));
        self
    }

    /// Writes a file into the home and gives its path.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.home.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    /// A path in the home.
    pub fn path(&self, name: &str) -> PathBuf {
        self.home.join(name)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_maat"));
        command.args(args).env_clear().env("HOME", &self.home).current_dir(&self.home);
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs `maat` with arguments.
    pub fn run(&self, args: &[&str]) -> Outcome {
        self.run_with_input(args, b"")
    }

    /// Runs `maat` with something on standard input.
    pub fn run_with_input(&self, args: &[&str], input: &[u8]) -> Outcome {
        let mut command = self.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        let output = child.wait_with_output().unwrap();
        Outcome {
            exit: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs `maat`, reads one byte of its output, goes away, and gives its exit code.
    pub fn run_and_leave(&self, args: &[&str]) -> Option<i32> {
        use std::io::Read;
        let mut child = self.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut one = [0];
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut one).unwrap();
        drop(stdout);
        child.wait().unwrap().code()
    }
}

impl Drop for TestContext {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.home);
    }
}

impl Outcome {
    /// Standard output as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap()
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "exit: {}\n--- stdout\n{}--- stderr\n{}", self.exit, self.stdout, self.stderr)
    }
}
