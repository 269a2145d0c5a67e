//! Which side does the work: every machine that can be had is asked what the work comes to there.

use maat_base::Money;
use maat_catalogue::Machine;
use maat_estimate::{Data, DataCost, DataWork, Place, Rules, data_cost};

/// A machine and what an hour of it costs.
pub struct Offered<'a> {
    /// Index of its supply.
    pub supply: usize,
    /// The machine.
    pub machine: &'a Machine,
    /// Where it works.
    pub place: Place,
    /// An hour of one of them.
    pub hourly: Option<Money>,
}

/// What the best machine of a side comes to.
#[derive(Clone, Copy, Debug)]
pub struct Best {
    /// Which of the options.
    pub option: usize,
    /// What the work comes to there.
    pub cost: DataCost,
    /// What it is ranked by: money of a job, or of an hour of a service.
    pub figure: f64,
}

/// What a choice is made by.
pub struct Choice<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// Seconds that a job may take.
    pub deadline_s: Option<f64>,
    /// The machines.
    pub options: &'a [Offered<'a>],
}

/// Where a machine works: on its accelerators where it has any.
pub fn place_of(machine: &Machine) -> Place {
    if machine.slots.is_empty() { Place::Cpu } else { Place::Gpu }
}

/// Share of a memory that data may fill; the rest is the system's and the program's.
pub const FILLED: f64 = 0.9;

/// Whether the memory of a place holds so much; what is not known holds anything.
pub fn holds(machine: &Machine, place: Place, cost: &DataCost) -> bool {
    let room = match place {
        Place::Gpu => machine
            .slots
            .iter()
            .map(|slot| slot.accelerator.capacity.value.as_f64() * f64::from(slot.count))
            .reduce(|a, b| a + b),
        Place::Cpu => machine.host.ram.map(maat_base::Bytes::as_f64),
    };
    room.is_none_or(|room| cost.memory.as_f64() <= room * FILLED)
}

impl Choice<'_> {
    /// What an option comes to; `None` where it does not do the work.
    pub fn cost(&self, data: &Data, option: &Offered) -> Option<DataCost> {
        let cost = data_cost(data, option.machine, option.place, self.rules)?;
        let in_time = !data.work.ends() || self.deadline_s.is_none_or(|most| cost.time_s.likely <= most);
        (holds(option.machine, option.place, &cost) && in_time).then_some(cost)
    }

    /// Seconds below which the length of a job decides nothing.
    fn short_s(&self) -> f64 {
        self.rules.efficiencies.data("short_job_s").map_or(0.0, |range| range.likely)
    }

    /// Money of the job, a short one counted as a minute; of an hour of all machines for a service; the time alone where
    /// no price is known.
    pub fn figure(&self, data: &Data, option: &Offered, cost: &DataCost) -> f64 {
        let hourly = option.hourly.map_or(1.0, Money::as_f64);
        if data.work.ends() {
            hourly * cost.time_s.likely.max(self.short_s()) / 3600.0
        } else {
            hourly * cost.machines_needed.ceil()
        }
    }

    /// The best of a side.
    pub fn best(&self, data: &Data, place: Place) -> Option<Best> {
        let all = self.options.iter().enumerate().filter(|(_, option)| option.place == place);
        let costed = all.filter_map(|(i, option)| {
            let cost = self.cost(data, option)?;
            Some(Best { option: i, figure: self.figure(data, option, &cost), cost })
        });
        costed.min_by(|a, b| a.figure.total_cmp(&b.figure).then_with(|| a.option.cmp(&b.option)))
    }

    /// Whether a GPU is worth it: `None` where neither side does the work.
    ///
    /// A processor that ends a job within a minute, or serves alone on the cheapest machine there is, is enough whatever
    /// a GPU costs; else the cheaper side wins.
    pub fn gpu_pays(&self, data: &Data) -> Option<bool> {
        let cpu = self.best(data, Place::Cpu);
        let never = matches!(data.work, DataWork::Web { .. } | DataWork::Database { .. });
        if never {
            return cpu.map(|_| false);
        }
        let gpu = self.best(data, Place::Gpu);
        Some(match (cpu, gpu) {
            (None, None) => return None,
            (Some(_), None) => false,
            (None, Some(_)) => true,
            (Some(cpu), Some(gpu)) => !self.enough(data, &cpu) && gpu.figure < cpu.figure,
        })
    }

    /// Whether a processor does it so easily that no GPU is needed.
    fn enough(&self, data: &Data, best: &Best) -> bool {
        if data.work.ends() {
            return best.cost.time_s.likely <= self.short_s();
        }
        let cheapest = self
            .options
            .iter()
            .filter(|option| option.place == Place::Cpu)
            .filter_map(|option| option.hourly.map(Money::as_f64))
            .min_by(f64::total_cmp);
        let hourly = self.options[best.option].hourly.map(Money::as_f64);
        best.cost.machines_needed <= 1.0 && (hourly.is_none() || hourly == cheapest)
    }

    /// The value of the work's measure from which a GPU pays, everything else being equal: rows of a job, queries a second
    /// of a search, scans of a table that stays loaded. `None` where it never does.
    pub fn crossing(&self, data: &Data) -> Option<(&'static str, f64, &'static str)> {
        match data.work {
            DataWork::Web { .. } => None,
            DataWork::Database { .. } => self.scans(data).map(|scans| ("scans_per_load", scans, "scans")),
            DataWork::Vectors { .. } => self.first(data).map(|rate| ("queries", rate, "queries/s")),
            DataWork::Tabular { .. } | DataWork::Etl { .. } => {
                self.first(data).map(|rows| ("rows", rows, "rows"))
            }
        }
    }

    /// The least value from which a GPU pays, by doubling and then by halving what is between.
    fn first(&self, data: &Data) -> Option<f64> {
        let pays = |value: f64| self.gpu_pays(&with_measure(*data, value)) == Some(true);
        let (mut low, mut high) = (1.0, 2.0);
        while !pays(high) {
            low = high;
            high *= 2.0;
            if high > 1e12 {
                return None;
            }
        }
        for _ in 0..12 {
            let middle = f64::midpoint(low, high);
            if pays(middle) { high = middle } else { low = middle }
        }
        Some(two_digits(high))
    }

    /// Scans of a table in a GPU's memory after which bringing it there has paid: `transfer / (scan on the processor - scan
    /// on the GPU)`.
    fn scans(&self, data: &Data) -> Option<f64> {
        let cpu = self.best(data, Place::Cpu)?.cost.time_s.likely;
        let gpu = self.best(data, Place::Gpu)?.cost;
        let saved = cpu - gpu.time_s.likely;
        (saved > 0.0).then(|| (gpu.transfer_s / saved).max(1.0).ceil())
    }
}

/// The same work with another value of its measure.
fn with_measure(mut data: Data, value: f64) -> Data {
    match &mut data.work {
        DataWork::Tabular { rows, .. } | DataWork::Etl { rows, .. } => *rows = value,
        DataWork::Vectors { queries_per_s, .. }
        | DataWork::Web { queries_per_s }
        | DataWork::Database { queries_per_s, .. } => *queries_per_s = value,
    }
    data
}

/// A number with two digits, as it is not known better.
fn two_digits(value: f64) -> f64 {
    let unit = 10f64.powf(value.abs().max(1e-9).log10().floor() - 1.0);
    (value / unit).round() * unit
}
