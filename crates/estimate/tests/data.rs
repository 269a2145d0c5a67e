//! Work without a neural network against what was measured in public, and against the laws it follows.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

use maat_catalogue::{Catalogue, HardwareRequest, Machine};
use maat_estimate::{Data, DataCost, DataWork, Learner, Place, Rules, VectorIndex, amdahl, data_cost};

fn machine(gpu: &str, cpu: &str, threads: Option<u32>) -> Machine {
    let catalogue = Catalogue::builtin();
    let gpu = if gpu.is_empty() { Vec::new() } else { vec![gpu.to_owned()] };
    let cpu = (!cpu.is_empty()).then(|| cpu.to_owned());
    let request = HardwareRequest { gpu, cpu, threads, ..HardwareRequest::default() };
    let (spec, _) = maat_catalogue::machine(&request, &catalogue).unwrap();
    spec.unwrap().machines().next().unwrap()
}

fn cost(work: DataWork, machine: &Machine, place: Place) -> DataCost {
    let rules = Rules::built_in().unwrap();
    data_cost(&Data { work, parallel_share: None }, machine, place, &rules).unwrap()
}

fn boosted(rows: f64, columns: f64, trees: f64) -> DataWork {
    DataWork::Tabular { rows, columns, trees, learner: Learner::Gbdt }
}

/// Within a factor, both ways.
fn near(computed: f64, measured: f64, factor: f64) -> bool {
    computed < measured * factor && computed > measured / factor
}

/// Times of XGBoost that people published; a different machine, library version or data set moves them by a factor of two.
#[test]
fn boosted_trees_take_what_was_measured() {
    // szilard/GBM-perf of June 2024, depth 10 instead of 6: 10M rows x 8 columns x 100 trees are 167 trees of depth 6.
    let sixteen = machine("", "16 cores", None);
    let v100 = machine("V100 16GB", "", None);
    for (rows, cpu_s, gpu_s) in [(1e7, 40.0, 5.0), (1e6, 2.7, 1.3)] {
        let work = boosted(rows, 8.0, 100.0 * 10.0 / 6.0);
        let processor = cost(work, &sixteen, Place::Cpu);
        let card = cost(work, &v100, Place::Gpu);
        assert!(near(processor.time_s.likely, cpu_s, 2.0), "{rows} rows on 16 cores: {processor:?}");
        assert!(near(card.time_s.likely, gpu_s, 2.0), "{rows} rows on V100: {card:?}");
    }
    // dmlc/xgboost issue 7165: covertype, seven classes, 50 rounds.
    let work = boosted(581_012.0, 54.0, 350.0);
    assert!(near(cost(work, &machine("", "8 cores", None), Place::Cpu).time_s.likely, 8.56, 1.5));
    assert!(near(cost(work, &machine("RTX 2060", "", None), Place::Gpu).time_s.likely, 8.9, 1.6));
    // XGBoost's documentation: 1M x 50 x 500 on a Core i7-6700K (4 cores at 4 GHz) and a Titan X.
    let work = boosted(1e6, 50.0, 500.0);
    assert!(near(cost(work, &machine("", "4 cores", None), Place::Cpu).time_s.likely, 36.0, 1.5));
}

/// facebookresearch/faiss issue 5458: 5,450 queries/s on one thread, 271,000 on an L40S, a million vectors of 128.
#[test]
fn graphs_answer_what_was_measured() {
    let work = DataWork::Vectors { vectors: 1e6, dim: 128.0, index: VectorIndex::Hnsw, queries_per_s: 1.0 };
    let one = cost(work, &machine("", "16 cores", Some(1)), Place::Cpu).rate_per_s.likely;
    let gpu = cost(work, &machine("L40S", "", None), Place::Gpu).rate_per_s.likely;
    assert!(near(one, 5450.0, 1.2), "{one}");
    assert!(near(gpu, 271_000.0, 1.2), "{gpu}");
}

/// FAISS: `d * 4 + M * 2 * 4` bytes a vector. Ten million of 1,024 dimensions with M = 16: 42.2 GB, of which 41.0 raw.
#[test]
fn an_index_takes_what_its_parts_take() {
    let memory = |index| {
        let work = DataWork::Vectors { vectors: 1e7, dim: 1024.0, index, queries_per_s: 1.0 };
        cost(work, &machine("", "16 cores", None), Place::Cpu).memory.0
    };
    assert_eq!(memory(VectorIndex::Flat), 40_960_000_000);
    assert_eq!(memory(VectorIndex::Hnsw), 42_240_000_000);
    assert_eq!(memory(VectorIndex::IvfPq), 1_360_000_000);
}

/// Amdahl: half that runs at once gives less than two, on any number of cores.
#[test]
fn what_does_not_run_at_once_is_the_limit() {
    assert!((amdahl(0.5, 1.0) - 1.0).abs() < 1e-12);
    assert!((amdahl(0.95, 20.0) - 1.0 / (0.05 + 0.95 / 20.0)).abs() < 1e-12);
    assert!(amdahl(0.5, 1e9) < 2.0);
    assert!((amdahl(1.0, 64.0) - 64.0).abs() < 1e-9);
}

/// More rows never take less, and what takes a second to begin on a GPU takes it however few rows there are.
#[test]
fn time_grows_with_the_data() {
    let gpu = machine("RTX 4090", "16 cores", None);
    for place in [Place::Cpu, Place::Gpu] {
        let times: Vec<f64> = (2..10)
            .map(|power| cost(boosted(10f64.powi(power), 30.0, 100.0), &gpu, place).time_s.likely)
            .collect();
        assert!(times.windows(2).all(|pair| pair[0] <= pair[1]), "{place:?} {times:?}");
    }
    let few = cost(boosted(100.0, 10.0, 10.0), &gpu, Place::Gpu);
    assert!(few.time_s.likely >= few.setup_s && few.setup_s > 0.5);
}
