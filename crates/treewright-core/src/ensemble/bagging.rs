//! Many trees of one recipe, each of its own sample.

use super::bag::{Progress, bag};
use super::kept_codes::KeptCodes;
use super::sample::{RowSampling, Samples, Source};
use crate::data::table::Table;
use crate::model::tree::Tree;
use crate::peers::{Alone, Peers};
use crate::recipe::grow_tree::{Means, grow_tree, grow_with};
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
    pub fn samples(&self, source: &Source<'_>) -> Result<Samples> {
        if let Some(counts) = &self.counts {
            return Samples::of_counts(source.table.rows(), counts.clone());
        }
        Samples::new(self.how, source, self.draws, self.seed)
    }

    /// What rows weigh beside how often they were drawn; None for 1 each.
    pub(super) fn beside<'w>(&self, source: &Source<'w>) -> Option<&'w [f64]> {
        source.weights.filter(|_| self.counts.is_some() || !source.is_whole())
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
    /// What is predicted.
    pub target: Target<'a>,
    /// What the rows weigh; None for 1 each.
    pub weights: Option<&'a [f64]>,
    /// Told of each tree.
    pub progress: &'a Progress,
    /// Cancellation flag.
    pub cancel: &'a Cancel,
}

impl<'a> Bagging<'a> {
    /// Grows some of the trees.
    pub fn grow(&self, trees: Range<u32>) -> Result<Vec<Tree>> {
        self.grow_with(None, trees)
    }

    /// The same where further trees will be grown: what they share is made once and kept.
    pub fn grow_keeping(&self, kept: &KeptCodes, trees: Range<u32>) -> Result<Vec<Tree>> {
        self.grow_with(Some(kept), trees)
    }

    fn grow_with(&self, kept: Option<&KeptCodes>, trees: Range<u32>) -> Result<Vec<Tree>> {
        self.target.check(self.table.rows(), self.weights)?;
        self.recipe.check(self.table.columns().len(), self.target)?;
        if self.sampling.cuts && self.sampling.columns.is_none() {
            return Err(Error::data("recipe.samples", "random cuts need random columns"));
        }
        let source = Source { table: self.table, target: self.target, weights: self.weights };
        let draw = || self.sampling.samples(&source);
        let samples = kept.map_or_else(|| draw().map(Arc::new), |kept| kept.samples(draw))?;
        let beside = self.sampling.beside(&source);
        if trees.end > trees.start && !samples.has(trees.end - 1) {
            return Err(Error::data("recipe.samples", "there are more trees than samples"));
        }
        match self.by_columns(&samples, beside, kept, trees.clone())? {
            Some(trees) => Ok(trees),
            None => self.by_lists(&samples, beside, kept, trees),
        }
    }

    /// The coded table: one that is kept, or a new one.
    fn base(
        &self,
        kept: Option<&KeptCodes>,
        code: impl FnOnce() -> Result<Option<Base<'a>>>,
    ) -> Result<Option<Base<'a>>> {
        match kept {
            Some(kept) => kept.base(self.table, code),
            None => code(),
        }
    }

    /// The trees by columns of codes; None where rows must be held in another way.
    fn by_columns(
        &self,
        samples: &Samples,
        weights: Option<&[f64]>,
        kept: Option<&KeptCodes>,
        trees: Range<u32>,
    ) -> Result<Option<Vec<Tree>>> {
        let (recipe, table, cancel) = (self.recipe, self.table, self.cancel);
        let Some(plan) = recipe.plan(cancel) else { return Ok(None) };
        let sample_weights = weights; // as floats: those below are integers
        let weights = weights.map_or_else(|| Ok(Weights::ones(table.rows())), Weights::new)?;
        let units = equal(&weights);
        let many = |grow: &(dyn Fn(u32, &[u32]) -> Result<Tree> + Sync)| {
            bag(samples, trees.clone(), recipe.threads, self.progress, cancel, grow).map(Some)
        };
        match (self.target, recipe.criterion) {
            (Target::Classes { codes, classes }, CriterionKind::Classes(impurity)) => {
                let plain = ClassCriterion::new(impurity, Classes { target: codes, classes, unit: weights.unit });
                if Formula::of(&plain).is_none() {
                    return Ok(None);
                }
                let base = self.base(kept, || Base::classes(&plan, table, codes, classes))?;
                let Some(base) = base else { return Ok(None) };
                let Some(units) = units else {
                    return many(&|tree, times| self.weighed(&base, &plan, sample_weights, tree, times));
                };
                many(&|tree, times| {
                    let factors = self.class_weights(|| weighed(times, sample_weights))?;
                    let criterion = plain.clone().with_factors(&factors, &recipe.class_prices);
                    let tally = Counts::new(formula(&criterion)?, units);
                    base.grow_classes(&plan, &tally, times, self.sampling.draw(tree), 1)
                })
            }
            (Target::Numbers(numbers), CriterionKind::SquaredError) => {
                let Some(units) = units else {
                    let base = self.base(kept, || Base::numbers(&plan, table, &filled(0, table.rows())?))?;
                    let Some(base) = base else { return Ok(None) };
                    return many(&|tree, times| {
                        self.weighed_numbers(&base, &plan, numbers, tree, weighed(times, sample_weights))
                    });
                };
                let numbers = Numbers::new(numbers, units.saturating_mul(samples.size() as u64));
                let criterion = SquaredError { target: &numbers, unit: weights.unit };
                let base = self.base(kept, || Base::numbers(&plan, table, &numbers.units))?;
                let Some(base) = base else { return Ok(None) };
                many(&|tree, times| base.grow_numbers(&plan, &criterion, units, times, self.sampling.draw(tree), 1))
            }
            _ => Ok(None),
        }
    }

    /// A tree of numbers whose rows have these weights.
    fn weighed_numbers(
        &self,
        base: &Base<'_>,
        plan: &Plan<'_>,
        numbers: &[f64],
        tree: u32,
        weights: Vec<f64>,
    ) -> Result<Tree> {
        let weights = Weights::new(&weights)?;
        let target = Numbers::new(numbers, weights.units.iter().sum());
        let criterion = SquaredError { target: &target, unit: weights.unit };
        base.grow_weighted_numbers(plan, &criterion, &weights, self.sampling.draw(tree), 1)
    }

    /// A tree of classes whose rows have weights of their own.
    fn weighed(
        &self,
        base: &Base<'_>,
        plan: &Plan<'_>,
        weights: Option<&[f64]>,
        tree: u32,
        times: &[u32],
    ) -> Result<Tree> {
        let (CriterionKind::Classes(impurity), Target::Classes { codes, classes }) =
            (self.recipe.criterion, self.target)
        else {
            return Err(Error::data("recipe.samples", "only classes are weighed"));
        };
        let weighed = weighed(times, weights);
        let weights = Weights::new(&weighed)?;
        let (draw, of) = (self.sampling.draw(tree), Classes { target: codes, classes, unit: weights.unit });
        let factors = self.class_weights(|| weighed.clone())?;
        let criterion = ClassCriterion::new(impurity, of).with_factors(&factors, &self.recipe.class_prices);
        base.grow_weighed(plan, formula(&criterion)?, &weights, draw, 1)
    }

    /// The trees by lists of rows.
    fn by_lists(
        &self,
        samples: &Samples,
        weights: Option<&[f64]>,
        kept: Option<&KeptCodes>,
        trees: Range<u32>,
    ) -> Result<Vec<Tree>> {
        let (recipe, table, cancel) = (self.recipe, self.table, self.cancel);
        let weigh = |times: &[u32]| weighed(times, weights);
        if !recipe.can_draw_columns() {
            if self.sampling.columns.is_some() || self.sampling.balanced {
                let message = "columns are drawn by trees of two answers without surrogates";
                return Err(Error::data("recipe.samples", message));
            }
            let alone = Recipe { threads: 1, ..recipe.clone() };
            return bag(samples, trees, recipe.threads, self.progress, cancel, |_, times| {
                grow_tree(&alone, table, self.target, Some(&weigh(times)), cancel)
            });
        }
        let shared = match kept {
            Some(kept) => Means::with_ranks(recipe, table, || kept.ranks(table, cancel), cancel)?,
            None => Means::shared(recipe, table, cancel)?,
        };
        bag(samples, trees, recipe.threads, self.progress, cancel, |tree, times| {
            let weights = weigh(times);
            let class_weights = self.class_weights(|| weights.clone())?;
            let recipe = Recipe { class_weights, threads: 1, ..recipe.clone() };
            let means = Means { draw: self.sampling.draw(tree), ..shared.clone() };
            grow_with(&recipe, table, self.target, Some(&weights), means)
        })
    }

    /// By how much the rows of each class count in a sample of these weights.
    fn class_weights(&self, weights: impl FnOnce() -> Vec<f64>) -> Result<Vec<f64>> {
        if self.sampling.balanced { balancing(self.target, &weights()) } else { Ok(self.recipe.class_weights.clone()) }
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
/// integers: the order of the rows does not matter.
fn balancing(target: Target<'_>, weights: &[f64]) -> Result<Vec<f64>> {
    balancing_part(target, weights, &Alone)
}

/// The same where others have the other rows.
pub(super) fn balancing_part(target: Target<'_>, weights: &[f64], peers: &dyn Peers) -> Result<Vec<f64>> {
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
