//! Queries answered by a [`Tree`]: in the order in which they lie, so that neighbours find the same leaves in the cache.

use super::arrange::arrange;
use super::best::Best;
use super::descent::Way;
use super::distance::{Distance, Power};
use super::job::{Job, reorder};
use super::keepers::{Asked, Measured, SHORT, Shortlist};
use super::norm::{Largest, Norm, Squares, Sum};
use super::rows::Rows;
use super::tree::{LEAF, Tree};
use crate::Result;
use crate::simd::{Isa, Simd, Work, run};
use crate::sys::pool::Cancel;
use rayon::prelude::*;

/// Queries between two looks at the cancel flag.
const CHUNK: usize = 128;
/// A chunk gives shortlists up when they were too short for so many of its queries.
const PATIENCE: usize = 8;

/// What a search needs to know.
#[derive(Clone, Copy)]
pub struct Search<'a> {
    /// The tree.
    pub tree: &'a Tree,
    /// Their distance.
    pub distance: &'a Distance,
    /// Complete queries, and perhaps others.
    pub queries: &'a Rows,
    /// How many rows to find; at most as many as there are.
    pub k: usize,
    /// Asks to stop.
    pub cancel: &'a Cancel,
}

impl Search<'_> {
    /// Answers queries that are complete.
    pub fn run(self, mut jobs: Vec<Job<'_>>, isa: Isa) -> Result<()> {
        let order = if jobs.len() == self.queries.len() {
            arrange(self.queries, LEAF, isa, self.cancel)?
        } else {
            let numbers = jobs.iter().flat_map(|job| self.queries.numbers_of(job.query)).copied().collect();
            arrange(&Rows::new(jobs.len(), numbers, &[])?, LEAF, isa, self.cancel)?
        };
        reorder(&mut jobs, &order);
        jobs.par_chunks_mut(CHUNK).try_for_each(|jobs| {
            self.cancel.check()?;
            match self.distance.power {
                Power::One => run(Chunk { search: self, jobs, norm: Sum }, isa),
                Power::Max => run(Chunk { search: self, jobs, norm: Largest }, isa),
                _ => run(Chunk { search: self, jobs, norm: Squares }, isa),
            }
            Ok(())
        })
    }
}

/// Some queries, answered on one thread.
struct Chunk<'a, 'b, N> {
    search: Search<'a>,
    jobs: &'a mut [Job<'b>],
    norm: N,
}

impl<N: Norm> Work for Chunk<'_, '_, N> {
    type Out = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Search { tree, distance, queries, k, .. } = self.search;
        let (mut best, mut way) = (Best::new(k), Way::new(tree.columns));
        // Neighbours in the tree may be far apart in memory: they are fetched together.
        let numbers: Vec<f64> = self.jobs.iter().flat_map(|job| queries.numbers_of(job.query)).copied().collect();
        let mut patience = if k <= SHORT { PATIENCE } else { 0 };
        for (job, numbers) in self.jobs.iter_mut().zip(numbers.chunks_exact(tree.columns)) {
            best.clear();
            let asked = Asked { tree, distance, queries, query: job.query };
            let mut found = false;
            if patience > 0 {
                let mut list = Shortlist::new(simd, k, tree);
                way.walk(simd, self.norm, tree, numbers, &mut list);
                found = list.finish(asked, self.norm, &mut best);
                patience -= usize::from(!found);
            }
            if !found {
                way.walk(simd, self.norm, tree, numbers, &mut Measured::new(asked, &mut best, self.norm));
            }
            job.write(&mut best, |key| distance.of(key));
        }
    }
}
