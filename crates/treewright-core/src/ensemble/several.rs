//! Many trees of one recipe for several targets, each of its own sample.

use super::bag::bag;
use super::bagging::{Bagging, weighed};
use super::sample::RowSampling;
use crate::codes::ranks::RankedColumn;
use crate::model::tree::Tree;
use crate::recipe::Recipe;
use crate::recipe::grow_tree::SharedColumns;
use crate::recipe::several::grow_several_with;
use crate::rng::mix_key;
use crate::stats::target::Target;
use crate::{Error, Result};
use std::ops::Range;
use std::sync::Arc;

impl Bagging<'_> {
    /// Grows some of the trees: for each target all of them.
    pub fn grow_several(&self, targets: &[Target<'_>], trees: Range<u32>) -> Result<Vec<Vec<Tree>>> {
        let Bagging { recipe, sampling, table, weights, cancel, .. } = *self;
        targets.iter().try_for_each(|target| target.check(table.rows(), weights))?;
        if sampling.balanced || sampling.how == RowSampling::Balanced || targets.is_empty() {
            return Err(Error::data("recipe.samples", "samples of several targets cannot be balanced"));
        }
        let codes = join_targets(targets, table.rows());
        // A class of its own for each code is never counted here: it only tells rows apart.
        let samples = sampling.samples(table, Target::Classes { codes: &codes, classes: 1 }, weights)?;
        let beside = sampling.beside(weights);
        let shared = SharedColumns::new(recipe, table, || RankedColumn::all(table, cancel).map(Arc::new), cancel)?;
        let alone = Recipe { threads: 1, ..recipe.clone() };
        let grown = bag(&samples, trees, recipe.threads, self.progress, cancel, |tree, times| {
            let (shared, draw) = (Some(shared.clone()), sampling.draw(tree));
            grow_several_with(&alone, table, targets, Some(&weighed(times, beside)), shared, draw, cancel)
        })?;
        let mut by_target: Vec<Vec<Tree>> = targets.iter().map(|_| Vec::new()).collect();
        for trees in grown {
            by_target.iter_mut().zip(trees).for_each(|(list, tree)| list.push(tree));
        }
        Ok(by_target)
    }
}

/// A number for each row that follows from all of its targets.
fn join_targets(targets: &[Target<'_>], rows: usize) -> Vec<u32> {
    let mut keys = vec![0u64; rows];
    for target in targets {
        let bits = |row: usize| match target {
            Target::Classes { codes, .. } => u64::from(codes[row]),
            Target::Numbers(numbers) => (numbers[row] + 0.0).to_bits(),
        };
        keys.iter_mut().enumerate().for_each(|(row, key)| *key = mix_key(*key ^ bits(row), 0));
    }
    keys.into_iter().map(|key| (key >> 32) as u32).collect()
}
