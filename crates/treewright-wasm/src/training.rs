//! A single tree and what it is grown from: rows, weights, recipe, and how it is pruned during a fit.

use crate::failure::{Failure, Result};
use crate::folds::{folds, held_out, row_order, weka_folds, without};
use crate::params::Params;
use crate::pruning::{Plan, plan_of};
use crate::recipes::{row_weights, tree_words};
use crate::spec::{Algorithm, Spec};
use crate::table::{Rows, TargetColumn};
use std::rc::Rc;
use treewright_core::prelude::{Cancel, Forest, Kind, Recipe, Tree, grow_tree};

/// What a tree is grown from.
pub struct Training {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Its parameters.
    pub params: Params,
    /// All rows, in the form in which the algorithm asks about them.
    pub rows: Rc<Rows>,
    /// The weight of each row; None for 1 each.
    pub weights: Option<Vec<f64>>,
    /// How the tree is pruned during a fit.
    pub plan: Option<Plan>,
}

/// The rows that the tree of a fit is grown from.
pub struct GrownFrom {
    /// The rows.
    pub rows: Rc<Rows>,
    /// Their weights.
    pub weights: Option<Vec<f64>>,
    /// Which rows of the table these are, where some are left out.
    pub kept: Option<Vec<u32>>,
}

impl Training {
    /// Checks the parameters of a learner on some rows.
    pub fn new(spec: &Spec, rows: &Rc<Rows>) -> Result<Training> {
        let params = spec.params();
        let rows = spec.prepare(rows)?;
        tree_words(spec.algorithm, &params, &rows)?;
        let weights = match drops_empty_rows(spec) {
            true => without_empty_rows(&rows),
            false => row_weights(spec.algorithm, &params, &rows)?,
        };
        let plan = plan_of(spec.algorithm, &params, !rows.target.classes().is_empty())?;
        Ok(Training { algorithm: spec.algorithm, params, rows, weights, plan })
    }

    /// What the features hold.
    pub fn kinds(&self) -> Result<Vec<Kind>> {
        Ok(self.rows.table()?.kinds())
    }

    /// How a tree is grown on some rows; without the removal of useless splits where it is to be shown.
    pub fn recipe(&self, rows: &Rows, collapse: bool) -> Result<Recipe> {
        let mut words = tree_words(self.algorithm, &self.params, rows)?;
        if let (Some(shares), false) = (&mut words.fractions, collapse) {
            shares.collapse = "none".into();
        }
        Ok(words.read()?)
    }

    /// Grows a tree on some rows.
    pub fn grow(&self, rows: &Rows, weights: Option<&[f64]>, collapse: bool, cancel: &Cancel) -> Result<Tree> {
        let recipe = self.recipe(rows, collapse)?;
        Ok(grow_tree(&recipe, &rows.table()?, rows.target.target(), weights, cancel)?)
    }

    /// Some of the weights.
    pub fn weights_of(&self, rows: &[u32]) -> Option<Vec<f64>> {
        self.weights.as_ref().map(|weights| rows.iter().map(|&row| weights[row as usize]).collect())
    }

    /// The rows along which folds are made.
    pub fn order(&self, seed: u64) -> Result<Vec<u32>> {
        row_order(&self.rows, self.weights.as_deref(), seed)
    }

    /// The rows that a fit holds out from growing, for pruning.
    pub fn held_out(&self, plan: &Plan) -> Result<Vec<u32>> {
        let rows = self.rows.count;
        if rows < 2 {
            return Ok(Vec::new());
        }
        let target = &self.rows.target;
        match (target, plan.fraction) {
            (TargetColumn::Classes(codes, _), None) => {
                if plan.folds > rows {
                    return Err(Failure::usage(format!("folds must be between 2 and {rows}; got {}", plan.folds)));
                }
                let parts = if plan.by_position {
                    weka_folds(codes, plan.folds)
                } else {
                    folds(target, self.order(plan.seed)?, plan.folds)
                };
                Ok(parts.into_iter().next_back().unwrap_or_default())
            }
            (_, fraction) => {
                let share = fraction.unwrap_or(1.0 / plan.folds as f64);
                Ok(held_out(target, self.order(plan.seed)?, share))
            }
        }
    }

    /// The rows and weights that the tree of a fit is grown from: without those that it holds out. C4.5 may split at their
    /// values, so there they stay, with weight 0.
    pub fn grown_from(&self) -> Result<GrownFrom> {
        let Some(plan) = self.plan.as_ref().filter(|plan| plan.method == "reduced_error") else {
            return Ok(GrownFrom { rows: self.rows.clone(), weights: self.weights.clone(), kept: None });
        };
        let held = self.held_out(plan)?;
        if self.algorithm == Algorithm::C45 {
            let mut weights = self.weights.clone().unwrap_or_else(|| vec![1.0; self.rows.count]);
            held.iter().for_each(|&row| weights[row as usize] = 0.0);
            return Ok(GrownFrom { rows: self.rows.clone(), weights: Some(weights), kept: None });
        }
        let rest = without(self.rows.count, &held);
        let (rows, weights) = (Rc::new(self.rows.take(&rest)), self.weights_of(&rest));
        Ok(GrownFrom { rows, weights, kept: Some(rest) })
    }

    /// The tree of a fit.
    pub fn fit(&self, cancel: &Cancel) -> Result<Tree> {
        let GrownFrom { rows, weights, .. } = self.grown_from()?;
        // Splits that save no training error are left for the held-out rows to judge.
        let collapse = self.plan.as_ref().is_none_or(|plan| plan.method != "reduced_error");
        let tree = self.grow(&rows, weights.as_deref(), collapse, cancel)?;
        self.prune(tree, cancel)
    }

    /// A tree as a forest of one, which the pruners read.
    pub fn forest(&self, tree: Tree) -> Result<Forest> {
        Ok(Forest::grown(self.kinds()?, vec![tree])?)
    }
}

/// Whether rows without any value count nothing: rpart drops them.
fn drops_empty_rows(spec: &Spec) -> bool {
    spec.algorithm == Algorithm::Cart && spec.params.get("variant").and_then(|word| word.as_str()) == Some("rpart")
}

/// Weights of 0 for rows without any value; None where there are none.
fn without_empty_rows(rows: &Rows) -> Option<Vec<f64>> {
    let is_empty = |row: usize| rows.features.iter().all(|feature| feature.cells.is_missing(row));
    let weights: Vec<f64> = (0..rows.count).map(|row| if is_empty(row) { 0.0 } else { 1.0 }).collect();
    weights.contains(&0.0).then_some(weights)
}
