//! The sixteen rows of least keys, in two registers: what a filter offers is measured at the end, for few neighbors.

use super::candidates::Candidates;
use crate::simd::{FLOATS, Simd};

/// The most neighbors of a shortlist: a few places are for rows that only seem to be nearer.
pub const SHORT: usize = 12;

/// The sixteen least keys and their rows. A filter's key s is listed as s·grow + slack, which is at least the true key.
#[derive(Clone, Copy)]
pub struct Shortlist<S: Simd> {
    k: usize,
    /// How much larger than a filter's key the true one can be, but for the slack.
    pub grow: f32,
    keys: S::F,
    rows: S::I,
    /// How far the k-th row is at the most.
    limit: f32,
    /// The largest slack of a row that was taken.
    pub slack: f32,
}

impl<S: Simd> Shortlist<S> {
    /// Nothing yet; k is at most [`SHORT`].
    #[inline(always)]
    pub fn new(simd: S, k: usize, grow: f32) -> Shortlist<S> {
        let (keys, rows) = (simd.splat_f(f32::INFINITY), simd.splat_i(-1));
        Shortlist { k, grow, keys, rows, limit: f32::INFINITY, slack: 0.0 }
    }

    /// The rows of the list; −1 in places that are empty.
    #[inline(always)]
    pub fn rows(&self, simd: S) -> [i32; FLOATS] {
        let mut rows = [0; FLOATS];
        simd.store_i(self.rows, &mut rows);
        rows
    }

    /// How many rows have keys up to `last`; None where the list may have been too short. A key beyond f32 is infinite, and
    /// so is an empty place: where `last` is infinite, nothing is known where the k-th is.
    #[inline(always)]
    pub fn count(&self, simd: S, last: f32) -> Option<usize> {
        let mut keys = [0.0; FLOATS];
        simd.store_f(self.keys, &mut keys);
        let count = keys.iter().take_while(|&&key| key <= last).count();
        (count < FLOATS && last < f32::INFINITY).then_some(count)
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
        (self.keys, self.rows) = simd.insert((self.keys, self.rows), at_most, mask, first as u32);
        self.limit = simd.lane(self.keys, self.k - 1);
        self.slack = if slack > self.slack { slack } else { self.slack };
    }
}
