//! What becomes of points that a [`super::tree::Tree`] finds near: two ways to collect candidates.
//!
//! [`Shortlist`] holds the sixteen least keys in a register and measures their rows at the end: for few neighbors.
//! [`Measured`] measures each row at once: for any number of neighbors, and where a shortlist was too short, as with
//! many rows at equal distances.

use super::best::{Best, Near};
use super::distance::Distance;
use super::norm::Norm;
use super::rows::Rows;
use super::tree::Tree;
use super::tree_walk::Candidates;
use crate::simd::{DOUBLES, FLOATS, Simd};

/// The most neighbors of a shortlist: a few places are for rows that only seem to be nearer.
pub const SHORT: usize = 12;

/// One query and the rows it is compared with.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The tree of the rows.
    pub tree: &'a Tree,
    /// How far they are.
    pub distance: &'a Distance,
    /// All queries, and which.
    pub queries: &'a Rows,
    /// The number of this one.
    pub query: usize,
    /// Its numbers.
    pub numbers: &'a [f64],
}

impl Asked<'_> {
    /// Measures the row of a point.
    #[inline(always)]
    fn measure<S: Simd, N: Norm>(&self, simd: S, _: N, point: usize) -> Near {
        let rows = &self.tree.exact;
        let key = if N::SQUARES {
            squared(simd, rows.numbers_of(point), self.numbers)
        } else {
            self.distance.key(rows, point, self.queries, self.query)
        };
        Near { key, row: self.tree.rows[point] }
    }
}

/// The key of a row, as [`Distance::key`] defines it: eight interleaved sums, then those from the first to the last.
#[inline(always)]
pub fn squared<S: Simd>(simd: S, row: &[f64], query: &[f64]) -> f64 {
    let mut sums = simd.splat(0.0);
    let (rows, queries) = (row.chunks_exact(DOUBLES), query.chunks_exact(DOUBLES));
    let (last_row, last_query) = (rows.remainder(), queries.remainder());
    for (x, q) in rows.zip(queries) {
        let apart = simd.sub(simd.load(x), simd.load(q));
        sums = simd.add(sums, simd.mul(apart, apart));
    }
    let apart = simd.sub(simd.load_part(last_row), simd.load_part(last_query));
    sums = simd.add(sums, simd.mul(apart, apart));
    let mut each = [0.0; DOUBLES];
    simd.store(sums, &mut each);
    each.iter().fold(0.0, |sum, x| sum + x)
}

/// The sixteen least keys.
pub struct Shortlist<S: Simd> {
    simd: S,
    k: usize,
    grow: f32,
    /// At least how far the points are, and which.
    list: (S::F, S::I),
    limit: f32,
    /// The largest slack of a point that was taken.
    slack: f32,
}

impl<S: Simd> Shortlist<S> {
    /// Nothing yet; k is at most [`SHORT`].
    #[inline(always)]
    pub fn new(simd: S, k: usize, tree: &Tree) -> Shortlist<S> {
        let list = (simd.splat_f(f32::INFINITY), simd.splat_i(-1));
        Shortlist { simd, k, grow: tree.grow, list, limit: f32::INFINITY, slack: 0.0 }
    }

    /// Asks memory for the rows of the list, which are measured later.
    #[inline(always)]
    pub fn fetch(&self, tree: &Tree) {
        let mut points = [0; FLOATS];
        self.simd.store_i(self.list.1, &mut points);
        // An empty place is no point.
        for &point in points.iter().filter(|&&point| point >= 0) {
            self.simd.fetch(tree.exact.numbers_of(point as usize));
        }
    }

    /// Offers the rows of the list; false where it may have been too short.
    ///
    /// A point with key s was taken as s·grow + slack, which is at least its true key. It is wanted if s is at most the
    /// limit, grown in the same way; twice grown and three slacks are enough for that.
    #[inline(always)]
    pub fn finish<N: Norm>(&self, asked: Asked<'_>, norm: N, best: &mut Best) -> bool {
        let (mut keys, mut points) = ([0.0; FLOATS], [0; FLOATS]);
        self.simd.store_f(self.list.0, &mut keys);
        self.simd.store_i(self.list.1, &mut points);
        let last = self.limit * self.grow * self.grow * self.grow + 3.0 * self.slack;
        let wanted = keys.iter().take_while(|&&key| key < f32::INFINITY && key <= last).count();
        // A key beyond f32 is infinite, and so is an empty place: nothing is known where the k-th is.
        if wanted == FLOATS || self.limit == f32::INFINITY {
            return false;
        }
        // All are measured before one is offered: what comes from memory comes at the same time.
        let mut near = [Near { key: 0.0, row: 0 }; FLOATS];
        for (near, &point) in near.iter_mut().zip(&points[..wanted]) {
            *near = asked.measure(self.simd, norm, point as usize);
        }
        near[..wanted].iter().for_each(|&near| best.offer(near));
        true
    }
}

impl<S: Simd> Candidates<S> for Shortlist<S> {
    #[inline(always)]
    fn limit(&self) -> f32 {
        self.limit
    }

    #[inline(always)]
    fn take(&mut self, simd: S, keys: S::F, mask: u16, first: usize, slack: f32) {
        let at_most = simd.mul_add_f(keys, simd.splat_f(self.grow), simd.splat_f(slack));
        self.list = simd.insert(self.list, at_most, mask, first as u32);
        self.limit = simd.lane(self.list.0, self.k - 1);
        self.slack = if slack > self.slack { slack } else { self.slack };
    }
}

/// Every row that may be near, measured.
pub struct Measured<'a, N> {
    asked: Asked<'a>,
    best: &'a mut Best,
    norm: N,
    limit: f32,
}

impl<'a, N: Norm> Measured<'a, N> {
    /// Nothing yet.
    pub fn new(asked: Asked<'a>, best: &'a mut Best, norm: N) -> Measured<'a, N> {
        Measured { asked, best, norm, limit: f32::INFINITY }
    }
}

impl<S: Simd, N: Norm> Candidates<S> for Measured<'_, N> {
    #[inline(always)]
    fn limit(&self) -> f32 {
        self.limit
    }

    #[inline(always)]
    fn take(&mut self, simd: S, _: S::F, mut mask: u16, first: usize, _: f32) {
        let before = self.best.limit();
        while mask != 0 {
            let point = first + mask.trailing_zeros() as usize;
            mask &= mask - 1;
            self.best.offer(self.asked.measure(simd, self.norm, point));
        }
        let limit = self.best.limit();
        if limit < before {
            let unit = self.asked.tree.unit;
            self.limit = ((if N::SQUARES { limit * unit * unit } else { limit * unit }) as f32).next_up();
        }
    }
}
