//! Sets of rows in the place of rows: what is known of the rows of other processes is only what they add up to.

use super::criterion::{Criterion, merge};

/// A criterion whose row `i` is a set of rows of another one, given by its statistics.
#[derive(Clone, Copy, Debug)]
pub struct Summed<'a, C: Criterion> {
    /// The criterion of the rows.
    pub criterion: &'a C,
    /// The statistics of each set, one after the other.
    pub stats: &'a [C::Stat],
    /// How many rows each set has.
    pub counts: &'a [u32],
}

impl<C: Criterion> Criterion for Summed<'_, C> {
    type Stat = C::Stat;

    fn width(&self) -> usize {
        self.criterion.width()
    }

    fn outputs(&self) -> usize {
        self.criterion.outputs()
    }

    /// The weight of the set is in its statistics.
    fn add(&self, stats: &mut [C::Stat], row: usize, _: u64) {
        let width = self.width();
        merge(stats, &self.stats[row * width..(row + 1) * width]);
    }

    fn rows_of(&self, row: usize) -> u32 {
        self.counts[row]
    }

    fn weight(&self, stats: &[C::Stat]) -> f64 {
        self.criterion.weight(stats)
    }

    fn class_weights<'s>(&'s self, stats: &'s [C::Stat]) -> impl Iterator<Item = f64> + 's {
        self.criterion.class_weights(stats)
    }

    fn cost(&self, stats: &[C::Stat]) -> f64 {
        self.criterion.cost(stats)
    }

    fn value(&self, stats: &[C::Stat], out: &mut [f64]) {
        self.criterion.value(stats, out);
    }
}
