//! The law: what to add up over a set of rows, what the set costs as a leaf, and what that leaf says.
//!
//! The gain of a split is `cost(parent) - sum of cost(children)`; each formula is written once, here, and every
//! splitter works with every criterion. Statistics are integers (fixed-point weights and targets, see
//! [`super::weights`] and [`super::numbers`]), so their sums do not depend on the order of rows, threads or machines;
//! costs are computed from them by one fixed sequence of operations, with the portable logarithm of the `libm` crate:
//! the platform's own may differ in the last bit.
//!
//! To add a criterion: a struct here, a word in `recipe.rs` and `_recipe.py`, a line in `tests/laws`, a row in the docs.

use super::numbers::Numbers;
use std::ops::{AddAssign, SubAssign};

/// Three questions about a set of rows.
pub trait Criterion: Sync {
    /// An integer that sets of rows are described by.
    type Stat: Copy + Default + Send + Sync + AddAssign + SubAssign + PartialEq + std::fmt::Debug;

    /// How many integers describe a set of rows.
    fn width(&self) -> usize;
    /// How many numbers a leaf says.
    fn outputs(&self) -> usize;
    /// Adds one row with its weight to the statistics of a set.
    fn add(&self, stats: &mut [Self::Stat], row: usize, weight: u64);
    /// The weight of a set, in the caller's unit.
    fn weight(&self, stats: &[Self::Stat]) -> f64;
    /// What the set costs as a leaf: impurity times weight. Never negative; exactly 0 for a pure set.
    fn cost(&self, stats: &[Self::Stat]) -> f64;
    /// What a leaf of this set says. The set is not empty.
    fn value(&self, stats: &[Self::Stat], out: &mut [f64]);
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

/// The classes of the rows, which entropy and Gini add up.
#[derive(Clone, Copy, Debug)]
pub struct Classes<'a> {
    /// The class of each row.
    pub target: &'a [u32],
    /// How many classes there are.
    pub classes: usize,
    /// The weight of one unit.
    pub unit: f64,
}

impl Classes<'_> {
    #[inline]
    fn add(&self, stats: &mut [u64], row: usize, weight: u64) {
        stats[self.target[row] as usize] += weight;
    }

    fn total(&self, stats: &[u64]) -> f64 {
        stats.iter().sum::<u64>() as f64
    }

    fn shares(&self, stats: &[u64], out: &mut [f64]) {
        let total = self.total(stats);
        out.iter_mut().zip(stats).for_each(|(share, &n)| *share = n as f64 / total);
    }
}

/// Entropy in bits: `cost = n log2 n - sum of n_c log2 n_c`.
#[derive(Clone, Copy, Debug)]
pub struct Entropy<'a>(pub Classes<'a>);

impl Criterion for Entropy<'_> {
    type Stat = u64;

    fn width(&self) -> usize {
        self.0.classes
    }

    fn outputs(&self) -> usize {
        self.0.classes
    }

    #[inline]
    fn add(&self, stats: &mut [u64], row: usize, weight: u64) {
        self.0.add(stats, row, weight);
    }

    fn weight(&self, stats: &[u64]) -> f64 {
        self.0.total(stats) * self.0.unit
    }

    fn cost(&self, stats: &[u64]) -> f64 {
        let unit = self.0.unit;
        let total = n_log_n(self.0.total(stats) * unit);
        // The sum runs over the classes in their order. Rounding may leave a mixed set a hair below 0.
        (total - stats.iter().map(|&n| n_log_n(n as f64 * unit)).sum::<f64>()).max(0.0)
    }

    fn value(&self, stats: &[u64], out: &mut [f64]) {
        self.0.shares(stats, out);
    }
}

/// Gini's index: `cost = n - (sum of n_c^2) / n`.
#[derive(Clone, Copy, Debug)]
pub struct Gini<'a>(pub Classes<'a>);

impl Criterion for Gini<'_> {
    type Stat = u64;

    fn width(&self) -> usize {
        self.0.classes
    }

    fn outputs(&self) -> usize {
        self.0.classes
    }

    #[inline]
    fn add(&self, stats: &mut [u64], row: usize, weight: u64) {
        self.0.add(stats, row, weight);
    }

    fn weight(&self, stats: &[u64]) -> f64 {
        self.0.total(stats) * self.0.unit
    }

    fn cost(&self, stats: &[u64]) -> f64 {
        let total: u64 = stats.iter().sum();
        if total == 0 {
            return 0.0;
        }
        if let Ok(total) = u32::try_from(total) {
            // The same number, sooner.
            let total = u64::from(total);
            let pairs = total * total - stats.iter().map(|&n| n * n).sum::<u64>();
            return pairs as f64 / total as f64 * self.0.unit;
        }
        // Totals stay below 2^52, so their squares fit a u128 and one rounding is all there is.
        let pairs = u128::from(total).pow(2) - stats.iter().map(|&n| u128::from(n).pow(2)).sum::<u128>();
        pairs as f64 / total as f64 * self.0.unit
    }

    fn value(&self, stats: &[u64], out: &mut [f64]) {
        self.0.shares(stats, out);
    }
}

/// Squared error: `cost = sum of w (y - mean)^2`; a leaf says the mean.
#[derive(Clone, Copy, Debug)]
pub struct Squared<'a> {
    /// The target as integers.
    pub target: &'a Numbers,
    /// The weight of one unit.
    pub unit: f64,
}

impl Squared<'_> {
    /// What a set costs, in squares of the target's integers.
    pub fn spread(stats: &[i128]) -> f64 {
        let [weight, sum, squares] = [stats[0], stats[1], stats[2]];
        if weight == 0 {
            return 0.0;
        }
        // Centred at the whole number next to the mean, still in integers: nothing cancels in the last subtraction.
        let mean = sum.div_euclid(weight);
        let rest = sum - mean * weight;
        let squares = squares - mean * (sum + rest);
        let cost = squares as f64 - (rest as f64) * (rest as f64) / weight as f64;
        cost.max(0.0)
    }
}

impl Criterion for Squared<'_> {
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
        Squared::spread(stats) * self.target.step * self.target.step * self.unit
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
mod tests {
    use super::*;

    const CLASSES: Classes<'_> = Classes { target: &[], classes: 2, unit: 1.0 };

    #[test]
    fn entropy_of_nine_and_five() {
        let law = Entropy(CLASSES);
        assert!((law.cost(&[9, 5]) / 14.0 - 0.940_285_958_670_631).abs() < 1e-12);
        assert_eq!(law.cost(&[0, 7]), 0.0);
        assert_eq!(law.cost(&[0, 0]), 0.0);
    }

    #[test]
    fn gini_of_nine_and_five() {
        let law = Gini(CLASSES);
        assert!((law.cost(&[9, 5]) / 14.0 - 0.459_183_673_469_387_8).abs() < 1e-15);
        assert_eq!(law.cost(&[0, 7]), 0.0);
    }

    #[test]
    fn squared_error_of_numbers_far_from_zero() {
        let y = [1e9 + 1.0, 1e9 + 2.0, 1e9 + 6.0];
        let target = Numbers::new(&y, 3);
        let law = Squared { target: &target, unit: 1.0 };
        let mut stats = [0i128; 3];
        (0..3).for_each(|row| law.add(&mut stats, row, 1));
        let mut value = [0.0];
        law.value(&stats, &mut value);
        assert_eq!(value, [1e9 + 3.0]);
        assert_eq!(law.cost(&stats), 14.0);
    }
}
