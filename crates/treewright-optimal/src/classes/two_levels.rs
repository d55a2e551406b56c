//! From gains to costs: the cheapest tree of at most two levels for one set of rows.

use super::lanes::{Count, Lanes, Work};
use super::node::Setting;
use super::sides::{Counting, Side};

/// Finds the least cost of a leaf, or of a tree of one or two levels.
#[derive(Clone, Copy)]
pub struct Cheapest<'a, C> {
    /// The rows, with the gains below each root.
    pub side: &'a Side<C>,
    /// The number of columns.
    pub columns: usize,
    /// What things cost.
    pub setting: &'a Setting,
}

impl<C: Count> Work<C> for Cheapest<'_, C> {
    type Output = i32;

    #[inline(always)]
    #[allow(clippy::needless_range_loop)]
    unsafe fn run<L: Lanes<Count = C>>(self) -> i32 {
        let Setting { counting, costs, min_leaf, .. } = *self.setting;
        let leaf = self.leaf_cost();
        if costs.leaf == 0 && min_leaf <= 1 {
            let ones = &self.side.best_ones[..self.columns];
            let zeros = &self.side.best_zeros[..self.columns];
            // A sum of gains is at most the weight, which fits the type.
            let mut most = C::default();
            for column in 0..self.columns {
                let sum = C::from_i32(ones[column].into() + zeros[column].into());
                most = if sum > most { sum } else { most };
            }
            return leaf.min(costs.unit * counting.errors(self.side.weight, most.into()));
        }
        let mut least = leaf;
        for column in 0..self.columns {
            least = least.min(self.cost_of_root(column).unwrap_or(leaf));
        }
        least
    }
}

impl<C: Count> Cheapest<'_, C> {
    /// The cost of no question at all.
    #[inline(always)]
    fn leaf_cost(&self) -> i32 {
        let Setting { counting, costs, .. } = *self.setting;
        costs.leaf + costs.unit * counting.errors(self.side.weight, counting.leaf_gain(&self.side.totals))
    }

    /// The least cost of a tree with this root, if both sides have rows enough.
    #[inline(always)]
    pub fn cost_of_root(&self, column: usize) -> Option<i32> {
        let Side { weight, rows, weights, best_ones, best_zeros, .. } = self.side;
        let min_leaf = self.setting.min_leaf;
        let (ones, zeros) = self.leaf_gains(column);
        if min_leaf > 1 {
            let rows_of_ones: i32 = self.side.ones[self.side.ones.len() - weights.len() + column].into();
            if rows_of_ones < min_leaf || rows - rows_of_ones < min_leaf {
                return None;
            }
        }
        let weight_of_ones: i32 = weights[column].into();
        let cost = self.branch_cost(weight_of_ones, ones, best_ones[column].into());
        Some(cost + self.branch_cost(weight - weight_of_ones, zeros, best_zeros[column].into()))
    }

    /// The cost of a tree with this root and two leaves.
    pub fn cost_of_two_leaves(&self, column: usize) -> i32 {
        let Setting { counting, costs, .. } = self.setting;
        let (ones, zeros) = self.leaf_gains(column);
        let weight: i32 = self.side.weights[column].into();
        let errors = counting.errors(weight, ones) + counting.errors(self.side.weight - weight, zeros);
        2 * costs.leaf + costs.unit * errors
    }

    /// The gains of both sides of a column as leaves.
    #[inline(always)]
    fn leaf_gains(&self, column: usize) -> (i32, i32) {
        let width = self.side.weights.len();
        let ones = |plane: usize| -> i32 { self.side.ones[plane * width + column].into() };
        match self.setting.counting {
            Counting::Net { .. } => (ones(0).abs(), (self.side.totals[0] - ones(0)).abs()),
            Counting::Classes { classes, .. } => (0..classes).fold((0, 0), |(most_ones, most_zeros), class| {
                (most_ones.max(ones(class)), most_zeros.max(self.side.totals[class] - ones(class)))
            }),
        }
    }

    /// One leaf, or two.
    #[inline(always)]
    fn branch_cost(&self, weight: i32, leaf_gain: i32, best_gain: i32) -> i32 {
        let Setting { counting, costs, .. } = self.setting;
        let one = costs.leaf + costs.unit * counting.errors(weight, leaf_gain);
        let two = 2 * costs.leaf + costs.unit * counting.errors(weight, best_gain);
        one.min(two)
    }
}
