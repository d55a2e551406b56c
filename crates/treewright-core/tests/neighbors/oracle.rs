//! Distances written as one reads them in a book, and the nearest rows by sorting all of them.

use crate::make::Cells;
use treewright_core::prelude::MISSING;

/// The distance of row `x` of a table and row `q` of another, in the unit in which powers stay in range.
pub fn distance(metric: &str, p: f64, rows: &Cells, x: usize, queries: &Cells, q: usize) -> f64 {
    let mut costs: Vec<Option<f64>> = Vec::new();
    let missing_costs = metric == "heom" || metric == "hamming";
    for (a, b) in rows.numbers[x].iter().zip(&queries.numbers[q]) {
        costs.push(match (a - b).abs() {
            apart if !apart.is_nan() => Some(apart),
            _ => missing_costs.then_some(1.0),
        });
    }
    for (column, other) in rows.codes.iter().zip(&queries.codes) {
        let (a, b) = (column[x], other[q]);
        costs.push(match a == MISSING || b == MISSING {
            true => missing_costs.then_some(1.0),
            false => Some(f64::from(u8::from(a != b))),
        });
    }
    let known: Vec<f64> = costs.iter().copied().flatten().collect();
    if known.is_empty() {
        return f64::INFINITY;
    }
    let share = costs.len() as f64 / known.len() as f64;
    let sum = |power: f64| known.iter().map(|cost| cost.powf(power)).sum::<f64>();
    match metric {
        "euclidean" | "heom" => (sum(2.0) * share).sqrt(),
        "manhattan" => sum(1.0) * share,
        "chebyshev" => known.iter().copied().fold(0.0, f64::max),
        "minkowski" => (sum(p) * share).powf(1.0 / p),
        "cosine" => sum(2.0) / 2.0,
        _ => sum(1.0) * share / costs.len() as f64,
    }
}

/// All rows of a table, nearest first.
pub fn nearest(metric: &str, p: f64, rows: &Cells, queries: &Cells, q: usize) -> Vec<(f64, usize)> {
    let mut all: Vec<(f64, usize)> = (0..rows.count).map(|x| (distance(metric, p, rows, x, queries, q), x)).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    all
}
