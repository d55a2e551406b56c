//! Recipes of pruning by expected errors.

use super::{EMPTY, INTERVALS, Target, impurity, part};
use crate::data::table::Table;
use crate::model::forest::Forest;
use crate::model::tree::Tree;
use crate::prune::cut;
use crate::prune::estimate::{Estimate, Interval};
use crate::prune::pessimistic;
use crate::prune::pessimistic::{Rules, Trial};
use crate::prune::sample::Sample;
use crate::prune::tidy::tidy;
use crate::split::shared::EmptyLeaf;
use crate::stats::criterion::{ClassCriterion, Classes, Criterion};
use crate::stats::weights::Weights;
use crate::sys::pool::Cancel;
use crate::{Error, Result};

/// The words and numbers of [`Rules`].
#[derive(Clone, Debug, Default)]
pub struct PessimisticWords {
    /// The confidence of the estimate, between 0 and 1.
    pub confidence: f64,
    /// See [`INTERVALS`].
    pub interval: String,
    /// See [`Rules::tolerance`].
    pub tolerance: f64,
    /// See [`Rules::keep_class`].
    pub keep_class: bool,
    /// See [`EMPTY`].
    pub empty: String,
    /// What the tree adds up: entropy or gini.
    pub criterion: String,
    /// Whether impossible levels are taken out of grouped questions afterwards.
    pub tidy: bool,
}

/// The estimate of a confidence and a word of [`INTERVALS`].
pub fn estimate(confidence: f64, interval: &str) -> Result<Estimate> {
    let interval = part("interval", interval, INTERVALS, &[Interval::Table, Interval::Normal])?;
    if !(0.0..=1.0).contains(&confidence) {
        return Err(Error::data("recipe.confidence", "the confidence is not between 0 and 1"));
    }
    Ok(Estimate::new(confidence, interval))
}

impl PessimisticWords {
    fn estimate(&self) -> Result<Estimate> {
        estimate(self.confidence, &self.interval)
    }

    /// Prunes the one tree of a forest, by its node table alone.
    pub fn replace(&self, forest: &Forest) -> Result<(Tree, Vec<Trial>)> {
        let tree = &forest.trees()[0];
        let (is_leaf, trace) = pessimistic::replace(tree, self.estimate()?, self.tolerance);
        Ok((cut(tree, forest.kinds(), &is_leaf)?, trace))
    }

    /// Prunes the one tree of a forest with the rows that it was grown from.
    pub fn raise(
        &self,
        forest: &Forest,
        table: &Table<'_>,
        target: Target<'_>,
        weights: Option<&[f64]>,
        cancel: &Cancel,
    ) -> Result<(Tree, Vec<Trial>)> {
        forest.check_columns(table)?;
        target.check(table.rows(), weights)?;
        let Target::Classes { codes, classes } = target else {
            return Err(Error::data("data.target", "expected errors need classes"));
        };
        if classes != forest.outputs() {
            return Err(Error::data("data.target", "the classes are not those of the model"));
        }
        let weights = Weights::fine(weights, table.rows())?;
        let classes = Classes { target: codes, classes, unit: weights.unit };
        let law = ClassCriterion::new(impurity(&self.criterion)?, classes);
        self.raise_with(forest, &Sample { table, law: &law, weights: &weights }, cancel)
    }

    fn raise_with<C: Criterion<Stat = u64>>(
        &self,
        forest: &Forest,
        rows: &Sample<'_, C>,
        cancel: &Cancel,
    ) -> Result<(Tree, Vec<Trial>)> {
        let rules = Rules {
            estimate: self.estimate()?,
            keep_class: self.keep_class,
            tolerance: self.tolerance,
            empty: part("empty", &self.empty, EMPTY, &[EmptyLeaf::Majority, EmptyLeaf::Shares])?,
        };
        let (tree, trace) = pessimistic::raise(&forest.trees()[0], forest.kinds(), rows, rules, cancel)?;
        Ok((if self.tidy { tidy(&tree, forest.kinds())? } else { tree }, trace))
    }
}
