//! What becomes of the words of many trees: one sum for each number, then a link.
//!
//! Every model is `base + Σ scale · value`, then a link. A mean, a vote and a median are the other ways to make one of many.
//! What this is not: it does not walk trees; it is given what each says, tree after tree.
//!
//! What must stay true: the additions of a row are made in the order of the trees, one after another. Engines and threads
//! may share the rows out as they like, never the trees of a row; so no bit depends on them.
//!
//! Glossary. A *sum* is one of the numbers that trees add to; sums as they are before the link are *raw*. The *link* turns
//! them into what the model says. A tree's *scale* is its factor, or its weight in a vote; its *target* is the sum that it
//! adds to, where trees of one number stand for several sums.

use super::exponentials::exponentiate;
use super::tree::{Tree, first_largest};
use crate::simd::Isa;
use crate::{Error, Result};
use std::ops::Range;

/// How one answer comes of many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum How {
    /// The sum of the trees' values, divided by their number.
    #[default]
    Mean,
    /// Each tree gives its scale to the first of its greatest values. A class's raw sum is then its votes less an equal part
    /// of those for the others, `(v - (V - v) / (K - 1)) / V`: the decision of SAMME.
    Vote,
    /// The value of the tree in the middle, by scale: the first, in the order of values, that half of the weight has
    /// reached.
    Median,
    /// The base, and the trees' values times their scales.
    Sum,
}

/// What becomes of the sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Link {
    /// Nothing.
    #[default]
    Identity,
    /// One sum becomes two shares: `1 - p` and `p = 1 / (1 + exp(-sum))`.
    Logistic,
    /// Each sum becomes a share, in proportion to its exponential. Of votes, to that of the sum over `K - 1`.
    Softmax,
    /// Each sum becomes its exponential.
    Exp,
}

/// How the trees of a forest become one answer. The default is the mean.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Combine {
    /// How one comes of many.
    pub how: How,
    /// What becomes of the sums.
    pub link: Link,
    /// Where each sum begins; empty unless the trees are summed.
    pub base: Vec<f64>,
    /// One a tree; empty where all are 1.
    pub scales: Vec<f64>,
    /// One a tree: the sum that it adds to. Empty where output `o` of a tree adds to sum `o`.
    pub targets: Vec<u32>,
}

/// The words of the ways to combine, in the order of their numbers in a file.
pub const HOWS: [(&str, How); 4] =
    [("mean", How::Mean), ("vote", How::Vote), ("median", How::Median), ("sum", How::Sum)];
/// The words of the links, likewise.
pub const LINKS: [(&str, Link); 4] =
    [("identity", Link::Identity), ("logistic", Link::Logistic), ("softmax", Link::Softmax), ("exp", Link::Exp)];

impl Combine {
    /// The mean of the trees.
    pub fn mean() -> Combine {
        Combine::default()
    }

    /// The base and the trees' values.
    pub fn sum(base: Vec<f64>, link: Link) -> Combine {
        Combine { how: How::Sum, link, base, ..Combine::default() }
    }

    /// How many sums there are, where a tree says so many numbers.
    pub fn raw_outputs(&self, outputs: usize) -> usize {
        if self.how == How::Sum { self.base.len() } else { outputs }
    }

    /// How many numbers the model says, where a tree says so many.
    pub fn outputs(&self, outputs: usize) -> usize {
        if self.link == Link::Logistic { 2 } else { self.raw_outputs(outputs) }
    }

    /// The same in its one form, if it fits so many trees of so many outputs. This is the door.
    pub(super) fn checked(mut self, trees: usize, outputs: usize) -> Result<Combine> {
        let lengths = [self.scales.len(), self.targets.len()];
        if lengths.iter().any(|&length| length != 0 && length != trees) {
            return Err(bad("there are not as many scales and targets as trees"));
        }
        if !self.base.iter().chain(&self.scales).all(|x| x.is_finite()) {
            return Err(bad("a base or a scale is not a finite number"));
        }
        let sums = self.raw_outputs(outputs);
        match self.how {
            How::Sum if self.targets.is_empty() && sums != outputs => {
                return Err(bad("there are not as many bases as the trees have outputs"));
            }
            How::Sum if !self.targets.is_empty() && outputs != 1 => {
                return Err(bad("trees with a target say more than one number"));
            }
            How::Sum if self.targets.iter().any(|&target| target as usize >= sums) => {
                return Err(bad("a tree adds to a sum that is not there"));
            }
            How::Sum => {}
            _ if !self.base.is_empty() || !self.targets.is_empty() => {
                return Err(bad("only sums have a base or targets"));
            }
            How::Mean if !self.scales.is_empty() => return Err(bad("the trees of a mean have no scales")),
            How::Vote | How::Median if self.scales.iter().any(|&scale| scale <= 0.0) => {
                return Err(bad("a tree has a vote that is not greater than 0"));
            }
            How::Vote if outputs < 2 => return Err(bad("a vote needs two classes")),
            How::Median if outputs != 1 => return Err(bad("a median is of one number")),
            _ => {}
        }
        match self.link {
            Link::Logistic if sums != 1 => return Err(bad("the logistic link is of one sum")),
            Link::Softmax if sums < 2 => return Err(bad("shares are of at least two sums")),
            _ => {}
        }
        // One combination has one form, so that one model has one byte string.
        if self.scales.iter().all(|&scale| scale == 1.0) {
            self.scales.clear();
        }
        if sums == 1 {
            self.targets.clear();
        }
        Ok(self)
    }

    /// The scale of a tree.
    #[inline]
    pub fn scale(&self, tree: usize) -> f64 {
        self.scales.get(tree).copied().unwrap_or(1.0)
    }

    /// Sets the sums of some rows to where they begin.
    pub fn begin(&self, sums: &mut [f64]) {
        if self.base.is_empty() {
            sums.fill(0.0);
        } else {
            sums.chunks_exact_mut(self.base.len()).for_each(|row| row.copy_from_slice(&self.base));
        }
    }

    /// Adds what a node says of a row, or of a part of it, to the row's sums: for sums and means.
    #[inline]
    pub fn add(&self, tree: usize, part: f64, says: &[f64], sums: &mut [f64]) {
        let factor = part * self.scale(tree);
        match self.targets.get(tree) {
            Some(&target) => sums[target as usize] += factor * says[0],
            None => sums.iter_mut().zip(says).for_each(|(sum, says)| *sum += factor * says),
        }
    }

    /// Gives a tree's vote to the first of the greatest numbers that it says of a row.
    #[inline]
    pub fn vote(&self, tree: usize, says: &[f64], sums: &mut [f64]) {
        sums[first_largest(says)] += self.scale(tree);
    }

    /// Turns the sums of one row, to which so many trees have added, into raw ones.
    #[inline]
    pub fn settle(&self, trees: &Range<usize>, sums: &mut [f64]) {
        match self.how {
            How::Mean if trees.len() > 1 => {
                let count = trees.len() as f64;
                sums.iter_mut().for_each(|sum| *sum /= count);
            }
            How::Vote => {
                let total = trees.clone().map(|tree| self.scale(tree)).fold(0.0, |total, scale| total + scale);
                let others = sums.len() as f64 - 1.0;
                sums.iter_mut().for_each(|sum| *sum = (*sum - (total - *sum) / others) / total);
            }
            _ => {}
        }
    }

    /// Turns the raw sums of some rows, so many a row, into what the model says of them. The sums are lost.
    pub fn link(&self, isa: Isa, raw_outputs: usize, sums: &mut [f64], says: &mut [f64]) {
        match self.link {
            Link::Identity => says.copy_from_slice(sums),
            Link::Exp => {
                says.copy_from_slice(sums);
                exponentiate(isa, says);
            }
            Link::Logistic => {
                sums.iter_mut().for_each(|sum| *sum = -*sum);
                exponentiate(isa, sums);
                for (says, power) in says.as_chunks_mut().0.iter_mut().zip(sums) {
                    let share = 1.0 / (1.0 + *power);
                    *says = [1.0 - share, share];
                }
            }
            Link::Softmax => {
                let part = if self.how == How::Vote { raw_outputs as f64 - 1.0 } else { 1.0 };
                for (says, sums) in says.chunks_exact_mut(raw_outputs).zip(sums.chunks_exact(raw_outputs)) {
                    let top = sums.iter().fold(f64::NEG_INFINITY, |top, &sum| top.max(sum));
                    says.iter_mut().zip(sums).for_each(|(says, sum)| *says = (sum - top) / part);
                }
                exponentiate(isa, says);
                for says in says.chunks_exact_mut(raw_outputs) {
                    let total = says.iter().fold(0.0, |total, share| total + share);
                    says.iter_mut().for_each(|share| *share /= total);
                }
            }
        }
    }
}

/// The value in the middle, of values with weights: the first, in their order, that half of the weight has reached.
pub fn median(says: &mut [(f64, f64)]) -> f64 {
    says.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut reached = 0.0;
    for (_, weight) in says.iter_mut() {
        reached += *weight;
        *weight = reached;
    }
    says.iter().find(|(_, weight)| *weight >= 0.5 * reached).map_or(0.0, |(value, _)| *value)
}

/// How many numbers each of the trees says, where they agree.
pub(super) fn outputs_of(trees: &[Tree]) -> Result<usize> {
    let first = trees.first().ok_or_else(|| bad("a model needs at least one tree"))?;
    if trees.iter().all(|tree| tree.outputs == first.outputs) {
        Ok(first.outputs)
    } else {
        Err(bad("the trees differ in their number of outputs"))
    }
}

fn bad(what: &str) -> Error {
    Error::model("model.table", what)
}
