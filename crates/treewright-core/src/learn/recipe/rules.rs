//! Recipes of lists of rules.

use super::{INTERVALS, Target, part};
use crate::data::table::Table;
use crate::learn::prune::estimate::{Estimate, Interval};
use crate::learn::rules::{Rows, Terms, learn};
use crate::learn::weights::Weights;
use crate::model::forest::Forest;
use crate::model::tree::Tree;
use crate::pool::Cancel;
use crate::{Error, Result};

/// The words and numbers of [`Terms`].
#[derive(Clone, Debug, Default)]
pub struct RuleWords {
    /// The confidence of the estimate, between 0 and 1.
    pub confidence: f64,
    /// See [`INTERVALS`].
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
        let interval = part("interval", &self.interval, INTERVALS, &[Interval::Table, Interval::Normal])?;
        if !(0.0..=1.0).contains(&self.confidence) || self.redundancy.is_nan() || self.redundancy <= 0.0 {
            return Err(Error::data("recipe.confidence", "the confidence or the redundancy is out of bounds"));
        }
        let weights = weights.map_or_else(|| Ok(Weights::ones(table.rows())), Weights::new)?;
        let rows = Rows { table, target: codes, classes, weights: &weights };
        rows.check(&forest.trees()[0])?;
        let estimate = Estimate::new(self.confidence, interval);
        let terms = Terms { estimate, redundancy: self.redundancy, seed: self.seed };
        Ok(learn(&forest.trees()[0], rows, terms, cancel)?.trees(rows))
    }
}
