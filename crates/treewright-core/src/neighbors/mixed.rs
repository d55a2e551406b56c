//! Rows of numbers and categories with values missing: every row, sixty-four at a time.
//!
//! Categories come first: what they cost alone already rules most rows out. Numbers are added for the rest, in f32, and
//! the few rows that are still within reach are measured in f64.

use super::best::{Best, Near};
use super::blocks::{ABSENT, Blocks, Query};
use super::distance::{Distance, Missing, Power};
use super::job::Job;
use super::rows::Rows;
use super::simd::{BYTES, FLOATS, Lanes, Simd, Work, run};
use crate::Result;
use crate::pool::Cancel;
use rayon::prelude::*;

/// Blocks between two looks at the cancel flag.
const CHUNK: usize = 1 << 10;

/// What a search needs to know.
pub struct Search<'a> {
    /// The filter.
    pub blocks: &'a Blocks,
    /// The rows themselves.
    pub rows: &'a Rows,
    /// Their distance: absolute differences or squares are added.
    pub distance: &'a Distance,
    /// Queries that the filter takes.
    pub queries: &'a Rows,
    /// How many rows to find; at most as many as there are.
    pub k: usize,
    /// Asks to stop.
    pub cancel: &'a Cancel,
}

impl Search<'_> {
    /// Answers queries.
    pub fn run(self, mut jobs: Vec<Job<'_>>, lanes: Lanes) -> Result<()> {
        jobs.par_iter_mut().try_for_each_init(
            || Best::new(self.k),
            |best, job| {
                best.clear();
                let (numbers, codes) = (self.queries.numbers_of(job.query), self.queries.codes_of(job.query));
                let query = self.blocks.query(numbers, codes).unwrap_or_default();
                let scan = Scan { search: &self, query: &query, number: job.query, best };
                match self.distance.power {
                    Power::Two => run(Squares(scan), lanes)?,
                    _ => run(Sums(scan), lanes)?,
                }
                job.write(best, |key| self.distance.of(key));
                Ok(())
            },
        )
    }
}

/// One query on its way.
struct Scan<'a> {
    search: &'a Search<'a>,
    query: &'a Query,
    number: usize,
    best: &'a mut Best,
}

struct Squares<'a>(Scan<'a>);
struct Sums<'a>(Scan<'a>);

impl Work for Squares<'_> {
    type Out = Result<()>;
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Result<()> {
        self.0.all::<S, true>(simd)
    }
}

impl Work for Sums<'_> {
    type Out = Result<()>;
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Result<()> {
        self.0.all::<S, false>(simd)
    }
}

impl Scan<'_> {
    /// Looks at all blocks.
    #[inline(always)]
    fn all<S: Simd, const SQUARES: bool>(mut self, simd: S) -> Result<()> {
        let mut ceiling = f32::INFINITY;
        for block in 0..self.search.rows.len().div_ceil(BYTES) {
            if block % CHUNK == 0 {
                self.search.cancel.check()?;
            }
            let (costs, mut near) = self.categories(simd, block, ceiling);
            if near == 0 {
                continue;
            }
            let before = self.best.limit();
            for part in 0..BYTES / FLOATS {
                let mask = (near >> (part * FLOATS)) as u16;
                if mask != 0 {
                    let still = mask & self.numbers::<S, SQUARES>(simd, block, part, &costs, ceiling);
                    near = near & !(u64::from(mask) << (part * FLOATS)) | u64::from(still) << (part * FLOATS);
                }
            }
            self.measure(block, near);
            if self.best.limit() < before {
                ceiling = self.search.blocks.ceiling(self.query, self.best.limit());
            }
        }
        Ok(())
    }

    /// What categories cost, in units, and which rows are still within reach.
    #[inline(always)]
    fn categories<S: Simd>(&self, simd: S, block: usize, ceiling: f32) -> ([u8; BYTES], u64) {
        let blocks = self.search.blocks;
        let (codes, _) = blocks.codes_of(block).as_chunks::<BYTES>();
        let mut costs = simd.splat_b(0);
        for code in &self.query.codes {
            let column = simd.load_b(&codes[code.column]);
            let mut other = simd.ne_b(column, simd.splat_b(code.value));
            if self.search.distance.missing == Missing::Skipped {
                other &= simd.ne_b(column, simd.splat_b(ABSENT));
            }
            costs = simd.add_b(costs, other, simd.splat_b(code.cost));
        }
        let left = f64::from(ceiling) - self.query.base;
        let units = left / f64::from(blocks.unit()) * (1.0 + 1e-6);
        let near = if units < 0.0 { 0 } else { simd.le_b(costs, simd.splat_b(units as u8)) };
        let mut counted = [0; BYTES];
        simd.store_b(costs, &mut counted);
        (counted, near)
    }

    /// Which rows of a part of a block are still within reach with their numbers added.
    #[inline(always)]
    fn numbers<S: Simd, const SQUARES: bool>(
        &self,
        simd: S,
        block: usize,
        part: usize,
        costs: &[u8; BYTES],
        ceiling: f32,
    ) -> u16 {
        let blocks = self.search.blocks;
        let (unit, base) = (blocks.unit(), self.query.base as f32);
        let start: [f32; FLOATS] = std::array::from_fn(|i| f32::from(costs[part * FLOATS + i]) * unit + base);
        let mut sums = simd.load_f(&start);
        let (numbers, _) = blocks.numbers_of(block).as_chunks::<BYTES>();
        for number in &self.query.numbers {
            let x = simd.load_f(&numbers[number.column][part * FLOATS..]);
            let apart = simd.or_f(simd.sub_f(x, simd.splat_f(number.value)), simd.splat_f(number.absent));
            sums = if SQUARES { simd.mul_add_f(apart, apart, sums) } else { simd.add_f(sums, simd.abs_f(apart)) };
        }
        simd.ge_f(simd.splat_f(ceiling), sums)
    }

    /// Offers rows of a block.
    fn measure(&mut self, block: usize, mut near: u64) {
        let Search { rows, distance, queries, .. } = *self.search;
        while near != 0 {
            let row = block * BYTES + near.trailing_zeros() as usize;
            near &= near - 1;
            if row < rows.len() {
                let key = distance.key(rows, row, queries, self.number);
                self.best.offer(Near { key, row: row as u32 });
            }
        }
    }
}
