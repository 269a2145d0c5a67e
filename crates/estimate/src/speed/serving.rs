//! A machine that serves so many users in steady state.
//!
//! Users spread over the replicas; of more replicas than users some idle. Closed loop: each of `B` users of a busy replica
//! sends a prompt, reads its answer and sends the next. In one such cycle the
//! replica reads `B` prompts and runs `output - 1` steps in which all of them write, so that
//! `cycle = request + prompts + steps`, and throughput is `B x output / cycle`. Of the `B - 1` other prompts some stand
//! before one's own (time to first token): the engine's `queue_share`, as requests come in bursts when all users start at
//! once. The rest comes between one's own tokens (time per token). The share does not depend on how fast a step is, so
//! that faster memory never makes a first token later, although in a closed loop it brings the next prompts sooner.

use maat_catalogue::Slot;

use super::device::Device;
use super::time::{Seconds, Wires, of_operation};
use crate::job::Job;
use crate::operation::Shards;
use crate::operation::{Collective, Kernel, Operation, Pass, Profile};
use crate::rules::EngineEfficiency;
use crate::{Engine, Memory, Phase};

/// A job with its devices resolved.
pub(crate) struct Runner<'a> {
    pub job: &'a Job<'a>,
    pub profile: &'a Profile,
    pub engine: &'a EngineEfficiency,
    /// Key of its parameters.
    pub key: &'a str,
    shards: Shards,
    /// Kinds of accelerator with the share of layers that each runs; empty on a CPU machine.
    devices: Vec<(Device, f64)>,
    host: Option<Device>,
    wires: Wires,
    /// Share of the layers that accelerators run.
    on_accelerators: f64,
}

/// What a closed loop takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loop {
    /// Users of a busy replica, on average, and how many of them run at once.
    pub users: f64,
    pub running: f64,
    /// One prompt alone, in all its steps.
    pub prompt: Seconds,
    /// Wait for the prompts of others.
    pub queue_s: f64,
    /// A prompt among others, which share its steps.
    pub shared_prompt_s: f64,
    /// One step in which all write.
    pub step: Seconds,
    pub ttft_s: f64,
    /// `None` for answers of one token.
    pub tpot_s: Option<f64>,
    /// From one prompt of a user to the next.
    pub cycle_s: f64,
}

/// Replicas that have a user: no more than there are users.
pub(crate) fn busy_replicas(job: &Job) -> f64 {
    f64::from(job.plan.parallel.replicas.max(1)).min(job.work.users.max(1) as f64)
}

impl<'a> Runner<'a> {
    /// With the parameters of an engine of that name; `None` where the hardware's figures are not known.
    pub fn new(job: &'a Job<'a>, profile: &'a Profile, key: &'a str) -> Option<Self> {
        let machine = job.machine?;
        let rules = &job.rules.efficiencies;
        let serve = &job.plan.serve;
        let (engine, _) = rules.engines.get(key);
        let host = machine.host.processor.as_ref().and_then(|host| Device::processor(host, rules, engine));
        let capacity = |slot: &Slot| slot.accelerator.capacity.value.as_f64() * f64::from(slot.count);
        let all: f64 = machine.slots.iter().map(capacity).sum();
        let devices = machine
            .slots
            .iter()
            .map(|slot| {
                let device = Device::accelerator(&slot.accelerator, machine.power_limit_w, rules, engine)?;
                Some((device, capacity(slot) / all.max(1.0)))
            })
            .collect::<Option<Vec<_>>>()?;
        let on_accelerators = match serve.gpu_layers {
            _ if devices.is_empty() => 0.0,
            Some(layers) if profile.layers > 0 => (layers as f64 / profile.layers as f64).min(1.0),
            _ => 1.0,
        };
        let needs_host = on_accelerators < 1.0 || serve.experts_on_cpu || serve.kv_on_cpu;
        if needs_host && host.is_none() || !profile.caches_known {
            return None;
        }
        Some(Self {
            job,
            profile,
            engine,
            key,
            shards: Shards::of(&job.plan.parallel, serve),
            devices,
            host,
            wires: Wires::of(machine, &job.plan.parallel, rules),
            on_accelerators,
        })
    }

    /// Whether the engine and the classes that do the work were fitted to measurements of such a metric.
    pub fn seen(&self, metric: &str) -> bool {
        let of = |device: &Device| match metric {
            "tpot" => device.steps_seen,
            "throughput" => device.steps_seen && device.prompts_seen,
            _ => device.prompts_seen,
        };
        let host = self.on_accelerators >= 1.0 || self.host.as_ref().is_some_and(of);
        let engine = self.job.rules.efficiencies.fitted("engine", self.key, None);
        engine && host && self.devices.iter().all(|(device, _)| of(device))
    }

    /// Whether the host's processors do the work.
    pub fn on_processors(&self) -> bool {
        self.on_accelerators <= 0.0
    }

    /// Seconds of one pass, on all stages.
    pub fn pass(&self, pass: Pass) -> Option<Seconds> {
        let rules = &self.job.rules.efficiencies;
        let mut seconds = Seconds::default();
        let mut host = 0.0;
        for op in &self.profile.list(pass, self.shards, rules) {
            seconds.add(self.operation(op, pass.phase)?, op.repeat as f64);
            host += self.launches_s(op) * op.repeat as f64;
        }
        // Kernels that are launched one by one run ahead of the accelerator, or it waits for them.
        if pass.phase == Phase::Prefill || self.engine.graphs <= 0.0 {
            seconds.launch += (host - seconds.total()).max(0.0);
        }
        seconds.launch += self.engine.step_s + self.engine.sequence_s * pass.sequences;
        Some(seconds)
    }

    /// Seconds of the host for an operation outside graphs.
    fn launches_s(&self, op: &Operation) -> f64 {
        let routed = if op.kernel == Kernel::Dispatch { self.engine.eager_routed_s } else { 0.0 };
        f64::from(op.kernels) * self.engine.eager_s + routed
    }

    /// Seconds of an operation where it is placed. Different accelerators share the layers of a pipeline, or wait for
    /// the slowest where they share matrices.
    pub fn operation(&self, op: &Operation, phase: Phase) -> Option<Seconds> {
        let rules = &self.job.rules.efficiencies;
        let on = |device: &Device| of_operation(op, device, &self.wires, rules);
        let Some(host) = self.host.as_ref().filter(|_| self.host_share(op) > 0.0) else {
            return self.accelerators(on);
        };
        let share = self.host_share(op);
        let mut here = on(host)?;
        if let (Phase::Prefill, Some(rate), false) = (phase, self.wires.host, self.devices.is_empty()) {
            let mut streamed = self.accelerators(on)?;
            streamed.network += op.bytes.as_f64() / rate;
            if op.weights > 0.0 && streamed.total() < here.total() {
                here = streamed;
            }
        }
        let mut seconds = here.scaled(share);
        if share < 1.0 {
            seconds.add(self.accelerators(on)?, 1.0 - share);
        }
        Some(seconds)
    }

    fn accelerators(&self, on: impl Fn(&Device) -> Option<Seconds>) -> Option<Seconds> {
        let split = self.job.plan.parallel.tp > 1 || self.job.plan.parallel.dp > 1;
        let mut seconds = Seconds::default();
        for (device, share) in &self.devices {
            let own = on(device)?;
            if !split {
                seconds.add(own, *share);
            } else if own.total() > seconds.total() {
                seconds = own;
            }
        }
        Some(seconds)
    }

    /// Share of an operation that the host's processors do.
    fn host_share(&self, op: &Operation) -> f64 {
        let serve = &self.job.plan.serve;
        let experts = serve.experts_on_cpu && matches!(op.kernel, Kernel::Experts { .. });
        let attention = serve.kv_on_cpu && op.kernel == Kernel::Attention;
        if experts || attention { 1.0 } else { 1.0 - self.on_accelerators }
    }

    /// Tokens of a prefill step.
    fn chunk(&self) -> f64 {
        let serve = &self.job.plan.serve;
        let given = match serve.engine {
            Engine::Llamacpp => serve.ubatch,
            _ => serve.max_batched_tokens,
        };
        given.map_or(self.engine.prefill_tokens, |tokens| tokens as f64).max(1.0)
    }

    /// Reads a prompt of each of so many sequences together.
    pub fn prompts(&self, sequences: f64) -> Option<Seconds> {
        let input = self.job.work.input.max(1) as f64;
        let steps = (input / self.chunk()).max(1.0);
        let tokens = input / steps;
        let pass = self.pass(Pass::prefill(sequences, tokens, (input - tokens) / 2.0))?;
        // Stages of a pipeline work on different steps of a prompt at once, but not on all of a long prompt's.
        let stages = f64::from(self.job.plan.parallel.pp.max(1));
        let at_once = steps.min(self.engine.pipeline_steps.max(1.0));
        Some(pass.scaled(steps / at_once * (at_once + stages - 1.0) / stages))
    }

    /// One prompt alone.
    pub fn prompt(&self) -> Option<Seconds> {
        self.prompts(1.0)
    }

    /// What one accelerator does in a step of so many sequences that write.
    pub fn step_operations(&self, sequences: f64) -> Vec<Operation> {
        self.profile.list(self.writing(sequences), self.shards, &self.job.rules.efficiencies)
    }

    /// Bytes of a collective that go within a node and between nodes.
    pub fn shipped(&self, kind: Collective, ranks: u32, bytes: f64) -> (f64, f64) {
        self.wires.shipped(kind, ranks, bytes)
    }

    /// One step of so many sequences that write.
    pub fn step(&self, sequences: f64) -> Option<Seconds> {
        self.pass(self.writing(sequences))
    }

    /// A pass of so many sequences that write, in the middle of their answers.
    fn writing(&self, sequences: f64) -> Pass {
        let work = self.job.work;
        let past = work.input as f64 + work.output as f64 / 2.0;
        let stages = f64::from(self.job.plan.parallel.pp.max(1));
        let at_once = if self.engine.microbatches > 0.0 { (sequences / stages).max(1.0) } else { sequences };
        Pass::decode(at_once, past)
    }

    /// The loop of all users in steady state.
    pub fn closed_loop(&self, memory: &Memory) -> Option<Loop> {
        let output = self.job.work.output.max(1) as f64;
        let users = self.job.work.users.max(1) as f64 / busy_replicas(self.job);
        let running = self.running(users, memory);
        let prompt = self.prompt()?;
        let others = running - 1.0;
        let burst = self.engine.queue_share.clamp(0.0, 1.0);
        let together = self.together(1.0 + burst * others);
        let shared_prompt_s =
            if together > 1.0 { self.prompts(together)?.total() / together } else { prompt.total() };
        let shared_prompt_s = shared_prompt_s.min(prompt.total());
        let step = self.step(running)?;
        let waits = self.engine.poll_steps * step.total() / 2.0 * others / running;
        let own = self.engine.request_s + waits;
        // All work of a cycle is done once, whoever waits for it.
        let work = prompt.total() + others * shared_prompt_s + step.total() * (output - 1.0);
        let queue = burst * others * shared_prompt_s;
        let first = own + prompt.total() + queue;
        let later = own + work - first;
        let (first, later) = if output > 1.0 { (first, later) } else { (own + work, 0.0) };
        let ttft_s = first + (users / running - 1.0) * (first + later);
        let tpot_s = (output > 1.0).then(|| later / (output - 1.0));
        let cycle_s = ttft_s + later;
        Some(Loop { users, running, prompt, queue_s: queue, shared_prompt_s, step, ttft_s, tpot_s, cycle_s })
    }

    /// Sequences that run at once: those that fit the pool and the engine's limit.
    fn running(&self, users: f64, memory: &Memory) -> f64 {
        let work = self.job.work;
        let pool = memory.kv_pool_tokens.map_or(f64::INFINITY, |tokens| {
            tokens as f64 / (work.input as f64 + work.output as f64 / 2.0).max(1.0)
        });
        let most = self.job.plan.serve.max_num_seqs.map_or(f64::INFINITY, |most| most as f64);
        users.min(pool).min(most).max(1.0)
    }

    /// Prompts that share a prefill step, of so many that wait.
    fn together(&self, waiting: f64) -> f64 {
        let ranks = f64::from(self.job.plan.parallel.dp.max(1));
        let room = ranks * self.chunk() / self.job.work.input.max(1) as f64;
        waiting.min(room).max(1.0)
    }
}
