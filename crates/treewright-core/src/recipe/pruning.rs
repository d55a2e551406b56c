//! Pruning by expected errors, with the rows of the tree or without them.

use crate::data::table::Table;
use crate::model::forest::Forest;
use crate::model::tree::Tree;
use crate::peers::{Alone, Peers};
use crate::prune::cut;
use crate::prune::pessimistic::{self, Rules, Trial};
use crate::prune::sample::Sample;
use crate::prune::tidy::tidy;
use crate::stats::criterion::{ClassCriterion, Classes, Impurity};
use crate::stats::target::Target;
use crate::stats::weights::Weights;
use crate::sys::pool::Cancel;
use crate::{Error, Result};

/// How a tree is pruned by expected errors.
#[derive(Clone, Copy, Debug)]
pub struct Pessimistic {
    /// When a subtree is replaced.
    pub rules: Rules,
    /// What the tree adds up.
    pub impurity: Impurity,
    /// Whether impossible levels are taken out of grouped questions afterwards.
    pub tidy: bool,
}

impl Pessimistic {
    /// Prunes the one tree of a forest, by its node table alone.
    pub fn replace(&self, forest: &Forest) -> Result<(Tree, Vec<Trial>)> {
        let tree = &forest.trees()[0];
        let (is_leaf, trace) = pessimistic::replace(tree, self.rules.estimate, self.rules.tolerance);
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
        self.raise_part(forest, table, target, weights, &Alone, cancel)
    }

    /// The same where this process holds only these rows.
    pub fn raise_part(
        &self,
        forest: &Forest,
        table: &Table<'_>,
        target: Target<'_>,
        weights: Option<&[f64]>,
        peers: &dyn Peers,
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
        let weights = Weights::fine_part(weights, table.rows(), peers)?;
        let classes = Classes { target: codes, classes, unit: weights.unit };
        let criterion = ClassCriterion::new(self.impurity, classes);
        let rows = Sample { table, criterion: &criterion, weights: &weights, peers };
        let (tree, trace) = pessimistic::raise(&forest.trees()[0], forest.kinds(), &rows, self.rules, cancel)?;
        Ok((if self.tidy { tidy(&tree, forest.kinds())? } else { tree }, trace))
    }
}
