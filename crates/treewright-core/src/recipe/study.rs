//! Looking at nodes of a tree that was grown after a recipe: what they had to choose from.

use super::Recipe;
use super::criterion::{KnownCriterion, Visitor, with_criterion};
use super::grow_tree::Job;
use crate::data::table::Table;
use crate::grow::study::{Details, Report, Studies};
use crate::model::forest::Forest;
use crate::model::walk::reach;
use crate::split::unknowns::Unknowns;
use crate::stats::criterion::Criterion;
use crate::stats::target::Target;
use crate::sys::pool::Cancel;
use crate::{Error, Result};

/// Which nodes of a tree are looked at.
#[derive(Debug)]
pub struct Look<'a> {
    /// The tree is the first of these.
    pub forest: &'a Forest,
    /// The nodes; None for all of them. Reports are in the order of the tree.
    pub nodes: Option<&'a [usize]>,
    /// What reports say besides the candidates.
    pub details: Details,
    /// Stops the work.
    pub cancel: &'a Cancel,
}

/// Studies nodes of a tree, given the rows that it was grown from.
pub fn study_tree(
    recipe: &Recipe,
    table: &Table<'_>,
    target: Target<'_>,
    weights: Option<&[f64]>,
    look: &Look<'_>,
) -> Result<Vec<Report>> {
    target.check(table.rows(), weights)?;
    look.check(table, &recipe.unknowns)?;
    recipe.check(table.columns().len(), target)?;
    let weights = recipe.weights(weights, table.rows())?;
    let job = Job { recipe, table, weights: &weights };
    with_criterion(recipe, target, &weights, Studying { job, look })
}

struct Studying<'a> {
    job: Job<'a>,
    look: &'a Look<'a>,
}

impl Visitor for Studying<'_> {
    type Output = Vec<Report>;

    fn visit<C: Criterion>(self, criterion: &C, _: KnownCriterion<'_>) -> Result<Vec<Report>> {
        let Look { forest, nodes, details, cancel } = *self.look;
        let (tree, kinds, chooser) = (&forest.trees()[0], forest.kinds(), &self.job.recipe.chooser);
        let mut rows = self.job.list(criterion, None, None, cancel)?;
        let studies = Studies { chooser, tree, kinds, details, cancel };
        match nodes {
            Some([node]) => Ok(vec![studies.node(&mut rows, *node)?]),
            Some(nodes) => studies.nodes(&mut rows, |node| nodes.contains(&node)),
            None => studies.nodes(&mut rows, |_| true),
        }
    }
}

impl Look<'_> {
    /// Checks that the rows can be divided as the tree says: every row that grew a tree has a way to a leaf of it, unless
    /// rows may stay behind or are divided.
    fn check(&self, table: &Table<'_>, unknowns: &Unknowns) -> Result<()> {
        self.forest.check_columns(table)?;
        let tree = &self.forest.trees()[0];
        let ends = |row: usize| tree.n_children[reach(tree, table.columns(), row)] == 0;
        if matches!(unknowns, Unknowns::Share(_) | Unknowns::Surrogates(_)) || (0..table.rows()).all(ends) {
            return Ok(());
        }
        Err(Error::data("work.other-rows", "these are not the rows of the model: some of them stop at a question"))
    }
}
