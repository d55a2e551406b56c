//! What becomes of points that a [`super::tree::Tree`] finds near: two ways to collect candidates.
//!
//! A [`Shortlist`] measures its rows at the end: for few neighbors. [`Measurement`] measures each row at once: for any number
//! of neighbors, and where a shortlist was too short, as with many rows at equal distances.

use super::best::{Best, Near};
use super::distance::{Distance, Power, squared};
use super::rows::Rows;
use super::shortlist::Shortlist;
use super::tree::Tree;
use crate::simd::{FLOATS, Simd};

/// What becomes of points that may be near.
pub trait Candidates<S: Simd> {
    /// A point with a larger key, in the tree's unit, is not wanted any more.
    fn limit(&self) -> f32;
    /// Takes the lanes of a mask: the keys of the points from `first` on, which are wrong by `slack` at most.
    fn take(&mut self, simd: S, keys: S::F, mask: u16, first: usize, slack: f32);
}

/// One query and the tree of the rows it is compared with.
#[derive(Clone, Copy, Debug)]
pub struct TreeQuery<'a> {
    /// The tree of the rows.
    pub tree: &'a Tree,
    /// How far they are.
    pub distance: &'a Distance,
    /// All queries.
    pub queries: &'a Rows,
    /// The number of this one.
    pub query: usize,
    /// Its numbers.
    pub numbers: &'a [f64],
}

impl TreeQuery<'_> {
    /// Measures the row of a point.
    #[inline(always)]
    fn measure(&self, point: usize) -> Near {
        let rows = &self.tree.exact;
        let key = if self.distance.power == Power::Two {
            squared(rows.numbers_of(point), self.numbers)
        } else {
            self.distance.key(rows, point, self.queries, self.query)
        };
        Near { key, row: self.tree.rows[point] }
    }

    /// Offers the rows of a list; false where it may have been too short. A point is wanted if its key is at most the limit,
    /// which was grown as all listed keys are; twice grown and three slacks are enough for that.
    #[inline(always)]
    pub fn offer<S: Simd>(&self, simd: S, list: &Shortlist<S>, best: &mut Best) -> bool {
        let grow = self.tree.grow;
        let Some(count) = list.count(simd, list.limit() * grow * grow * grow + 3.0 * list.slack) else { return false };
        // All are measured before one is offered: what comes from memory comes at the same time.
        let mut near = [Near { key: 0.0, row: 0 }; FLOATS];
        for (near, &point) in near.iter_mut().zip(&list.rows(simd)[..count]) {
            *near = self.measure(point as usize);
        }
        near[..count].iter().for_each(|&near| best.offer(near));
        true
    }
}

/// Every row that may be near, measured.
pub struct Measurement<'a> {
    query: TreeQuery<'a>,
    best: &'a mut Best,
    limit: f32,
}

impl<'a> Measurement<'a> {
    /// Nothing yet.
    pub fn new(query: TreeQuery<'a>, best: &'a mut Best) -> Measurement<'a> {
        Measurement { query, best, limit: f32::INFINITY }
    }
}

impl<S: Simd> Candidates<S> for Measurement<'_> {
    #[inline(always)]
    fn limit(&self) -> f32 {
        self.limit
    }

    #[inline(always)]
    fn take(&mut self, _: S, _: S::F, mut mask: u16, first: usize, _: f32) {
        let before = self.best.limit();
        while mask != 0 {
            let point = first + mask.trailing_zeros() as usize;
            mask &= mask - 1;
            self.best.offer(self.query.measure(point));
        }
        let limit = self.best.limit();
        if limit < before {
            let (unit, squares) = (self.query.tree.unit, self.query.distance.power == Power::Two);
            self.limit = ((if squares { limit * unit * unit } else { limit * unit }) as f32).next_up();
        }
    }
}
