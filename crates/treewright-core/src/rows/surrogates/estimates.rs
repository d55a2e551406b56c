//! What a cut saves, about: of classes by the Gini index, and of numbers by their squared error.

use super::cuts::{Estimate, Room, Unestimated, best_cut};
use super::weighed::Weighed;
use crate::Result;
use crate::rows::list::Node;
use crate::rows::sorted::item::place_of;
use crate::split::contest::{DivisionRules, Winner};
use crate::stats::criterion::{ClassCriterion, Criterion, Impurity, SquaredError};
use crate::stats::entry::Entry;
use crate::sys::memory::{collected, filled};

/// A relative error that no estimate reaches.
pub const RELATIVE: f64 = 1e-9;
/// Costs of smaller units may lose digits.
const LEAST_SCALE: f64 = 1e-280;
/// Classes have 16 bits in a node.
const MOST_CLASSES: usize = 1 << 16;

/// A criterion that knows how to estimate what cuts save.
pub trait Estimated: Criterion + Sized {
    /// What estimates of the columns of one node share.
    type Targets: Sync;

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
    classes: Vec<u16>,
    /// The units that each row weighs, where classes count alike and rows weigh the same;
    units: Option<u64>,
    /// else how much each counts in costs.
    weights: Vec<f64>,
}

impl Estimated for ClassCriterion<'_> {
    type Targets = ClassTargets;

    fn targets(&self, entries: &[Entry], _: &[u64], units: Option<u64>) -> Result<Option<ClassTargets>> {
        let is_known = matches!(self.impurity(), Impurity::Gini | Impurity::Entropy);
        if !is_known || self.width() > MOST_CLASSES || self.unit() < LEAST_SCALE {
            return Ok(None);
        }
        let class = |entry: &Entry| self.classes().target[entry.row as usize];
        let classes = collected(entries.iter().map(|entry| class(entry) as u16))?;
        let units = units.filter(|_| self.impurity() == Impurity::Gini && self.factors().is_none());
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
            let mut two = TwoClasses { classes, units, scale, rows: 0, seconds: 0, below: 0, difference: 0 };
            return best_cut((self, node), items, &mut two, room, terms);
        }
        let sides = filled([0; 2], self.width())?;
        let mut counts = Counts { classes, units, scale, sides, rows: 0, below: 0, squares: [0; 2], before: 0.0 };
        best_cut((self, node), items, &mut counts, room, terms)
    }
}

/// Rows of two classes that all weigh the same.
#[derive(Debug)]
struct TwoClasses<'a> {
    classes: &'a [u16],
    units: u64,
    /// The weight of a row.
    scale: f64,
    /// The known rows, and those of the second class.
    rows: i64,
    seconds: i64,
    below: i64,
    /// `rows` times the rows of the second class below the cut, less `seconds` times all rows below it.
    difference: i64,
}

impl<'c> Estimate<ClassCriterion<'c>> for TwoClasses<'_> {
    const IS_CHEAP: bool = true;

    fn add(&self, stats: &mut [u64], items: &[u64]) {
        let seconds: u64 = items.iter().map(|item| u64::from(self.classes[place_of(*item) as usize])).sum();
        stats[0] += (items.len() as u64 - seconds) * self.units;
        stats[1] += seconds * self.units;
    }

    fn begin(&mut self, items: &[u64], known: &[u64]) {
        (self.rows, self.seconds) = (items.len() as i64, (known[1] / self.units) as i64);
        (self.below, self.difference) = (0, 0);
    }

    #[inline]
    fn pass(&mut self, place: usize) {
        self.below += 1;
        self.difference += (self.rows & -i64::from(self.classes[place])) - self.seconds;
    }

    #[inline]
    fn saved(&self) -> f64 {
        let (difference, rows, below) = (self.difference as f64, self.rows as f64, self.below as f64);
        2.0 * self.scale * difference * difference / (rows * below * (rows - below))
    }

    fn error(&self, cost: f64) -> f64 {
        RELATIVE * cost
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
    fn pass(&mut self, place: usize) {
        let [below, above] = &mut self.sides[self.classes[place] as usize];
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
        RELATIVE * cost + self.scale * self.rows as f64 * 1e-14
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
        let mut sums = Sums { targets, exact, scale, center: 0, rest: 0.0, rows: 0.0, below: 0.0, sum: 0 };
        best_cut((self, node), items, &mut sums, room, terms)
    }
}

/// Rows with numbers that all weigh the same.
#[derive(Debug)]
struct Sums<'a, 'c> {
    targets: &'a NumberTargets,
    exact: Unestimated<'a, SquaredError<'c>>,
    /// From squares of the numbers to costs.
    scale: f64,
    /// The whole number next to the mean of the known rows,
    center: i64,
    /// and their sum, counted from there.
    rest: f64,
    rows: f64,
    below: f64,
    /// The sum of the numbers below the cut, counted from the center.
    sum: i64,
}

impl<'c> Estimate<SquaredError<'c>> for Sums<'_, 'c> {
    const IS_CHEAP: bool = true;

    fn add(&self, stats: &mut [i128], items: &[u64]) {
        self.exact.add(stats, items);
    }

    fn begin(&mut self, items: &[u64], _: &[i128]) {
        let sum: i64 = items.iter().map(|item| self.targets.numbers[place_of(*item) as usize]).sum();
        let rows = items.len() as i64;
        self.center = sum.div_euclid(rows);
        self.rest = sum.rem_euclid(rows) as f64;
        (self.rows, self.below, self.sum) = (rows as f64, 0.0, 0);
    }

    #[inline]
    fn pass(&mut self, place: usize) {
        self.below += 1.0;
        self.sum += self.targets.numbers[place] - self.center;
    }

    #[inline]
    fn saved(&self) -> f64 {
        let difference = self.sum as f64 * self.rows - self.rest * self.below;
        self.scale * difference * difference / (self.rows * self.below * (self.rows - self.below))
    }

    /// Bits that were cut off move a sum of n rows by less than n, and a sum is at most the square root of n times the cost.
    fn error(&self, cost: f64) -> f64 {
        let cut_off = if self.targets.shift > 0 { 8.0 * (self.rows * cost * self.scale).sqrt() } else { 0.0 };
        RELATIVE * cost + cut_off + cut_off * cut_off / cost.max(f64::MIN_POSITIVE)
    }
}
