//! The error of all prunings of a tree, in training and by cross-validation.

use crate::failure::{Failure, Result};
use crate::folds::folds;
use crate::pruning::{PruningPath, truth};
use crate::training::Training;
use serde::Serialize;
use treewright_core::prelude::{Cancel, Tree, along};

/// Errors of all prunings, the smallest tree first.
#[derive(Debug, Serialize)]
pub struct Curve {
    leaves: Vec<u32>,
    alpha: Vec<f64>,
    training: Vec<f64>,
    validation: Vec<f64>,
    se: Vec<f64>,
    best: usize,
    one_se: usize,
    link: Vec<f64>,
}

impl Curve {
    /// Puts the penalty of each node at its number for the page; infinite ones become null.
    pub fn number_nodes(&mut self, ids: &[u32]) {
        let mut link = vec![f64::INFINITY; ids.iter().max().map_or(0, |&most| most as usize + 1)];
        ids.iter().zip(&self.link).for_each(|(&id, &alpha)| link[id as usize] = alpha);
        self.link = link;
    }
}

/// The curve of a tree that was grown; the trees of the folds are grown as the learner grows them.
pub fn curve(
    training: &Training,
    tree: &Tree,
    n_folds: usize,
    tell: &mut dyn FnMut(usize, usize),
    cancel: &Cancel,
) -> Result<Curve> {
    let rows = &training.rows;
    if n_folds < 2 || n_folds > rows.count {
        return Err(Failure::usage(format!("cv must be a whole number between 2 and {}; got {n_folds}", rows.count)));
    }
    let shallow = training.plan.as_ref().is_some_and(|plan| plan.shallow);
    let classes = !rows.target.classes().is_empty();
    let path = PruningPath::of(tree, classes, false, shallow, cancel)?;
    let parts = folds(&rows.target, training.order(0)?, n_folds);
    let validation = training.cross_validate(&path, (false, shallow), &parts, tell, cancel)?;
    let weights = training.weights.clone().unwrap_or_else(|| vec![1.0; rows.count]);
    let (errors, _) = along::along(tree, &path.link, &path.alpha, &rows.table()?, truth(rows), &weights, cancel)?;
    let weight: f64 = weights.iter().sum();
    let last = path.alpha.len() - 1;
    let turned = |values: &[f64]| values.iter().rev().copied().collect::<Vec<f64>>();
    Ok(Curve {
        leaves: path.leaves.iter().rev().copied().collect(),
        alpha: turned(&path.alpha),
        training: errors.iter().rev().map(|error| error / weight).collect(),
        validation: turned(&validation.error),
        se: turned(&validation.deviation),
        best: last - validation.within(0.0),
        one_se: last - validation.within(1.0),
        link: path.link,
    })
}
