//! Speed of reading: a trace of a training loop, written in memory.

use std::fmt::Write as _;

use divan::Bencher;
use divan::counter::BytesCount;
use maat_trace::{Input, Options, analyse};

fn main() {
    divan::main();
}

/// `steps` steps of 400 operators, launches and kernels each, in the form of the profiler's own export.
fn training(steps: u64) -> String {
    let mut text = String::from("{\n  \"schemaVersion\": 1,\n  \"traceEvents\": [\n");
    for step in 0..steps {
        let start = 1_712_867_402_000_000 + step * 10_000;
        let _ = writeln!(
            text,
            r#"  {{ "ph": "X", "cat": "user_annotation", "name": "ProfilerStep#{step}", "pid": 4, "tid": 4, "ts": {start}.125, "dur": 9990.5 }},"#
        );
        for kernel in 0..400 {
            let (at, number) = (start + kernel * 24, step * 400 + kernel + 1);
            let _ = writeln!(
                text,
                r#"  {{
    "ph": "X", "cat": "cpu_op", "name": "aten::conv2d", "pid": 4, "tid": 4,
    "ts": {at}.{kernel:03}, "dur": 21.25,
    "args": {{
      "External id": {number}, "Record function id": 0, "Sequence number": {number}, "Fwd thread id": 0, "Input type": ["float", "float", ""], "Input Dims": [[32, 64, 56, 56], [64, 64, 3, 3], []], "Ev Idx": {number}
    }}
  }},
  {{
    "ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 4, "tid": 4,
    "ts": {at}.{kernel:03}, "dur": 5.5,
    "args": {{
      "External id": {number}, "cbid": 211, "correlation": {number}
    }}
  }},
  {{
    "ph": "X", "cat": "kernel", "name": "void cudnn::detail::implicit_convolve_sgemm<float, float, 1024, 6, 7, 3, 3, 5, 1, false, true, true>(int, int, int, float const*)", "pid": 0, "tid": 7,
    "ts": {at}.{kernel:03}, "dur": 18.75,
    "args": {{
      "External id": {number}, "queued": 0, "device": 0, "context": 1, "stream": 7, "correlation": {number}, "registers per thread": 122, "shared memory": 12544, "blocks per SM": 5.925926, "warps per SM": 23.703703, "grid": [8, 16, 5], "block": [128, 1, 1], "est. achieved occupancy %": 25
    }}
  }},"#
            );
        }
    }
    text.push_str("  { \"ph\": \"i\", \"name\": \"end\" }\n  ]\n}\n");
    text
}

#[divan::bench(args = [10, 100])]
fn plain(bencher: Bencher, steps: u64) {
    let text = training(steps);
    bencher.counter(BytesCount::of_str(&text)).bench(|| {
        let input = Input { label: String::new(), reader: Box::new(text.as_bytes()) };
        analyse(vec![input], &Options::default())
    });
}
