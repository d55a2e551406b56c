//! Many trees of one recipe, each of its own sample.

use super::bag::{Progress, bag};
use super::forest_cache::ForestCache;
use super::sample::{RowSampling, SampleSource, Samples, copies};
use crate::codes::ranks::RankedColumn;
use crate::data::table::Table;
use crate::model::tree::Tree;
use crate::peers::{Alone, Peers};
use crate::recipe::grow_tree::{SharedColumns, grow_tree, grow_with};
use crate::recipe::{CriterionKind, Recipe};
use crate::rng::Stream;
use crate::rows::columns::bag::Base;
use crate::rows::columns::counts::Counts;
use crate::rows::columns::kernels::formula::Formula;
use crate::rows::columns::plan::{Plan, equal};
use crate::split::sampling::FeatureSampling;
use crate::stats::criterion::{ClassCriterion, Classes, SquaredError};
use crate::stats::numbers::Numbers;
use crate::stats::target::Target;
use crate::stats::weights::Weights;
use crate::sys::memory::filled;
use crate::sys::pool::Cancel;
use crate::{Error, Result};
use std::ops::Range;
use std::sync::Arc;

/// The sample of each tree, and what its nodes draw.
#[derive(Clone, Debug, Default)]
pub struct Sampling {
    /// How rows are drawn.
    pub how: RowSampling,
    /// How many rows a sample has, repeated ones included; None for as many as there are, or in balanced samples as the
    /// smallest class has.
    pub draws: Option<usize>,
    /// Which samples, columns and cuts are drawn.
    pub seed: u64,
    /// How many columns a node looks at, in random order; None looks at all of them, in their order.
    pub columns: Option<usize>,
    /// Whether cuts are drawn too.
    pub cuts: bool,
    /// Whether the classes of each sample are made to weigh the same.
    pub balanced: bool,
    /// Where the caller has drawn the samples: tree after tree, how often each row counts.
    pub counts: Option<Vec<u32>>,
}

impl Sampling {
    /// The samples of a table.
    pub fn samples(&self, table: &Table<'_>, target: Target<'_>, weights: Option<&[f64]>) -> Result<Samples> {
        if let Some(counts) = &self.counts {
            return Samples::of_counts(table.rows(), counts.clone());
        }
        Samples::new(self.how, &SampleSource::new(self.how, table, target, weights)?, self.draws, self.seed)
    }

    /// What rows weigh beside how often they were drawn; None for 1 each.
    pub(super) fn beside<'w>(&self, weights: Option<&'w [f64]>) -> Option<&'w [f64]> {
        weights.filter(|weights| self.counts.is_some() || copies(weights).is_none())
    }

    /// The columns in the order in which a node of a tree looks at them, see [`FeatureSampling::column_order`]; None where
    /// it looks at all of them.
    pub fn column_order(&self, tree: u32, path: &[usize], columns: usize) -> Option<Vec<u32>> {
        self.draw(tree).map(|draw| draw.column_order(path, columns))
    }

    /// How the nodes of a tree draw columns and cuts.
    pub(super) fn draw(&self, tree: u32) -> Option<FeatureSampling> {
        let stream = Stream::new(self.seed, tree);
        self.columns.map(|columns| FeatureSampling { stream, columns: columns.max(1), cuts: self.cuts })
    }
}

/// Many trees, and what they are grown from.
#[derive(Debug)]
pub struct Bagging<'a> {
    /// The recipe of each tree.
    pub recipe: &'a Recipe,
    /// The sample of each tree.
    pub sampling: &'a Sampling,
    /// The rows.
    pub table: &'a Table<'a>,
    /// What the rows weigh; None for 1 each.
    pub weights: Option<&'a [f64]>,
    /// Where further trees will be grown: what they share is made once.
    pub cache: Option<&'a ForestCache>,
    /// Told of each tree.
    pub progress: &'a Progress,
    /// Cancellation flag.
    pub cancel: &'a Cancel,
}

impl<'a> Bagging<'a> {
    /// Grows some of the trees, from samples that were drawn already or are drawn here.
    pub fn grow(&self, target: Target<'_>, trees: Range<u32>, samples: Option<Arc<Samples>>) -> Result<Vec<Tree>> {
        target.check(self.table.rows(), self.weights)?;
        self.recipe.check(self.table.columns().len(), target)?;
        if self.sampling.cuts && self.sampling.columns.is_none() {
            return Err(Error::data("recipe.samples", "random cuts need random columns"));
        }
        let draw = || self.sampling.samples(self.table, target, self.weights);
        let samples = match (samples, self.cache) {
            (Some(samples), _) => samples,
            (None, Some(cache)) => cache.samples(draw)?,
            (None, None) => Arc::new(draw()?),
        };
        if trees.end > trees.start && !samples.has(trees.end - 1) {
            return Err(Error::data("recipe.samples", "there are more trees than samples"));
        }
        match self.by_columns(&samples, target, trees.clone())? {
            Some(trees) => Ok(trees),
            None => self.by_lists(&samples, target, trees),
        }
    }

    /// The coded table: one that is kept, or a new one.
    fn base(&self, code: impl FnOnce() -> Result<Option<Base<'a>>>) -> Result<Option<Base<'a>>> {
        match self.cache {
            Some(cache) => cache.base(self.table, code),
            None => code(),
        }
    }

    /// The trees by columns of codes; None where rows must be held in another way.
    fn by_columns(&self, samples: &Samples, target: Target<'_>, trees: Range<u32>) -> Result<Option<Vec<Tree>>> {
        let (recipe, table, cancel) = (self.recipe, self.table, self.cancel);
        let Some(plan) = recipe.plan(cancel) else { return Ok(None) };
        let beside = self.sampling.beside(self.weights);
        let weights = beside.map_or_else(|| Ok(Weights::ones(table.rows())), Weights::new)?;
        match (target, recipe.criterion) {
            (Target::Classes { codes, classes }, CriterionKind::Classes(impurity)) => {
                let plain = ClassCriterion::new(impurity, Classes { target: codes, classes, unit: weights.unit });
                if Formula::of(&plain).is_none() {
                    return Ok(None);
                }
                let base = self.base(|| Base::classes(&plan, table, codes, classes))?;
                let Some(base) = base else { return Ok(None) };
                let Some(units) = equal(&weights) else {
                    return self.bag(samples, trees, |tree, times| {
                        let weighed = weighed(times, beside);
                        let weights = Weights::new(&weighed)?;
                        let of = Classes { target: codes, classes, unit: weights.unit };
                        let factors = self.class_weights(target, || weighed.clone())?;
                        let criterion = ClassCriterion::new(impurity, of).with_factors(&factors, &recipe.class_prices);
                        base.grow_weighed(&plan, formula(&criterion)?, &weights, self.sampling.draw(tree), 1)
                    });
                };
                self.bag(samples, trees, |tree, times| {
                    let factors = self.class_weights(target, || weighed(times, beside))?;
                    let criterion = plain.clone().with_factors(&factors, &recipe.class_prices);
                    let tally = Counts::new(formula(&criterion)?, units);
                    base.grow_classes(&plan, &tally, times, self.sampling.draw(tree), 1)
                })
            }
            (Target::Numbers(numbers), CriterionKind::SquaredError) => {
                self.numbers_by_columns(samples, &plan, numbers, &weights, trees)
            }
            _ => Ok(None),
        }
    }

    /// The same for a target of numbers, given what rows weigh beside how often they were drawn.
    fn numbers_by_columns(
        &self,
        samples: &Samples,
        plan: &Plan<'_>,
        numbers: &[f64],
        weights: &Weights,
        trees: Range<u32>,
    ) -> Result<Option<Vec<Tree>>> {
        let Some(units) = equal(weights) else {
            let base = self.base(|| Base::numbers(plan, self.table, &filled(0, self.table.rows())?))?;
            let Some(base) = base else { return Ok(None) };
            let beside = self.sampling.beside(self.weights);
            return self.bag(samples, trees, |tree, times| {
                let weights = Weights::new(&weighed(times, beside))?;
                let numbers = Numbers::new(numbers, weights.units.iter().sum());
                let criterion = SquaredError { target: &numbers, unit: weights.unit };
                base.grow_weighted_numbers(plan, &criterion, &weights, self.sampling.draw(tree), 1)
            });
        };
        let numbers = Numbers::new(numbers, units.saturating_mul(samples.size() as u64));
        let criterion = SquaredError { target: &numbers, unit: weights.unit };
        let base = self.base(|| Base::numbers(plan, self.table, &numbers.units))?;
        let Some(base) = base else { return Ok(None) };
        self.bag(samples, trees, |tree, times| {
            base.grow_numbers(plan, &criterion, units, times, self.sampling.draw(tree), 1)
        })
    }

    fn bag(
        &self,
        samples: &Samples,
        trees: Range<u32>,
        grow: impl Fn(u32, &[u32]) -> Result<Tree> + Sync,
    ) -> Result<Option<Vec<Tree>>> {
        bag(samples, trees, self.recipe.threads, self.progress, self.cancel, grow).map(Some)
    }

    /// The trees by lists of rows.
    fn by_lists(&self, samples: &Samples, target: Target<'_>, trees: Range<u32>) -> Result<Vec<Tree>> {
        let (recipe, table, cancel) = (self.recipe, self.table, self.cancel);
        let beside = self.sampling.beside(self.weights);
        if !recipe.can_draw_columns() {
            if self.sampling.columns.is_some() || self.sampling.balanced {
                let message = "columns are drawn by trees of two answers without surrogates";
                return Err(Error::data("recipe.samples", message));
            }
            let alone = Recipe { threads: 1, ..recipe.clone() };
            return bag(samples, trees, recipe.threads, self.progress, cancel, |_, times| {
                grow_tree(&alone, table, target, Some(&weighed(times, beside)), cancel)
            });
        }
        let ranks = || match self.cache {
            Some(cache) => cache.ranks(table, cancel),
            None => RankedColumn::all(table, cancel).map(Arc::new),
        };
        let shared = SharedColumns::new(recipe, table, ranks, cancel)?;
        bag(samples, trees, recipe.threads, self.progress, cancel, |tree, times| {
            let weights = weighed(times, beside);
            let class_weights = self.class_weights(target, || weights.clone())?;
            let recipe = Recipe { class_weights, threads: 1, ..recipe.clone() };
            let (shared, draw) = (Some(shared.clone()), self.sampling.draw(tree));
            grow_with(&recipe, table, target, Some(&weights), shared, draw, cancel)
        })
    }

    /// By how much the rows of each class count in a sample of these weights.
    fn class_weights(&self, target: Target<'_>, weights: impl FnOnce() -> Vec<f64>) -> Result<Vec<f64>> {
        match self.sampling.balanced {
            true => balancing(target, &weights(), &Alone),
            false => Ok(self.recipe.class_weights.clone()),
        }
    }
}

/// The kernels of a criterion.
fn formula<'a>(criterion: &'a ClassCriterion<'a>) -> Result<Formula<'a>> {
    Formula::of(criterion).ok_or_else(|| Error::data("recipe.criterion", "the criterion has no kernel"))
}

/// What rows weigh that count so often.
pub(super) fn weighed(times: &[u32], weights: Option<&[f64]>) -> Vec<f64> {
    let one = |(row, &times): (usize, &u32)| f64::from(times) * weights.map_or(1.0, |weights| weights[row]);
    times.iter().enumerate().map(one).collect()
}

/// By how much the rows of each class count so that all classes weigh the same in a sample. Weights are added up as
/// integers: the order of the rows does not matter, nor which process has them.
pub(super) fn balancing(target: Target<'_>, weights: &[f64], peers: &dyn Peers) -> Result<Vec<f64>> {
    let Target::Classes { codes, classes } = target else { return Ok(Vec::new()) };
    let mut totals = vec![0u64; classes];
    let units = Weights::part(weights, peers)?.units;
    codes.iter().zip(units).for_each(|(&class, units)| totals[class as usize] += units);
    peers.add(&mut totals)?;
    let (all, present) = (totals.iter().sum::<u64>() as f64, totals.iter().filter(|total| **total > 0).count());
    // A class that the sample lacks counts as it is: there is nothing to be counted.
    let factor = |&total: &u64| if total > 0 { all / (present as f64 * total as f64) } else { 1.0 };
    Ok(totals.iter().map(factor).collect())
}
