//! Sets of rows in the place of rows: what is known of the rows of other processes is only what they add up to.

use super::criterion::{AnyCriterion, Criterion, Stat, merge};

/// A criterion whose row `i` is a set of rows of another one, given by its statistics.
#[derive(Clone, Copy)]
pub struct Summed<'a, S> {
    /// The criterion of the rows.
    pub criterion: AnyCriterion<'a, S>,
    /// The statistics of each set, one after the other.
    pub stats: &'a [S],
    /// How many rows each set has.
    pub counts: &'a [u32],
}

impl<S: Stat> Criterion for Summed<'_, S> {
    type Stat = S;

    fn width(&self) -> usize {
        self.criterion.width()
    }

    fn outputs(&self) -> usize {
        self.criterion.outputs()
    }

    /// The weight of the set is in its statistics.
    fn add(&self, stats: &mut [S], row: usize, _: u64) {
        let width = self.width();
        merge(stats, &self.stats[row * width..(row + 1) * width]);
    }

    fn rows_of(&self, row: usize) -> u32 {
        self.counts[row]
    }

    fn weight(&self, stats: &[S]) -> f64 {
        self.criterion.weight(stats)
    }

    fn class_weight(&self, stats: &[S], class: usize) -> f64 {
        self.criterion.class_weight(stats, class)
    }

    fn cost(&self, stats: &[S]) -> f64 {
        self.criterion.cost(stats)
    }

    fn value(&self, stats: &[S], out: &mut [f64]) {
        self.criterion.value(stats, out);
    }
}
