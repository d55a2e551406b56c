//! The law: what to add up over a set of rows, what the set costs as a leaf, and what that leaf says.
//!
//! The gain of a split is `cost(parent) - sum of cost(children)`; each formula is written once, here, and every
//! splitter works with every criterion. Statistics are integers (fixed-point weights, see [`super::weights`]), so their
//! sums do not depend on the order of rows, threads or machines; costs are computed from them by one fixed sequence of
//! operations, with the portable logarithm of the `libm` crate: the platform's own may differ in the last bit.
//!
//! To add a criterion: a struct here, a word in `recipe.rs` and `_recipe.py`, a line in `tests/laws`, a row in the docs.

/// Three questions about a set of rows.
pub trait Criterion: Sync {
    /// How many integers describe a set of rows.
    fn width(&self) -> usize;
    /// How many numbers a leaf says.
    fn outputs(&self) -> usize;
    /// Adds one row with its weight to the statistics of a set.
    fn add(&self, stats: &mut [u64], row: usize, weight: u64);
    /// The weight of a set.
    fn weight(&self, stats: &[u64]) -> u64;
    /// What the set costs as a leaf: impurity times weight. Never negative; exactly 0 for a pure set.
    fn cost(&self, stats: &[u64]) -> f64;
    /// What a leaf of this set says. The set is not empty.
    fn value(&self, stats: &[u64], out: &mut [f64]);
}

/// Entropy in bits of the classes: `cost = n log2 n - sum of n_c log2 n_c`.
#[derive(Clone, Copy, Debug)]
pub struct Entropy<'a> {
    /// The class of each row.
    pub target: &'a [u32],
    /// How many classes there are.
    pub classes: usize,
}

impl Criterion for Entropy<'_> {
    fn width(&self) -> usize {
        self.classes
    }

    fn outputs(&self) -> usize {
        self.classes
    }

    #[inline]
    fn add(&self, stats: &mut [u64], row: usize, weight: u64) {
        stats[self.target[row] as usize] += weight;
    }

    fn weight(&self, stats: &[u64]) -> u64 {
        stats.iter().sum()
    }

    fn cost(&self, stats: &[u64]) -> f64 {
        let total = n_log_n(self.weight(stats));
        // The sum runs over the classes in their order. Rounding may leave a mixed set a hair below 0.
        (total - stats.iter().map(|&n| n_log_n(n)).sum::<f64>()).max(0.0)
    }

    fn value(&self, stats: &[u64], out: &mut [f64]) {
        shares(stats, self.weight(stats), out);
    }
}

/// `n log2 n`, and 0 for 0.
fn n_log_n(n: u64) -> f64 {
    if n == 0 { 0.0 } else { n as f64 * libm::log2(n as f64) }
}

/// The share of each class.
fn shares(stats: &[u64], total: u64, out: &mut [f64]) {
    out.iter_mut().zip(stats).for_each(|(share, &n)| *share = n as f64 / total as f64);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_of_nine_and_five() {
        let law = Entropy { target: &[], classes: 2 };
        assert!((law.cost(&[9, 5]) / 14.0 - 0.940_285_958_670_631).abs() < 1e-12);
        assert_eq!(law.cost(&[0, 7]), 0.0);
        assert_eq!(law.cost(&[0, 0]), 0.0);
    }
}
