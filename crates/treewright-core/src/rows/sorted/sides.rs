//! The known rows of a node on both sides of a cut that passes them one by one.

use super::item::place_of;
use super::logarithms::{FixedPoint, Logarithms};
use super::node::SortedNode;
use super::scan::{CutLimits, scan};
use crate::Result;
use crate::split::choose::Candidate;
use crate::sys::memory::{copied, filled};

/// What is added up on both sides.
pub trait Sides {
    /// Whether [`Sides::saved`] takes less time than a wrong guess of the processor.
    const IS_CHEAP: bool;

    /// Puts all known rows of a column above the cut.
    fn begin(&mut self, items: &[u64]);
    /// The cut passes a row.
    fn pass(&mut self, item: u64);
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
    fn exact_of_best(&self) -> f64;
    /// Goes back to that cut.
    fn restore(&mut self);
    /// The fewest rows that weigh at least `least`, and the most that weigh at most `most`, from the lowest on.
    fn range(&self, items: &[u64], least: f64, most: f64) -> (usize, usize);
    /// The best cut of the column that was begun with, see [`best_cut`](super::scan::best_cut).
    fn best(
        &mut self,
        items: &[u64],
        limits: &CutLimits,
        are_apart: &impl Fn(u32, u32) -> bool,
    ) -> Option<(Candidate, usize)>
    where
        Self: Sized,
    {
        scan(items, self, limits, are_apart)
    }
}

/// Rows that all weigh the same.
#[derive(Debug)]
pub struct ClassCounts<'a> {
    scale: &'a FixedPoint,
    table: &'a Logarithms,
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
    best: Vec<[u32; 2]>,
}

impl<'a> ClassCounts<'a> {
    /// The rows of a node, of so many units each.
    pub fn new(
        (scale, table): (&'a FixedPoint, &'a Logarithms),
        node: &'a SortedNode,
        units: u64,
    ) -> Result<ClassCounts<'a>> {
        let (mut all, sides) = (filled(0, node.stats.len())?, filled([0; 2], node.stats.len())?);
        all.iter_mut().zip(&node.stats).for_each(|(count, weight)| *count = (weight / units) as u32);
        let best = copied(&sides)?;
        Ok(ClassCounts { scale, table, classes: &node.classes, units, all, sides, sum: 0, below: 0, known: 0, best })
    }

    fn exact_of(&self, sides: &[[u32; 2]]) -> f64 {
        let cost = self.table.cost(sides.iter().map(|[below, above]| below + above));
        let [below, above] = [0, 1].map(|side: usize| self.table.cost(sides.iter().map(move |counts| counts[side])));
        cost - below - above
    }
}

/// The fewest of some rows that weigh at least `least`, and the most that weigh at most `most`.
pub fn range_of(rows: usize, (units, scale): (u64, &FixedPoint), least: f64, most: f64) -> (usize, usize) {
    let weight = |rows: usize| scale.weight_of(rows as u64 * units);
    let about = |sum: f64| (sum / weight(1)) as usize;
    let mut first = about(least).saturating_sub(1);
    while first <= rows && weight(first) < least {
        first += 1;
    }
    let mut last = about(most).saturating_add(1).min(rows);
    while last > 0 && weight(last) > most {
        last -= 1;
    }
    (first, last)
}

impl Sides for ClassCounts<'_> {
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

    #[inline(always)]
    fn pass(&mut self, item: u64) {
        let [below, above] = &mut self.sides[self.classes[place_of(item) as usize] as usize];
        *above -= 1;
        self.sum += self.table.steps[*below as usize] - self.table.steps[*above as usize];
        *below += 1;
        self.below += 1;
    }

    #[inline(always)]
    fn saved(&self) -> i64 {
        self.sum - (self.table.fixed[self.below] + self.table.fixed[self.known - self.below])
    }

    fn exact(&self) -> f64 {
        self.exact_of(&self.sides)
    }

    fn exact_of_best(&self) -> f64 {
        self.exact_of(&self.best)
    }

    fn weight_of_known(&self) -> f64 {
        self.scale.weight_of(self.known as u64 * self.units)
    }

    fn weight_below(&self) -> f64 {
        self.scale.weight_of(self.below as u64 * self.units)
    }

    fn keep(&mut self) {
        self.best.copy_from_slice(&self.sides);
    }

    fn restore(&mut self) {
        self.sides.copy_from_slice(&self.best);
        self.below = self.sides.iter().map(|[below, _]| *below as usize).sum();
    }

    fn range(&self, items: &[u64], least: f64, most: f64) -> (usize, usize) {
        range_of(items.len(), (self.units, self.scale), least, most)
    }
}
