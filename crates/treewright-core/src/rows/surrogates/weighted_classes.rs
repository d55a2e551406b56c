//! What a cut saves, about, where rows differ in weight or classes in what they count.

use super::cuts::{Estimate, Unestimated};
use crate::rows::sorted::item::place_of;
use crate::stats::criterion::{ClassCriterion, Impurity};
use crate::tolerance::SURROGATE_ESTIMATE;

/// Both sides of a cut among rows of any weight. Weights are those that count in costs.
#[derive(Debug)]
pub struct WeightedClasses<'a, 'c> {
    pub exact: Unestimated<'a, ClassCriterion<'c>>,
    /// The class of each row by its place,
    pub classes: &'a [u16],
    /// and its weight.
    pub weights: &'a [f64],
    /// For each class the weight below the cut and that of all known rows.
    pub sides: Vec<[f64; 2]>,
    /// The same for all classes.
    pub total: [f64; 2],
    pub rows: f64,
    /// The concave part of the cost before the cut.
    pub before: f64,
}

/// The term of one weight, of which costs are sums: the larger the sum over the classes, the purer the set.
#[inline]
fn term(impurity: Impurity, weight: f64, total: f64) -> f64 {
    match impurity {
        Impurity::Gini => weight * weight / total,
        _ if weight > 0.0 => weight * (weight / total).log2(),
        _ => 0.0,
    }
}

impl WeightedClasses<'_, '_> {
    /// How pure the sets are, both together, in weight.
    fn purity(&self, below: f64) -> f64 {
        let impurity = self.exact.criterion.impurity();
        let above = self.total[1] - below;
        let both =
            |[low, known]: &[f64; 2]| term(impurity, *low, below) + term(impurity, (known - low).max(0.0), above);
        self.sides.iter().map(both).sum()
    }
}

impl<'c> Estimate<ClassCriterion<'c>> for WeightedClasses<'_, 'c> {
    const IS_CHEAP: bool = false;

    fn add(&self, stats: &mut [u64], items: &[u64]) {
        self.exact.add(stats, items);
    }

    fn begin(&mut self, items: &[u64], known: &[u64]) {
        let criterion = self.exact.criterion;
        let weight = |(class, units): (u32, &u64)| *units as f64 * criterion.unit_in_cost(class);
        self.sides.iter_mut().zip((0..).zip(known)).for_each(|(sides, known)| *sides = [0.0, weight(known)]);
        self.total = [0.0, self.sides.iter().map(|[_, known]| known).sum()];
        self.rows = items.len() as f64;
        let impurity = criterion.impurity();
        self.before = self.sides.iter().map(|[_, known]| term(impurity, *known, self.total[1])).sum();
    }

    #[inline]
    fn pass(&mut self, item: u64) {
        let place = place_of(item) as usize;
        let weight = self.weights[place];
        self.sides[self.classes[place] as usize][0] += weight;
        self.total[0] += weight;
    }

    fn saved(&self) -> f64 {
        self.purity(self.total[0]) - self.before
    }

    /// Each row adds an error of rounding to a sum of weights, and no term changes by more than 64 times its weight.
    fn error(&self, cost: f64) -> f64 {
        SURROGATE_ESTIMATE * cost + 64.0 * f64::EPSILON * self.rows * self.total[1]
    }
}
