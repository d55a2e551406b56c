//! What a cut saves, about: of classes by the Gini index, and of numbers by their squared error.

use super::cuts::{BLOCK, CutScratch, Estimate, Unestimated, best_cut};
use super::means::Means;
use super::weighted_classes::WeightedClasses;
use crate::Result;
use crate::rows::list::ListNode;
use crate::rows::sorted::item::{class_bit, place_of};
use crate::split::contest::{DivisionRules, Winner};
use crate::stats::criterion::{ClassCriterion, Criterion, Impurity, SquaredError};
use crate::stats::entry::Entry;
use crate::sys::memory::{collected, filled};
use crate::tolerance::SURROGATE_ESTIMATE;

/// Costs of smaller units may lose digits.
const LEAST_SCALE: f64 = 1e-280;
/// Classes have 16 bits in a node.
const MOST_CLASSES: usize = 1 << 16;

/// A criterion that knows how to estimate what cuts save.
pub trait Estimated: Criterion + Sized {
    /// The lowest bit of a row's class, which its items carry; 0 where there are no classes.
    fn class_bit(&self, row: u32) -> u32;

    /// Gathers the targets of a node; `units` is the weight of each row where all weigh the same.
    fn targets(&self, entries: &[Entry], stats: &[Self::Stat], units: Option<u64>) -> Result<Targets>;

    /// See [`best_cut`].
    fn best_cut(
        &self,
        node: (&ListNode<Self::Stat>, &Targets),
        items: &[u64],
        scratch: &mut CutScratch<Self::Stat>,
        rules: impl FnOnce(f64) -> DivisionRules,
    ) -> Result<Option<(Winner<usize>, f64)>>;
}

/// What estimates of the columns of one node share: what is known of its rows by their places.
#[derive(Debug)]
pub enum Targets {
    /// Two classes, which items tell apart, of rows that weigh so many units each.
    TwoClasses(u64),
    /// Classes of rows that weigh so many units each.
    Classes(Vec<u16>, u64),
    /// Classes, and how much each row counts in costs.
    WeightedClasses(Vec<u16>, Vec<f64>),
    /// Numbers of rows that weigh the same, from their mean and with so few bits that sums fit 64 of them; whether bits were
    /// cut off, and the factor from squares to costs.
    Numbers { numbers: Vec<i64>, is_cut_off: bool, scale: f64 },
    /// What cuts save cannot be estimated: every cut is judged.
    Unestimated,
}

impl Estimated for ClassCriterion<'_> {
    fn class_bit(&self, row: u32) -> u32 {
        self.classes().target[row as usize]
    }

    fn targets(&self, entries: &[Entry], _: &[u64], units: Option<u64>) -> Result<Targets> {
        let is_known = matches!(self.impurity(), Impurity::Gini | Impurity::Entropy);
        if !is_known || self.width() > MOST_CLASSES || self.unit() < LEAST_SCALE {
            return Ok(Targets::Unestimated);
        }
        let class = |entry: &Entry| self.classes().target[entry.row as usize];
        let classes = || collected(entries.iter().map(|entry| class(entry) as u16));
        Ok(match units.filter(|_| self.impurity() == Impurity::Gini && self.factors().is_none()) {
            Some(units) if self.width() == 2 => Targets::TwoClasses(units),
            Some(units) => Targets::Classes(classes()?, units),
            None => {
                let weight = |entry: &Entry| entry.weight as f64 * self.unit_in_cost(class(entry));
                Targets::WeightedClasses(classes()?, collected(entries.iter().map(weight))?)
            }
        })
    }

    fn best_cut(
        &self,
        (node, targets): (&ListNode<u64>, &Targets),
        items: &[u64],
        scratch: &mut CutScratch<u64>,
        rules: impl FnOnce(f64) -> DivisionRules,
    ) -> Result<Option<(Winner<usize>, f64)>> {
        let mut exact = Unestimated { criterion: self, entries: &node.entries };
        match targets {
            Targets::TwoClasses(units) => {
                let scale = *units as f64 * self.unit();
                let mut two = TwoClasses { units: *units, means: Means::new(2.0 * scale) };
                best_cut((self, node), items, &mut two, scratch, rules)
            }
            Targets::Classes(classes, units) => {
                let (units, sides) = (*units, filled([0; 2], self.width())?);
                let scale = units as f64 * self.unit();
                let mut counts =
                    ClassCounts { classes, units, scale, sides, rows: 0, below: 0, squares: [0; 2], before: 0.0 };
                best_cut((self, node), items, &mut counts, scratch, rules)
            }
            Targets::WeightedClasses(classes, weights) => {
                let sides = filled([0.0; 2], self.width())?;
                let mut weighted =
                    WeightedClasses { exact, classes, weights, sides, total: [0.0; 2], rows: 0.0, before: 0.0 };
                best_cut((self, node), items, &mut weighted, scratch, rules)
            }
            _ => best_cut((self, node), items, &mut exact, scratch, rules),
        }
    }
}

/// Rows of two classes that all weigh the same; their numbers are 0 and 1.
#[derive(Debug)]
struct TwoClasses {
    units: u64,
    means: Means,
}

/// The number of a row that is 1 in the second class.
#[inline]
fn class_number(item: u64) -> i64 {
    class_bit(item) as i64
}

impl<'c> Estimate<ClassCriterion<'c>> for TwoClasses {
    const IS_CHEAP: bool = true;

    fn add(&self, stats: &mut [u64], items: &[u64]) {
        let seconds: u64 = items.iter().map(|item| class_bit(*item)).sum();
        stats[0] += (items.len() as u64 - seconds) * self.units;
        stats[1] += seconds * self.units;
    }

    fn begin(&mut self, items: &[u64], known: &[u64]) {
        self.means.begin(items.len(), (known[1] / self.units) as i64);
    }

    #[inline]
    fn pass(&mut self, item: u64) {
        self.means.pass(class_number(item));
    }

    fn pass_poor_cuts(&mut self, items: &[u64], bar: f64) -> bool {
        let ones = items.iter().map(|item| class_bit(*item)).sum::<u64>() as i64;
        self.means.pass_any_order(items.len(), ones, bar) || self.means.pass_poor_cuts(items, class_number, bar)
    }

    fn pass_block(&mut self, items: &[u64]) -> Option<[f64; BLOCK]> {
        Some(self.means.pass_block(items, class_number))
    }

    #[inline]
    fn saved(&self) -> f64 {
        self.means.saved()
    }

    fn error(&self, cost: f64) -> f64 {
        SURROGATE_ESTIMATE * cost + self.means.scale * self.means.rows * 1e-14
    }
}

/// Rows of any classes that all weigh the same.
#[derive(Debug)]
struct ClassCounts<'a> {
    classes: &'a [u16],
    units: u64,
    /// The weight of a row.
    scale: f64,
    /// For each class the rows below and above the cut.
    sides: Vec<[u64; 2]>,
    rows: u64,
    below: u64,
    /// The sums of their squares.
    squares: [u64; 2],
    /// The sum of squares of all known rows by their number.
    before: f64,
}

impl<'c> Estimate<ClassCriterion<'c>> for ClassCounts<'_> {
    const IS_CHEAP: bool = true;

    fn add(&self, stats: &mut [u64], items: &[u64]) {
        items.iter().for_each(|item| stats[self.classes[place_of(*item) as usize] as usize] += self.units);
    }

    fn begin(&mut self, items: &[u64], known: &[u64]) {
        let units = self.units;
        self.sides.iter_mut().zip(known).for_each(|(sides, known)| *sides = [0, known / units]);
        (self.rows, self.below) = (items.len() as u64, 0);
        self.squares = [0, self.sides.iter().map(|[_, above]| above * above).sum()];
        self.before = self.squares[1] as f64 / self.rows as f64;
    }

    #[inline]
    fn pass(&mut self, item: u64) {
        let [below, above] = &mut self.sides[self.classes[place_of(item) as usize] as usize];
        self.squares[0] += 2 * *below + 1;
        self.squares[1] -= 2 * *above - 1;
        *below += 1;
        *above -= 1;
        self.below += 1;
    }

    #[inline]
    fn saved(&self) -> f64 {
        let [low, high] = self.squares.map(|squares| squares as f64);
        let (below, above) = (self.below as f64, (self.rows - self.below) as f64);
        self.scale * ((low * above + high * below) / (below * above) - self.before)
    }

    fn error(&self, cost: f64) -> f64 {
        SURROGATE_ESTIMATE * cost + self.scale * self.rows as f64 * 1e-14
    }
}

impl Estimated for SquaredError<'_> {
    fn class_bit(&self, _: u32) -> u32 {
        0
    }

    fn targets(&self, entries: &[Entry], stats: &[i128], units: Option<u64>) -> Result<Targets> {
        let Some(units) = units else { return Ok(Targets::Unestimated) };
        let mean = stats[1].div_euclid(stats[0].max(1)) as i64;
        let mut numbers = collected(entries.iter().map(|entry| self.target.units[entry.row as usize] - mean))?;
        let farthest = numbers.iter().map(|number| number.unsigned_abs()).max().unwrap_or(0);
        // A number may be twice as far from the mean of some of the rows.
        let bits = (u64::BITS - farthest.leading_zeros()) + (usize::BITS - entries.len().leading_zeros()) + 1;
        let shift = bits.saturating_sub(62);
        numbers.iter_mut().for_each(|number| *number >>= shift);
        let step = self.target.step * libm::ldexp(1.0, shift as i32);
        let scale = step * step * self.unit * units as f64;
        Ok(match scale > LEAST_SCALE {
            true => Targets::Numbers { numbers, is_cut_off: shift > 0, scale },
            false => Targets::Unestimated,
        })
    }

    fn best_cut(
        &self,
        (node, targets): (&ListNode<i128>, &Targets),
        items: &[u64],
        scratch: &mut CutScratch<i128>,
        rules: impl FnOnce(f64) -> DivisionRules,
    ) -> Result<Option<(Winner<usize>, f64)>> {
        let mut exact = Unestimated { criterion: self, entries: &node.entries };
        let Targets::Numbers { numbers, is_cut_off, scale } = targets else {
            return best_cut((self, node), items, &mut exact, scratch, rules);
        };
        let (is_cut_off, means) = (*is_cut_off, Means::new(*scale));
        let mut sums = NumberSums { numbers, is_cut_off, exact, center: 0, means };
        best_cut((self, node), items, &mut sums, scratch, rules)
    }
}

/// Rows with numbers that all weigh the same.
#[derive(Debug)]
struct NumberSums<'a, 'c> {
    numbers: &'a [i64],
    is_cut_off: bool,
    exact: Unestimated<'a, SquaredError<'c>>,
    /// The whole number next to the mean of the known rows, from which their numbers are counted.
    center: i64,
    means: Means,
}

/// The number of a row, counted from the center.
#[inline]
fn centered(item: u64, numbers: &[i64], center: i64) -> i64 {
    numbers[place_of(item) as usize] - center
}

impl<'c> Estimate<SquaredError<'c>> for NumberSums<'_, 'c> {
    const IS_CHEAP: bool = true;

    fn add(&self, stats: &mut [i128], items: &[u64]) {
        self.exact.add(stats, items);
    }

    fn begin(&mut self, items: &[u64], _: &[i128]) {
        let sum: i64 = items.iter().map(|item| self.numbers[place_of(*item) as usize]).sum();
        self.center = sum.div_euclid(items.len() as i64);
        self.means.begin(items.len(), sum.rem_euclid(items.len() as i64));
    }

    #[inline]
    fn pass(&mut self, item: u64) {
        self.means.pass(centered(item, self.numbers, self.center));
    }

    fn pass_poor_cuts(&mut self, items: &[u64], bar: f64) -> bool {
        self.means.pass_poor_cuts(items, |item| centered(item, self.numbers, self.center), bar)
    }

    fn pass_block(&mut self, items: &[u64]) -> Option<[f64; BLOCK]> {
        Some(self.means.pass_block(items, |item| centered(item, self.numbers, self.center)))
    }

    #[inline]
    fn saved(&self) -> f64 {
        self.means.saved()
    }

    /// Bits that were cut off move a sum of n rows by less than n, and a sum is at most the square root of n times the cost.
    fn error(&self, cost: f64) -> f64 {
        let rest = 8.0 * (self.means.rows * cost * self.means.scale).sqrt();
        let cut_off = if self.is_cut_off { rest } else { 0.0 };
        SURROGATE_ESTIMATE * cost + cut_off + cut_off * cut_off / cost.max(f64::MIN_POSITIVE)
    }
}
