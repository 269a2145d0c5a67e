//! Small traces, written event by event. Times are in microseconds.
#![allow(dead_code, reason = "every test file uses a part of it")]

use std::fmt::Write as _;
use std::io::Write as _;

use maat_trace::{Input, Judgement, Options, RankReport, TraceReport, analyse, judge};

/// A trace under construction.
#[derive(Clone, Default)]
pub struct Trace {
    events: Vec<String>,
    head: String,
    correlation: u64,
}

impl Trace {
    pub fn new() -> Self {
        Self::default()
    }

    /// A key beside the events, as JSON.
    pub fn head(mut self, json: &str) -> Self {
        let _ = write!(self.head, "{json},");
        self
    }

    /// The accelerator's properties.
    pub fn gpu(self, name: &str, major: u32, minor: u32) -> Self {
        self.head(&format!(
            r#""deviceProperties":[{{"id":0,"name":"{name}","computeMajor":{major},"computeMinor":{minor}}}]"#
        ))
    }

    pub fn rank(self, rank: u32, world: u32) -> Self {
        self.head(&format!(r#""distributedInfo":{{"backend":"nccl","rank":{rank},"world_size":{world}}}"#))
    }

    /// Any event.
    pub fn raw(&mut self, json: &str) -> &mut Self {
        self.events.push(json.to_owned());
        self
    }

    /// A complete event; `args` is JSON without braces.
    pub fn event(
        &mut self,
        category: &str,
        name: &str,
        (ts, dur): (f64, f64),
        place: (u32, u32),
        args: &str,
    ) -> &mut Self {
        let (pid, tid) = place;
        self.raw(&format!(
            r#"{{"ph":"X","cat":"{category}","name":"{name}","pid":{pid},"tid":{tid},"ts":{ts:.3},"dur":{dur:.3},"args":{{{args}}}}}"#
        ))
    }

    /// A span of the main thread.
    pub fn host(&mut self, category: &str, name: &str, ts: f64, dur: f64) -> &mut Self {
        self.event(category, name, (ts, dur), (100, 100), "")
    }

    pub fn step(&mut self, number: u32, ts: f64, dur: f64) -> &mut Self {
        self.host("user_annotation", &format!("ProfilerStep#{number}"), ts, dur)
    }

    /// A launch on the main thread and its kernel on stream 7.
    pub fn kernel(&mut self, name: &str, launch: (f64, f64), run: (f64, f64)) -> &mut Self {
        self.work(("cudaLaunchKernel", "kernel", name), launch, run, 7)
    }

    /// A call and the work that it brings.
    pub fn work(
        &mut self,
        (call, category, name): (&str, &str, &str),
        launch: (f64, f64),
        run: (f64, f64),
        stream: u32,
    ) -> &mut Self {
        self.correlation += 1;
        let number = self.correlation;
        self.event(
            "cuda_runtime",
            call,
            launch,
            (100, 100),
            &format!(r#""cbid":211,"correlation":{number}"#),
        );
        self.event(
            category,
            name,
            run,
            (0, stream),
            &format!(r#""device":0,"stream":{stream},"correlation":{number}"#),
        )
    }

    /// The text as an object.
    pub fn json(&self) -> String {
        format!("{{\"schemaVersion\":1,{}\"traceEvents\":[{}]}}", self.head, self.events.join(",\n"))
    }

    /// The text as a bare list.
    pub fn list(&self) -> String {
        format!("[{}]", self.events.join(","))
    }

    pub fn report(&self) -> RankReport {
        measured(self.json().as_bytes())
    }

    pub fn judged(&self) -> Judgement {
        judge(&job(&[self]))
    }
}

pub fn input(text: &[u8]) -> Input<'_> {
    Input { label: "trace.json".to_owned(), reader: Box::new(text) }
}

pub fn measured(text: &[u8]) -> RankReport {
    analyse(vec![input(text)], &Options::default()).unwrap().ranks.remove(0)
}

pub fn job(traces: &[&Trace]) -> TraceReport {
    let texts: Vec<String> = traces.iter().map(|trace| trace.json()).collect();
    let inputs = texts.iter().map(|text| input(text.as_bytes())).collect();
    analyse(inputs, &Options::default()).unwrap()
}

pub fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// Names of kernels of a mixed precision network, so that nothing but the planted fault stands out.
pub const KERNELS: [&str; 4] = [
    "sm80_xmma_gemm_bf16bf16_bf16f32_f32_tn_n",
    "void flash_fwd_kernel<Flash_fwd_kernel_traits<128>>",
    "void at::native::vectorized_elementwise_kernel<4>",
    "ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_stages_64x3_tn",
];

/// Steps in which the host runs ahead: `busy` µs of work each, then `pause` µs in which nothing is launched. `pause`
/// says where the pause begins and what to record in it.
pub fn steps(
    trace: &mut Trace,
    count: u32,
    kernels: u32,
    kernel: f64,
    pause: f64,
    mut in_pause: impl FnMut(&mut Trace, f64),
) {
    let busy = f64::from(kernels) * kernel;
    for step in 0..count {
        let start = f64::from(step) * (busy + pause);
        trace.step(step, start, busy + pause);
        in_pause(trace, start);
        for index in 0..kernels {
            // Launches take 4 µs each, so that they are ahead of kernels that take longer.
            let launch = start + pause + f64::from(index) * 4.0 - 8.0;
            let run = start + pause + f64::from(index) * kernel;
            trace.kernel(KERNELS[index as usize % 4], (launch, 3.0), (run, kernel));
        }
    }
}
