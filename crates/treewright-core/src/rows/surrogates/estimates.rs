//! What a cut saves, about: of classes by the Gini index, and of numbers by their squared error.

use super::cuts::{BLOCK, Estimate, Room, Unestimated, best_cut};
use super::means::Means;
use super::weighed::Weighed;
use crate::Result;
use crate::rows::list::Node;
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
    /// What estimates of the columns of one node share.
    type Targets: Sync;

    /// The lowest bit of a row's class, which its items carry; 0 where there are no classes.
    fn class_bit(&self, row: u32) -> u32;

    /// Gathers the targets of a node; `units` is the weight of each row where all weigh the same. None where what cuts save
    /// cannot be estimated.
    fn targets(&self, entries: &[Entry], stats: &[Self::Stat], units: Option<u64>) -> Result<Option<Self::Targets>>;

    /// See [`best_cut`]; without targets, every cut is judged.
    fn best_cut(
        &self,
        node: (&Node<Self::Stat>, Option<&Self::Targets>),
        items: &[u64],
        room: &mut Room<Self::Stat>,
        terms: impl FnOnce(f64) -> DivisionRules,
    ) -> Result<Option<(Winner<usize>, f64)>>;
}

/// The classes of a node's rows by their places.
#[derive(Debug)]
pub struct ClassTargets {
    /// None where items tell them.
    classes: Vec<u16>,
    /// The units that each row weighs, where classes count alike and rows weigh the same;
    units: Option<u64>,
    /// else how much each counts in costs.
    weights: Vec<f64>,
}

impl Estimated for ClassCriterion<'_> {
    type Targets = ClassTargets;

    fn class_bit(&self, row: u32) -> u32 {
        self.classes().target[row as usize]
    }

    fn targets(&self, entries: &[Entry], _: &[u64], units: Option<u64>) -> Result<Option<ClassTargets>> {
        let is_known = matches!(self.impurity(), Impurity::Gini | Impurity::Entropy);
        if !is_known || self.width() > MOST_CLASSES || self.unit() < LEAST_SCALE {
            return Ok(None);
        }
        let class = |entry: &Entry| self.classes().target[entry.row as usize];
        let units = units.filter(|_| self.impurity() == Impurity::Gini && self.factors().is_none());
        // Items tell two classes apart.
        let is_told = units.is_some() && self.width() == 2;
        let classes = if is_told { Vec::new() } else { collected(entries.iter().map(|entry| class(entry) as u16))? };
        let weight = |entry: &Entry| entry.weight as f64 * self.unit_in_cost(class(entry));
        let weights = if units.is_some() { Vec::new() } else { collected(entries.iter().map(weight))? };
        Ok(Some(ClassTargets { classes, units, weights }))
    }

    fn best_cut(
        &self,
        (node, targets): (&Node<u64>, Option<&ClassTargets>),
        items: &[u64],
        room: &mut Room<u64>,
        terms: impl FnOnce(f64) -> DivisionRules,
    ) -> Result<Option<(Winner<usize>, f64)>> {
        let mut exact = Unestimated { criterion: self, entries: node.entries() };
        let Some(ClassTargets { classes, units, weights }) = targets else {
            return best_cut((self, node), items, &mut exact, room, terms);
        };
        let Some(units) = *units else {
            let sides = filled([0.0; 2], self.width())?;
            let mut weighed = Weighed { exact, classes, weights, sides, total: [0.0; 2], rows: 0.0, before: 0.0 };
            return best_cut((self, node), items, &mut weighed, room, terms);
        };
        let scale = units as f64 * self.unit();
        if self.width() == 2 {
            let mut two = TwoClasses { units, means: Means::new(2.0 * scale) };
            return best_cut((self, node), items, &mut two, room, terms);
        }
        let sides = filled([0; 2], self.width())?;
        let mut counts = Counts { classes, units, scale, sides, rows: 0, below: 0, squares: [0; 2], before: 0.0 };
        best_cut((self, node), items, &mut counts, room, terms)
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
struct Counts<'a> {
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

impl<'c> Estimate<ClassCriterion<'c>> for Counts<'_> {
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

/// The numbers of a node's rows by their places, from their mean and with so few bits that sums fit 64 of them.
#[derive(Debug)]
pub struct NumberTargets {
    numbers: Vec<i64>,
    /// How many bits were cut off.
    shift: u32,
    units: u64,
}

impl Estimated for SquaredError<'_> {
    type Targets = NumberTargets;

    fn class_bit(&self, _: u32) -> u32 {
        0
    }

    fn targets(&self, entries: &[Entry], stats: &[i128], units: Option<u64>) -> Result<Option<NumberTargets>> {
        let Some(units) = units else { return Ok(None) };
        let mean = stats[1].div_euclid(stats[0].max(1)) as i64;
        let mut numbers = collected(entries.iter().map(|entry| self.target.units[entry.row as usize] - mean))?;
        let farthest = numbers.iter().map(|number| number.unsigned_abs()).max().unwrap_or(0);
        // A number may be twice as far from the mean of some of the rows.
        let bits = (u64::BITS - farthest.leading_zeros()) + (usize::BITS - entries.len().leading_zeros()) + 1;
        let shift = bits.saturating_sub(62);
        numbers.iter_mut().for_each(|number| *number >>= shift);
        Ok(Some(NumberTargets { numbers, shift, units }))
    }

    fn best_cut(
        &self,
        (node, targets): (&Node<i128>, Option<&NumberTargets>),
        items: &[u64],
        room: &mut Room<i128>,
        terms: impl FnOnce(f64) -> DivisionRules,
    ) -> Result<Option<(Winner<usize>, f64)>> {
        let mut exact = Unestimated { criterion: self, entries: node.entries() };
        let scale_of = |targets: &&NumberTargets| {
            let step = self.target.step * libm::ldexp(1.0, targets.shift as i32);
            step * step * self.unit * targets.units as f64
        };
        let scaled = targets.map(|targets| (targets, scale_of(&targets)));
        let Some((targets, scale)) = scaled.filter(|(_, scale)| *scale > LEAST_SCALE) else {
            return best_cut((self, node), items, &mut exact, room, terms);
        };
        let mut sums = Sums { targets, exact, center: 0, means: Means::new(scale) };
        best_cut((self, node), items, &mut sums, room, terms)
    }
}

/// Rows with numbers that all weigh the same.
#[derive(Debug)]
struct Sums<'a, 'c> {
    targets: &'a NumberTargets,
    exact: Unestimated<'a, SquaredError<'c>>,
    /// The whole number next to the mean of the known rows, from which their numbers are counted.
    center: i64,
    means: Means,
}

impl Sums<'_, '_> {
    #[inline]
    fn number(&self, item: u64) -> i64 {
        self.targets.numbers[place_of(item) as usize] - self.center
    }
}

impl<'c> Estimate<SquaredError<'c>> for Sums<'_, 'c> {
    const IS_CHEAP: bool = true;

    fn add(&self, stats: &mut [i128], items: &[u64]) {
        self.exact.add(stats, items);
    }

    fn begin(&mut self, items: &[u64], _: &[i128]) {
        let sum: i64 = items.iter().map(|item| self.targets.numbers[place_of(*item) as usize]).sum();
        self.center = sum.div_euclid(items.len() as i64);
        self.means.begin(items.len(), sum.rem_euclid(items.len() as i64));
    }

    #[inline]
    fn pass(&mut self, item: u64) {
        self.means.pass(self.number(item));
    }

    fn pass_poor_cuts(&mut self, items: &[u64], bar: f64) -> bool {
        let mut means = self.means;
        let poor = means.pass_poor_cuts(items, |item| self.number(item), bar);
        self.means = means;
        poor
    }

    fn pass_block(&mut self, items: &[u64]) -> Option<[f64; BLOCK]> {
        let mut means = self.means;
        let savings = means.pass_block(items, |item| self.number(item));
        self.means = means;
        Some(savings)
    }

    #[inline]
    fn saved(&self) -> f64 {
        self.means.saved()
    }

    /// Bits that were cut off move a sum of n rows by less than n, and a sum is at most the square root of n times the cost.
    fn error(&self, cost: f64) -> f64 {
        let rest = 8.0 * (self.means.rows * cost * self.means.scale).sqrt();
        let cut_off = if self.targets.shift > 0 { rest } else { 0.0 };
        SURROGATE_ESTIMATE * cost + cut_off + cut_off * cut_off / cost.max(f64::MIN_POSITIVE)
    }
}
