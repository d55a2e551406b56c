//! The best question about one column of a node, from its histogram.
//!
//! Two ways that agree where both can go: the quick scan, and a careful one that also keeps answers in order and divides
//! categories. Categories are ordered by what a leaf of theirs would say and cut like numbers; those of few rows
//! say little, so they keep to one side together. Missing numbers go to the side where they save more; missing categories
//! are a category.

use super::coding::Coder;
use super::packed::{AnySum, Wide, curvature};
use super::scan::{Best, Scanned, Terms};
use super::sides::Side;
use super::store::Feature;
use crate::simd::Isa;
use crate::split::monotone::Bounds;
use std::ops::Range;

/// A category of fewer rows than this, and fewer than a leaf has, keeps to the others of its kind.
const FEW_ROWS: u32 = 10;
/// Added to the curvature of a category, in rows, where categories are ordered.
const SMOOTH: f64 = 10.0;

/// A question about one column.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
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
pub struct Set {
    /// The sum of all rows.
    pub total: Wide,
    /// How many rows.
    pub rows: u64,
    /// What the answers must not leave, in units of the sums.
    pub bounds: Bounds,
}

/// What every question must respect.
#[derive(Clone, Copy, Debug)]
pub struct Law {
    /// Added to the curvature of a leaf, in units.
    pub l2: f64,
    /// The fewest rows of a side.
    pub min_leaf: u32,
    /// The least units of curvature of a row.
    pub least: u64,
    /// The most.
    pub most: u64,
    /// The least units of curvature of a side: less says nothing, and a Newton step would lead anywhere.
    pub floor: f64,
    /// Whether any column is constrained: then merits are those of clipped answers everywhere.
    pub bounded: bool,
    /// The instructions in use.
    pub isa: Isa,
}

impl Law {
    /// What a leaf of these rows says, in units.
    pub fn answer(&self, sum: Wide, bounds: Bounds) -> f64 {
        let (gradient, curvature) = sum.parts();
        let bottom = curvature + self.l2;
        if bottom > 0.0 { (-gradient / bottom).clamp(bounds.low, bounds.high) } else { 0.0 }
    }

    /// What such a leaf is worth: twice what it saves.
    pub fn merit(&self, sum: Wide, bounds: Bounds) -> f64 {
        let (gradient, curvature) = sum.parts();
        let answer = self.answer(sum, bounds);
        -(2.0 * gradient + (curvature + self.l2) * answer) * answer
    }

    /// Whether the curvatures alone prove that both sides have rows enough.
    pub fn proven(&self, set: &Set, left: Wide) -> bool {
        let (left, total) = (curvature(left), curvature(set.total));
        left.min(total - left).div_ceil(self.most) >= u64::from(self.min_leaf)
    }

    /// The best question about a column. `counts` are the rows in each bin, where somebody counted them; `sign` constrains
    /// the answers along the column.
    pub fn best<S: Scanned>(
        &self,
        index: usize,
        feature: &Feature,
        sums: &[S],
        set: &Set,
        counts: Option<&[u64]>,
        sign: i8,
    ) -> Option<Found> {
        if self.bounded || matches!(feature.coder, Coder::Levels { .. }) {
            return self.careful(index, feature, sums, set, counts, sign);
        }
        // Counts decide themselves which cuts leave rows enough.
        let least = if counts.is_some() { 1 } else { (self.least * u64::from(self.min_leaf)).max(1) };
        let terms = Terms { total: set.total, begin: 0, l2: self.l2, least: self.floor.max(least as f64) };
        let cuts = |bins: usize, rows: u64| counts.map_or(0..bins, |counts| self.enough(&counts[..bins], rows, set));
        let found = |best: Best, also: Option<u8>| {
            let last = best.bin as u8;
            Found {
                feature: index,
                merit: best.merit,
                side: Side::UpTo { last, also: also.unwrap_or(last) },
                left: best.left,
            }
        };
        let first = S::best_cut(self.isa, sums, cuts(feature.bins - 1, 0), &terms).map(|best| found(best, None));
        match feature.missing {
            Some(missing) if sums[usize::from(missing)] != S::default() => {
                let bin = usize::from(missing);
                let (terms, rows) =
                    (Terms { begin: sums[bin].widened(), ..terms }, counts.map_or(0, |counts| counts[bin]));
                let cuts = cuts(feature.bins - 2, rows);
                let second = S::best_cut(self.isa, sums, cuts, &terms).map(|best| found(best, Some(missing)));
                better(first, second)
            }
            _ => first,
        }
    }

    /// The cuts behind bins of so many rows that leave enough of a node's on both sides; `rows` are on the first already.
    fn enough(&self, counts: &[u64], mut rows: u64, set: &Set) -> Range<usize> {
        let (mut cuts, least) = (0..0, u64::from(self.min_leaf));
        for (bin, count) in counts.iter().enumerate() {
            rows += count;
            if rows < least {
                cuts.start = bin + 1;
            }
            if set.rows - rows >= least {
                cuts.end = bin + 1;
            }
        }
        cuts
    }

    /// Sends codes that no row of the node has to the heavier side. The sums are those of the question's column.
    pub fn settle<S: AnySum>(&self, found: &mut Found, feature: &Feature, sums: &[S], set: &Set) {
        if !heavier_first(found.left, set.total) {
            return;
        }
        match &mut found.side {
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

    fn careful<S: AnySum>(
        &self,
        index: usize,
        feature: &Feature,
        sums: &[S],
        set: &Set,
        counts: Option<&[u64]>,
        sign: i8,
    ) -> Option<Found> {
        let offers = Offers { law: self, index, sums, set, counts, sign };
        let missing = feature.missing.map(usize::from);
        if matches!(feature.coder, Coder::Levels { .. }) {
            let (ranked, rare) = offers.ranked(feature.bins);
            let up = offers.along(&ranked, None, Side::of);
            let turned: Vec<usize> = ranked.iter().rev().copied().collect();
            // From the other end only where somebody stays behind: else it is the same division, turned.
            return if rare { better(up, offers.along(&turned, None, Side::of)) } else { up };
        }
        let known: Vec<usize> = (0..feature.bins).filter(|bin| Some(*bin) != missing).collect();
        let up_to = |bins: &[usize], also: Option<usize>| {
            let last = bins.last().map_or(0, |bin| *bin as u8);
            Side::UpTo { last, also: also.map_or(last, |bin| bin as u8) }
        };
        let first = offers.along(&known, None, up_to);
        match missing.filter(|bin| sums[*bin] != S::default()) {
            Some(bin) => better(first, offers.along(&known[..known.len() - 1], Some(bin), up_to)),
            None => first,
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

/// Whether the first side has more curvature than the second.
pub fn heavier_first(left: Wide, total: Wide) -> bool {
    2 * curvature(left) > curvature(total)
}

/// The greater merit; the first where both have the same.
pub fn better(first: Option<Found>, second: Option<Found>) -> Option<Found> {
    match (first, second) {
        (Some(a), Some(b)) => Some(if b.merit > a.merit { b } else { a }),
        (a, b) => a.or(b),
    }
}

/// Divisions of one node by one column.
struct Offers<'a, S> {
    law: &'a Law,
    index: usize,
    sums: &'a [S],
    set: &'a Set,
    counts: Option<&'a [u64]>,
    sign: i8,
}

impl<S: AnySum> Offers<'_, S> {
    /// The best division that takes the first of these bins, in their order, to the first side; `also` belongs to it too.
    fn along(
        &self,
        bins: &[usize],
        also: Option<usize>,
        side: impl Fn(&[usize], Option<usize>) -> Side,
    ) -> Option<Found> {
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
        Some(Found { feature: self.index, merit, side: side(&bins[..=last], also), left })
    }

    /// What a division is worth, if it is allowed.
    fn allowed(&self, left: Wide, rows: u64) -> Option<f64> {
        let (law, bounds) = (self.law, self.set.bounds);
        let right = self.set.total.minus(left);
        let curvature = curvature(left).min(curvature(right));
        let enough = match self.counts {
            Some(_) => rows.min(self.set.rows - rows) >= u64::from(law.min_leaf),
            None => curvature >= law.least * u64::from(law.min_leaf),
        };
        if curvature == 0 || (curvature as f64) < law.floor || !enough {
            return None;
        }
        let (first, second) = (law.answer(left, bounds), law.answer(right, bounds));
        let ordered = match self.sign {
            0 => true,
            1.. => first <= second,
            _ => first >= second,
        };
        ordered.then(|| law.merit(left, bounds) + law.merit(right, bounds))
    }

    /// The bins that have rows enough, by what they would say, and whether others have rows.
    fn ranked(&self, bins: usize) -> (Vec<usize>, bool) {
        let curvature = |bin: usize| self.sums[bin].parts().1;
        let row = self.set.total.parts().1 / self.set.rows.max(1) as f64;
        let few = f64::from(self.law.min_leaf.min(FEW_ROWS)) * row;
        let here = |bin: &usize| curvature(*bin) > 0.0;
        let mut ranked: Vec<usize> = (0..bins).filter(here).filter(|&bin| curvature(bin) >= few).collect();
        let rare = (0..bins).filter(here).any(|bin| curvature(bin) < few);
        let says = |bin: usize| {
            let (gradient, curvature) = self.sums[bin].parts();
            gradient / (curvature + SMOOTH * row)
        };
        ranked.sort_unstable_by(|&a, &b| says(a).total_cmp(&says(b)).then(a.cmp(&b)));
        (ranked, rare)
    }
}
