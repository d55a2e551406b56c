//! Every row, by products of packed rows: for many columns, where no tree helps.
//!
//! Six queries and sixty-four rows make a tile whose products stay in registers; each is compared with its query's floor,
//! and only the few rows above it are measured, in f64. The products are never written, so memory does not grow with
//! rows times queries.

use super::best::{Best, Near};
use super::distance::Distance;
use super::job::Job;
use super::packed::{PANEL, Packed, TILE};
use super::rows::Rows;
use super::simd::{DOUBLES, Lanes, Simd, Work, run};
use crate::Result;
use crate::pool::Cancel;
use rayon::prelude::*;

/// Queries of a block. More means that rows are read less often.
const BLOCK: usize = 256 * TILE;
/// Rows that the queries of a block hold together, at most.
const HELD: usize = 1 << 22;

/// What a search needs to know.
pub struct Search<'a, P> {
    /// The filter.
    pub packed: &'a P,
    /// The rows themselves.
    pub rows: &'a Rows,
    /// Their distance: squares are added.
    pub distance: &'a Distance,
    /// Complete queries that the filter takes.
    pub queries: &'a Rows,
    /// How many rows to find; at most as many as there are.
    pub k: usize,
    /// Asks to stop.
    pub cancel: &'a Cancel,
}

impl<P: Packed> Search<'_, P> {
    /// Answers queries.
    pub fn run(self, mut jobs: Vec<Job<'_>>, lanes: Lanes) -> Result<()> {
        let share = jobs.len().div_ceil(rayon::current_num_threads());
        let block = share.min(BLOCK).min(HELD / self.k).next_multiple_of(TILE).max(TILE);
        jobs.par_chunks_mut(block).try_for_each(|jobs| run(Block { search: &self, jobs }, lanes))
    }
}

/// Some queries, answered on one thread.
struct Block<'a, 'b, P> {
    search: &'a Search<'a, P>,
    jobs: &'a mut [Job<'b>],
}

/// Six queries on their way.
struct Tile<'a, P: Packed> {
    numbers: Vec<&'a [f64]>,
    words: Vec<u32>,
    queries: [P::Query; TILE],
    best: Vec<Best>,
}

impl<P: Packed> Work for Block<'_, '_, P> {
    type Out = Result<()>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Result<()> {
        let Search { packed, rows, cancel, distance, .. } = *self.search;
        let mut tiles: Vec<Tile<'_, P>> = self.jobs.chunks(TILE).map(|jobs| Tile::new(self.search, jobs)).collect();
        let (panels, size) = (rows.len().div_ceil(PANEL), packed.group());
        for group in 0..panels.div_ceil(size) {
            cancel.check()?;
            for tile in &mut tiles {
                tile.compare(simd, packed, rows, group, group * size..panels.min((group + 1) * size));
            }
        }
        let best = tiles.iter_mut().flat_map(|tile| &mut tile.best);
        self.jobs.iter_mut().zip(best).for_each(|(job, best)| job.write(best, |key| distance.of(key)));
        Ok(())
    }
}

impl<'a, P: Packed> Tile<'a, P> {
    fn new(search: &Search<'a, P>, jobs: &[Job<'_>]) -> Tile<'a, P> {
        let numbers: Vec<&[f64]> = jobs.iter().map(|job| search.queries.numbers_of(job.query)).collect();
        let mut words = vec![0; search.packed.steps() * TILE];
        let queries = search.packed.pack(&numbers, &mut words);
        Tile { numbers, words, queries, best: vec![Best::new(search.k); TILE] }
    }

    /// Compares the queries with the panels of a group.
    #[inline(always)]
    fn compare<S: Simd>(&mut self, simd: S, packed: &P, rows: &Rows, group: usize, panels: std::ops::Range<usize>) {
        let mut floors = std::array::from_fn(|i| packed.floor(group, &self.queries[i]));
        for panel in panels {
            let above = packed.above(simd, panel, &self.words, &self.queries, &floors);
            for (i, above) in above.into_iter().enumerate() {
                if above != 0 && self.measure(simd, rows, i, panel, above) {
                    packed.narrow(&mut self.queries[i], self.best[i].limit());
                    floors[i] = packed.floor(group, &self.queries[i]);
                }
            }
        }
    }

    /// Measures the rows of a panel that may be among the nearest; says whether the limit is lower now.
    #[inline(always)]
    fn measure<S: Simd>(&mut self, simd: S, rows: &Rows, i: usize, panel: usize, mut above: u64) -> bool {
        let best = &mut self.best[i];
        let before = best.limit();
        while above != 0 {
            let row = panel * PANEL + above.trailing_zeros() as usize;
            above &= above - 1;
            if row < rows.len() {
                let key = squared(simd, rows.numbers_of(row), self.numbers[i]);
                best.offer(Near { key, row: row as u32 });
            }
        }
        best.limit() < before
    }
}

/// The key of a row, as [`Distance::key`] defines it: eight interleaved sums, then those from the first to the last.
#[inline(always)]
fn squared<S: Simd>(simd: S, row: &[f64], query: &[f64]) -> f64 {
    let mut sums = simd.splat(0.0);
    let (rows, queries) = (row.chunks_exact(DOUBLES), query.chunks_exact(DOUBLES));
    let (last_row, last_query) = (rows.remainder(), queries.remainder());
    for (x, q) in rows.zip(queries) {
        let apart = simd.sub(simd.load(x), simd.load(q));
        sums = simd.add(sums, simd.mul(apart, apart));
    }
    let apart = simd.sub(simd.load_part(last_row), simd.load_part(last_query));
    sums = simd.add(sums, simd.mul(apart, apart));
    let mut each = [0.0; DOUBLES];
    simd.store(sums, &mut each);
    each.iter().fold(0.0, |sum, x| sum + x)
}
