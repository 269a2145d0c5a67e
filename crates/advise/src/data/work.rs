//! A request as work on data, with what was not said filled in.

use maat_base::{Fault, Text};
use maat_estimate::{Data, DataWork, Learner, Task, VectorIndex};

use crate::notes::{Notes, default_why};
use crate::request::WorkRequest;

/// Columns of a table, where nothing is said.
const COLUMNS: f64 = 50.0;
/// Trees of a fit: what XGBoost, LightGBM and scikit-learn make unless told otherwise.
const TREES: f64 = 100.0;
/// Dimensions of a vector: those of the usual text encoders.
const DIM: f64 = 768.0;
/// Queries a second.
const QUERIES: f64 = 100.0;
/// Rows of a database.
const ROWS: f64 = 1e7;
/// Most of any count that is taken for meant.
const MOST: f64 = 1e13;

/// Flags of each task; the others are not used.
const FLAGS: [(Task, &[&str]); 5] = [
    (Task::Tabular, &["rows", "columns", "trees", "learner", "parallel-share"]),
    (Task::Etl, &["rows", "columns", "parallel-share"]),
    (Task::Database, &["rows", "columns", "queries", "parallel-share"]),
    (Task::VectorSearch, &["vectors", "dim", "index", "queries"]),
    (Task::Web, &["queries"]),
];
const ALL_FLAGS: [&str; 9] =
    ["rows", "columns", "trees", "learner", "vectors", "dim", "index", "queries", "parallel-share"];

/// Whether a task works on data without a model.
pub fn is_data(task: Task) -> bool {
    FLAGS.iter().any(|(known, _)| *known == task)
}

/// The work that a request describes.
pub fn data(request: &WorkRequest, model: Option<&str>, notes: &mut Notes) -> Result<Data, Fault> {
    let task = request.task.unwrap_or_default();
    let asked = &request.data;
    let missing =
        |flag: &'static str| Fault::usage("data-missing").with("flag", flag).with("task", task.name());
    for (flag, value) in
        [("rows", asked.rows), ("columns", asked.columns), ("vectors", asked.vectors), ("dim", asked.dim)]
    {
        if value.is_some_and(|amount| amount.0 > MOST) {
            return Err(Fault::usage("count-too-large").with("flag", flag));
        }
    }
    let work = match task {
        Task::Tabular => {
            let rows = asked.rows.ok_or_else(|| missing("rows"))?.0;
            let columns = columns(request, notes);
            let learner = asked.learner.unwrap_or_else(|| {
                notes.assume("learner", "gbdt", Text::new("assumed-learner"), default_why());
                Learner::Gbdt
            });
            let grows = matches!(learner, Learner::Gbdt | Learner::Forest);
            let trees = asked.trees.map_or(TREES, |trees| trees.0);
            if grows && asked.trees.is_none() {
                notes.assume(
                    "trees",
                    TREES,
                    Text::new("assumed-trees").with("n", TREES as u64),
                    default_why(),
                );
            }
            DataWork::Tabular { rows, columns, trees, learner }
        }
        Task::Etl => {
            let rows = asked.rows.ok_or_else(|| missing("rows"))?.0;
            DataWork::Etl { rows, columns: columns(request, notes) }
        }
        Task::Database => {
            let rows = asked.rows.map_or(ROWS, |rows| rows.0);
            if asked.rows.is_none() {
                notes.assume("rows", ROWS, Text::new("assumed-rows").with("n", ROWS as u64), default_why());
            }
            let columns = columns(request, notes);
            DataWork::Database { rows, columns, queries_per_s: queries(request, notes) }
        }
        Task::VectorSearch => {
            let vectors = asked.vectors.ok_or_else(|| missing("vectors"))?.0;
            let dim = asked.dim.map_or(DIM, |dim| dim.0);
            if asked.dim.is_none() {
                notes.assume("dim", DIM, Text::new("assumed-dim").with("n", DIM as u64), default_why());
            }
            let index = asked.index.unwrap_or_else(|| {
                notes.assume("index", "hnsw", Text::new("assumed-index"), default_why());
                VectorIndex::Hnsw
            });
            DataWork::Vectors { vectors, dim, index, queries_per_s: queries(request, notes) }
        }
        _ => DataWork::Web { queries_per_s: queries(request, notes) },
    };
    unused(request, model, task, notes);
    Ok(Data { work, parallel_share: asked.parallel_share.map(|share| share.0) })
}

fn columns(request: &WorkRequest, notes: &mut Notes) -> f64 {
    request.data.columns.map_or_else(
        || {
            let text = Text::new("assumed-columns").with("n", COLUMNS as u64);
            notes.assume("columns", COLUMNS, text, default_why());
            COLUMNS
        },
        |columns| columns.0,
    )
}

fn queries(request: &WorkRequest, notes: &mut Notes) -> f64 {
    request.data.queries.map_or_else(
        || {
            let text = Text::new("assumed-queries").with("n", QUERIES as u64);
            notes.assume("queries", QUERIES, text, default_why());
            QUERIES
        },
        |rate| rate.0,
    )
}

/// Says which flags the task does not have.
fn unused(request: &WorkRequest, model: Option<&str>, task: Task, notes: &mut Notes) {
    let of_task = FLAGS.iter().find(|(known, _)| *known == task).map_or(&[][..], |(_, flags)| flags);
    let others: Vec<&'static str> = ALL_FLAGS.into_iter().filter(|flag| !of_task.contains(flag)).collect();
    let mut given: Vec<String> =
        request.data.given(&others).into_iter().map(|flag| format!("--{flag}")).collect();
    given.extend(model.map(str::to_owned));
    for (flag, set) in [
        ("--users", request.users.is_some()),
        ("--input", request.input.is_some()),
        ("--output", request.output.is_some()),
        ("--precision", request.precision.is_some()),
        ("--engine", request.engine.is_some()),
    ] {
        given.extend(set.then(|| flag.to_owned()));
    }
    let given: Vec<&str> = given.iter().map(String::as_str).collect();
    notes.unused(&given, task.name());
}
