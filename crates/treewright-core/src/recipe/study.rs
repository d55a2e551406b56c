//! Looking at nodes of a tree that was grown after a recipe: what they had to choose from.

use super::Recipe;
use super::criterion::{TreeCriterion, with_criterion};
use super::grow_tree::TreeInput;
use crate::data::table::Table;
use crate::grow::study::{NodeStudy, StudyRequest};
use crate::model::walk::reach;
use crate::split::unknowns::Unknowns;
use crate::stats::target::Target;
use crate::{Error, Result};

/// Studies nodes of a tree, given the rows that it was grown from.
pub fn study_tree(
    recipe: &Recipe,
    table: &Table<'_>,
    target: Target<'_>,
    weights: Option<&[f64]>,
    request: &StudyRequest<'_>,
) -> Result<Vec<NodeStudy>> {
    target.check(table.rows(), weights)?;
    check(request, table, &recipe.unknowns)?;
    recipe.check(table.columns().len(), target)?;
    let weights = recipe.weights(weights, table.rows())?;
    let input = TreeInput { recipe, table, weights: &weights, cancel: request.cancel };
    let chooser = &recipe.chooser;
    with_criterion(recipe, target, &weights, |criterion| match criterion {
        TreeCriterion::Classes(own) => request.reports(&mut input.list(own, None, None)?, chooser),
        TreeCriterion::Numbers(own) => request.reports(&mut input.list(own, None, None)?, chooser),
    })
}

/// Checks that the rows can be divided as the tree says: every row that grew a tree has a way to a leaf of it, unless
/// rows may stay behind or are divided.
fn check(request: &StudyRequest<'_>, table: &Table<'_>, unknowns: &Unknowns) -> Result<()> {
    request.forest.check_columns(table)?;
    let tree = &request.forest.trees()[0];
    let ends = |row: usize| tree.n_children[reach(tree, table.columns(), row)] == 0;
    if matches!(unknowns, Unknowns::Share(_) | Unknowns::Surrogates(_)) || (0..table.rows()).all(ends) {
        return Ok(());
    }
    Err(Error::data("work.other-rows", "these are not the rows of the model: some of them stop at a question"))
}
