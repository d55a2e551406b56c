//! The best question about one column of a node, from its histogram.
//!
//! Two searches that agree where both apply: a fast scan, and a constrained one that also keeps answers in order and
//! divides categories. Categories are ordered by what a leaf of theirs would say and cut like numbers; those of few rows
//! say little, so they keep to one side together. Missing numbers go to the side where they save more; missing categories
//! are a category.

use super::packed::{AnySum, Wide, hessian};
use super::scan::CutLimits;
use super::sides::Side;
use super::store::Feature;
use crate::codes::bins::Coder;
use crate::simd::Isa;
use crate::split::monotone::Bounds;
use std::ops::Range;

/// A category of fewer rows than this, and fewer than a leaf has, keeps to the others of its kind.
const MIN_RANKED_ROWS: u32 = 10;
/// Added to the hessian of a category, in rows, where categories are ordered.
const SMOOTH: f64 = 10.0;

/// A question about one column.
#[derive(Clone, Debug, PartialEq)]
pub struct BestSplit {
    /// The column.
    pub feature: usize,
    /// What its two sides are worth, in units.
    pub merit: f64,
    /// Which codes go to the first side.
    pub side: Side,
    /// The sum of the first side.
    pub left: Wide,
}

/// What the search knows of a node.
#[derive(Clone, Copy, Debug)]
pub struct NodeContext {
    /// The sum of all rows.
    pub total: Wide,
    /// How many rows.
    pub rows: u64,
    /// What the answers must not leave, in units of the sums.
    pub bounds: Bounds,
}

/// What every question must respect.
#[derive(Clone, Copy, Debug)]
pub struct GradientCriterion {
    /// Added to the hessian of a leaf, in units.
    pub l2: f64,
    /// The fewest rows of a side.
    pub min_leaf: u32,
    /// The least units of hessian of a row.
    pub least: u64,
    /// The most.
    pub most: u64,
    /// The least units of hessian of a side: less says nothing, and a Newton step would lead anywhere.
    pub floor: f64,
    /// Whether any column is constrained: then merits are those of clipped answers everywhere.
    pub bounded: bool,
    /// The instructions in use.
    pub isa: Isa,
}

impl GradientCriterion {
    /// What a leaf of these rows says, in units.
    pub fn answer(&self, sum: Wide, bounds: Bounds) -> f64 {
        let (gradient, hessian) = sum.parts();
        let bottom = hessian + self.l2;
        if bottom > 0.0 { (-gradient / bottom).clamp(bounds.low, bounds.high) } else { 0.0 }
    }

    /// What such a leaf is worth: twice what it saves.
    pub fn merit(&self, sum: Wide, bounds: Bounds) -> f64 {
        let (gradient, hessian) = sum.parts();
        let answer = self.answer(sum, bounds);
        -(2.0 * gradient + (hessian + self.l2) * answer) * answer
    }

    /// Whether the hessians alone prove that both sides have rows enough.
    pub fn proven(&self, context: &NodeContext, left: Wide) -> bool {
        let (left, total) = (hessian(left), hessian(context.total));
        left.min(total - left).div_ceil(self.most) >= u64::from(self.min_leaf)
    }

    /// Sends codes that no row of the node has to the heavier side. The sums are those of the question's column.
    pub fn settle<S: AnySum>(&self, best: &mut BestSplit, feature: &Feature, sums: &[S], context: &NodeContext) {
        if !heavier_first(best.left, context.total) {
            return;
        }
        match &mut best.side {
            Side::UpTo { also, .. } => {
                if let Some(missing) = feature.missing.filter(|bin| sums[usize::from(*bin)] == S::default()) {
                    *also = missing;
                }
            }
            Side::Set(bits) => {
                (0..feature.bins)
                    .filter(|&bin| sums[bin] == S::default())
                    .for_each(|bin| bits[bin / 64] |= 1 << (bin % 64));
            }
        }
    }
}

impl Side {
    /// The side of a set of bins.
    fn of(bins: &[usize], _: Option<usize>) -> Side {
        let mut bits = [0u64; 4];
        bins.iter().for_each(|bin| bits[bin / 64] |= 1 << (bin % 64));
        Side::Set(bits)
    }
}

/// Whether the first side has more hessian than the second.
pub fn heavier_first(left: Wide, total: Wide) -> bool {
    2 * hessian(left) > hessian(total)
}

/// The greater merit; the first where both have the same.
pub fn better(first: Option<BestSplit>, second: Option<BestSplit>) -> Option<BestSplit> {
    match (first, second) {
        (Some(a), Some(b)) => Some(if b.merit > a.merit { b } else { a }),
        (a, b) => a.or(b),
    }
}

/// The search for the best question about one column of a node.
#[derive(Clone, Copy, Debug)]
pub struct ColumnSearch<'a, S> {
    /// What every question must respect.
    pub criterion: &'a GradientCriterion,
    /// The number of the column.
    pub index: usize,
    /// Its bins.
    pub feature: &'a Feature,
    /// Its histogram.
    pub sums: &'a [S],
    /// The node.
    pub context: &'a NodeContext,
    /// The rows in each bin, where they were counted.
    pub counts: Option<&'a [u64]>,
    /// Whether answers must rise (1) or fall (-1) along the column; 0 for any way.
    pub sign: i8,
    /// Questions that are worth no more need not be found.
    pub known: f64,
}

impl<S: AnySum> ColumnSearch<'_, S> {
    /// The best question.
    pub fn best(&self) -> Option<BestSplit> {
        let ColumnSearch { criterion, feature, sums, .. } = *self;
        if criterion.bounded || matches!(feature.coder, Coder::Levels { .. }) {
            return self.best_constrained();
        }
        let first = self.best_cut(0..feature.bins - 1, None);
        match feature.missing {
            Some(missing) if sums[usize::from(missing)] != S::default() => {
                better(first, self.best_cut(0..feature.bins - 2, Some(missing)))
            }
            _ => first,
        }
    }

    /// The best cut behind some bins; `also` is a bin that belongs to the first side whatever the cut.
    fn best_cut(&self, bins: Range<usize>, also: Option<u8>) -> Option<BestSplit> {
        let GradientCriterion { least, min_leaf, floor, l2, isa, .. } = *self.criterion;
        // Counts decide themselves which cuts leave rows enough.
        let least = if self.counts.is_some() { 1 } else { (least * u64::from(min_leaf)).max(1) };
        let begin = also.map_or(0, |bin| self.sums[usize::from(bin)].widened());
        let limits = CutLimits { total: self.context.total, begin, l2, least: floor.max(least as f64) };
        let cuts = match self.counts {
            Some(counts) => self.enough(&counts[bins], also.map_or(0, |bin| counts[usize::from(bin)])),
            None => bins,
        };
        if !S::may_exceed(isa, self.sums, cuts.clone(), &limits, self.known) {
            return None;
        }
        let best = S::best_cut(isa, self.sums, cuts, &limits)?;
        let last = best.bin as u8;
        let side = Side::UpTo { last, also: also.unwrap_or(last) };
        Some(BestSplit { feature: self.index, merit: best.merit, side, left: best.left })
    }

    /// The cuts behind bins of so many rows that leave enough of the node's on both sides; `rows` are on the first already.
    fn enough(&self, counts: &[u64], mut rows: u64) -> Range<usize> {
        let (mut cuts, least) = (0..0, u64::from(self.criterion.min_leaf));
        for (bin, count) in counts.iter().enumerate() {
            rows += count;
            if rows < least {
                cuts.start = bin + 1;
            }
            if self.context.rows - rows >= least {
                cuts.end = bin + 1;
            }
        }
        cuts
    }

    /// The same for categories, and where answers have bounds: one division after the other.
    fn best_constrained(&self) -> Option<BestSplit> {
        let feature = self.feature;
        let missing = feature.missing.map(usize::from);
        if matches!(feature.coder, Coder::Levels { .. }) {
            let (ranked, rare) = self.ranked(feature.bins);
            let up = self.along(&ranked, None, Side::of);
            let reversed: Vec<usize> = ranked.iter().rev().copied().collect();
            // From the other end only where rare categories stay behind: otherwise both ends give the same divisions.
            return if rare { better(up, self.along(&reversed, None, Side::of)) } else { up };
        }
        let known: Vec<usize> = (0..feature.bins).filter(|bin| Some(*bin) != missing).collect();
        let up_to = |bins: &[usize], also: Option<usize>| {
            let last = bins.last().map_or(0, |bin| *bin as u8);
            Side::UpTo { last, also: also.map_or(last, |bin| bin as u8) }
        };
        let first = self.along(&known, None, up_to);
        match missing.filter(|bin| self.sums[*bin] != S::default()) {
            Some(bin) => better(first, self.along(&known[..known.len() - 1], Some(bin), up_to)),
            None => first,
        }
    }

    /// The best division that takes the first of these bins, in their order, to the first side; `also` belongs to it too.
    fn along(
        &self,
        bins: &[usize],
        also: Option<usize>,
        side: impl Fn(&[usize], Option<usize>) -> Side,
    ) -> Option<BestSplit> {
        let mut left = also.map_or(0, |bin| self.sums[bin].widened());
        let mut rows = also.map_or(0, |bin| self.counts.map_or(0, |counts| counts[bin]));
        let mut best: Option<(f64, usize, Wide)> = None;
        for (i, &bin) in bins.iter().enumerate() {
            left = left.plus(self.sums[bin].widened());
            rows += self.counts.map_or(0, |counts| counts[bin]);
            if let Some(merit) = self.allowed(left, rows)
                && best.is_none_or(|(most, ..)| merit > most)
            {
                best = Some((merit, i, left));
            }
        }
        let (merit, last, left) = best?;
        Some(BestSplit { feature: self.index, merit, side: side(&bins[..=last], also), left })
    }

    /// What a division is worth, if it is allowed.
    fn allowed(&self, left: Wide, rows: u64) -> Option<f64> {
        let (criterion, bounds) = (self.criterion, self.context.bounds);
        let right = self.context.total.minus(left);
        let hessian = hessian(left).min(hessian(right));
        let enough = match self.counts {
            Some(_) => rows.min(self.context.rows - rows) >= u64::from(criterion.min_leaf),
            None => hessian >= criterion.least * u64::from(criterion.min_leaf),
        };
        if hessian == 0 || (hessian as f64) < criterion.floor || !enough {
            return None;
        }
        let (first, second) = (criterion.answer(left, bounds), criterion.answer(right, bounds));
        let ordered = match self.sign {
            0 => true,
            1.. => first <= second,
            _ => first >= second,
        };
        ordered.then(|| criterion.merit(left, bounds) + criterion.merit(right, bounds))
    }

    /// The bins that have rows enough, by what they would say, and whether others have rows.
    fn ranked(&self, bins: usize) -> (Vec<usize>, bool) {
        let hessian = |bin: usize| self.sums[bin].parts().1;
        let row = self.context.total.parts().1 / self.context.rows.max(1) as f64;
        let few = f64::from(self.criterion.min_leaf.min(MIN_RANKED_ROWS)) * row;
        let here = |bin: &usize| hessian(*bin) > 0.0;
        let mut ranked: Vec<usize> = (0..bins).filter(here).filter(|&bin| hessian(bin) >= few).collect();
        let rare = (0..bins).filter(here).any(|bin| hessian(bin) < few);
        let says = |bin: usize| {
            let (gradient, hessian) = self.sums[bin].parts();
            gradient / (hessian + SMOOTH * row)
        };
        ranked.sort_unstable_by(|&a, &b| says(a).total_cmp(&says(b)).then(a.cmp(&b)));
        (ranked, rare)
    }
}
