//! Both sides of a cut among rows of two classes that all weigh the same.

use super::blocks::{Blocks, FEWEST};
use super::item::class_bit;
use super::logarithms::{FixedPoint, Logarithms};
use super::node::SortedNode;
use super::scan::{CutLimits, scan};
use super::sides::{Sides, range_of};
use crate::Result;
use crate::split::choose::Candidate;

/// Rows of two classes that all weigh the same: one count tells everything, and stays in a register.
#[derive(Debug)]
pub struct TwoClassCounts<'a> {
    /// The scale of savings.
    pub scale: &'a FixedPoint,
    table: &'a Logarithms,
    units: u64,
    /// The rows of each class in the node.
    all: [usize; 2],
    /// The known rows of each class.
    known: [usize; 2],
    below: usize,
    /// The rows of the second class below the cut.
    seconds: usize,
    /// Both for the best cut.
    best: (usize, usize),
    blocks: Blocks,
}

impl<'a> TwoClassCounts<'a> {
    /// The rows of a node, of so many units each.
    pub fn new(
        (scale, table): (&'a FixedPoint, &'a Logarithms),
        node: &SortedNode,
        units: u64,
    ) -> Result<TwoClassCounts<'a>> {
        let all = [0, 1].map(|class: usize| (node.stats[class] / units) as usize);
        let blocks = Blocks::new(node.count)?;
        Ok(TwoClassCounts { scale, table, units, all, known: all, below: 0, seconds: 0, best: (0, 0), blocks })
    }

    /// What a cut saves that leaves so many rows of each class below it, less what is the same for all cuts.
    #[inline(always)]
    pub fn saved_at(&self, [firsts, seconds]: [usize; 2]) -> i64 {
        let [of_firsts, of_seconds] = self.terms_of_classes([firsts, seconds]);
        of_firsts + of_seconds - self.terms_of_rows(firsts + seconds)
    }

    /// The terms of each class on both sides of a cut that leaves so many rows of it below.
    #[inline(always)]
    pub fn terms_of_classes(&self, [firsts, seconds]: [usize; 2]) -> [i64; 2] {
        let terms = &self.table.fixed[..];
        [terms[firsts] + terms[self.known[0] - firsts], terms[seconds] + terms[self.known[1] - seconds]]
    }

    /// The terms of all rows on both sides of a cut that leaves so many of them below.
    #[inline(always)]
    pub fn terms_of_rows(&self, below: usize) -> i64 {
        self.table.fixed[below] + self.table.fixed[self.known[0] + self.known[1] - below]
    }

    /// The weight of so many rows.
    pub fn weight_of(&self, rows: usize) -> f64 {
        self.scale.weight_of(rows as u64 * self.units)
    }

    /// Moves the cut so that so many rows of each class are below it.
    pub fn move_to(&mut self, [firsts, seconds]: [usize; 2]) {
        (self.below, self.seconds) = (firsts + seconds, seconds);
    }

    fn exact_of(&self, (below, seconds): (usize, usize)) -> f64 {
        let low = [below - seconds, seconds];
        let high = [self.known[0] - low[0], self.known[1] - low[1]];
        let [before, low, high] =
            [self.known, low, high].map(|counts| self.table.cost(counts.iter().map(|n| *n as u32)));
        before - low - high
    }
}

impl Sides for TwoClassCounts<'_> {
    const IS_CHEAP: bool = true;

    fn begin(&mut self, items: &[u64]) {
        (self.known, self.below, self.seconds) = (self.all, 0, 0);
        if items.len() < self.all[0] + self.all[1] {
            let seconds = items.iter().map(|item| class_bit(*item)).sum::<u64>() as usize;
            self.known = [items.len() - seconds, seconds];
        }
    }

    #[inline(always)]
    fn pass(&mut self, item: u64) {
        self.seconds += class_bit(item) as usize;
        self.below += 1;
    }

    #[inline(always)]
    fn saved(&self) -> i64 {
        self.saved_at([self.below - self.seconds, self.seconds])
    }

    fn exact(&self) -> f64 {
        self.exact_of((self.below, self.seconds))
    }

    fn weight_of_known(&self) -> f64 {
        self.weight_of(self.known[0] + self.known[1])
    }

    fn weight_below(&self) -> f64 {
        self.weight_of(self.below)
    }

    fn keep(&mut self) {
        self.best = (self.below, self.seconds);
    }

    fn exact_of_best(&self) -> f64 {
        self.exact_of(self.best)
    }

    fn restore(&mut self) {
        (self.below, self.seconds) = self.best;
    }

    fn range(&self, items: &[u64], least: f64, most: f64) -> (usize, usize) {
        range_of(items.len(), (self.units, self.scale), least, most)
    }

    fn best(
        &mut self,
        items: &[u64],
        limits: &CutLimits,
        are_apart: &impl Fn(u32, u32) -> bool,
    ) -> Option<(Candidate, usize)> {
        if items.len() < FEWEST {
            return scan(items, self, limits, are_apart);
        }
        let mut blocks = std::mem::take(&mut self.blocks);
        let cut = blocks.search(items, self, limits, are_apart);
        self.blocks = blocks;
        cut
    }
}
