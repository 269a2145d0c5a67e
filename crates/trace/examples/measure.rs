//! Reads a trace and prints how fast and in how much memory: `measure FILE`, or `measure SIZE_IN_MB` for one made up
//! on the way (it never exists as a
//! whole, and the time to make it is measured apart and left out).

use std::io::{Read, Result};
use std::time::Instant;

use maat_trace::{Input, Options, analyse};

/// A trace of a training loop that is written while it is read.
struct Synthetic {
    event: u64,
    written: u64,
    size: u64,
    pending: Vec<u8>,
    at: usize,
    ended: bool,
}

impl Synthetic {
    fn next(&mut self) {
        self.pending.clear();
        self.at = 0;
        let number = self.event / 3;
        let start = 1_712_867_402_000_000 + number * 30;
        let text = match (self.written, self.event % 3) {
            (written, _) if written >= self.size => {
                self.ended = true;
                "{\"ph\":\"i\"}]}\n".to_owned()
            }
            (_, 0) => format!(
                "{{\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::op{}\", \"pid\": 4, \"tid\": 4,\n    \"ts\": {start}.{:03}, \"dur\": 21.25,\n    \"args\": {{\n      \"External id\": {number}, \"Sequence number\": {number}, \"Fwd thread id\": 0, \"Input type\": [\"float\", \"float\", \"\"], \"Input Dims\": [[32, 64, 56, 56], [64, 64, 3, 3], []], \"Ev Idx\": {number}\n    }}\n  }},\n  ",
                number % 200,
                number % 1000
            ),
            (_, 1) => format!(
                "{{\n    \"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": 4, \"tid\": 4,\n    \"ts\": {start}.{:03}, \"dur\": 5.5,\n    \"args\": {{\n      \"External id\": {number}, \"cbid\": 211, \"correlation\": {}\n    }}\n  }},\n  ",
                number % 1000,
                number + 1
            ),
            _ => format!(
                "{{\n    \"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"void cudnn::detail::kernel{}<float, float, 1024, 6, 7, 3, 3, 5, 1, false, true, true>(int, int, int, float const*, int, float*)\", \"pid\": 0, \"tid\": 7,\n    \"ts\": {start}.{:03}, \"dur\": 18.75,\n    \"args\": {{\n      \"External id\": {number}, \"queued\": 0, \"device\": 0, \"context\": 1, \"stream\": 7, \"correlation\": {}, \"registers per thread\": 122, \"shared memory\": 12544, \"blocks per SM\": 5.925926, \"warps per SM\": 23.703703, \"grid\": [8, 16, 5], \"block\": [128, 1, 1], \"est. achieved occupancy %\": 25\n    }}\n  }},\n  ",
                number % 300,
                (number + 7) % 1000,
                number + 1
            ),
        };
        self.pending.extend_from_slice(text.as_bytes());
        self.written += self.pending.len() as u64;
        self.event += 1;
    }
}

impl Read for Synthetic {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if self.at == self.pending.len() && !self.ended {
            self.next();
        }
        let count = buffer.len().min(self.pending.len() - self.at);
        buffer[..count].copy_from_slice(&self.pending[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

fn synthetic(megabytes: u64) -> Synthetic {
    let pending = b"{\"schemaVersion\": 1, \"traceEvents\": [".to_vec();
    Synthetic { event: 0, written: 0, size: megabytes * 1_000_000, pending, at: 0, ended: false }
}

#[expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "an example prints, and stops at the first trouble"
)]
fn main() {
    let what = std::env::args().nth(1).unwrap();
    let mut making = 0.0;
    let (size, reader): (u64, Box<dyn Read>) = if let Ok(size) = what.parse::<u64>() {
        let start = Instant::now();
        std::io::copy(&mut synthetic(size), &mut std::io::sink()).unwrap();
        making = start.elapsed().as_secs_f64();
        (size * 1_000_000, Box::new(synthetic(size)))
    } else {
        let file = std::fs::File::open(&what).unwrap();
        (file.metadata().unwrap().len(), Box::new(file))
    };
    let start = Instant::now();
    let report = analyse(vec![Input { label: what, reader }], &Options::default()).unwrap();
    let seconds = start.elapsed().as_secs_f64() - making;
    println!(
        "{} events in {seconds:.3} s: {:.0} MB/s",
        report.ranks[0].numbers.events,
        size as f64 / 1e6 / seconds
    );
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    println!("{}", status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("memory not known"));
}
