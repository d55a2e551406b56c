//! Both sides of a cut among rows of any weight.

use super::item::place_of;
use super::logarithms::FixedPoint;
use super::sides::Sides;
use crate::Result;
use crate::stats::criterion::{ClassCriterion, Criterion};
use crate::sys::memory::filled;

/// Rows of any weight, or fractions of rows.
#[derive(Debug)]
pub struct ClassWeights<'a> {
    scale: &'a FixedPoint,
    criterion: &'a ClassCriterion<'a>,
    classes: &'a [u16],
    /// The weight of each row in units; of every row where there is only one.
    weights: &'a [u64],
    below: Vec<u64>,
    above: Vec<u64>,
    /// The terms of both sides for each class, and their sum.
    terms: Vec<i64>,
    sum: i64,
    below_units: u64,
    known_units: u64,
    best: Vec<u64>,
}

impl<'a> ClassWeights<'a> {
    /// The rows of a node, given by their classes and weights.
    pub fn new(
        scale: &'a FixedPoint,
        criterion: &'a ClassCriterion<'a>,
        classes: &'a [u16],
        weights: &'a [u64],
    ) -> Result<ClassWeights<'a>> {
        let none = || filled(0u64, criterion.width());
        let (below, above, best, terms) = (none()?, none()?, none()?, filled(0, criterion.width())?);
        Ok(ClassWeights {
            scale,
            criterion,
            classes,
            weights,
            below,
            above,
            terms,
            sum: 0,
            below_units: 0,
            known_units: 0,
            best,
        })
    }

    #[inline]
    fn weight(&self, place: u32) -> u64 {
        self.weights[if self.weights.len() == 1 { 0 } else { place as usize }]
    }

    /// What a cut saves that leaves these weights below it.
    fn exact_of(&self, below: &[u64]) -> f64 {
        let known = self.below.iter().zip(&self.above).map(|(below, above)| below + above);
        let known: Vec<u64> = known.collect();
        let above: Vec<u64> = known.iter().zip(below).map(|(known, below)| known - below).collect();
        self.criterion.cost(&known) - self.criterion.cost(below) - self.criterion.cost(&above)
    }
}

impl Sides for ClassWeights<'_> {
    const IS_CHEAP: bool = false;

    fn begin(&mut self, items: &[u64]) {
        self.below.fill(0);
        self.above.fill(0);
        for item in items {
            let place = place_of(*item);
            self.above[self.classes[place as usize] as usize] += self.weight(place);
        }
        let scale = self.scale;
        self.terms.iter_mut().zip(&self.above).for_each(|(term, units)| *term = scale.n_log_n(*units));
        self.sum = self.terms.iter().sum();
        (self.below_units, self.known_units) = (0, self.above.iter().sum());
    }

    #[inline(always)]
    fn pass(&mut self, item: u64) {
        let place = place_of(item);
        let (class, weight) = (self.classes[place as usize] as usize, self.weight(place));
        self.below[class] += weight;
        self.above[class] -= weight;
        let term = self.scale.n_log_n(self.below[class]) + self.scale.n_log_n(self.above[class]);
        self.sum += term - std::mem::replace(&mut self.terms[class], term);
        self.below_units += weight;
    }

    #[inline(always)]
    fn saved(&self) -> i64 {
        let above = self.known_units - self.below_units;
        self.sum - (self.scale.n_log_n(self.below_units) + self.scale.n_log_n(above))
    }

    fn exact(&self) -> f64 {
        self.exact_of(&self.below)
    }

    fn exact_of_best(&self) -> f64 {
        self.exact_of(&self.best)
    }

    fn weight_of_known(&self) -> f64 {
        self.scale.weight_of(self.known_units)
    }

    fn weight_below(&self) -> f64 {
        self.scale.weight_of(self.below_units)
    }

    fn keep(&mut self) {
        self.best.copy_from_slice(&self.below);
    }

    fn restore(&mut self) {
        for ((below, above), best) in self.below.iter_mut().zip(&mut self.above).zip(&self.best) {
            *above = *below + *above - best;
            *below = *best;
        }
        self.below_units = self.below.iter().sum();
    }

    fn range(&self, items: &[u64], least: f64, most: f64) -> (usize, usize) {
        let (mut first, mut below) = (0, 0);
        while first < items.len() && self.scale.weight_of(below) < least {
            below += self.weight(place_of(items[first]));
            first += 1;
        }
        let (mut last, mut below) = (items.len(), self.known_units);
        while last > 0 && self.scale.weight_of(below) > most {
            last -= 1;
            below -= self.weight(place_of(items[last]));
        }
        (first, last)
    }
}
