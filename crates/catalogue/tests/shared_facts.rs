//! Second suite: the facts here against the tables that they were made from, where these lie beside the repository.

use std::collections::HashMap;
use std::path::PathBuf;

use maat_catalogue::{Accumulate, Catalogue, NumberType};

type Row = HashMap<String, String>;

/// The rows of a table, or `None` where there is none.
fn rows(name: &str) -> Option<Vec<Row>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/facts/catalogue").join(name);
    let mut reader = csv::Reader::from_path(path).ok()?;
    Some(reader.deserialize().map(Result::unwrap_or_default).collect())
}

fn number(row: &Row, column: &str) -> Option<f64> {
    row[column].parse().ok()
}

#[test]
fn figures_of_accelerators() {
    use Accumulate::{Fp16, Fp32, Fp64, Int32};
    let Some(rows) = rows("accelerators.csv") else { return };
    let catalogue = Catalogue::builtin();
    // An A10 does 1/64 of its FP32 in FP64, not the 1/32 of that table; M5 chips have a rate of another table.
    let corrected = |row: &Row, column: &str| row["name"] == "A10" && column == "fp64_tflops";
    let columns = [
        ("fp64_tflops", NumberType::Fp64, Fp64, Some(false)),
        ("fp64_tensor_tflops", NumberType::Fp64, Fp64, Some(true)),
        ("fp32_tflops", NumberType::Fp32, Fp32, None),
        ("tf32_tflops", NumberType::Tf32, Fp32, None),
        ("fp16_fp32acc_tflops", NumberType::Fp16, Fp32, None),
        ("bf16_tflops", NumberType::Bf16, Fp32, None),
        ("fp8_tflops", NumberType::Fp8, Fp32, None),
        ("fp8_fp16acc_tflops", NumberType::Fp8, Fp16, None),
        ("fp4_tflops", NumberType::Fp4, Fp32, None),
        ("int8_tops", NumberType::Int8, Int32, None),
    ];
    for row in &rows {
        let part = catalogue.accelerator(&row["slug"]).unwrap_or_else(|| panic!("{}", row["slug"]));
        assert_eq!(part.name, row["name"]);
        assert_eq!(Some(part.memory_label_bytes.as_gib()), number(row, "memory_gb"), "{}", part.name);
        let bandwidth = part.bandwidth.as_ref().map(|bandwidth| bandwidth.value / 1e9);
        assert_eq!(bandwidth, number(row, "bandwidth_gb_s"), "{}", part.name);
        if let Some(mib) = number(row, "nvml_memory_mib") {
            assert_eq!(part.capacity.value.as_f64(), mib * 1_048_576.0, "{}", part.name);
        }
        for (column, kind, accumulate, matrix) in columns {
            let Some(tera) = number(row, column).filter(|_| !corrected(row, column)) else { continue };
            let found = part.rates.iter().any(|rate| {
                rate.number == kind
                    && rate.accumulate == accumulate
                    && !rate.sparse
                    && matrix.is_none_or(|matrix| rate.matrix == matrix)
                    && (rate.flop_per_s.value / 1e12 - tera).abs() < 1e-6
            });
            assert!(found, "{} {column} {tera}", part.name);
        }
        // What is marked there is marked here: some figure of the part says so.
        if !row["unsure"].is_empty() {
            assert!(part.unsure.is_some(), "{} lost its doubt", part.name);
        }
    }
}

#[test]
fn names_resolve() {
    let catalogue = Catalogue::builtin();
    let mut names = 0;
    for table in ["aliases-nvidia.csv", "aliases-other.csv"] {
        for row in rows(table).unwrap_or_default() {
            let (canonical, alias) = (&row["canonical"], &row["alias"]);
            names += 1;
            // Every graphics part of AMD's processors has this name, so it says none.
            if alias == "AMD Radeon Graphics" {
                assert!(catalogue.resolve_accelerator(alias).is_err());
                continue;
            }
            let accelerator = catalogue.accelerators().iter().any(|part| part.name == *canonical);
            if accelerator {
                let found = catalogue.resolve_accelerator(alias).unwrap();
                let known =
                    found.part.name == *canonical || found.others.iter().any(|part| part.name == *canonical);
                assert!(known, "{alias}: {} and not {canonical}", found.part.name);
            } else {
                assert_eq!(catalogue.resolve_cpu(alias).unwrap().part.name, *canonical, "{alias}");
            }
        }
    }
    assert!(names == 0 || names == 2434);
}

#[test]
fn offers_are_all_there() {
    let Some(rows) = rows("offers-sample.csv") else { return };
    let catalogue = Catalogue::builtin();
    let mut ours: Vec<(String, String, String)> = catalogue
        .offers()
        .iter()
        .map(|offer| {
            (offer.provider.to_string(), offer.offer.to_string(), format!("{:.4}", offer.hourly.as_f64()))
        })
        .collect();
    let mut theirs: Vec<(String, String, String)> = rows
        .iter()
        .map(|row| {
            let price = number(row, "price_per_hour").unwrap();
            (row["provider"].clone(), row["offer"].clone(), format!("{price:.4}"))
        })
        .collect();
    ours.sort();
    theirs.sort();
    assert_eq!(ours, theirs);
}
