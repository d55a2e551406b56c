//! Recipes of many trees, each of its own sample: which rows, which holder.

use super::binary::{Means, grow_with, is_mixed, is_plain};
use super::{Words, cook, impurity, known, part};
use crate::codes::ranks::RankedColumn;
use crate::data::table::Table;
use crate::ensemble::bag::{Progress, bag};
use crate::ensemble::sample::{HOWS, Samples, Source, WORDS};
use crate::model::tree::Tree;
use crate::rng::Stream;
use crate::rows::columns::bag::Base;
use crate::rows::columns::counts::Counts;
use crate::rows::columns::kernels::Isa;
use crate::rows::columns::kernels::formula::Formula;
use crate::rows::columns::plan::{Plan, equal};
use crate::split::draw::Draw;
use crate::stats::criterion::{ClassCriterion, Classes, SquaredError};
use crate::stats::numbers::Numbers;
use crate::stats::target::Target;
use crate::stats::weights::Weights;
use crate::sys::memory::filled;
use crate::sys::pool::Cancel;
use crate::{Error, Result};
use std::ops::Range;
use std::sync::Arc;

/// What many trees need besides.
#[derive(Clone, Debug, Default)]
pub struct BagWords {
    /// How rows are drawn: see [`WORDS`].
    pub sampling: String,
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
    pub given: Option<Vec<u32>>,
}

impl BagWords {
    /// The samples of a table.
    pub fn samples(&self, source: &Source<'_>) -> Result<Samples> {
        if let Some(given) = &self.given {
            return Samples::given(source.table.rows(), given.clone());
        }
        let how = part("sampling", &self.sampling, WORDS, HOWS)?;
        Samples::new(how, source, self.draws, self.seed)
    }

    /// What rows weigh beside how often they were drawn; None for 1 each.
    fn beside<'w>(&self, source: &Source<'w>) -> Option<&'w [f64]> {
        source.weights.filter(|_| self.given.is_some() || !source.is_whole())
    }

    fn draw(&self, tree: u32) -> Option<Draw> {
        let stream = Stream::new(self.seed, tree);
        self.columns.map(|columns| Draw { stream, columns: columns.max(1), cuts: self.cuts })
    }
}

/// Many trees, and what they are grown from.
#[derive(Debug)]
pub struct Bagging<'a> {
    /// The recipe of each tree.
    pub words: &'a Words,
    /// What many trees need besides.
    pub more: &'a BagWords,
    /// The rows.
    pub table: &'a Table<'a>,
    /// What is predicted.
    pub target: Target<'a>,
    /// What the rows weigh; None for 1 each.
    pub weights: Option<&'a [f64]>,
    /// Told of each tree.
    pub progress: &'a Progress,
    /// The word to stop.
    pub cancel: &'a Cancel,
}

impl Bagging<'_> {
    /// Grows some of the trees.
    pub fn grow(&self, trees: Range<u32>) -> Result<Vec<Tree>> {
        self.words.check()?;
        self.target.check(self.table.rows(), self.weights)?;
        known("sampling", &self.more.sampling, WORDS)?;
        if self.more.cuts && self.more.columns.is_none() {
            return Err(Error::data("recipe.samples", "random cuts need random columns"));
        }
        let source = Source { table: self.table, target: self.target, weights: self.weights };
        let samples = self.more.samples(&source)?;
        let beside = self.more.beside(&source);
        if trees.end > trees.start && !samples.has(trees.end - 1) {
            return Err(Error::data("recipe.samples", "there are more trees than samples"));
        }
        match self.quick(&samples, beside, trees.clone())? {
            Some(trees) => Ok(trees),
            None => self.clear(&samples, beside, trees),
        }
    }

    /// The trees by columns of codes; None where rows must be held in another way.
    fn quick(&self, samples: &Samples, weights: Option<&[f64]>, trees: Range<u32>) -> Result<Option<Vec<Tree>>> {
        let (words, table) = (self.words, self.table);
        let Some(more) = &words.binary else { return Ok(None) };
        if words.rows != "columns" || !is_plain(more) {
            return Ok(None);
        }
        let given = weights;
        let weights = weights.map_or_else(|| Ok(Weights::ones(table.rows())), Weights::new)?;
        let units = equal(&weights);
        let limits = super::binary::limits(words, more);
        let isa = if words.plain { Isa::PORTABLE } else { Isa::detect() };
        let (min_leaf, min_gain, cancel) = (more.min_leaf, words.min_gain, self.cancel);
        let (threads, mixed) = (words.threads, is_mixed(words, more));
        let monotone = &more.monotone[..];
        let min_leaf_share = more.min_leaf_share;
        let plan = Plan { min_leaf, min_leaf_share, min_gain, limits: &limits, threads, isa, cancel, mixed, monotone };
        let many = |grow: &(dyn Fn(u32, &[u32]) -> Result<Tree> + Sync)| {
            bag(samples, trees.clone(), words.threads, self.progress, cancel, grow).map(Some)
        };
        match (self.target, words.criterion.as_str()) {
            (Target::Classes { codes, classes }, "entropy" | "gini") => {
                let plain = ClassCriterion::new(
                    impurity(&words.criterion)?,
                    Classes { target: codes, classes, unit: weights.unit },
                );
                if Formula::of(&plain).is_none() {
                    return Ok(None);
                }
                let Some(base) = Base::classes(&plan, table, codes, classes)? else { return Ok(None) };
                let Some(units) = units else {
                    return many(&|tree, times| self.weighed(&base, &plan, given, tree, times));
                };
                many(&|tree, times| {
                    let factors = match self.more.balanced {
                        true => balancing(self.target, &weighed(times, given))?,
                        false => more.class_weights.clone(),
                    };
                    let law = plain.clone().with_factors(&factors, &more.class_prices);
                    let tally = Counts::new(formula(&law)?, units);
                    base.grow_classes(&plan, &tally, times, self.more.draw(tree), 1)
                })
            }
            (Target::Numbers(numbers), "squared") => {
                let Some(units) = units else {
                    let Some(base) = Base::numbers(&plan, table, &filled(0, table.rows())?)? else { return Ok(None) };
                    return many(&|tree, times| {
                        let weights = Weights::new(&weighed(times, given))?;
                        let target = Numbers::new(numbers, weights.units.iter().sum());
                        let law = SquaredError { target: &target, unit: weights.unit };
                        base.grow_weighted_numbers(&plan, &law, &weights, self.more.draw(tree), 1)
                    });
                };
                let numbers = Numbers::new(numbers, units.saturating_mul(samples.size() as u64));
                let law = SquaredError { target: &numbers, unit: weights.unit };
                let Some(base) = Base::numbers(&plan, table, &numbers.units)? else { return Ok(None) };
                many(&|tree, times| base.grow_numbers(&plan, &law, units, times, self.more.draw(tree), 1))
            }
            _ => Ok(None),
        }
    }

    /// A tree of classes whose rows have weights of their own.
    fn weighed(
        &self,
        base: &Base<'_>,
        plan: &Plan<'_>,
        given: Option<&[f64]>,
        tree: u32,
        times: &[u32],
    ) -> Result<Tree> {
        let (Some(more), Target::Classes { codes, classes }) = (&self.words.binary, self.target) else {
            return Err(Error::data("recipe.samples", "only classes are weighed"));
        };
        let weighed = weighed(times, given);
        let weights = Weights::new(&weighed)?;
        let (draw, of) = (self.more.draw(tree), Classes { target: codes, classes, unit: weights.unit });
        let factors = if self.more.balanced { balancing(self.target, &weighed)? } else { more.class_weights.clone() };
        let law = ClassCriterion::new(impurity(&self.words.criterion)?, of).with_factors(&factors, &more.class_prices);
        base.grow_weighed(plan, formula(&law)?, &weights, draw, 1)
    }

    /// The trees by a holder that knows everything.
    fn clear(&self, samples: &Samples, weights: Option<&[f64]>, trees: Range<u32>) -> Result<Vec<Tree>> {
        let (words, table) = (self.words, self.table);
        let weigh = |times: &[u32]| weighed(times, weights);
        let threads = words.threads;
        match &words.binary {
            Some(more) if more.surrogates.is_none() => {
                let coded: Arc<Vec<RankedColumn<'_>>> = Arc::new(RankedColumn::all(table, self.cancel)?);
                bag(samples, trees, threads, self.progress, self.cancel, |tree, times| {
                    let mut more = more.clone();
                    if self.more.balanced {
                        more.class_weights = balancing(self.target, &weigh(times))?;
                    }
                    let means = Means { cancel: self.cancel, coded: Some(coded.clone()), draw: self.more.draw(tree) };
                    grow_with(words, &more, table, self.target, Some(&weigh(times)), means)
                })
            }
            _ if self.more.columns.is_some() || self.more.balanced => {
                Err(Error::data("recipe.samples", "columns are drawn by trees of two answers without surrogates"))
            }
            _ => bag(samples, trees, threads, self.progress, self.cancel, |_, times| {
                let words = Words { threads: 1, ..words.clone() };
                cook(&words, table, self.target, Some(&weigh(times)), self.cancel)
            }),
        }
    }
}

/// The kernels of a criterion.
fn formula<'a>(law: &'a ClassCriterion<'a>) -> Result<Formula<'a>> {
    Formula::of(law).ok_or_else(|| Error::data("recipe.criterion", "the criterion has no kernel"))
}

/// What rows weigh that count so often.
fn weighed(times: &[u32], weights: Option<&[f64]>) -> Vec<f64> {
    let one = |(row, &times): (usize, &u32)| f64::from(times) * weights.map_or(1.0, |weights| weights[row]);
    times.iter().enumerate().map(one).collect()
}

/// By how much the rows of each class count so that all classes weigh the same in a sample. Weights are added up as
/// integers: the order of the rows does not matter.
fn balancing(target: Target<'_>, weights: &[f64]) -> Result<Vec<f64>> {
    let Target::Classes { codes, classes } = target else { return Ok(Vec::new()) };
    let mut totals = vec![0u64; classes];
    let units = Weights::new(weights)?.units;
    codes.iter().zip(units).for_each(|(&class, units)| totals[class as usize] += units);
    let (all, present) = (totals.iter().sum::<u64>() as f64, totals.iter().filter(|total| **total > 0).count());
    // A class that the sample lacks counts as it is: there is nothing to be counted.
    let factor = |&total: &u64| if total > 0 { all / (present as f64 * total as f64) } else { 1.0 };
    Ok(totals.iter().map(factor).collect())
}
