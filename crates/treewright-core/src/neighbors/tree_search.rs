//! Queries answered by a [`Tree`]: in the order in which they lie, so that neighbors find the same leaves in the cache.

use super::best::Best;
use super::candidates::{Asked, Measured, SHORT, Shortlist};
use super::distance::Power;
use super::job::{Job, Request, reorder};
use super::kd_order::arrange;
use super::norm::{Largest, Norm, Squares, Sum};
use super::rows::Rows;
use super::tree::{LEAF, Tree};
use super::tree_walk::TreeWalk;
use crate::Result;
use crate::simd::{Isa, Simd, Work, run};
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
    /// What is asked.
    pub request: Request<'a>,
}

impl Search<'_> {
    /// Answers queries that are complete.
    pub fn run(self, mut jobs: Vec<Job<'_>>, isa: Isa) -> Result<()> {
        let Request { queries, distance, cancel, .. } = self.request;
        let order = if jobs.len() == queries.len() {
            arrange(queries, LEAF, isa, cancel)?
        } else {
            let numbers = jobs.iter().flat_map(|job| queries.numbers_of(job.query)).copied().collect();
            arrange(&Rows::new(jobs.len(), numbers, &[])?, LEAF, isa, cancel)?
        };
        reorder(&mut jobs, &order.rows()?);
        jobs.par_chunks_mut(CHUNK).try_for_each(|jobs| {
            cancel.check()?;
            match distance.power {
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

    /// What was found for a query is measured after the next one has walked: until then it has come from memory.
    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let Search { tree, request: Request { queries, k, .. } } = self.search;
        // Neighbors in the tree may be far apart in memory: they are fetched together.
        let numbers: Vec<f64> = self.jobs.iter().flat_map(|job| queries.numbers_of(job.query)).copied().collect();
        let numbers_of = |i: usize| &numbers[i * tree.columns..][..tree.columns];
        let (mut best, mut walker) = (Best::new(k), TreeWalk::new(tree.columns));
        let mut patience = if k <= SHORT { PATIENCE } else { 0 };
        let mut last: Option<Shortlist<S>> = None;
        for i in 0..=self.jobs.len() {
            let mut next = None;
            if i < self.jobs.len() && patience > 0 {
                let mut list = Shortlist::new(simd, k, tree);
                walker.walk(simd, self.norm, tree, numbers_of(i), &mut list);
                list.fetch(tree);
                self.jobs[i].fetch(simd);
                next = Some(list);
            }
            if i > 0 {
                let is_answered = self.finish(simd, i - 1, numbers_of(i - 1), last, &mut best, &mut walker);
                patience -= usize::from(!is_answered && patience > 0);
            }
            last = next;
        }
    }
}

impl<N: Norm> Chunk<'_, '_, N> {
    /// Answers a query from its list, if that is long enough; else by another walk. Says which.
    #[inline(always)]
    fn finish<S: Simd>(
        &mut self,
        simd: S,
        job: usize,
        numbers: &[f64],
        list: Option<Shortlist<S>>,
        best: &mut Best,
        walker: &mut TreeWalk,
    ) -> bool {
        let Search { tree, request: Request { distance, queries, .. } } = self.search;
        let job = &mut self.jobs[job];
        best.clear();
        let asked = Asked { tree, distance, queries, query: job.query, numbers };
        let is_answered = list.is_some_and(|list| list.finish(asked, self.norm, best));
        if !is_answered {
            walker.walk(simd, self.norm, tree, numbers, &mut Measured::new(asked, best, self.norm));
        }
        job.write(best, |key| distance.of(key));
        is_answered
    }
}
