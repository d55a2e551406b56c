//! Queries answered by a [`Tree`]: in the order in which they lie, so that neighbors find the same leaves in the cache.

use super::best::Best;
use super::candidates::{Measurement, TreeQuery};
use super::job::{Job, Request, reorder};
use super::kd_order::arrange;
use super::rows::Rows;
use super::shortlist::{SHORT, Shortlist};
use super::tree::Tree;
use super::tree_walk::TreeWalk;
use crate::Result;
use crate::simd::{Isa, multiversion};
use rayon::prelude::*;

/// Queries between two looks at the cancel flag.
const CHUNK: usize = 128;
/// A chunk gives shortlists up when they were too short for so many of its queries.
const PATIENCE: usize = 8;

/// Answers queries that are complete.
pub fn search(tree: &Tree, request: Request<'_>, mut jobs: Vec<Job<'_>>, isa: Isa) -> Result<()> {
    let Request { queries, cancel, .. } = request;
    let order = if jobs.len() == queries.len() {
        arrange(queries, isa, cancel)?
    } else {
        let numbers = jobs.iter().flat_map(|job| queries.numbers_of(job.query)).copied().collect();
        arrange(&Rows::new(jobs.len(), numbers, &[])?, isa, cancel)?
    };
    reorder(&mut jobs, &order.rows()?);
    jobs.par_chunks_mut(CHUNK).try_for_each(|jobs| {
        cancel.check()?;
        answer(isa, tree, request, jobs);
        Ok(())
    })
}

multiversion! {
    /// Answers some queries on one thread. What was found for a query is measured after the next one has walked: until then
    /// it has come from memory.
    fn answer<S: Simd>(simd: S, tree: &Tree, request: Request<'_>, jobs: &mut [Job<'_>]) {
        let Request { queries, distance, k, .. } = request;
        // Neighbors in the tree may be far apart in memory: they are fetched together.
        let numbers: Vec<f64> = jobs.iter().flat_map(|job| queries.numbers_of(job.query)).copied().collect();
        let numbers_of = |i: usize| &numbers[i * tree.columns..][..tree.columns];
        let (mut best, mut walker) = (Best::new(k), TreeWalk::new(tree.columns));
        let mut patience = if k <= SHORT { PATIENCE } else { 0 };
        let mut last: Option<Shortlist<S>> = None;
        for i in 0..=jobs.len() {
            let mut next = None;
            if i < jobs.len() && patience > 0 {
                let mut list = Shortlist::new(simd, k, tree.grow);
                walker.walk(simd, distance.power, tree, numbers_of(i), &mut list);
                // An empty place is no point.
                for &point in list.rows(simd).iter().filter(|&&point| point >= 0) {
                    simd.fetch(tree.exact.numbers_of(point as usize));
                }
                jobs[i].fetch(simd);
                next = Some(list);
            }
            if i > 0 {
                let (job, numbers) = (&mut jobs[i - 1], numbers_of(i - 1));
                let query = TreeQuery { tree, distance, queries, query: job.query, numbers };
                best.clear();
                let is_answered = match &last {
                    Some(list) => query.offer(simd, list, &mut best),
                    None => false,
                };
                if !is_answered {
                    // The list was too short, or there is none: another walk.
                    walker.walk(simd, distance.power, tree, numbers, &mut Measurement::new(query, &mut best));
                    patience = patience.saturating_sub(1);
                }
                job.write(&mut best, |key| distance.of(key));
            }
            last = next;
        }
    }
}
