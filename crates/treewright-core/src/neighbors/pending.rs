//! The rows of one query that passed a filter: those that seem to be near are measured at once and lower the limit, the
//! others wait. As the limit falls most of those are out again, and never measured.

use super::best::{Best, Near};
use super::distance::squared;
use super::packed::{PANEL, Packed, PackedQuery, Word};
use super::rows::Rows;

/// So many rows may wait: then those that are out leave, or all are measured.
const WAITING: usize = 256;

/// The rows of a query.
pub struct Pending<'a, W> {
    packed: &'a Packed<W>,
    rows: &'a Rows,
    numbers: &'a [f64],
    /// Row numbers, ascending, and sums.
    waiting: Vec<(u32, W)>,
    /// Those that were measured.
    best: Best,
}

impl<'a, W: Word> Pending<'a, W> {
    /// Nothing yet, for the k nearest of a query.
    pub fn new(packed: &'a Packed<W>, rows: &'a Rows, numbers: &'a [f64], k: usize) -> Pending<'a, W> {
        Pending { packed, rows, numbers, waiting: Vec::new(), best: Best::new(k) }
    }

    /// Takes the rows of a panel that a mask names; says whether the query's radius is smaller now.
    #[inline(always)]
    pub fn take(&mut self, query: &mut PackedQuery, panel: usize, mut above: u64, sums: &[W; PANEL]) -> bool {
        let before = self.best.limit();
        let level = self.packed.level(self.packed.scale(panel), query);
        while above != 0 {
            let i = above.trailing_zeros() as usize;
            above &= above - 1;
            let row = panel * PANEL + i;
            if sums[i] < level {
                self.waiting.push((row as u32, sums[i]));
            } else if row < self.rows.len() {
                self.measure(row);
            }
        }
        if self.waiting.len() >= WAITING {
            self.leave(query);
            // Most of them stay where many rows are at the same distance.
            if self.waiting.len() >= WAITING / 2 {
                self.measure_all();
            }
        }
        let narrower = self.best.limit() < before;
        if narrower {
            query.radius = self.packed.radius(self.best.limit());
        }
        narrower
    }

    #[inline(always)]
    fn measure(&mut self, row: usize) {
        let key = squared(self.rows.numbers_of(row), self.numbers);
        self.best.offer(Near { key, row: row as u32 });
    }

    /// Lets those leave that are out.
    fn leave(&mut self, query: &PackedQuery) {
        let (packed, count) = (self.packed, self.rows.len());
        let mut last = (usize::MAX, W::default());
        self.waiting.retain(|&(row, sum)| {
            let scale = packed.scale(row as usize / PANEL);
            if scale != last.0 {
                last = (scale, packed.floor(scale, query));
            }
            sum >= last.1 && (row as usize) < count
        });
    }

    #[inline(always)]
    fn measure_all(&mut self) {
        for (row, _) in std::mem::take(&mut self.waiting) {
            self.measure(row as usize);
        }
    }

    /// The nearest rows of all.
    #[inline(always)]
    pub fn finish(&mut self, query: &PackedQuery) -> &mut Best {
        self.leave(query);
        self.measure_all();
        &mut self.best
    }
}
