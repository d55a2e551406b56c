//! Many trees of one recipe for several targets, each of its own sample.

use super::bag::{Progress, bag};
use super::bagging::{Sampling, weighed};
use super::sample::{RowSampling, Source};
use crate::data::table::Table;
use crate::model::tree::Tree;
use crate::recipe::Recipe;
use crate::recipe::grow_tree::Means;
use crate::recipe::several::grow_several_with;
use crate::rng::mix_key;
use crate::stats::target::Target;
use crate::sys::pool::Cancel;
use crate::{Error, Result};
use std::ops::Range;

/// Many trees for several targets, and what they are grown from.
#[derive(Debug)]
pub struct BaggingSeveral<'a> {
    /// The recipe of each tree.
    pub recipe: &'a Recipe,
    /// The sample of each tree.
    pub sampling: &'a Sampling,
    /// The rows.
    pub table: &'a Table<'a>,
    /// What is predicted.
    pub targets: &'a [Target<'a>],
    /// What the rows weigh; None for 1 each.
    pub weights: Option<&'a [f64]>,
    /// Told of each tree.
    pub progress: &'a Progress,
    /// Cancellation flag.
    pub cancel: &'a Cancel,
}

impl BaggingSeveral<'_> {
    /// Grows some of the trees: for each target all of them.
    pub fn grow(&self, trees: Range<u32>) -> Result<Vec<Vec<Tree>>> {
        let (recipe, table, cancel) = (self.recipe, self.table, self.cancel);
        self.targets.iter().try_for_each(|target| target.check(table.rows(), self.weights))?;
        if self.sampling.balanced || self.sampling.how == RowSampling::Balanced || self.targets.is_empty() {
            return Err(Error::data("recipe.samples", "samples of several targets cannot be balanced"));
        }
        let codes = join_targets(self.targets, table.rows());
        // A class of its own for each code is never counted here: it only tells rows apart.
        let target = Target::Classes { codes: &codes, classes: 1 };
        let source = Source { table, target, weights: self.weights };
        let (samples, beside) = (self.sampling.samples(&source)?, self.sampling.beside(&source));
        let shared = Means::shared(recipe, table, cancel)?;
        let recipe = Recipe { threads: 1, ..recipe.clone() };
        let grown = bag(&samples, trees, self.recipe.threads, self.progress, cancel, |tree, times| {
            let means = Means { draw: self.sampling.draw(tree), ..shared.clone() };
            grow_several_with(&recipe, table, self.targets, Some(&weighed(times, beside)), means)
        })?;
        let mut by_target: Vec<Vec<Tree>> = self.targets.iter().map(|_| Vec::new()).collect();
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
