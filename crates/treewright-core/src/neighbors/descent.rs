//! The way of a query through a [`Tree`]: the nearest box first, and no box that is too far.
//!
//! Glossary. A *frame* is a group of sixteen boxes on the way down: how far each is, and which are still to be opened.

use super::arrange::{Arranged, FAN, arrange};
use super::best::{Best, Near};
use super::distance::{Distance, Power};
use super::job::{Job, reorder};
use super::norm::{Largest, Norm, Squares, Sum, keys};
use super::rows::Rows;
use super::simd::{DOUBLES, Lanes, Simd, Work, run};
use super::tree::{LEAF, Tree};
use crate::Result;
use crate::pool::Cancel;
use rayon::prelude::*;

/// Queries between two looks at the cancel flag; they are neighbours, so they find the same leaves in the cache.
const CHUNK: usize = 128;
/// More levels than any tree has: 16^8 leaves are more than there are row numbers.
const DEEPEST: usize = 8;
/// Registers for sixteen boxes.
const HALVES: usize = FAN / DOUBLES;
/// Registers for a leaf.
const PARTS: usize = LEAF / DOUBLES;

/// Answers queries that are complete.
pub fn search(
    tree: &Tree,
    distance: &Distance,
    queries: &Rows,
    k: usize,
    jobs: Vec<Job<'_>>,
    lanes: Lanes,
    cancel: &Cancel,
) -> Result<()> {
    // Queries that are neighbours are answered one after the other: their leaves are still in the cache.
    let Arranged { order, numbers } = if jobs.len() == queries.len() {
        arrange(queries, LEAF, cancel)?
    } else {
        let numbers = jobs.iter().flat_map(|job| queries.numbers_of(job.query)).copied().collect();
        arrange(&Rows::new(jobs.len(), numbers, &[])?, LEAF, cancel)?
    };
    let mut jobs = reorder(jobs, &order);
    let queries = numbers.par_chunks(CHUNK * tree.columns);
    jobs.par_chunks_mut(CHUNK).zip(queries).try_for_each(|(jobs, queries)| {
        cancel.check()?;
        match distance.power {
            Power::One => run(Chunk { tree, distance, queries, k, jobs, norm: Sum }, lanes),
            Power::Max => run(Chunk { tree, distance, queries, k, jobs, norm: Largest }, lanes),
            _ => run(Chunk { tree, distance, queries, k, jobs, norm: Squares }, lanes),
        }
        Ok(())
    })
}

/// Some queries, answered on one thread.
struct Chunk<'a, 'b, N> {
    tree: &'a Tree,
    distance: &'a Distance,
    queries: &'a [f64],
    k: usize,
    jobs: &'a mut [Job<'b>],
    norm: N,
}

/// Sixteen boxes on the way down.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    apart: [[f64; DOUBLES]; HALVES],
    open: u32,
    group: usize,
}

impl Frame {
    /// Room for the deepest tree.
    pub fn stack() -> [Frame; DEEPEST] {
        [Frame { apart: [[0.0; DOUBLES]; HALVES], open: 0, group: 0 }; DEEPEST]
    }
}

impl<N: Norm> Work for Chunk<'_, '_, N> {
    type Out = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let mut best = Best::new(self.k);
        let mut frames = Frame::stack();
        for (job, query) in self.jobs.iter_mut().zip(self.queries.chunks_exact(self.tree.columns)) {
            best.clear();
            visit(simd, self.norm, self.tree, query, &mut frames, &mut best);
            job.write(&mut best, |key| self.distance.of(key));
        }
    }
}

/// Offers all points that may be among the nearest; gives the number of leaves that were opened.
#[inline(always)]
pub fn visit<S: Simd, N: Norm>(
    simd: S,
    norm: N,
    tree: &Tree,
    query: &[f64],
    frames: &mut [Frame; DEEPEST],
    best: &mut Best,
) -> usize {
    let top = tree.levels.len() - 1;
    let (mut level, mut leaves) = (top, 0);
    enter(simd, norm, tree, level, 0, query, &mut frames[level]);
    loop {
        let frame = &mut frames[level];
        frame.open &= within(simd, frame, best.limit());
        if frame.open == 0 {
            if level == top {
                return leaves;
            }
            level += 1;
            continue;
        }
        let child = nearest(frame);
        frame.open &= !(1 << child);
        let node = frame.group * FAN + child;
        if level == 0 {
            measure(simd, norm, tree, node, query, best);
            leaves += 1;
        } else {
            level -= 1;
            enter(simd, norm, tree, level, node, query, &mut frames[level]);
        }
    }
}

/// Compares a query with the boxes of a group.
#[inline(always)]
fn enter<S: Simd, N: Norm>(
    simd: S,
    norm: N,
    tree: &Tree,
    level: usize,
    group: usize,
    query: &[f64],
    frame: &mut Frame,
) {
    let level = &tree.levels[level];
    let boxes = level.group(group, tree.columns).as_chunks::<DOUBLES>().0.as_chunks::<{ 2 * HALVES }>().0;
    let boxes = &boxes[..query.len()];
    let keys = keys::<S, N, HALVES>(simd, norm, query.len(), |column, half| {
        let (sides, q) = (&boxes[column], simd.splat(query[column]));
        let below = simd.sub(simd.load(&sides[half]), q);
        let above = simd.sub(q, simd.load(&sides[HALVES + half]));
        simd.max(simd.max(below, above), simd.splat(0.0))
    });
    for (key, apart) in keys.into_iter().zip(&mut frame.apart) {
        simd.store(key, apart);
    }
    frame.group = group;
    frame.open = (1 << level.fan(group)) - 1;
}

/// Which boxes are not too far.
#[inline(always)]
fn within<S: Simd>(simd: S, frame: &Frame, limit: f64) -> u32 {
    let limit = simd.splat(limit);
    let mask = |half: usize| u32::from(simd.le(simd.load(&frame.apart[half]), limit)) << (half * DOUBLES);
    (0..HALVES).fold(0, |all, half| all | mask(half))
}

/// The nearest open box.
#[inline(always)]
fn nearest(frame: &Frame) -> usize {
    let apart = frame.apart.as_flattened();
    let mut rest = frame.open;
    let mut child = rest.trailing_zeros() as usize;
    rest &= rest - 1;
    while rest != 0 {
        let other = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        child = if apart[other] < apart[child] { other } else { child };
    }
    child
}

/// Offers the points of a leaf.
#[inline(always)]
fn measure<S: Simd, N: Norm>(simd: S, norm: N, tree: &Tree, leaf: usize, query: &[f64], best: &mut Best) {
    let mut may = if N::SQUARES { tree.leaves.near(simd, leaf, query, best.limit()) } else { u64::MAX };
    let points = tree.leaf(leaf).as_chunks::<DOUBLES>().0.as_chunks::<PARTS>().0;
    let points = &points[..query.len()];
    while may != 0 {
        let part = may.trailing_zeros() as usize / DOUBLES;
        may &= !(0xff << (part * DOUBLES));
        let [key] = keys::<S, N, 1>(simd, norm, query.len(), |column, _| {
            simd.sub(simd.load(&points[column][part]), simd.splat(query[column]))
        });
        let mut near = simd.le(key, simd.splat(best.limit()));
        if near == 0 {
            continue;
        }
        let mut apart = [0.0; DOUBLES];
        simd.store(key, &mut apart);
        while near != 0 {
            let i = near.trailing_zeros() as usize;
            near &= near - 1;
            best.offer(Near { key: apart[i], row: tree.rows[leaf * LEAF + part * DOUBLES + i] });
        }
    }
}
