//! Recipes of lists of rules.

use super::Target;
use super::pruning::estimate;
use crate::data::table::Table;
use crate::model::forest::Forest;
use crate::model::tree::Tree;
use crate::rules::{Rows, Terms, learn};
use crate::stats::weights::Weights;
use crate::sys::pool::Cancel;
use crate::{Error, Result};

/// The words and numbers of [`Terms`].
#[derive(Clone, Debug, Default)]
pub struct RuleWords {
    /// The confidence of the estimate, between 0 and 1.
    pub confidence: f64,
    /// See [`super::INTERVALS`].
    pub interval: String,
    /// See [`Terms::redundancy`].
    pub redundancy: f64,
    /// See [`Terms::seed`].
    pub seed: u32,
}

impl RuleWords {
    /// The rules of the one tree of a forest, each a tree, with the rows that it was grown from.
    pub fn learn(
        &self,
        forest: &Forest,
        table: &Table<'_>,
        target: Target<'_>,
        weights: Option<&[f64]>,
        cancel: &Cancel,
    ) -> Result<Vec<Tree>> {
        forest.check_columns(table)?;
        target.check(table.rows(), weights)?;
        let Target::Classes { codes, classes } = target else {
            return Err(Error::data("data.target", "rules answer with classes"));
        };
        let estimate = estimate(self.confidence, &self.interval)?;
        if self.redundancy.is_nan() || self.redundancy <= 0.0 {
            return Err(Error::data("recipe.redundancy", "the redundancy is not above 0"));
        }
        let weights = weights.map_or_else(|| Ok(Weights::ones(table.rows())), Weights::new)?;
        let rows = Rows { table, target: codes, classes, weights: &weights };
        rows.check(&forest.trees()[0])?;
        let terms = Terms { estimate, redundancy: self.redundancy, seed: self.seed };
        learn(&forest.trees()[0], rows, terms, cancel)?.trees(rows, cancel)
    }
}
