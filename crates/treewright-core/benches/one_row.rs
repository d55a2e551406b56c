//! One row, 100 trees of 31 leaves, in the core alone: prints the nanoseconds of an answer, nine times over.
//!
//! `cargo bench -p treewright-core --bench one_row`; `benchmarks/core_row.py` keeps the result. Rows differ from one answer
//! to the next, so that no branch can be foreseen from the last one.

use std::hint::black_box;
use std::time::Instant;
use treewright_core::Result;
use treewright_core::prelude::{BoostWords, Boosting, Cancel, Column, Kind, Start, Stream, Table, TrainingData};

const ROWS: usize = 50_000;
const COLUMNS: usize = 28;
const ASKED: usize = 4096;

fn main() -> Result<()> {
    let stream = Stream::new(1, 0);
    // The sum of four even numbers: near enough to a normal one.
    let normal = |place: usize| (0..4).map(|i| stream.uniform(4 * place as u64 + i)).sum::<f64>() * 1.7 - 3.4;
    let columns: Vec<Vec<f64>> =
        (0..COLUMNS).map(|column| (0..ROWS).map(|row| normal(column * ROWS + row)).collect()).collect();
    let x = |column: usize, row: usize| columns[column][row];
    let class = |row: usize| {
        let sum = x(0, row) * x(1, row) + libm::sin(2.0 * x(2, row)) + 0.7 * x(3, row) * x(3, row) + x(4, row);
        u32::from(sum > 0.7)
    };
    let training = TrainingData { classes: (0..ROWS).map(class).collect(), ..TrainingData::default() };
    let table = Table::new(columns.iter().map(|column| Column::Numeric(column)).collect(), ROWS)?;
    let words = BoostWords {
        loss: "logistic".into(),
        quantile: 0.5,
        classes: 2,
        rate: 0.1,
        max_leaves: Some(31),
        min_leaf: 20,
        max_bins: 255,
        subsample: 1.0,
        ..BoostWords::default()
    };
    let cancel = Cancel::default();
    let mut run = Boosting::new(&table, training, Start::default(), words.plan()?, &cancel)?;
    run.advance(100, &cancel)?;
    let forest = run.finish(vec![Kind::Numeric; COLUMNS])?;
    let rows: Vec<Vec<f64>> = (0..ASKED).map(|row| (0..COLUMNS).map(|column| x(column, row)).collect()).collect();
    // The first answer makes what the others use.
    forest.answer_row(&rows[0]);
    for _ in 0..9 {
        let start = Instant::now();
        for row in &rows {
            black_box(forest.answer_row(black_box(row)));
        }
        println!("{:.1}", start.elapsed().as_secs_f64() * 1e9 / ASKED as f64);
    }
    Ok(())
}
