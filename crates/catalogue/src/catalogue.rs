//! The catalogue: tables that are read when they are first asked for.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use maat_base::{Assumed, Date, ExchangeRate, Fault, Source};

use crate::accelerator::Accelerator;
use crate::facts;
use crate::load::{
    self, Claim, CostDefault, Cpu, EmbodiedCarbon, GridCarbon, GuideRow, HostPrice, LinkFact, MeasuredMatmul,
    MigProfile, Offer, PartFigures, PowerThreshold, PriceHistory, PriceSpread, PurchasePrice, RateClaim,
    RentalPoint, Server, SharedMemory, Stated, Tariff, TensorRow,
};
use crate::machine::Machine;
use crate::names::{Index, Words};
use crate::table::{File, Loaded};

/// Hardware, offers, prices and tariffs, with their names.
///
/// Making one costs nothing; each table is read when it is first asked for, and kept.
#[derive(Debug, Default)]
pub struct Catalogue {
    files: Vec<File>,
    tables: Tables,
    this_machine: Option<ThisMachine>,
}

/// The machine that `--here` means, as whoever looked at it put it together.
#[derive(Clone, Debug)]
pub struct ThisMachine {
    /// The machine.
    pub machine: Machine,
    /// What was assumed of it.
    pub assumed: Vec<Assumed>,
}

impl Catalogue {
    /// Says what `--here` means.
    pub fn set_this_machine(&mut self, machine: ThisMachine) {
        self.this_machine = Some(machine);
    }

    /// The machine that `--here` means; `None` where nobody has looked.
    pub const fn this_machine(&self) -> Option<&ThisMachine> {
        self.this_machine.as_ref()
    }
}

/// One table with the faults of its rows.
type Table<T> = OnceLock<(Vec<T>, Vec<Fault>)>;

#[derive(Debug, Default)]
struct Tables {
    words: OnceLock<Words>,
    rates: Table<RateClaim>,
    accelerators: OnceLock<Accelerators>,
    accelerator_names: OnceLock<Index>,
    cpus: Table<Arc<Cpu>>,
    cpu_names: OnceLock<Index>,
    servers: Table<Arc<Server>>,
    mig_profiles: Table<MigProfile>,
    links: Table<LinkFact>,
    claims: Table<Claim>,
    tensor_rows: Table<TensorRow>,
    shared_memory: Table<SharedMemory>,
    measured: Table<Option<MeasuredMatmul>>,
    offers: OnceLock<Offers>,
    hosts: Table<HostPrice>,
    purchase_prices: Table<PurchasePrice>,
    purchase_history: Table<PriceHistory>,
    rental_history: Table<RentalPoint>,
    price_spread: Table<PriceSpread>,
    tariffs: Table<Tariff>,
    grid_carbon: Table<GridCarbon>,
    embodied_carbon: Table<EmbodiedCarbon>,
    cost_defaults: Table<CostDefault>,
    power_thresholds: Table<PowerThreshold>,
    guide: Table<GuideRow>,
    countries: Table<(String, String)>,
    sources: Table<Source>,
    exchange: Table<(ExchangeRate, Option<String>)>,
    as_of: OnceLock<Option<Date>>,
}

#[derive(Debug)]
struct Accelerators {
    parts: Vec<Arc<Accelerator>>,
    figures: Vec<PartFigures>,
    by_id: HashMap<String, usize>,
    problems: Vec<Fault>,
}

#[derive(Debug)]
struct Offers {
    all: Vec<Offer>,
    /// What the row of each says beside it.
    stated: Vec<Stated>,
    problems: Vec<Fault>,
}

fn kept<T>(table: &Table<T>, read: impl FnOnce() -> Loaded<T>) -> &[T] {
    let (items, _) = table.get_or_init(|| {
        let loaded = read();
        (loaded.items, loaded.problems)
    });
    items
}

/// Makes the accessor of a table.
macro_rules! tables {
    ($($(#[$doc:meta])* $visibility:vis $name:ident: $type:ty = $load:path;)*) => {
        impl Catalogue {
            $(
                $(#[$doc])*
                $visibility fn $name(&self) -> &[$type] {
                    kept(&self.tables.$name, || $load(&self.files))
                }
            )*

            /// Rows of these tables that could not be read. Reads them all.
            fn row_problems(&self) -> Vec<Fault> {
                let mut problems = Vec::new();
                $(
                    self.$name();
                    problems.extend(self.tables.$name.get().into_iter().flat_map(|(_, faults)| faults).cloned());
                )*
                problems
            }
        }
    };
}

tables! {
    /// Every claim of a peak rate, preferred or not.
    pub rates: RateClaim = load::rates;
    /// Slices that parts can be cut to.
    pub mig_profiles: MigProfile = load::mig;
    /// Kinds of links and their rates.
    pub links: LinkFact = load::links;
    /// Figures of other sources that are not used.
    pub claims: Claim = load::claims;
    /// Operations per clock and multiprocessor.
    pub tensor_rows: TensorRow = load::tensor_rows;
    /// Shares of the memory that graphics parts have in common with the host.
    pub(crate) shared_memory: SharedMemory = load::shared;
    /// Measured rates of large matrix products.
    pub(crate) measured: Option<MeasuredMatmul> = load::measured;
    /// What parts and machines cost to buy.
    pub purchase_prices: PurchasePrice = load::purchase;
    /// Computers to put bought parts in.
    pub hosts: HostPrice = load::hosts;
    /// Purchase prices by quarter.
    pub purchase_history: PriceHistory = load::history;
    /// Rental prices of the past.
    pub rental_history: RentalPoint = load::rental;
    /// How far providers' prices lie apart.
    pub price_spread: PriceSpread = load::spread;
    /// Prices of electricity.
    pub tariffs: Tariff = load::tariffs;
    /// Carbon of the grids.
    pub grid_carbon: GridCarbon = load::grid;
    /// Carbon of making accelerators.
    pub embodied_carbon: EmbodiedCarbon = load::embodied;
    /// What is taken for inputs of a cost that nobody gave.
    pub cost_defaults: CostDefault = load::cost_defaults;
    /// Powers from which rules ask something of a data centre.
    pub power_thresholds: PowerThreshold = load::thresholds;
    /// The guide's own table of cost per TFLOP.
    pub guide: GuideRow = load::guide;
    /// Countries by two letters, with their three.
    pub countries: (String, String) = load::countries;
    /// The list of sources.
    pub sources: Source = load::sources;
    /// Exchange rates, the one to use last, each with what is not certain of it.
    pub(crate) exchange: (ExchangeRate, Option<String>) = load::exchange;
}

impl Catalogue {
    /// The catalogue that is compiled in.
    pub fn builtin() -> Self {
        Self::of_files(facts::builtin())
    }

    /// The built-in catalogue with a folder of the same layout laid over it: a file of the same path replaces the
    /// built-in one, other files are added, and a row with an identifier that is there replaces its row.
    ///
    /// # Errors
    /// `facts-folder-unreadable`, `facts-folder-empty`, `facts-file-…`, and `facts-column-missing`, `facts-row-uneven`,
    /// `facts-value-bad` with file and line, for the first thing that is wrong in the folder.
    pub fn with_overlay(folder: &Path) -> Result<Self, Fault> {
        Self::with_overlays(&[folder])
    }

    /// The same with several folders, each laid over those before it.
    ///
    /// # Errors
    /// Those of [`Catalogue::with_overlay`].
    pub fn with_overlays(folders: &[impl AsRef<Path>]) -> Result<Self, Fault> {
        let mut files = facts::builtin();
        for folder in folders {
            files = facts::laid_over(files, facts::of_folder(folder.as_ref())?);
        }
        let catalogue = Self::of_files(files);
        match catalogue.problems().into_iter().next() {
            Some(problem) => Err(problem),
            None => Ok(catalogue),
        }
    }

    /// Only what a folder holds, rows that cannot be read left out: for the lint.
    ///
    /// # Errors
    /// Those of [`Catalogue::with_overlay`] on folders and files.
    pub fn of_folder(folder: &Path) -> Result<Self, Fault> {
        Ok(Self::of_files(facts::of_folder(folder)?))
    }

    pub(crate) fn of_files(files: Vec<File>) -> Self {
        Self { files, tables: Tables::default(), this_machine: None }
    }

    /// The files, for the export.
    pub(crate) fn files(&self) -> &[File] {
        &self.files
    }

    /// Every row of every table that could not be read. Reads all tables.
    pub fn problems(&self) -> Vec<Fault> {
        let mut problems = self.row_problems();
        problems.extend(self.loaded_offers().problems.iter().cloned());
        problems.extend(self.loaded_accelerators().problems.iter().cloned());
        self.cpus();
        self.servers();
        let more = [self.tables.cpus.get().map(|(_, p)| p), self.tables.servers.get().map(|(_, p)| p)];
        problems.extend(more.into_iter().flatten().flatten().cloned());
        problems.extend(load::accelerator_aliases(&self.files).problems);
        problems.extend(load::cpu_aliases(&self.files).problems);
        problems.extend(Words::load(&self.files).problems);
        problems
    }

    fn loaded_accelerators(&self) -> &Accelerators {
        self.tables.accelerators.get_or_init(|| {
            let types = load::number_types(&self.files);
            let by_isa = types.items.into_iter().collect();
            let loaded =
                load::accelerators(&self.files, load::preferred(&self.files), &by_isa, self.shared_memory());
            let mut all = Accelerators {
                parts: Vec::with_capacity(loaded.items.len()),
                figures: Vec::with_capacity(loaded.items.len()),
                by_id: HashMap::with_capacity(loaded.items.len()),
                problems: loaded.problems,
            };
            all.problems.extend(types.problems);
            for (part, mut figures) in loaded.items {
                // A later row with the same identifier is the user's own.
                if let Some(&at) = all.by_id.get(&part.id) {
                    all.parts[at] = Arc::new(part);
                    let replaced = std::mem::take(&mut all.figures[at].also);
                    figures.also.extend(replaced);
                    // In another file it is the user's own row, in the same one a mistake.
                    if all.figures[at].path() == figures.path() {
                        figures.also.push(all.figures[at].place.clone());
                    }
                    all.figures[at] = figures;
                } else {
                    all.by_id.insert(part.id.clone(), all.parts.len());
                    all.parts.push(Arc::new(part));
                    all.figures.push(figures);
                }
            }
            all
        })
    }

    /// All accelerators.
    pub fn accelerators(&self) -> &[Arc<Accelerator>] {
        &self.loaded_accelerators().parts
    }

    /// The accelerator with this identifier.
    pub fn accelerator(&self, id: &str) -> Option<Arc<Accelerator>> {
        let all = self.loaded_accelerators();
        all.by_id.get(id).map(|&at| Arc::clone(&all.parts[at]))
    }

    /// The figures behind each of [`Catalogue::accelerators`], for the lint.
    pub(crate) fn part_figures(&self) -> &[PartFigures] {
        &self.loaded_accelerators().figures
    }

    /// The figures behind the part with this identifier.
    pub(crate) fn figures_of(&self, id: &str) -> Option<&PartFigures> {
        let all = self.loaded_accelerators();
        all.by_id.get(id).map(|&at| &all.figures[at])
    }

    /// All processors.
    pub fn cpus(&self) -> &[Arc<Cpu>] {
        kept(&self.tables.cpus, || shared(load::cpus(&self.files)))
    }

    /// The processor with this identifier; the last, where the user has an own row.
    pub fn cpu(&self, id: &str) -> Option<Arc<Cpu>> {
        self.cpus().iter().rfind(|cpu| cpu.id == id).cloned()
    }

    /// All servers, workstations and cloud instances.
    pub fn servers(&self) -> &[Arc<Server>] {
        kept(&self.tables.servers, || shared(load::servers(&self.files)))
    }

    pub(crate) fn words(&self) -> &Words {
        self.tables.words.get_or_init(|| Words::new(Words::load(&self.files).items))
    }

    pub(crate) fn accelerator_names(&self) -> &Index {
        self.tables
            .accelerator_names
            .get_or_init(|| Index::new(load::accelerator_aliases(&self.files).items, self.words()))
    }

    pub(crate) fn cpu_names(&self) -> &Index {
        self.tables.cpu_names.get_or_init(|| Index::new(load::cpu_aliases(&self.files).items, self.words()))
    }

    /// The slices of a part.
    pub fn mig_profiles_of<'a>(&'a self, part: &'a str) -> impl Iterator<Item = &'a MigProfile> {
        self.mig_profiles().iter().filter(move |profile| profile.accelerator == part)
    }

    fn loaded_offers(&self) -> &Offers {
        self.tables.offers.get_or_init(|| self.offers_of(&self.files))
    }

    fn offers_of(&self, files: &[File]) -> Offers {
        let loaded = load::offers(files);
        let (mut offers, stated): (Vec<Offer>, Vec<Stated>) = loaded.items.into_iter().unzip();
        // The same words come again and again.
        let mut known = HashMap::new();
        let parts: Vec<_> = offers
            .iter()
            .zip(&stated)
            .map(|(offer, stated)| {
                let memory = stated.memory_gb.map(f64::to_bits);
                let key = (&*offer.accelerator_words, &*stated.name, memory);
                known.entry(key).or_insert_with(|| self.part_of_offer(offer, stated)).clone()
            })
            .collect();
        for (offer, part) in offers.iter_mut().zip(parts) {
            match part {
                Ok(part) => offer.part = Some(part),
                Err(why) => offer.why_no_part = Some(why),
            }
        }
        Offers { all: offers, stated, problems: loaded.problems }
    }

    /// Offers and purchase prices of a folder of the past, which are no part of this catalogue. Rows that cannot be read
    /// are left out.
    ///
    /// # Errors
    /// Those of [`Catalogue::with_overlay`] on folders and files.
    pub(crate) fn past(&self, folder: &Path) -> Result<(Vec<Offer>, Vec<PurchasePrice>), Fault> {
        let files = facts::of_folder(folder)?;
        Ok((self.offers_of(&files).all, load::purchase(&files).items))
    }

    /// All offers, their accelerators resolved where the names say which part it is.
    pub fn offers(&self) -> &[Offer] {
        &self.loaded_offers().all
    }

    /// All offers with what their rows state beside them.
    pub(crate) fn stated_offers(&self) -> impl Iterator<Item = (&Offer, &Stated)> {
        let loaded = self.loaded_offers();
        loaded.all.iter().zip(&loaded.stated)
    }

    /// The newest day on which a price was seen: what answers are as of, unless asked otherwise.
    pub fn as_of(&self) -> Option<Date> {
        *self.tables.as_of.get_or_init(|| match self.tables.offers.get() {
            Some(offers) => offers.all.iter().filter_map(|offer| offer.observed).max(),
            None => load::newest(&self.files),
        })
    }

    /// The built-in exchange rate, and what is not certain of it.
    pub fn exchange_rate(&self) -> Option<(&ExchangeRate, Option<&str>)> {
        self.exchange().last().map(|(rate, unsure)| (rate, unsure.as_deref()))
    }

    /// The source with this tag.
    pub fn source(&self, tag: &str) -> Option<&Source> {
        self.sources().iter().rfind(|source| source.tag == tag)
    }
}

fn shared<T>(loaded: Loaded<T>) -> Loaded<Arc<T>> {
    Loaded { items: loaded.items.into_iter().map(Arc::new).collect(), problems: loaded.problems }
}
