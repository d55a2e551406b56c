//! A criterion says what to add up over a set of rows, what the set costs as a leaf, and what that leaf predicts.
//!
//! The gain of a split is `cost(parent) - sum of cost(children)`; every split search works with every criterion.
//! Statistics are integers (fixed-point weights and targets, see [`super::weights`] and [`super::numbers`]), so their sums
//! do not depend on the order of rows, threads or machines; costs are computed from them by one fixed sequence of
//! operations, with the portable logarithm of the `libm` crate: the platform's own may differ in the last bit.
//!
//! To add a criterion of classes: a variant of [`Impurity`], its row in [`Impurity::ALL`] and its formula in
//! [`Impurity::cost`]. What a cost must obey stands there. `rows/columns` needs a kernel for a fast search; without one
//! the list engine grows the tree.

use super::numbers::Numbers;
use crate::Result;
use std::ops::{AddAssign, SubAssign};

/// An integer that sets of rows are described by, and that processes send each other (see [`super::portable`]).
pub trait Stat: Copy + Default + Send + Sync + AddAssign + SubAssign + PartialEq + std::fmt::Debug {
    /// How many words it takes.
    const WORDS: usize;

    /// Appends words; words that are added in all processes are those of the sum.
    fn put_words(self, words: &mut Vec<u64>);
    /// The number of such words.
    fn from_words(words: &[u64]) -> Self;
    /// Appends bytes.
    fn put_bytes(self, bytes: &mut Vec<u8>);
    /// Takes a number from the front of some bytes.
    fn take_bytes(bytes: &mut &[u8]) -> Result<Self>;
}

/// Three questions about a set of rows.
pub trait Criterion: Sync {
    /// What sets of rows are described by.
    type Stat: Stat;

    /// How many integers describe a set of rows.
    fn width(&self) -> usize;
    /// How many numbers a leaf predicts.
    fn outputs(&self) -> usize;
    /// Adds one row with its weight to the statistics of a set.
    fn add(&self, stats: &mut [Self::Stat], row: usize, weight: u64);
    /// How many rows a row stands for: it may be a set of rows that is known by its statistics alone.
    fn rows_of(&self, _row: usize) -> u32 {
        1
    }
    /// The weight of a set, in the caller's unit.
    fn weight(&self, stats: &[Self::Stat]) -> f64;
    /// The weight of one class in a set; of rows without classes, that of all of them.
    fn class_weight(&self, stats: &[Self::Stat], _class: usize) -> f64 {
        self.weight(stats)
    }
    /// What the set costs as a leaf: impurity times weight. Never negative; exactly 0 for a pure set.
    fn cost(&self, stats: &[Self::Stat]) -> f64;
    /// What a leaf of this set predicts. The set is not empty.
    fn value(&self, stats: &[Self::Stat], out: &mut [f64]);
}

/// A criterion whose type is not known, for work that is compiled once for all criteria of one kind of statistics.
pub type AnyCriterion<'a, S> = &'a dyn Criterion<Stat = S>;

impl<S: Stat> Criterion for AnyCriterion<'_, S> {
    type Stat = S;

    fn width(&self) -> usize {
        (**self).width()
    }

    fn outputs(&self) -> usize {
        (**self).outputs()
    }

    fn add(&self, stats: &mut [S], row: usize, weight: u64) {
        (**self).add(stats, row, weight);
    }

    fn rows_of(&self, row: usize) -> u32 {
        (**self).rows_of(row)
    }

    fn weight(&self, stats: &[S]) -> f64 {
        (**self).weight(stats)
    }

    fn class_weight(&self, stats: &[S], class: usize) -> f64 {
        (**self).class_weight(stats, class)
    }

    fn cost(&self, stats: &[S]) -> f64 {
        (**self).cost(stats)
    }

    fn value(&self, stats: &[S], out: &mut [f64]) {
        (**self).value(stats, out);
    }
}

/// Adds the statistics of one set to another's.
#[inline]
pub fn merge<S: Copy + AddAssign>(into: &mut [S], from: &[S]) {
    into.iter_mut().zip(from).for_each(|(a, b)| *a += *b);
}

/// Takes the statistics of a part out of a set's.
#[inline]
pub fn remove<S: Copy + SubAssign>(from: &mut [S], part: &[S]) {
    from.iter_mut().zip(part).for_each(|(a, b)| *a -= *b);
}

/// How mixed the classes of a set are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Impurity {
    /// Entropy in bits: `cost = n log2 n - sum of n_c log2 n_c`.
    Entropy,
    /// Gini index: `cost = n - (sum of n_c^2) / n`.
    Gini,
    /// Errors of the most frequent class: `cost = n - largest n_c`. A toy for tests: a criterion made by the steps of
    /// CONTRIBUTING, without a kernel.
    #[cfg(test)]
    Errors,
}

impl Impurity {
    /// All of them.
    pub const ALL: &[Impurity] = &[
        Impurity::Entropy,
        Impurity::Gini,
        #[cfg(test)]
        Impurity::Errors,
    ];

    /// What a set costs: impurity times weight, from the weight of all its classes and that of each, in their order.
    ///
    /// A cost must be 0 exactly where one class has all the weight (a node stops there), never negative, proportional to
    /// the weight, the same for any order of the classes, and concave: no division of a set may cost more than the set.
    #[inline]
    fn cost(self, total: f64, weights: impl Iterator<Item = f64>) -> f64 {
        if total == 0.0 {
            return 0.0;
        }
        match self {
            // Rounding may leave a mixed set a hair below 0.
            Impurity::Entropy => (n_log_n(total) - weights.map(n_log_n).sum::<f64>()).max(0.0),
            // Of a pure set the total is the one weight itself, so the difference is exactly 0.
            Impurity::Gini => weights.map(|n| n * ((total - n) / total)).sum(),
            #[cfg(test)]
            Impurity::Errors => total - weights.fold(0.0, f64::max),
        }
    }
}

/// The classes of the rows, which criteria of classes add up.
#[derive(Clone, Copy, Debug)]
pub struct Classes<'a> {
    /// The class of each row.
    pub target: &'a [u32],
    /// How many classes there are.
    pub classes: usize,
    /// The weight of one unit.
    pub unit: f64,
}

/// How much the rows of each class count: as given, or with two factors for each class.
///
/// The first factor multiplies the weight of a row in everything, as a class weight or a prior does. The second acts on
/// costs alone (the altered priors of Breiman et al. 1984, 4.4): classes that are costly to miss cost more to mix, but
/// weights and predicted shares stay what they are. Statistics are the plain weights, so they stay integers.
#[derive(Clone, Debug)]
pub struct ClassFactors {
    in_weight: Vec<f64>,
    in_cost: Vec<f64>,
}

impl ClassFactors {
    /// How much one unit of a class counts in a cost.
    pub fn in_cost(&self, class: u32) -> f64 {
        self.in_cost[class as usize]
    }

    /// The smallest of these.
    pub fn least_in_cost(&self) -> f64 {
        self.in_cost.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// The criterion of classes: an impurity, and perhaps factors of the classes.
#[derive(Clone, Debug)]
pub struct ClassCriterion<'a> {
    classes: Classes<'a>,
    impurity: Impurity,
    factors: Option<ClassFactors>,
}

impl<'a> ClassCriterion<'a> {
    /// A criterion for which all classes count alike.
    pub fn new(impurity: Impurity, classes: Classes<'a>) -> ClassCriterion<'a> {
        ClassCriterion { classes, impurity, factors: None }
    }

    /// The same with a factor of each class in everything, and one in costs alone; an empty list is 1 for each.
    pub fn with_factors(self, in_weight: &[f64], in_cost: &[f64]) -> ClassCriterion<'a> {
        if in_weight.is_empty() && in_cost.is_empty() {
            return self;
        }
        let full = |list: &[f64]| if list.is_empty() { vec![1.0; self.classes.classes] } else { list.to_vec() };
        let in_weight: Vec<f64> = full(in_weight).iter().map(|factor| factor * self.classes.unit).collect();
        let in_cost = in_weight.iter().zip(full(in_cost)).map(|(count, price)| count * price).collect();
        ClassCriterion { factors: Some(ClassFactors { in_weight, in_cost }), ..self }
    }

    /// The classes of the rows.
    pub fn classes(&self) -> Classes<'a> {
        self.classes
    }

    /// The impurity.
    pub fn impurity(&self) -> Impurity {
        self.impurity
    }

    /// The factors of the classes; None where all count alike.
    pub fn factors(&self) -> Option<&ClassFactors> {
        self.factors.as_ref()
    }

    /// The weight of one unit, where all classes count alike.
    pub fn unit(&self) -> f64 {
        self.classes.unit
    }

    /// How much one unit of a class counts in a cost.
    pub fn unit_in_cost(&self, class: u32) -> f64 {
        self.factors.as_ref().map_or(self.classes.unit, |factors| factors.in_cost(class))
    }

    /// What a set costs whose classes weigh so much in costs, in their order; those that do not occur may be left out.
    pub fn cost_of(&self, weights: impl Iterator<Item = f64> + Clone) -> f64 {
        self.impurity.cost(weights.clone().sum(), weights)
    }
}

/// The weights of the classes times their factors, in the order of the classes.
#[inline]
fn times<'s>(stats: &'s [u64], factors: &'s [f64]) -> impl Iterator<Item = f64> + Clone + 's {
    stats.iter().zip(factors).map(|(&n, factor)| n as f64 * factor)
}

impl Criterion for ClassCriterion<'_> {
    type Stat = u64;

    fn width(&self) -> usize {
        self.classes.classes
    }

    fn outputs(&self) -> usize {
        self.classes.classes
    }

    #[inline]
    fn add(&self, stats: &mut [u64], row: usize, weight: u64) {
        stats[self.classes.target[row] as usize] += weight;
    }

    #[inline]
    fn weight(&self, stats: &[u64]) -> f64 {
        match &self.factors {
            Some(factors) => times(stats, &factors.in_weight).sum(),
            None => total(stats) * self.classes.unit,
        }
    }

    fn class_weight(&self, stats: &[u64], class: usize) -> f64 {
        let unit = self.factors.as_ref().map_or(self.classes.unit, |factors| factors.in_weight[class]);
        stats[class] as f64 * unit
    }

    #[inline]
    fn cost(&self, stats: &[u64]) -> f64 {
        let unit = self.classes.unit;
        match (&self.factors, self.impurity) {
            (Some(factors), _) => self.cost_of(times(stats, &factors.in_cost)),
            (None, Impurity::Gini) => gini_of_units(stats) * unit,
            (None, impurity) => impurity.cost(total(stats) * unit, stats.iter().map(|&n| n as f64 * unit)),
        }
    }

    fn value(&self, stats: &[u64], out: &mut [f64]) {
        match &self.factors {
            Some(factors) => {
                let total = self.weight(stats);
                out.iter_mut().zip(times(stats, &factors.in_weight)).for_each(|(share, n)| *share = n / total);
            }
            None => {
                let total = total(stats);
                out.iter_mut().zip(stats).for_each(|(share, &n)| *share = n as f64 / total);
            }
        }
    }
}

#[inline]
fn total(stats: &[u64]) -> f64 {
    stats.iter().sum::<u64>() as f64
}

/// The cost by the Gini index of classes that count alike, in units: exact in integers but for one rounding.
#[inline]
fn gini_of_units(stats: &[u64]) -> f64 {
    let total: u64 = stats.iter().sum();
    if total == 0 {
        return 0.0;
    }
    if let Ok(total) = u32::try_from(total) {
        // The same number, sooner.
        let total = u64::from(total);
        let pairs = total * total - stats.iter().map(|&n| n * n).sum::<u64>();
        return pairs as f64 / total as f64;
    }
    // Totals stay below 2^52, so their squares fit a u128.
    let pairs = u128::from(total).pow(2) - stats.iter().map(|&n| u128::from(n).pow(2)).sum::<u128>();
    pairs as f64 / total as f64
}

/// Squared error: `cost = sum of w (y - mean)^2`; a leaf predicts the mean.
#[derive(Clone, Copy, Debug)]
pub struct SquaredError<'a> {
    /// The target as integers.
    pub target: &'a Numbers,
    /// The weight of one unit.
    pub unit: f64,
}

impl SquaredError<'_> {
    /// What a set costs, in squares of the target's integers.
    pub fn spread(stats: &[i128]) -> f64 {
        let [weight, sum, squares] = [stats[0], stats[1], stats[2]];
        if weight == 0 {
            return 0.0;
        }
        // Centered at the whole number next to the mean, still in integers: nothing cancels in the last subtraction.
        let mean = sum.div_euclid(weight);
        let rest = sum - mean * weight;
        let squares = squares - mean * (sum + rest);
        let cost = squares as f64 - (rest as f64) * (rest as f64) / weight as f64;
        cost.max(0.0)
    }
}

impl Criterion for SquaredError<'_> {
    type Stat = i128;

    /// Weight, weight times target, weight times its square.
    fn width(&self) -> usize {
        3
    }

    fn outputs(&self) -> usize {
        1
    }

    #[inline]
    fn add(&self, stats: &mut [i128], row: usize, weight: u64) {
        let (y, w) = (i128::from(self.target.units[row]), i128::from(weight));
        stats[0] += w;
        stats[1] += w * y;
        stats[2] += w * y * y;
    }

    fn weight(&self, stats: &[i128]) -> f64 {
        stats[0] as f64 * self.unit
    }

    fn cost(&self, stats: &[i128]) -> f64 {
        SquaredError::spread(stats) * self.target.step * self.target.step * self.unit
    }

    fn value(&self, stats: &[i128], out: &mut [f64]) {
        out[0] = self.target.real(stats[1] as f64 / stats[0] as f64);
    }
}

/// `n log2 n`, and 0 for 0.
pub fn n_log_n(n: f64) -> f64 {
    if n == 0.0 { 0.0 } else { n * libm::log2(n) }
}

#[cfg(test)]
mod tests;
