//! Facts for machines that the catalogue does not know.

use maat_base::Fault;
use maat_probe::machine::ProcessorSeen;
use serde::Deserialize;

const ISA: &str = include_str!("../../../facts/probe/isa.csv");

/// What cores of an instruction set do in a clock.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct IsaRates {
    vendor: String,
    isa: String,
    /// Instruction sets as the catalogue words them.
    pub simd: String,
    pub fp32_flop_per_clock: f64,
    pub bf16_flop_per_clock: f64,
    pub int8_op_per_clock: f64,
}

/// The first row whose instruction set and maker are the processor's.
pub(crate) fn isa_rates(processor: &ProcessorSeen) -> Result<Option<IsaRates>, Fault> {
    let rows = rows::<IsaRates>(ISA, "facts/probe/isa.csv")?;
    Ok(rows.into_iter().find(|row| {
        let maker = row.vendor.is_empty() || processor.vendor.as_deref() == Some(row.vendor.as_str());
        maker && processor.isa.contains(&row.isa)
    }))
}

/// The rows of a table.
pub(crate) fn rows<T: serde::de::DeserializeOwned>(text: &str, name: &str) -> Result<Vec<T>, Fault> {
    let wrong =
        |error: csv::Error| Fault::content("facts-row-malformed").with("why", error.to_string()).at(name);
    csv::Reader::from_reader(text.as_bytes()).deserialize().collect::<Result<_, _>>().map_err(wrong)
}
