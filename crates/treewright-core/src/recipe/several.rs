//! One tree for several targets: its questions save the mean of what they save for each of them.
//!
//! What comes out is a tree for each target, all with the same questions: what its nodes say and cost is that of the one
//! target. So everything that reads a tree reads these too.

use super::criterion::misfit;
use super::grow_tree::{SharedColumns, TreeInput};
use super::{CriterionKind, Recipe};
use crate::data::table::Table;
use crate::model::tree::Tree;
use crate::model::walk::reach;
use crate::split::sampling::FeatureSampling;
use crate::stats::averaged::Averaged;
use crate::stats::criterion::{AnyCriterion, ClassCriterion, Classes, Criterion, SquaredError, merge};
use crate::stats::numbers::Numbers;
use crate::stats::target::Target;
use crate::stats::weights::Weights;
use crate::sys::memory::{filled, room};
use crate::sys::pool::Cancel;
use crate::{Error, Result};

/// Grows one tree for several targets.
pub fn grow_several(
    recipe: &Recipe,
    table: &Table<'_>,
    targets: &[Target<'_>],
    weights: Option<&[f64]>,
    cancel: &Cancel,
) -> Result<Vec<Tree>> {
    let shared = SharedColumns::sparse(recipe, table, cancel)?;
    grow_several_with(recipe, table, targets, weights, shared, None, cancel)
}

/// The same on columns that the tree shares with others if there are any, whose nodes may draw columns and cuts.
pub(crate) fn grow_several_with(
    recipe: &Recipe,
    table: &Table<'_>,
    targets: &[Target<'_>],
    weights: Option<&[f64]>,
    shared: Option<SharedColumns<'_>>,
    draw: Option<FeatureSampling>,
    cancel: &Cancel,
) -> Result<Vec<Tree>> {
    if targets.is_empty() || !recipe.can_draw_columns() || !recipe.monotone.is_empty() {
        return Err(Error::data("recipe.criterion", "the recipe does not fit several targets"));
    }
    for target in targets {
        target.check(table.rows(), weights)?;
        recipe.check(table.columns().len(), *target)?;
    }
    let weights = recipe.weights(weights, table.rows())?;
    let input = TreeInput { recipe, table, weights: &weights, cancel };
    match recipe.criterion {
        CriterionKind::Classes(impurity) => {
            let mut parts = Vec::new();
            for target in targets {
                let Target::Classes { codes: target, classes } = *target else { return Err(misfit()) };
                parts.push(ClassCriterion::new(impurity, Classes { target, classes, unit: weights.unit }));
            }
            input.grow_parts(Averaged(parts), shared, draw)
        }
        CriterionKind::SquaredError => {
            let total = weights.units.iter().sum();
            let mut numbers = Vec::new();
            for target in targets {
                let Target::Numbers(own) = *target else { return Err(misfit()) };
                numbers.push(Numbers::new(own, total));
            }
            let part = |target| SquaredError { target, unit: weights.unit };
            input.grow_parts(Averaged(numbers.iter().map(part).collect()), shared, draw)
        }
    }
}

impl TreeInput<'_> {
    fn grow_parts<C: Criterion>(
        &self,
        criterion: Averaged<C>,
        shared: Option<SharedColumns<'_>>,
        draw: Option<FeatureSampling>,
    ) -> Result<Vec<Tree>> {
        let mean: AnyCriterion<'_, C::Stat> = &criterion;
        let tree = self.grow_any(&mean, shared, draw)?.0;
        criterion.0.iter().map(|part| tell_again(&tree, self.table, part, self.weights, self.cancel)).collect()
    }
}

/// The tree with what its nodes say and cost by another criterion.
fn tell_again<C: Criterion>(
    tree: &Tree,
    table: &Table<'_>,
    criterion: &C,
    weights: &Weights,
    cancel: &Cancel,
) -> Result<Tree> {
    let (width, outputs) = (criterion.width(), criterion.outputs());
    let mut stats = filled(C::Stat::default(), tree.len() * width)?;
    for (row, &weight) in weights.units.iter().enumerate().filter(|(_, weight)| **weight > 0) {
        if row % (1 << 12) == 0 {
            cancel.check()?;
        }
        let leaf = reach(tree, table.columns(), row);
        criterion.add(&mut stats[leaf * width..(leaf + 1) * width], row, weight);
    }
    // Children stand behind their parent.
    for node in (0..tree.len()).rev() {
        let (up_to, behind) = stats.split_at_mut((node + 1) * width);
        for child in tree.children(node) {
            merge(&mut up_to[node * width..], &behind[(child - node - 1) * width..][..width]);
        }
    }
    let of = |node: usize| &stats[node * width..(node + 1) * width];
    let mut cost: Vec<f64> = room(tree.len())?;
    cost.extend((0..tree.len()).map(|node| criterion.cost(of(node))));
    let saved = |node: usize| (cost[node] - tree.children(node).map(|child| cost[child]).sum::<f64>()).max(0.0);
    let gain = (0..tree.len()).map(|node| if tree.n_children[node] > 0 { saved(node) } else { 0.0 }).collect();
    let mut value = filled(0.0, tree.len() * outputs)?;
    value.chunks_exact_mut(outputs).enumerate().for_each(|(node, value)| criterion.value(of(node), value));
    Ok(Tree { outputs, value, cost, gain, ..tree.copied()? })
}
