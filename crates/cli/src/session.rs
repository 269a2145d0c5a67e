//! What a verb is run with: the common flags' meaning and what the environment says.

use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

use maat_base::{Answer, Currency, Date, Decimal, ExchangeRate, Fault};
use maat_catalogue::Terms;
use maat_report::{Format, Lang, Localiser, Present, Style, present};

use crate::common::{ColorChoice, Common, FailOn};
use crate::outcome::{self, Reply};
use crate::verb::default_fail_on;

/// What the environment says. Read once, at the start.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    lang: Option<Lang>,
    no_color: bool,
    columns: Option<usize>,
    data_home: Option<PathBuf>,
    cache_home: Option<PathBuf>,
    root: Option<PathBuf>,
    terminal: bool,
}

impl Environment {
    /// Reads it.
    pub fn read() -> Self {
        let get = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let path = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        Self {
            lang: ["LC_ALL", "LC_MESSAGES", "LANG"]
                .into_iter()
                .find_map(get)
                .map(|locale| Lang::of_locale(&locale)),
            no_color: get("NO_COLOR").is_some(),
            columns: get("COLUMNS")
                .and_then(|columns| columns.parse().ok())
                .filter(|columns| (20..=1000).contains(columns)),
            data_home: path("XDG_DATA_HOME").or_else(|| path("HOME").map(|home| home.join(".local/share"))),
            cache_home: path("XDG_CACHE_HOME").or_else(|| path("HOME").map(|home| home.join(".cache"))),
            root: path("MAAT_ROOT"),
            terminal: std::io::stdout().is_terminal(),
        }
    }

    /// The language of messages: what was asked for, or the environment's.
    pub fn lang(&self, common: &Common) -> Lang {
        common.lang().or(self.lang).unwrap_or_default()
    }

    /// Whether standard output gets colours.
    pub fn color(&self, choice: ColorChoice) -> bool {
        match choice {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => self.terminal && !self.no_color,
        }
    }

    fn style(&self, common: &Common) -> Style {
        Style {
            width: common.width.map(usize::from).or(self.columns).unwrap_or(80),
            unicode: !common.no_unicode,
            color: self.color(common.color.unwrap_or_default()),
            explain: common.explain || common.verbose,
            quiet: common.quiet,
        }
    }
}

/// What a verb is run with.
pub struct Session {
    /// The language.
    pub local: Localiser,
    /// The form of the answer.
    pub format: Format,
    /// The looks of a page.
    pub style: Style,
    /// The currency, where given.
    pub currency: Option<Currency>,
    /// Euros for one dollar, where given.
    pub fx: Option<Decimal>,
    /// The day that the answer is for, where given.
    pub as_of: Option<Date>,
    /// Folders of own facts, later ones over earlier ones.
    pub folders: Vec<PathBuf>,
    /// Folder of the user's data, where there is one.
    pub data: Option<PathBuf>,
    /// Folder for files that may go, where there is one.
    pub cache: Option<PathBuf>,
    /// Folder that holds the tree of the machine to look at, where it is not this one.
    pub root: Option<PathBuf>,
    /// Whether missing and stale data are failures.
    pub strict: bool,
    fail_on: Option<FailOn>,
}

impl Session {
    /// A session of the common flags in an environment.
    pub fn new(common: &Common, environment: &Environment) -> Result<Self, Fault> {
        Ok(Self {
            local: Localiser::new(environment.lang(common)),
            format: common.format(),
            style: environment.style(common),
            currency: common.currency,
            fx: common.fx.as_deref().map(rate).transpose()?,
            as_of: common.as_of.as_deref().map(date).transpose()?,
            folders: facts_folders(common.facts.as_deref(), environment.data_home.as_deref()),
            data: environment.data_home.as_ref().map(|home| home.join("maatwerk")),
            cache: environment.cache_home.as_ref().map(|home| home.join("maatwerk")),
            root: environment.root.clone(),
            strict: common.strict,
            fail_on: common.fail_on,
        })
    }

    /// The day and the currency of an answer.
    pub fn terms(&self) -> Terms {
        let exchange =
            self.fx.map(|eur_per_usd| ExchangeRate { eur_per_usd, date: None, source: "user".to_owned() });
        Terms { as_of: self.as_of, currency: self.currency, exchange }
    }

    /// The reply that an answer is: its exit code decided, its verdict marked so, written in the asked format.
    pub fn reply<T: Present>(&self, mut answer: Answer<T>) -> Result<Reply, Fault> {
        let fail_on = self.fail_on.unwrap_or_else(|| default_fail_on(answer.verb));
        let findings = [answer.findings.as_slice(), answer.body.inner_findings()].concat();
        let exit = outcome::exit(&answer.verdict, &findings, fail_on, self.strict);
        answer.verdict.ok = outcome::ok(&answer.verdict, exit);
        let unavailable =
            |format: &str| Fault::usage("format-unavailable").with("format", format).at("--format");
        if self.format == Format::Xlsx {
            let bytes = answer.body.workbook(&self.local).ok_or_else(|| unavailable("xlsx"))?;
            return Ok(Reply::file(bytes, exit));
        }
        let text =
            present(&answer, self.format, &self.local, &self.style).ok_or_else(|| unavailable("csv"))?;
        Ok(Reply::answer(text, exit))
    }
}

/// The facts of `$XDG_DATA_HOME/maatwerk/facts`, where there are any, and the folder that was given.
fn facts_folders(given: Option<&Path>, data_home: Option<&Path>) -> Vec<PathBuf> {
    let own = data_home.map(|home| home.join("maatwerk/facts")).filter(|folder| folder.is_dir());
    own.into_iter().chain(given.map(Path::to_path_buf)).collect()
}

fn date(text: &str) -> Result<Date, Fault> {
    text.parse().map_err(|_| Fault::usage("date-malformed").with("given", text).at("--as-of"))
}

fn rate(text: &str) -> Result<Decimal, Fault> {
    let wrong = || Fault::usage("rate-not-positive").with("given", text).at("--fx");
    let rate: Decimal = text.parse().map_err(|_| wrong())?;
    if rate > Decimal::ZERO { Ok(rate) } else { Err(wrong()) }
}

/// The bytes of standard input, for a file argument `-`; at most `limit` bytes are read.
pub fn standard_input(limit: u64) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .take(limit)
        .read_to_end(&mut bytes)
        .map_err(|error| Fault::content("input-unreadable").with("given", error.to_string()).at("-"))?;
    Ok(bytes)
}
