//! Rows of numbers and categories with values missing: every row, sixty-four at a time.
//!
//! Categories come first: what they cost alone already rules most rows out. Numbers are added for the rest, in f32, and
//! the few rows that are still within reach are measured in f64.

use super::best::{Best, Near};
use super::blocks::{ABSENT, BlockQuery, Blocks};
use super::candidates::Candidates;
use super::distance::{Missing, Power};
use super::job::{Job, Request};
use super::shortlist::{SHORT, Shortlist};
use crate::Result;
use crate::simd::{BYTES, FLOATS, Isa, Simd, multiversion};
use rayon::prelude::*;

/// Blocks between two looks at the cancel flag.
const CHUNK: usize = 1 << 7;
/// Queries that look at a block one after the other, while it is in the nearest cache.
const TOGETHER: usize = 16;

/// Answers queries; absolute differences or squares are added.
pub fn search(blocks: &Blocks, request: Request<'_>, mut jobs: Vec<Job<'_>>, isa: Isa) -> Result<()> {
    jobs.par_chunks_mut(TOGETHER).try_for_each(|jobs| answer(isa, blocks, request, jobs))
}

multiversion! {
    /// Answers some queries on one thread.
    fn answer<S: Simd>(
        simd: S,
        blocks: &Blocks,
        request: Request<'_>,
        jobs: &mut [Job<'_>],
    ) -> Result<()> {
        let mut scans: Vec<Scan<'_, S>> = Vec::with_capacity(jobs.len());
        for job in &*jobs {
            scans.push(Scan::new(simd, blocks, request, job.query, request.k <= SHORT));
        }
        look_at_all(simd, &mut scans)?;
        for (job, scan) in jobs.iter_mut().zip(&mut scans) {
            if !scan.finish(simd) {
                // Many rows may be as near as the last: each is measured.
                *scan = Scan::new(simd, blocks, request, job.query, false);
                look_at_all(simd, std::slice::from_mut(scan))?;
            }
            job.write(&mut scan.best, |key| request.distance.of(key));
        }
        Ok(())
    }
}

/// Lets queries look at all blocks.
#[inline(always)]
fn look_at_all<S: Simd>(simd: S, scans: &mut [Scan<'_, S>]) -> Result<()> {
    let Some(Request { rows, distance, cancel, .. }) = scans.first().map(|scan| scan.request) else { return Ok(()) };
    for block in 0..rows.len().div_ceil(BYTES) {
        if block % CHUNK == 0 {
            cancel.check()?;
        }
        for scan in &mut *scans {
            match distance.power {
                Power::Two => scan.look(simd, Power::Two, block),
                _ => scan.look(simd, Power::One, block),
            }
        }
    }
    Ok(())
}

/// One query on its way.
struct Scan<'a, S: Simd> {
    blocks: &'a Blocks,
    request: Request<'a>,
    query: BlockQuery,
    number: usize,
    best: Best,
    /// Rows that are measured in the end, where sums tell enough, and the slack of their keys.
    list: Option<(Shortlist<S>, f32)>,
    /// What a row adds up to at most, if it is to be near.
    ceiling: f32,
    /// What its categories cost at most, in units; negative where no row can be near.
    units: i32,
}

impl<'a, S: Simd> Scan<'a, S> {
    #[inline(always)]
    fn new(simd: S, blocks: &'a Blocks, request: Request<'a>, number: usize, listed: bool) -> Scan<'a, S> {
        let Request { queries, distance, k, .. } = request;
        let query = blocks.query(distance, queries.numbers_of(number), queries.codes_of(number)).unwrap_or_default();
        let tight = blocks.tight(&query).filter(|_| listed);
        let (grow, slack) = tight.unwrap_or_default();
        let list = tight.is_some().then_some((Shortlist::new(simd, k, grow), slack));
        let (ceiling, units) = (f32::INFINITY, i32::from(u8::MAX));
        Scan { blocks, request, query, number, best: Best::new(k), list, ceiling, units }
    }

    /// Looks at a block.
    #[inline(always)]
    fn look(&mut self, simd: S, power: Power, block: usize) {
        let costs = self.categories(simd, block);
        let near = if self.units < 0 { 0 } else { simd.le_b(costs, simd.splat_b(self.units as u8)) };
        if near == 0 {
            return;
        }
        let left = self.request.rows.len() - block * BYTES;
        let near = if left < BYTES { near & ((1 << left) - 1) } else { near };
        let mut counted = [0; BYTES];
        simd.store_b(costs, &mut counted);
        let before = self.limit();
        for (part, costs) in counted.as_chunks::<FLOATS>().0.iter().enumerate() {
            let mask = (near >> (part * FLOATS)) as u16;
            if mask != 0 {
                let sums = self.numbers(simd, power, block, part, costs);
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
        self.list.map_or(self.best.limit(), |(list, _)| f64::from(list.limit()))
    }

    /// Takes rows from `first` on.
    #[inline(always)]
    fn take(&mut self, simd: S, sums: S::F, mut mask: u16, first: usize) {
        if let Some((list, slack)) = &mut self.list {
            return list.take(simd, sums, mask, first, *slack);
        }
        while mask != 0 {
            let row = first + mask.trailing_zeros() as usize;
            mask &= mask - 1;
            self.measure(row);
        }
    }

    #[inline(always)]
    fn measure(&mut self, row: usize) {
        let Request { rows, distance, queries, .. } = self.request;
        let key = distance.key(rows, row, queries, self.number);
        self.best.offer(Near { key, row: row as u32 });
    }

    #[inline(always)]
    fn narrow(&mut self) {
        self.ceiling = self.blocks.ceiling(self.request.distance, &self.query, self.limit());
        let left = f64::from(self.ceiling) - self.query.base;
        // A number beyond those of a byte becomes the largest; a negative one is below all costs.
        self.units = (left / f64::from(self.blocks.unit()) * (1.0 + 1e-6)).floor().min(255.0) as i32;
    }

    /// Measures the rows of the list; false where it may have been too short. A row is wanted if its sum is not above
    /// the ceiling, and it was taken as that sum, grown.
    #[inline(always)]
    fn finish(&mut self, simd: S) -> bool {
        let Some((list, slack)) = self.list else { return true };
        let last = (self.ceiling * list.grow + slack).next_up();
        let Some(count) = list.count(simd, last) else { return false };
        list.rows(simd)[..count].iter().for_each(|&row| self.measure(row as usize));
        true
    }

    /// What categories cost, in units.
    #[inline(always)]
    fn categories(&self, simd: S, block: usize) -> S::B {
        let (codes, _) = self.blocks.codes_of(block).as_chunks::<BYTES>();
        let mut costs = simd.splat_b(0);
        if self.request.distance.missing == Missing::Skipped {
            for (column, value, cost) in &self.query.codes {
                let column = simd.load_b(&codes[*column]);
                let other = simd.ne_b(column, simd.load_b(value)) & simd.ne_b(column, simd.splat_b(ABSENT));
                costs = simd.add_b(costs, other, simd.splat_b(*cost));
            }
        } else {
            for (column, value, cost) in &self.query.codes {
                let other = simd.ne_b(simd.load_b(&codes[*column]), simd.load_b(value));
                costs = simd.add_b(costs, other, simd.splat_b(*cost));
            }
        }
        costs
    }

    /// What the rows of a part of a block add up to.
    #[inline(always)]
    fn numbers(&self, simd: S, power: Power, block: usize, part: usize, costs: &[u8; FLOATS]) -> S::F {
        let (unit, base) = (simd.splat_f(self.blocks.unit()), simd.splat_f(self.query.base as f32));
        let mut sums = simd.mul_add_f(simd.widen(costs), unit, base);
        let (numbers, _) = self.blocks.numbers_of(block).as_chunks::<BYTES>();
        for &(column, value, absent) in &self.query.numbers {
            let x = simd.load_f(&numbers[column][part * FLOATS..]);
            let apart = simd.or_f(simd.sub_f(x, simd.splat_f(value)), simd.splat_f(absent));
            sums = power.join(simd, sums, apart);
        }
        sums
    }
}
