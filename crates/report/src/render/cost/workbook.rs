//! `cost rent-or-buy` as a workbook: the inputs, the months and the totals, all live, so that a changed input changes all
//! that follows from it.

use maat_economics::rent_or_buy::{CashFlow, RentOrBuyBody};

use crate::Localiser;
use crate::render::sheet::{Sheet, SheetCell, workbook};

/// Names of the sheets, which formulas use.
const INPUTS: &str = "Inputs";
const MONTHS: &str = "Months";
/// Months beyond the years that stand there too, so that more years can be typed.
const ROOM: usize = 60;

/// An input: the label, its figure. Its row on the sheet follows from its place.
type Input = (&'static str, f64);

/// The workbook.
pub fn rent_or_buy(body: &RentOrBuyBody, local: &Localiser) -> Vec<u8> {
    let inputs = inputs(body);
    let count = (body.years * 12.0).ceil() as usize + ROOM;
    workbook(&[totals(body, local, count), input_sheet(&inputs, body, local), months(body, local, count)])
}

fn inputs(body: &RentOrBuyBody) -> Vec<Input> {
    let plan = &body.inputs;
    vec![
        ("cost-input-rent", body.rent_per_hour.as_f64()),
        ("cost-input-rent-path", plan.rent_path),
        ("cost-sheet-billed", plan.rent_hours_per_used),
        ("cost-sheet-all-hours", f64::from(u8::from(plan.rent_all_hours))),
        ("cost-sheet-rent-month", plan.rent_per_month),
        ("cost-input-buy", body.buy_total.as_f64()),
        ("cost-input-utilisation", body.hourly_at_utilisation.utilisation),
        ("cost-input-years", body.years),
        ("cost-sheet-hours", plan.hours_per_month),
        ("cost-input-running-cost", plan.running_per_hour),
        ("cost-input-maintenance", plan.maintenance),
        ("cost-input-failures", plan.failures),
        ("cost-input-staff", plan.staff),
        ("cost-input-staff-cost", plan.staff_cost),
        ("cost-input-colo", plan.space_per_kw_month),
        ("cost-sheet-kw", plan.space_kw),
        ("cost-input-power", plan.work_w),
        ("cost-input-idle-power", plan.idle_w),
        ("cost-input-pue", plan.pue),
        ("cost-input-tariff", plan.per_kwh),
        ("cost-input-residual", plan.residual),
        ("cost-input-discount", plan.discount),
        ("cost-sheet-loan-rate", plan.loan_rate),
        ("cost-sheet-loan-months", plan.loan_months),
    ]
}

/// The place of an input, as formulas of other sheets name it: the first stands in row 2.
fn at(label: &str, inputs: &[Input]) -> String {
    let row = inputs.iter().position(|(name, _)| *name == label).map_or(1, |place| place + 2);
    format!("{INPUTS}!$B${row}")
}

fn input_sheet(inputs: &[Input], body: &RentOrBuyBody, local: &Localiser) -> Sheet {
    let words = |id: &str| SheetCell::Words(local.label(id));
    let mut rows = vec![vec![words("column-input"), SheetCell::Words(body.currency.code().to_owned())]];
    rows.extend(inputs.iter().map(|(label, value)| vec![words(label), SheetCell::Number(*value)]));
    Sheet { name: INPUTS.to_owned(), rows, widths: vec![44, 16] }
}

/// Columns of the sheet of months, A to N.
const HEADS: [&str; 14] = [
    "cost-sheet-month",
    "cost-sheet-part",
    "cost-sheet-worth",
    "column-rent",
    "cost-line-running",
    "cost-line-energy-used",
    "cost-line-energy-idle",
    "cost-sheet-loan",
    "cost-line-residual",
    "column-own",
    "cost-sheet-rent-worth",
    "cost-sheet-own-worth",
    "cost-sheet-hours-worth",
    "cost-sheet-rent-use",
];

/// One row a month; row 2 is the day of the purchase.
fn months(body: &RentOrBuyBody, local: &Localiser, count: usize) -> Sheet {
    let inputs = inputs(body);
    let input = |label: &str| at(label, &inputs);
    let mut rows = vec![HEADS.iter().map(|id| SheetCell::Words(local.label(id))).collect::<Vec<_>>()];
    rows.push(purchase(body, &input));
    rows.extend((1..=count).map(|month| one_month(month, body.cash_flow.get(month), &input)));
    Sheet {
        name: MONTHS.to_owned(),
        rows,
        widths: vec![8, 8, 10, 14, 14, 14, 14, 14, 14, 14, 16, 16, 14, 14],
    }
}

/// The day of the purchase: the price, unless a loan pays it.
fn purchase(body: &RentOrBuyBody, input: &dyn Fn(&str) -> String) -> Vec<SheetCell> {
    let paid = body.cash_flow.first().map_or(0.0, |flow| flow.own.as_f64());
    let mut row: Vec<SheetCell> =
        [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0].map(SheetCell::Number).to_vec();
    let price = format!("IF({}=0,{},0)", input("cost-sheet-loan-months"), input("cost-input-buy"));
    row.push(SheetCell::Formula(price, paid));
    row.push(SheetCell::Number(0.0));
    row.push(SheetCell::Formula("C2*J2".to_owned(), paid));
    row.extend([0.0, 0.0].map(SheetCell::Number));
    row
}

/// A month's formulas, from its part and worth to what both ways cost at it.
fn one_month(month: usize, flow: Option<&CashFlow>, i: &dyn Fn(&str) -> String) -> Vec<SheetCell> {
    let r = month + 2;
    let known =
        |formula: String, pick: fn(&CashFlow) -> f64| SheetCell::Formula(formula, flow.map_or(0.0, pick));
    let live = |formula: String| SheetCell::Formula(formula, f64::NAN);
    let (hours, used, years) = (i("cost-sheet-hours"), i("cost-input-utilisation"), i("cost-input-years"));
    let last = format!("AND(B{r}>0,A{r}>={years}*12)");
    let energy = |share: String, watts: String| {
        live(format!("B{r}*{hours}*{share}*{watts}/1000*{}*{}", i("cost-input-pue"), i("cost-input-tariff")))
    };
    let all_hours = format!("B{r}*{hours}*{}*{}", i("cost-input-rent"), growth(r, i));
    vec![
        SheetCell::Number(month as f64),
        live(format!("MAX(0,MIN(1,{years}*12-(A{r}-1)))")),
        live(format!("(1+{})^-((A{r}-1+B{r})/12)", i("cost-input-discount"))),
        known(
            format!(
                "B{r}*{}+IF({}=1,{all_hours},N{r})",
                i("cost-sheet-rent-month"),
                i("cost-sheet-all-hours")
            ),
            |flow| flow.rent_nominal.as_f64(),
        ),
        live(running(r, i)),
        energy(used.clone(), i("cost-input-power")),
        energy(format!("(1-{used})"), i("cost-input-idle-power")),
        live(loan(r, &last, i)),
        live(format!("IF({last},{}*{},0)", i("cost-input-buy"), i("cost-input-residual"))),
        known(format!("E{r}+F{r}+G{r}+H{r}-I{r}"), |flow| flow.own_nominal.as_f64()),
        known(format!("C{r}*D{r}"), |flow| flow.rent.as_f64()),
        known(format!("C{r}*J{r}"), |flow| flow.own.as_f64()),
        live(format!("B{r}*C{r}*{hours}*{used}")),
        live(format!("{all_hours}*{used}*{}", i("cost-sheet-billed"))),
    ]
}

/// What is paid on the loan: equal months, and at the end of the years what is still owed.
fn loan(row: usize, last: &str, i: &dyn Fn(&str) -> String) -> String {
    let (term, rate, capital) = (i("cost-sheet-loan-months"), i("cost-sheet-loan-rate"), i("cost-input-buy"));
    let grown = |months: &str| format!("(1+{rate}/12)^{months}");
    let (whole, paid) = (grown(&term), grown(&format!("A{row}")));
    let owed = format!("IF({rate}=0,{capital}*(1-A{row}/{term}),{capital}*({whole}-{paid})/({whole}-1))");
    format!(
        "IF(OR({term}=0,B{row}=0),0,IF(A{row}<={term},-PMT({rate}/12,{term},{capital}),0)\
         +IF(AND({last},A{row}<{term}),{owed},0))"
    )
}

/// What the rent has grown by, in steps of a year.
fn growth(row: usize, input: &dyn Fn(&str) -> String) -> String {
    format!("(1+{})^INT((A{row}-1)/12)", input("cost-input-rent-path"))
}

fn running(row: usize, i: &dyn Fn(&str) -> String) -> String {
    format!(
        "B{row}*(({}+{})*{}/12+{}*{}/12+{}*{}+{}*{})",
        i("cost-input-maintenance"),
        i("cost-input-failures"),
        i("cost-input-buy"),
        i("cost-input-staff"),
        i("cost-input-staff-cost"),
        i("cost-input-colo"),
        i("cost-sheet-kw"),
        i("cost-input-running-cost"),
        i("cost-sheet-hours")
    )
}

/// The totals, the price of an hour and the use at which both cost the same: both are straight lines of the use.
fn totals(body: &RentOrBuyBody, local: &Localiser, count: usize) -> Sheet {
    let inputs = inputs(body);
    let i = |label: &str| at(label, &inputs);
    let last = count + 2;
    let sum = |column: &str| format!("SUM({MONTHS}!{column}2:{column}{last})");
    let words = |id: &str| SheetCell::Words(local.label(id));
    let money = |formula: String, value: f64| SheetCell::Formula(formula, value);
    let hour = &body.hourly_at_utilisation;
    let used = i("cost-input-utilisation");
    let worth = |column: &str| format!("SUMPRODUCT({MONTHS}!C2:C{last},{MONTHS}!{column}2:{column}{last})");
    // Own less what it costs more at work than idle is what it costs at no use; the rent at no use is what hangs on none.
    let slope =
        format!("({}-({}+{})+{})/{used}", worth("N"), worth("F"), worth("G"), idle_at_no_use(last, &i));
    let behind = format!(
        "({}-({}+{})+{})-({}-IF({}=1,0,{}))",
        sum("L"),
        worth("F"),
        worth("G"),
        idle_at_no_use(last, &i),
        sum("K"),
        i("cost-sheet-all-hours"),
        worth("N")
    );
    let even = format!("IF({}=1,\"-\",({behind})/({slope}))", i("cost-sheet-all-hours"));
    let rows = vec![
        vec![SheetCell::Empty, words("column-rent"), words("column-own")],
        vec![
            words("cost-row-total"),
            money(sum("K"), body.total_rent.as_f64()),
            money(sum("L"), body.total_own.as_f64()),
        ],
        vec![
            words("cost-row-hour"),
            money(format!("B2/{}", sum("M")), hour.rent.as_f64()),
            money(format!("C2/{}", sum("M")), hour.own.as_f64()),
        ],
        vec![
            words("cost-row-break-even"),
            SheetCell::Formula(even, body.break_even.utilisation.unwrap_or(f64::NAN)),
            SheetCell::Empty,
        ],
        vec![
            SheetCell::Words(body.machine.clone().unwrap_or_default()),
            SheetCell::Words(body.currency.code().to_owned()),
        ],
    ];
    Sheet { name: "Totals".to_owned(), rows, widths: vec![28, 18, 18] }
}

/// Energy of all hours if it never worked.
fn idle_at_no_use(last: usize, i: &dyn Fn(&str) -> String) -> String {
    format!(
        "SUMPRODUCT({MONTHS}!B2:B{last},{MONTHS}!C2:C{last})*{}*{}/1000*{}*{}",
        i("cost-sheet-hours"),
        i("cost-input-idle-power"),
        i("cost-input-pue"),
        i("cost-input-tariff")
    )
}
