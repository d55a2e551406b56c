//! Learners on the same folds.

use crate::failure::{Failure, Result};
use crate::folds::{folds, row_order, without};
use crate::model::{Model, Tell};
use crate::spec::Spec;
use crate::table::Rows;
use serde::Serialize;
use std::rc::Rc;
use treewright_core::prelude::Cancel;

/// The results of all learners.
#[derive(Debug, Serialize)]
pub struct Comparison {
    folds: usize,
    results: Vec<Entry>,
}

/// The results of one learner.
#[derive(Debug, Serialize)]
struct Entry {
    spec: Spec,
    name: String,
    error: Vec<f64>,
    mean: f64,
    se: f64,
    leaves: usize,
    seconds: f64,
}

/// Trains each learner on all folds but one, for each fold, and measures its error on the one.
pub fn compare(
    specs: &[Spec],
    rows: &Rc<Rows>,
    n_folds: usize,
    tell: Tell<'_>,
    now: &dyn Fn() -> f64,
    cancel: &Cancel,
) -> Result<Comparison> {
    if n_folds < 2 || n_folds > rows.count {
        return Err(Failure::usage(format!("cv must be a whole number between 2 and {}; got {n_folds}", rows.count)));
    }
    let parts = folds(&rows.target, row_order(rows, None, 0)?, n_folds);
    let steps = specs.len() * (n_folds + 1);
    let mut results = Vec::new();
    for (place, spec) in specs.iter().enumerate() {
        tell(place * (n_folds + 1), steps);
        let start = now();
        let model = Model::fit(spec, rows, &mut |_, _| {}, cancel)?;
        let seconds = now() - start;
        let mut error = Vec::new();
        for (fold, part) in parts.iter().enumerate() {
            tell(place * (n_folds + 1) + 1 + fold, steps);
            error.push(error_without(spec, rows, part, cancel)?);
        }
        let mean = error.iter().sum::<f64>() / error.len() as f64;
        let spread = error.iter().map(|error| (error - mean) * (error - mean)).sum::<f64>() / (error.len() - 1) as f64;
        let se = (spread / error.len() as f64).sqrt();
        let name = spec.algorithm.name().to_owned();
        results.push(Entry { spec: spec.clone(), name, error, mean, se, leaves: model.leaves(), seconds });
    }
    tell(steps, steps);
    Ok(Comparison { folds: n_folds, results })
}

/// The error of a learner on some rows, which it does not learn from.
fn error_without(spec: &Spec, rows: &Rc<Rows>, part: &[u32], cancel: &Cancel) -> Result<f64> {
    let rest = Rc::new(rows.take(&without(rows.count, part)));
    let model = Model::fit(spec, &rest, &mut |_, _| {}, cancel)?;
    let held = rows.take(part);
    let cells: Vec<_> =
        held.features.iter().zip(&model.rows.features).map(|(own, known)| known.encode(&own.cells)).collect();
    model.error_on(&cells, &held.target, cancel)
}
