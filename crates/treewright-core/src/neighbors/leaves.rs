//! The points of a tree's leaves in f32: a filter that tells which of them may be near.
//!
//! Numbers are counted from the middle of their leaf, in a unit in which all are at most 1, so that f32 is as fine as it
//! can be where it matters. With u = 2^-24, rounding a point, the query and their difference makes a distance longer by
//! at most 2u of itself and 2u of the leaf's radius, and adding d squares by (d + 2)u: twice as much is allowed for. What
//! vanishes in f32 is less than 1e-44 a column. So no point within the limit is ever missed.

use super::rows::{largest, zeros};
use super::simd::{FLOATS, Simd};
use super::tree::LEAF;
use crate::Result;
use rayon::prelude::*;

const U: f64 = 1.0 / (1 << 24) as f64;
/// What vanishes in f32.
const NOTHING: f64 = 1e-44;
const PARTS: usize = LEAF / FLOATS;

/// The points of all leaves.
#[derive(Debug)]
pub struct Leaves {
    columns: usize,
    /// As in the tree; NaN where the last leaf has no more points.
    points: Vec<f32>,
    /// The middle of each leaf.
    middles: Vec<f64>,
    /// How far the points of each leaf are from its middle at most.
    radii: Vec<f64>,
    /// A power of two.
    unit: f64,
}

impl Leaves {
    /// From leaf after leaf, column after column.
    pub fn new(points: &[f64], columns: usize) -> Result<Leaves> {
        let size = points.par_chunks(1 << 14).map(largest).reduce(|| 0.0, f64::max);
        let unit = if size > 0.0 { libm::ldexp(1.0, -1 - libm::frexp(size).1) } else { 1.0 };
        let leaves = points.len() / (LEAF * columns);
        let mut found = Leaves {
            columns,
            points: zeros(points.len())?,
            middles: zeros(leaves * columns)?,
            radii: zeros(leaves)?,
            unit,
        };
        let each = found.points.par_chunks_mut(LEAF * columns).zip(points.par_chunks(LEAF * columns));
        let each = each.zip(found.middles.par_chunks_mut(columns)).zip(&mut found.radii);
        each.for_each(|(((to, from), middles), radius)| {
            let mut squares = 0.0;
            let columns = to.chunks_exact_mut(LEAF).zip(from.chunks_exact(LEAF));
            for ((to, from), middle) in columns.zip(middles) {
                // NaN, the padding, is smaller and larger than nothing.
                let least = from.iter().copied().fold(f64::INFINITY, f64::min);
                let greatest = from.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                *middle = least / 2.0 + greatest / 2.0;
                let mut most: f64 = 0.0;
                for (to, from) in to.iter_mut().zip(from) {
                    let apart = (from - *middle) * unit;
                    most = most.max(apart.abs());
                    *to = apart as f32;
                }
                squares += most * most;
            }
            *radius = squares.sqrt();
        });
        Ok(found)
    }

    /// Which points of a leaf may have a key of at most `limit`.
    #[inline(always)]
    pub fn near<S: Simd>(&self, simd: S, leaf: usize, query: &[f64], limit: f64) -> u64 {
        let size = LEAF * self.columns;
        let points = self.points[leaf * size..][..size].as_chunks::<FLOATS>().0.as_chunks::<PARTS>().0;
        let middles = &self.middles[leaf * self.columns..][..self.columns];
        let mut sums = [simd.splat_f(0.0); PARTS];
        for ((column, q), middle) in points.iter().zip(query).zip(middles) {
            let q = simd.splat_f(((q - middle) * self.unit) as f32);
            for (sum, x) in sums.iter_mut().zip(column) {
                let apart = simd.sub_f(simd.load_f(x), q);
                *sum = simd.mul_add_f(apart, apart, *sum);
            }
        }
        let ceiling = simd.splat_f(self.ceiling(leaf, limit));
        let mask = |part: usize| u64::from(simd.ge_f(ceiling, sums[part])) << (part * FLOATS);
        (0..PARTS).fold(0, |all, part| all | mask(part))
    }

    /// How large the sum of a point within the limit can be.
    #[inline(always)]
    fn ceiling(&self, leaf: usize, limit: f64) -> f32 {
        let columns = self.columns as f64;
        let reach = limit.sqrt() * self.unit;
        let longest = reach * (1.0 + 4.0 * U) + 4.0 * U * self.radii[leaf] + columns * NOTHING;
        ((longest * longest + columns * NOTHING) * (1.0 + (2.0 * columns + 16.0) * U)) as f32
    }
}
