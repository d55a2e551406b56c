//! Rows of numbers and categories with values missing: every row, sixty-four at a time.
//!
//! Categories come first: what they cost alone already rules most rows out. Numbers are added for the rest, in f32, and
//! the few rows that are still within reach are measured in f64.

use super::best::{Best, Near};
use super::blocks::{ABSENT, Blocks, Query, Tight};
use super::candidates::SHORT;
use super::distance::{Missing, Power};
use super::job::{Job, Request};
use crate::Result;
use crate::simd::{BYTES, FLOATS, Isa, Simd, Work, run};
use rayon::prelude::*;

/// Blocks between two looks at the cancel flag.
const CHUNK: usize = 1 << 7;
/// Queries that look at a block one after the other, while it is in the nearest cache.
const TOGETHER: usize = 16;

/// What a search needs to know.
pub struct Search<'a> {
    /// The filter.
    pub blocks: &'a Blocks,
    /// What is asked; absolute differences or squares are added.
    pub request: Request<'a>,
}

impl Search<'_> {
    /// Answers queries.
    pub fn run(self, mut jobs: Vec<Job<'_>>, isa: Isa) -> Result<()> {
        jobs.par_chunks_mut(TOGETHER).try_for_each(|jobs| match self.request.distance.power {
            Power::Two => run(Squares(Chunk { search: &self, jobs }), isa),
            _ => run(Sums(Chunk { search: &self, jobs }), isa),
        })
    }
}

/// Some queries, answered on one thread.
struct Chunk<'a, 'b> {
    search: &'a Search<'a>,
    jobs: &'a mut [Job<'b>],
}

struct Squares<'a, 'b>(Chunk<'a, 'b>);
struct Sums<'a, 'b>(Chunk<'a, 'b>);

impl Work for Squares<'_, '_> {
    type Out = Result<()>;
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Result<()> {
        self.0.run::<S, true>(simd)
    }
}

impl Work for Sums<'_, '_> {
    type Out = Result<()>;
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Result<()> {
        self.0.run::<S, false>(simd)
    }
}

impl Chunk<'_, '_> {
    #[inline(always)]
    fn run<S: Simd, const SQUARES: bool>(self, simd: S) -> Result<()> {
        let search = self.search;
        let mut scans: Vec<Scan<'_, S>> = Vec::with_capacity(self.jobs.len());
        for job in &*self.jobs {
            scans.push(Scan::new(search, job.query, simd, search.request.k <= SHORT));
        }
        all::<S, SQUARES>(simd, search, &mut scans)?;
        for (job, scan) in self.jobs.iter_mut().zip(&mut scans) {
            if !scan.finish(simd) {
                // Many rows may be as near as the last: each is measured.
                *scan = Scan::new(search, job.query, simd, false);
                all::<S, SQUARES>(simd, search, std::slice::from_mut(scan))?;
            }
            job.write(&mut scan.best, |key| search.request.distance.of(key));
        }
        Ok(())
    }
}

/// Looks at all blocks.
#[inline(always)]
fn all<S: Simd, const SQUARES: bool>(simd: S, search: &Search<'_>, scans: &mut [Scan<'_, S>]) -> Result<()> {
    for block in 0..search.request.rows.len().div_ceil(BYTES) {
        if block % CHUNK == 0 {
            search.request.cancel.check()?;
        }
        for scan in &mut *scans {
            scan.look::<SQUARES>(simd, block);
        }
    }
    Ok(())
}

/// One query on its way.
struct Scan<'a, S: Simd> {
    search: &'a Search<'a>,
    query: Query,
    number: usize,
    best: Best,
    /// Rows that are measured in the end, where sums tell enough.
    list: Option<List<S>>,
    /// What a row adds up to at most, if it is to be near.
    ceiling: f32,
    /// What its categories cost at most, in units; negative where no row can be near.
    units: i32,
}

/// The sixteen rows of least sums: how far they are at the most, and which.
#[derive(Clone, Copy)]
struct List<S: Simd> {
    rows: (S::F, S::I),
    tight: Tight,
    limit: f32,
}

impl<'a, S: Simd> Scan<'a, S> {
    #[inline(always)]
    fn new(search: &'a Search<'a>, number: usize, simd: S, listed: bool) -> Scan<'a, S> {
        let Request { queries, k, .. } = search.request;
        let (numbers, codes) = (queries.numbers_of(number), queries.codes_of(number));
        let query = search.blocks.query(numbers, codes).unwrap_or_default();
        let rows = (simd.splat_f(f32::INFINITY), simd.splat_i(-1));
        let tight = search.blocks.tight(&query).filter(|_| listed);
        let list = tight.map(|tight| List { rows, tight, limit: f32::INFINITY });
        let (ceiling, units) = (f32::INFINITY, i32::from(u8::MAX));
        Scan { search, query, number, best: Best::new(k), list, ceiling, units }
    }

    /// Looks at a block.
    #[inline(always)]
    fn look<const SQUARES: bool>(&mut self, simd: S, block: usize) {
        let costs = self.categories(simd, block);
        let near = if self.units < 0 { 0 } else { simd.le_b(costs, simd.splat_b(self.units as u8)) };
        if near == 0 {
            return;
        }
        let left = self.search.request.rows.len() - block * BYTES;
        let near = if left < BYTES { near & ((1 << left) - 1) } else { near };
        let mut counted = [0; BYTES];
        simd.store_b(costs, &mut counted);
        let before = self.limit();
        for (part, costs) in counted.as_chunks::<FLOATS>().0.iter().enumerate() {
            let mask = (near >> (part * FLOATS)) as u16;
            if mask != 0 {
                let sums = self.numbers::<SQUARES>(simd, block, part, costs);
                let mask = mask & simd.ge_f(simd.splat_f(self.ceiling), sums);
                if mask != 0 {
                    self.take(simd, sums, mask, block * BYTES + part * FLOATS);
                }
            }
        }
        if self.limit() < before {
            self.narrow();
        }
    }

    /// How far the k-th row is at the most.
    #[inline(always)]
    fn limit(&self) -> f64 {
        self.list.map_or(self.best.limit(), |list| f64::from(list.limit))
    }

    /// Takes rows from `first` on.
    #[inline(always)]
    fn take(&mut self, simd: S, sums: S::F, mut mask: u16, first: usize) {
        if let Some(list) = &mut self.list {
            let most = simd.mul_add_f(sums, simd.splat_f(list.tight.grow), simd.splat_f(list.tight.slack));
            list.rows = simd.insert(list.rows, most, mask, first as u32);
            list.limit = simd.lane(list.rows.0, self.search.request.k - 1);
            return;
        }
        while mask != 0 {
            let row = first + mask.trailing_zeros() as usize;
            mask &= mask - 1;
            self.measure(row);
        }
    }

    #[inline(always)]
    fn measure(&mut self, row: usize) {
        let Request { rows, distance, queries, .. } = self.search.request;
        let key = distance.key(rows, row, queries, self.number);
        self.best.offer(Near { key, row: row as u32 });
    }

    #[inline(always)]
    fn narrow(&mut self) {
        let blocks = self.search.blocks;
        self.ceiling = blocks.ceiling(&self.query, self.limit());
        let left = f64::from(self.ceiling) - self.query.base;
        // A number beyond those of a byte becomes the largest; a negative one is below all costs.
        self.units = (left / f64::from(blocks.unit()) * (1.0 + 1e-6)).floor().min(255.0) as i32;
    }

    /// Measures the rows of the list; false where it may have been too short. A row is wanted if its sum is not above
    /// the ceiling, and it was taken as that sum, grown.
    #[inline(always)]
    fn finish(&mut self, simd: S) -> bool {
        let Some(list) = self.list else { return true };
        let (mut most, mut rows) = ([0.0; FLOATS], [0; FLOATS]);
        simd.store_f(list.rows.0, &mut most);
        simd.store_i(list.rows.1, &mut rows);
        let last = (self.ceiling * list.tight.grow + list.tight.slack).next_up();
        let wanted = most.iter().take_while(|&&most| most <= last).count();
        if wanted == FLOATS || self.ceiling == f32::INFINITY {
            return false;
        }
        rows[..wanted].iter().for_each(|&row| self.measure(row as usize));
        true
    }

    /// What categories cost, in units.
    #[inline(always)]
    fn categories(&self, simd: S, block: usize) -> S::B {
        let (codes, _) = self.search.blocks.codes_of(block).as_chunks::<BYTES>();
        let mut costs = simd.splat_b(0);
        if self.search.request.distance.missing == Missing::Skipped {
            for code in &self.query.codes {
                let column = simd.load_b(&codes[code.column]);
                let other = simd.ne_b(column, simd.load_b(&code.value)) & simd.ne_b(column, simd.splat_b(ABSENT));
                costs = simd.add_b(costs, other, simd.splat_b(code.cost));
            }
        } else {
            for code in &self.query.codes {
                let other = simd.ne_b(simd.load_b(&codes[code.column]), simd.load_b(&code.value));
                costs = simd.add_b(costs, other, simd.splat_b(code.cost));
            }
        }
        costs
    }

    /// What the rows of a part of a block add up to.
    #[inline(always)]
    fn numbers<const SQUARES: bool>(&self, simd: S, block: usize, part: usize, costs: &[u8; FLOATS]) -> S::F {
        let blocks = self.search.blocks;
        let (unit, base) = (simd.splat_f(blocks.unit()), simd.splat_f(self.query.base as f32));
        let mut sums = simd.mul_add_f(simd.widen(costs), unit, base);
        let (numbers, _) = blocks.numbers_of(block).as_chunks::<BYTES>();
        for number in &self.query.numbers {
            let x = simd.load_f(&numbers[number.column][part * FLOATS..]);
            let apart = simd.or_f(simd.sub_f(x, simd.splat_f(number.value)), simd.splat_f(number.absent));
            sums = if SQUARES { simd.mul_add_f(apart, apart, sums) } else { simd.add_f(sums, simd.abs_f(apart)) };
        }
        sums
    }
}
