//! The known rows of a node on both sides of a cut that passes them one by one.

use super::item::place_of;
use super::logarithms::{Fixed, Table};
use crate::Result;
use crate::stats::criterion::{ClassCriterion, Criterion};
use crate::sys::memory::{copied, filled};

/// What is added up on both sides.
pub trait Sides {
    /// Whether [`Sides::saved`] takes less time than a wrong guess of the processor.
    const IS_CHEAP: bool;

    /// Puts all known rows of a column above the cut.
    fn begin(&mut self, items: &[u64]);
    /// How many classes there are.
    fn classes(&self) -> usize;
    /// The scale of savings.
    fn scale(&self) -> &Fixed;
    /// The cut passes a row.
    fn pass(&mut self, place: u32);
    /// What the present cut saves, less what is the same for all cuts of the column.
    fn saved(&self) -> i64;
    /// What the present cut saves, by the criterion's formula.
    fn exact(&self) -> f64;
    /// The weight of all known rows.
    fn weight_of_known(&self) -> f64;
    /// The weight below the present cut.
    fn weight_below(&self) -> f64;
    /// Remembers the present cut as the best one.
    fn keep(&mut self);
    /// What that cut saves, by the criterion's formula.
    fn exact_of_kept(&self) -> f64;
    /// Goes back to that cut.
    fn restore(&mut self);
    /// The fewest rows that weigh at least `least`, and the most that weigh at most `most`, from the lowest on.
    fn range(&self, items: &[u64], least: f64, most: f64) -> (usize, usize);
}

/// Rows that all weigh the same.
#[derive(Debug)]
pub struct Counts<'a> {
    scale: &'a Fixed,
    table: &'a Table,
    classes: &'a [u16],
    /// The weight of a row, in units.
    units: u64,
    /// The rows of each class in the node.
    all: Vec<u32>,
    /// For each class the rows below and above the cut.
    sides: Vec<[u32; 2]>,
    /// The sum of their terms.
    sum: i64,
    below: usize,
    known: usize,
    kept: Vec<[u32; 2]>,
}

impl<'a> Counts<'a> {
    /// The rows of a node, given by their classes; `stats` is the weight of each class in units.
    pub fn new(
        (scale, table): (&'a Fixed, &'a Table),
        classes: &'a [u16],
        stats: &[u64],
        units: u64,
    ) -> Result<Counts<'a>> {
        let (mut all, sides) = (filled(0, stats.len())?, filled([0; 2], stats.len())?);
        all.iter_mut().zip(stats).for_each(|(count, weight)| *count = (weight / units) as u32);
        let kept = copied(&sides)?;
        Ok(Counts { scale, table, classes, units, all, sides, sum: 0, below: 0, known: 0, kept })
    }

    fn exact_of(&self, sides: &[[u32; 2]]) -> f64 {
        let cost = self.table.cost(sides.iter().map(|[below, above]| below + above));
        let [below, above] = [0, 1].map(|side: usize| self.table.cost(sides.iter().map(move |counts| counts[side])));
        cost - below - above
    }

    fn weight(&self, rows: usize) -> f64 {
        (rows as u64 * self.units) as f64 * self.scale.unit
    }
}

impl Sides for Counts<'_> {
    const IS_CHEAP: bool = true;

    fn begin(&mut self, items: &[u64]) {
        if items.len() == self.classes.len() {
            self.sides.iter_mut().zip(&self.all).for_each(|(sides, all)| *sides = [0, *all]);
        } else {
            self.sides.fill([0; 2]);
            items.iter().for_each(|item| self.sides[self.classes[place_of(*item) as usize] as usize][1] += 1);
        }
        self.sum = self.sides.iter().map(|[_, above]| self.table.fixed[*above as usize]).sum();
        (self.below, self.known) = (0, items.len());
    }

    fn classes(&self) -> usize {
        self.all.len()
    }

    fn scale(&self) -> &Fixed {
        self.scale
    }

    #[inline]
    fn pass(&mut self, place: u32) {
        let [below, above] = &mut self.sides[self.classes[place as usize] as usize];
        *above -= 1;
        self.sum += self.table.steps[*below as usize] - self.table.steps[*above as usize];
        *below += 1;
        self.below += 1;
    }

    #[inline]
    fn saved(&self) -> i64 {
        self.sum - (self.table.fixed[self.below] + self.table.fixed[self.known - self.below])
    }

    fn exact(&self) -> f64 {
        self.exact_of(&self.sides)
    }

    fn exact_of_kept(&self) -> f64 {
        self.exact_of(&self.kept)
    }

    fn weight_of_known(&self) -> f64 {
        self.weight(self.known)
    }

    fn weight_below(&self) -> f64 {
        self.weight(self.below)
    }

    fn keep(&mut self) {
        self.kept.copy_from_slice(&self.sides);
    }

    fn restore(&mut self) {
        self.sides.copy_from_slice(&self.kept);
        self.below = self.sides.iter().map(|[below, _]| *below as usize).sum();
    }

    fn range(&self, items: &[u64], least: f64, most: f64) -> (usize, usize) {
        let rows = |weight: f64| (weight / self.weight(1)) as usize;
        let mut first = rows(least).saturating_sub(1);
        while first <= items.len() && self.weight(first) < least {
            first += 1;
        }
        let mut last = rows(most).saturating_add(1).min(items.len());
        while last > 0 && self.weight(last) > most {
            last -= 1;
        }
        (first, last)
    }
}

/// Rows of any weight, or fractions of rows.
#[derive(Debug)]
pub struct Weights<'a> {
    scale: &'a Fixed,
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
    kept: Vec<u64>,
}

impl<'a> Weights<'a> {
    /// The rows of a node, given by their classes and weights.
    pub fn new(
        scale: &'a Fixed,
        criterion: &'a ClassCriterion<'a>,
        classes: &'a [u16],
        weights: &'a [u64],
    ) -> Result<Weights<'a>> {
        let none = || filled(0u64, criterion.width());
        let (below, above, kept, terms) = (none()?, none()?, none()?, filled(0, criterion.width())?);
        Ok(Weights {
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
            kept,
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

    fn in_weight(&self, units: u64) -> f64 {
        units as f64 * self.scale.unit
    }
}

impl Sides for Weights<'_> {
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

    fn classes(&self) -> usize {
        self.below.len()
    }

    fn scale(&self) -> &Fixed {
        self.scale
    }

    #[inline]
    fn pass(&mut self, place: u32) {
        let (class, weight) = (self.classes[place as usize] as usize, self.weight(place));
        self.below[class] += weight;
        self.above[class] -= weight;
        let term = self.scale.n_log_n(self.below[class]) + self.scale.n_log_n(self.above[class]);
        self.sum += term - std::mem::replace(&mut self.terms[class], term);
        self.below_units += weight;
    }

    #[inline]
    fn saved(&self) -> i64 {
        let above = self.known_units - self.below_units;
        self.sum - (self.scale.n_log_n(self.below_units) + self.scale.n_log_n(above))
    }

    fn exact(&self) -> f64 {
        self.exact_of(&self.below)
    }

    fn exact_of_kept(&self) -> f64 {
        self.exact_of(&self.kept)
    }

    fn weight_of_known(&self) -> f64 {
        self.in_weight(self.known_units)
    }

    fn weight_below(&self) -> f64 {
        self.in_weight(self.below_units)
    }

    fn keep(&mut self) {
        self.kept.copy_from_slice(&self.below);
    }

    fn restore(&mut self) {
        for ((below, above), kept) in self.below.iter_mut().zip(&mut self.above).zip(&self.kept) {
            *above = *below + *above - kept;
            *below = *kept;
        }
        self.below_units = self.below.iter().sum();
    }

    fn range(&self, items: &[u64], least: f64, most: f64) -> (usize, usize) {
        let (mut first, mut below) = (0, 0);
        while first < items.len() && self.in_weight(below) < least {
            below += self.weight(place_of(items[first]));
            first += 1;
        }
        let (mut last, mut below) = (items.len(), self.known_units);
        while last > 0 && self.in_weight(below) > most {
            last -= 1;
            below -= self.weight(place_of(items[last]));
        }
        (first, last)
    }
}
