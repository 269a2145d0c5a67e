//! `advise`: the candidates, why the first is first, what just misses.

use maat_advise::{AdviseBody, Candidate};
use maat_base::{Arg, Finding, Money, Text};

use super::figures::{division, likely, machine, plan, rate};
use super::kinds::kind;
use super::server::{comparisons, server};
use super::{Cell, Column, Page, Present, Table, command};
use crate::{Localiser, argument, number};

/// Candidates and misses that a page lists; the rest is in the JSON, and with `--explain`.
const LISTED: usize = 5;
const MISSES: usize = 2;
/// Reasons that it gives.
const REASONS: usize = 3;

impl Present for AdviseBody {
    fn blocks(&self, page: &mut Page<'_>) {
        page.gap();
        let all = page.style.explain;
        if let Some(here) = &self.here {
            page.bullets(&here.reasons);
        }
        page.bullets(first(self.reasons(), if all { usize::MAX } else { REASONS }));
        if let Some(choice) = &self.cpu_or_gpu {
            let shown = if self.model.is_some() { 1 } else { 3 };
            page.bullets(first(&choice.because, if all { usize::MAX } else { shown }));
        }
        server(page, self.server.as_ref());
        comparisons(page, &self.comparisons);
        if !self.candidates.is_empty() {
            let table = listed(page.local, self);
            page.table(&if all { table } else { table.first(LISTED) });
        }
        misses(page, self, if all { usize::MAX } else { MISSES });
        if let Some(deploy) = &self.deploy {
            start(page, deploy);
        }
    }

    fn table(&self, local: &Localiser) -> Option<Table> {
        Some(listed(local, self))
    }

    fn reasons(&self) -> &[Text] {
        self.candidates.first().map_or(&[], |best| &best.reasons)
    }

    fn inner_findings(&self) -> &[Finding] {
        self.candidates.first().map_or(&[], |best| &best.findings)
    }

    fn next(&self) -> Vec<(Text, String)> {
        let best = self.candidates.first();
        best.map(|best| (Text::new("advise-next-size"), command(&best.argv))).into_iter().collect()
    }
}

/// The command and its files, to copy, and what to look at.
fn start(page: &mut Page<'_>, deploy: &maat_advise::Deploy) {
    page.gap();
    let title = page.local.text(&Text::new("deploy-start").with("program", deploy.program.as_str()));
    page.wrapped("  ", 2, &title);
    for file in &deploy.files {
        page.gap();
        page.line(&format!("  # {}", file.name));
        file.content.lines().for_each(|line| page.line(&format!("  {line}")));
    }
    page.gap();
    deploy.command.lines().for_each(|line| page.line(&format!("  {line}")));
    page.gap();
    page.bullets(&deploy.confirm);
}

fn first(texts: &[Text], most: usize) -> &[Text] {
    &texts[..most.min(texts.len())]
}

/// The candidates: by what they write, or of work without a model by how long it takes there.
fn listed(local: &Localiser, body: &AdviseBody) -> Table {
    if body.model.is_some() { candidates(local, body) } else { of_data(local, body) }
}

/// Candidates of work without a model.
fn of_data(local: &Localiser, body: &AdviseBody) -> Table {
    let mut table = Table::new(vec![
        Column::right("rank", local.label("column-rank")),
        Column::left("machine", local.label("column-machine")),
        Column::left("plan", local.label("column-plan")),
        Column::right("hourly", local.label("column-hourly")),
        Column::raw("currency"),
        Column::right("time_to_finish_s", local.label("column-time")),
        Column::right("items_per_s", local.label("column-items")),
        Column::whole("provider", local.label("column-offer")),
        Column::raw("kind"),
        Column::raw("price_date"),
    ]);
    for candidate in &body.candidates {
        let [rank, machine, plan, hourly, _, currency, _, _, provider, kind, date] =
            row(local, candidate, false);
        let time = likely(local, candidate.speed.time_to_finish_s, Arg::Seconds);
        let items = likely(local, candidate.speed.items_per_s, Arg::Number);
        table.row(vec![rank, machine, plan, hourly, currency, time, items, provider, kind, date]);
    }
    table
}

fn candidates(local: &Localiser, body: &AdviseBody) -> Table {
    let mut columns = vec![
        Column::right("rank", local.label("column-rank")),
        Column::left("machine", local.label("column-machine")),
        Column::left("plan", local.label("column-plan")),
        Column::right("hourly", local.label("column-hourly")),
        Column::right("per_million_tokens", local.label("column-per-million")),
        Column::raw("currency"),
        Column::right("ttft_s", local.label("column-ttft")),
        Column::right("throughput_tokens_per_s", local.label("column-tokens-per-s")),
        Column::whole("provider", local.label("column-offer")),
        Column::raw("kind"),
        Column::raw("price_date"),
    ];
    let alike = alike(&body.candidates);
    let compared = body.candidates.iter().any(|candidate| gain(candidate).is_some());
    if compared {
        columns.insert(GAIN_PLACE, Column::right("gain", local.label("column-gain")));
    }
    let mut table = Table::new(columns);
    for candidate in &body.candidates {
        let mut cells: Vec<Cell> = row(local, candidate, alike).into();
        if compared {
            let times =
                gain(candidate).map(|times| Cell::new(times, number::significant(local.lang(), times, 3)));
            cells.insert(GAIN_PLACE, Cell::or_unknown(times));
        }
        table.row(cells);
    }
    table
}

/// Where the column of gains over this machine stands: beside the speed.
const GAIN_PLACE: usize = 8;

/// How many times as much as this machine it does.
fn gain(candidate: &Candidate) -> Option<f64> {
    let gain = candidate.gain?;
    gain.throughput.or(gain.train).or(gain.items)
}

/// Whether all candidates have one engine and precision, which the line of assumptions then says.
fn alike(candidates: &[Candidate]) -> bool {
    let of = |candidate: &Candidate| (candidate.plan.engine, candidate.plan.precision.clone());
    candidates.windows(2).all(|pair| of(&pair[0]) == of(&pair[1]))
}

fn row(local: &Localiser, candidate: &Candidate, alike: bool) -> [Cell; 11] {
    let cost = &candidate.cost;
    let whole = plan(local, &candidate.plan);
    let shown = if alike { division(local, &candidate.plan) } else { whole.clone() };
    let provider = candidate.provider.clone().unwrap_or_default();
    let offered = if provider.is_empty() {
        Cell::new(provider, kind(local, &candidate.kind))
    } else {
        Cell::word(provider).below(&kind(local, &candidate.kind))
    };
    [
        Cell::new(candidate.rank, candidate.rank.to_string()),
        Cell::word(machine(&candidate.machine)),
        Cell::new(whole, shown),
        money(local, cost.hourly),
        money(local, cost.per_million_tokens),
        Cell::raw(cost.currency.code()),
        likely(local, candidate.speed.ttft_s, Arg::Seconds),
        rate(local.lang(), candidate.speed.throughput_tokens_per_s),
        offered,
        Cell::raw(candidate.kind.as_str()),
        Cell::or_unknown(cost.price_date.map(|date| Cell::raw(date.to_string()))),
    ]
}

fn money(local: &Localiser, money: Option<Money>) -> Cell {
    Cell::or_unknown(money.map(|money| {
        let amount = money.as_f64();
        Cell::new(amount, argument::money(local.lang(), amount, money.currency.code()))
    }))
}

/// "38 of 240 machines do it; these just miss:".
fn misses(page: &mut Page<'_>, body: &AdviseBody, most: usize) {
    page.gap();
    // What this machine misses is said above.
    let own = body.here.as_ref().filter(|here| !here.does).map(|here| here.machine.name.as_str());
    let others: Vec<_> = body.rejected.iter().filter(|one| Some(one.machine.as_str()) != own).collect();
    let searched = Text::new("advise-searched")
        .with("fitting", body.searched.fitting)
        .with("machines", body.searched.machines)
        .with("misses", others.len().min(most));
    let line = page.local.text(&searched);
    page.wrapped("  ", 2, &line);
    for rejected in others.into_iter().take(most) {
        let text = Text::new("advise-miss")
            .with("machine", rejected.machine.as_str())
            .with("why", rejected.why.clone())
            .with("by-known", if rejected.misses_by.is_some() { "yes" } else { "no" })
            .with("by", Arg::Share(rejected.misses_by.unwrap_or_default()));
        page.bullet(&text);
    }
}
