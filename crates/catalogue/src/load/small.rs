//! The small tables: number types, FLOP per clock, vendor words, measured products, sources, exchange rate.

use maat_base::{ExchangeRate, Source};
use serde::Serialize;

use crate::accelerator::{Accumulate, NumberType};
use crate::table::{File, Loaded, columns, date, read};

columns!(TypeColumns { isa, types });
columns!(MatmulColumns { accelerator, number, measured_tflops, software, source });
columns!(SourceColumns { tag, what, place, date });
columns!(ExchangeColumns { date, eur_per_usd, source, unsure });
columns!(RowColumns {
    row,
    fp16_fp32,
    fp16_fp16,
    tf32_fp32,
    fp8_fp32,
    fp8_fp16,
    fp4_fp32,
    int8_int32,
    fp64_matrix,
    fp32_vector,
    fp16_vector,
    fp64_vector,
});

/// Number types that each instruction set computes in.
pub(crate) fn number_types(files: &[File]) -> Loaded<(String, Vec<NumberType>)> {
    read(files, "hardware/number_types.csv", TypeColumns::of, |row, c| {
        let types = row.one_of(c.types, "types", |words| {
            words.split_whitespace().map(|word| word.parse().ok()).collect::<Option<Vec<_>>>()
        })?;
        Ok((row.required(c.isa, "isa")?, types))
    })
}

/// A measured rate of large matrix products.
#[derive(Clone, Debug)]
pub(crate) struct MeasuredMatmul {
    /// Name of the part, as its source writes it.
    pub accelerator: String,
    /// Number type.
    pub number: NumberType,
    /// Operations per second.
    pub flop_per_s: f64,
    /// Software that it was measured with.
    pub software: String,
    /// Tag of the source.
    pub source: String,
}

/// Measured rates; types beyond [`NumberType`] are left out.
pub(crate) fn measured(files: &[File]) -> Loaded<Option<MeasuredMatmul>> {
    read(files, "hardware/measured_matmul.csv", MatmulColumns::of, |row, c| {
        let tflops = row.positive(c.measured_tflops, "measured_tflops")?;
        Ok(row.text(c.number).parse().ok().zip(tflops).map(|(number, tflops)| MeasuredMatmul {
            accelerator: row.text(c.accelerator).to_owned(),
            number,
            flop_per_s: tflops * 1e12,
            software: row.text(c.software).to_owned(),
            source: row.text(c.source).to_owned(),
        }))
    })
}

/// The list of sources.
pub(crate) fn sources(files: &[File]) -> Loaded<Source> {
    read(files, "sources.csv", SourceColumns::of, |row, c| {
        Ok(Source {
            tag: row.required(c.tag, "tag")?,
            what: row.text(c.what).to_owned(),
            place: row.text(c.place).to_owned(),
            date: row.text(c.date).to_owned(),
        })
    })
}

/// Exchange rates, the one to use last, each with what is not certain of it.
pub(crate) fn exchange(files: &[File]) -> Loaded<(ExchangeRate, Option<String>)> {
    read(files, "exchange.csv", ExchangeColumns::of, |row, c| {
        let eur_per_usd =
            row.price(c.eur_per_usd, "eur_per_usd")?.ok_or_else(|| row.fault("eur_per_usd", ""))?;
        let source = row.text(c.source).to_owned();
        Ok((ExchangeRate { eur_per_usd, date: date(row.text(c.date)), source }, row.owned(c.unsure)))
    })
}

/// Operations per clock and multiprocessor of an instruction set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TensorRow {
    /// Name of the row, which parts refer to.
    pub row: String,
    /// Operations per clock by number type, accumulate type and whether matrix units do it.
    pub per_clock: Vec<(NumberType, Accumulate, bool, f64)>,
}

impl TensorRow {
    /// Operations per clock and multiprocessor of these keys.
    pub fn of(&self, number: NumberType, accumulate: Accumulate, matrix: bool) -> Option<f64> {
        self.per_clock
            .iter()
            .find(|&&(n, a, m, _)| n == number && a == accumulate && m == matrix)
            .map(|&(_, _, _, rate)| rate)
    }
}

/// Reads the table of operations per clock.
pub(crate) fn tensor_rows(files: &[File]) -> Loaded<TensorRow> {
    use Accumulate as A;
    use NumberType as N;
    read(files, "hardware/tensor_rates.csv", RowColumns::of, |row, c| {
        let keys = [
            (c.fp16_fp32, "fp16_fp32", N::Fp16, A::Fp32, true),
            (c.fp16_fp16, "fp16_fp16", N::Fp16, A::Fp16, true),
            (c.tf32_fp32, "tf32_fp32", N::Tf32, A::Fp32, true),
            (c.fp8_fp32, "fp8_fp32", N::Fp8, A::Fp32, true),
            (c.fp8_fp16, "fp8_fp16", N::Fp8, A::Fp16, true),
            (c.fp4_fp32, "fp4_fp32", N::Fp4, A::Fp32, true),
            (c.int8_int32, "int8_int32", N::Int8, A::Int32, true),
            (c.fp64_matrix, "fp64_matrix", N::Fp64, A::Fp64, true),
            (c.fp32_vector, "fp32_vector", N::Fp32, A::Fp32, false),
            (c.fp16_vector, "fp16_vector", N::Fp16, A::Fp16, false),
            (c.fp64_vector, "fp64_vector", N::Fp64, A::Fp64, false),
        ];
        let mut per_clock = Vec::with_capacity(keys.len());
        for (column, name, number, accumulate, matrix) in keys {
            if let Some(rate) = row.positive(column, name)? {
                per_clock.push((number, accumulate, matrix, rate));
            }
        }
        // BF16 runs at the rate of FP16 on every part that has it.
        if let Some(rate) = row.positive(c.fp16_fp32, "fp16_fp32")? {
            per_clock.push((N::Bf16, A::Fp32, true, rate));
        }
        Ok(TensorRow { row: row.required(c.row, "row")?, per_clock })
    })
}
