//! Every row, by products of packed rows: for many columns, where no tree helps.
//!
//! Six queries and sixty-four rows make a tile whose products stay in registers; each is compared with its query's floor,
//! and only the few rows that are not below it are looked at. The products are never written, so memory does not grow
//! with rows times queries.

use super::job::{Job, Request};
use super::packed::{PANEL, Packed, PackedQuery, TILE, Word};
use super::pending::Pending;
use crate::Result;
use crate::simd::{Isa, Simd, multiversion};
use rayon::prelude::*;

/// Queries of a block. More means that rows are read less often.
const BLOCK: usize = 256 * TILE;
/// Rows that the queries of a block hold together, at most.
const HELD: usize = 1 << 22;

/// Answers queries; squares are added. All threads get equally many blocks of equal size.
pub fn search<W: Word>(packed: &Packed<W>, request: Request<'_>, mut jobs: Vec<Job<'_>>, isa: Isa) -> Result<()> {
    let share = jobs.len().div_ceil(rayon::current_num_threads());
    let block = share.div_ceil(share.div_ceil(BLOCK).max(1)).min(HELD / request.k).next_multiple_of(TILE).max(TILE);
    jobs.par_chunks_mut(block).try_for_each(|jobs| answer(isa, packed, request, jobs))
}

multiversion! {
    /// Answers some queries on one thread.
    fn answer<S: Simd, W: Word>(simd: S, packed: &Packed<W>, request: Request<'_>, jobs: &mut [Job<'_>]) -> Result<()> {
        let Request { rows, cancel, distance, .. } = request;
        let mut tiles: Vec<Tile<'_, W>> = jobs.chunks(TILE).map(|jobs| Tile::new(packed, request, jobs)).collect();
        let (panels, size) = (rows.len().div_ceil(PANEL), packed.group());
        let mut sums = [[W::default(); PANEL]; TILE];
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
        for (job, (pending, query)) in jobs.iter_mut().zip(pending) {
            job.write(pending.finish(query), |key| distance.of(key));
        }
        Ok(())
    }
}

/// Six queries on their way.
struct Tile<'a, W> {
    words: Vec<W>,
    queries: [PackedQuery; TILE],
    /// For the scale of the rows at hand.
    floors: [W; TILE],
    pending: Vec<Pending<'a, W>>,
}

impl<'a, W: Word> Tile<'a, W> {
    fn new(packed: &'a Packed<W>, request: Request<'a>, jobs: &[Job<'_>]) -> Tile<'a, W> {
        let numbers: Vec<&[f64]> = jobs.iter().map(|job| request.queries.numbers_of(job.query)).collect();
        let (words, queries) = packed.pack(&numbers);
        let pending = numbers.iter().map(|numbers| Pending::new(packed, request.rows, numbers, request.k));
        Tile { words, queries, floors: [W::default(); TILE], pending: pending.collect() }
    }

    /// Compares the queries with panels of one scale.
    #[inline(always)]
    fn compare<S: Simd>(
        &mut self,
        simd: S,
        packed: &Packed<W>,
        scale: usize,
        panels: std::ops::Range<usize>,
        sums: &mut [[W; PANEL]; TILE],
    ) {
        for panel in panels {
            let above = packed.above(simd, panel, &self.words, &self.queries, &self.floors, sums);
            for (i, pending) in self.pending.iter_mut().enumerate() {
                if above[i] != 0 && pending.take(&mut self.queries[i], panel, above[i], &sums[i]) {
                    self.floors[i] = packed.floor(scale, &self.queries[i]);
                }
            }
        }
    }
}
