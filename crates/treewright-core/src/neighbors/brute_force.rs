//! Every row, by products of packed rows: for many columns, where no tree helps.
//!
//! Six queries and sixty-four rows make a tile whose products stay in registers; each is compared with its query's floor,
//! and only the few rows that are not below it are looked at. The products are never written, so memory does not grow
//! with rows times queries.

use super::job::{Job, Request};
use super::packed::{PANEL, Packed, TILE};
use super::pending::Pending;
use crate::Result;
use crate::simd::{Isa, Simd, Work, run};
use rayon::prelude::*;

/// Queries of a block. More means that rows are read less often.
const BLOCK: usize = 256 * TILE;
/// Rows that the queries of a block hold together, at most.
const HELD: usize = 1 << 22;

/// What a search needs to know.
pub struct Search<'a, P> {
    /// The filter.
    pub packed: &'a P,
    /// What is asked; squares are added.
    pub request: Request<'a>,
}

impl<P: Packed> Search<'_, P> {
    /// Answers queries. All threads get equally many blocks of equal size.
    pub fn run(self, mut jobs: Vec<Job<'_>>, isa: Isa) -> Result<()> {
        let share = jobs.len().div_ceil(rayon::current_num_threads());
        let block =
            share.div_ceil(share.div_ceil(BLOCK).max(1)).min(HELD / self.request.k).next_multiple_of(TILE).max(TILE);
        jobs.par_chunks_mut(block).try_for_each(|jobs| run(Block { search: &self, jobs }, isa))
    }
}

/// Some queries, answered on one thread.
struct Block<'a, 'b, P> {
    search: &'a Search<'a, P>,
    jobs: &'a mut [Job<'b>],
}

/// Six queries on their way.
struct Tile<'a, P: Packed> {
    words: Vec<u32>,
    queries: [P::Query; TILE],
    /// For the scale of the rows at hand.
    floors: [P::Sum; TILE],
    pending: Vec<Pending<'a, P>>,
}

impl<P: Packed> Work for Block<'_, '_, P> {
    type Out = Result<()>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Result<()> {
        let Search { packed, request: Request { rows, cancel, distance, .. } } = *self.search;
        let mut tiles: Vec<Tile<'_, P>> = self.jobs.chunks(TILE).map(|jobs| Tile::new(self.search, jobs)).collect();
        let (panels, size) = (rows.len().div_ceil(PANEL), packed.group());
        let mut sums = [[P::Sum::default(); PANEL]; TILE];
        let mut scale = usize::MAX;
        for first in (0..panels).step_by(size) {
            cancel.check()?;
            let other = scale != packed.scale(first);
            scale = packed.scale(first);
            for tile in &mut tiles {
                if other {
                    tile.floors = std::array::from_fn(|i| packed.floor(scale, &tile.queries[i]));
                }
                tile.compare(simd, packed, scale, first..panels.min(first + size), &mut sums);
            }
        }
        let pending = tiles.iter_mut().flat_map(|tile| tile.pending.iter_mut().zip(&tile.queries));
        for (job, (pending, query)) in self.jobs.iter_mut().zip(pending) {
            job.write(pending.finish(simd, query), |key| distance.of(key));
        }
        Ok(())
    }
}

impl<'a, P: Packed> Tile<'a, P> {
    fn new(search: &Search<'a, P>, jobs: &[Job<'_>]) -> Tile<'a, P> {
        let Search { packed, request: Request { rows, queries, k, .. } } = *search;
        let numbers: Vec<&[f64]> = jobs.iter().map(|job| queries.numbers_of(job.query)).collect();
        let mut words = vec![0; packed.steps() * TILE];
        let queries = packed.pack(&numbers, &mut words);
        let pending = numbers.iter().map(|numbers| Pending::new(packed, rows, numbers, k));
        Tile { words, queries, floors: [P::Sum::default(); TILE], pending: pending.collect() }
    }

    /// Compares the queries with panels of one scale.
    #[inline(always)]
    fn compare<S: Simd>(
        &mut self,
        simd: S,
        packed: &P,
        scale: usize,
        panels: std::ops::Range<usize>,
        sums: &mut [[P::Sum; PANEL]; TILE],
    ) {
        for panel in panels {
            let above = packed.above(simd, panel, &self.words, &self.queries, &self.floors, sums);
            for (i, pending) in self.pending.iter_mut().enumerate() {
                if above[i] != 0 && pending.take(simd, &mut self.queries[i], panel, above[i], &sums[i]) {
                    self.floors[i] = packed.floor(scale, &self.queries[i]);
                }
            }
        }
    }
}
