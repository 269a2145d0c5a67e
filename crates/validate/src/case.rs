//! A row as a job with what was measured of it.

use std::sync::Arc;

use maat_catalogue::Machine;
use maat_estimate::{Memory, Plan, Serving, TrainPlan, Training};

use crate::model::Opened;

/// Why a row is not predicted. Never anything that was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Skip {
    /// Cells are missing or not text.
    RowUnreadable,
    /// The value is not a positive number.
    ValueMissing,
    /// No estimate has such a quantity.
    MetricUnknown,
    /// A model of no known name or size.
    ModelUnknown,
    /// No language model.
    NotALanguageModel,
    /// A precision that is not known.
    PrecisionUnknown,
    /// A machine that the catalogue does not have.
    HardwareUnknown,
    /// A program whose parameters are not known.
    SoftwareUnknown,
    /// Batch or lengths are not stated.
    WorkUnknown,
    /// How the model is divided is not stated.
    PlanUnknown,
    /// The weights are larger than the accelerators.
    DoesNotFit,
    /// Rates or links of the machine are not known.
    NoSpeed,
}

impl Skip {
    /// Its name in answers.
    pub const fn code(self) -> &'static str {
        match self {
            Self::RowUnreadable => "row-unreadable",
            Self::ValueMissing => "value-missing",
            Self::MetricUnknown => "metric-unknown",
            Self::ModelUnknown => "model-unknown",
            Self::NotALanguageModel => "not-a-language-model",
            Self::PrecisionUnknown => "precision-unknown",
            Self::HardwareUnknown => "hardware-unknown",
            Self::SoftwareUnknown => "software-unknown",
            Self::WorkUnknown => "work-unknown",
            Self::PlanUnknown => "plan-unknown",
            Self::DoesNotFit => "does-not-fit",
            Self::NoSpeed => "no-speed",
        }
    }
}

/// What a row measures, as a quantity that estimates have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Quantity {
    /// Seconds between two tokens of a user.
    Tpot,
    /// Seconds to the first token.
    Ttft,
    /// Seconds that prompts take, read alone.
    Prompt,
    /// Seconds of a closed loop for each output token.
    Throughput,
    /// Seconds from a prompt to the end of its answer.
    Request,
    /// Seconds of a training step for each token of an accelerator.
    Train,
    /// Bytes at the peak of training on an accelerator, as the framework counts them.
    Memory,
}

/// How the row's number comes from the quantity: `factor x quantity`, or `factor / quantity`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// The factor.
    pub factor: f64,
    /// Whether the number is a rate.
    pub rate: bool,
}

impl Unit {
    /// `factor x quantity`.
    pub const fn times(factor: f64) -> Self {
        Self { factor, rate: false }
    }

    /// `factor / quantity`.
    pub const fn per(factor: f64) -> Self {
        Self { factor, rate: true }
    }

    /// The number of a quantity, and the quantity of a number: rates turn about, so that both are the same function.
    pub fn number(self, quantity: f64) -> f64 {
        if self.rate { self.factor / quantity } else { self.factor * quantity }
    }

    /// The quantity of a number.
    pub fn quantity(self, number: f64) -> f64 {
        if self.rate { self.factor / number } else { number / self.factor }
    }
}

/// Work of inference.
#[derive(Clone, Debug)]
pub struct Serve {
    /// The work; of [`Load::Full`] and [`Load::Within`] the users stand in the attempts.
    pub work: Serving,
    /// The plan, or those that were to choose from.
    pub attempts: Vec<Attempt>,
    /// Key of the program's parameters.
    pub engine: Arc<str>,
    /// How many users there are.
    pub load: Load,
}

/// A plan with the users that it may serve.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The plan.
    pub plan: Plan,
    /// Numbers of users to try.
    pub users: Vec<u64>,
    /// What it needs, where a pool may hold fewer sequences than there are users.
    pub memory: Memory,
}

/// How a machine is loaded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Load {
    /// By so many users.
    Users,
    /// By one batch that is read and written together.
    Batch,
    /// By as many as the cache's pool holds.
    Full,
    /// By as many as give the most throughput while a token takes no longer than this.
    Within(f64),
}

/// Work of training.
#[derive(Clone, Debug)]
pub struct Train {
    /// The work.
    pub work: Training,
    /// The plan.
    pub plan: TrainPlan,
    /// Whether the plan was chosen, as the row tells only the whole.
    pub chosen: bool,
}

/// What is to be predicted.
#[derive(Clone, Debug)]
pub enum Job {
    /// Inference.
    Serve(Serve),
    /// Training.
    Train(Train),
}

/// A row that can be predicted.
#[derive(Clone, Debug)]
pub struct Case {
    /// The model.
    pub opened: Opened,
    /// The machine.
    pub machine: Arc<Machine>,
    /// The row's name of it, by which whole machines are left out.
    pub hardware: String,
    /// Family, benchmark and metric of the row.
    pub group: [String; 3],
    /// What was measured.
    pub quantity: Quantity,
    /// How it is written.
    pub unit: Unit,
    /// Whether another row states the same run in other words: such rows do not count twice in a fit.
    pub restated: bool,
    /// The measured quantity: of use to errors and fits only, never to a prediction.
    pub measured: f64,
    /// Whether it counts in errors and fits: trust A and B.
    pub scored: bool,
    /// Whether it is a card in a single-board computer, whose processor and slot hold it back.
    pub in_board: bool,
    /// The job.
    pub job: Job,
}
