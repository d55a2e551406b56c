//! The rows of one query that passed a filter: those that seem to be near are measured at once and lower the limit, the
//! others wait. As the limit falls most of those are out again, and never measured.

use super::best::{Best, Near};
use super::candidates::squared;
use super::packed::{PANEL, Packed};
use super::rows::Rows;
use crate::simd::Simd;

/// So many rows may wait: then those that are out leave, or all are measured.
const WAITING: usize = 256;

/// The rows of a query.
pub struct Pending<'a, P: Packed> {
    packed: &'a P,
    rows: &'a Rows,
    numbers: &'a [f64],
    /// Row numbers, ascending, and sums.
    waiting: Vec<(u32, P::Sum)>,
    /// Those that were measured.
    best: Best,
}

impl<'a, P: Packed> Pending<'a, P> {
    /// Nothing yet, for the k nearest of a query.
    pub fn new(packed: &'a P, rows: &'a Rows, numbers: &'a [f64], k: usize) -> Pending<'a, P> {
        Pending { packed, rows, numbers, waiting: Vec::new(), best: Best::new(k) }
    }

    /// Takes the rows of a panel that a mask names; says whether the query's radius is smaller now.
    #[inline(always)]
    pub fn take<S: Simd>(
        &mut self,
        simd: S,
        query: &mut P::Query,
        panel: usize,
        mut above: u64,
        sums: &[P::Sum; PANEL],
    ) -> bool {
        let before = self.best.limit();
        let level = self.packed.level(self.packed.scale(panel), query);
        while above != 0 {
            let i = above.trailing_zeros() as usize;
            above &= above - 1;
            let row = panel * PANEL + i;
            if sums[i] < level {
                self.waiting.push((row as u32, sums[i]));
            } else if row < self.rows.len() {
                self.measure(simd, row);
            }
        }
        if self.waiting.len() >= WAITING {
            self.thin(simd, query);
        }
        let narrower = self.best.limit() < before;
        if narrower {
            self.packed.narrow(query, self.packed.radius(self.best.limit()));
        }
        narrower
    }

    #[inline(always)]
    fn measure<S: Simd>(&mut self, simd: S, row: usize) {
        let key = squared(simd, self.rows.numbers_of(row), self.numbers);
        self.best.offer(Near { key, row: row as u32 });
    }

    /// Lets those leave that are out; measures all where most of them stay, as with many rows at the same distance.
    #[inline(always)]
    fn thin<S: Simd>(&mut self, simd: S, query: &mut P::Query) {
        self.leave(query);
        if self.waiting.len() >= WAITING / 2 {
            self.measure_all(simd);
        }
    }

    fn leave(&mut self, query: &P::Query) {
        let (packed, count) = (self.packed, self.rows.len());
        let mut last = (usize::MAX, P::Sum::default());
        self.waiting.retain(|&(row, sum)| {
            let scale = packed.scale(row as usize / PANEL);
            if scale != last.0 {
                last = (scale, packed.floor(scale, query));
            }
            sum >= last.1 && (row as usize) < count
        });
    }

    #[inline(always)]
    fn measure_all<S: Simd>(&mut self, simd: S) {
        for (row, _) in std::mem::take(&mut self.waiting) {
            self.measure(simd, row as usize);
        }
    }

    /// The nearest rows of all.
    #[inline(always)]
    pub fn finish<S: Simd>(&mut self, simd: S, query: &P::Query) -> &mut Best {
        self.leave(query);
        self.measure_all(simd);
        &mut self.best
    }
}
