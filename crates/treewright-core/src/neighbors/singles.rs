//! Words of one f32: the packing for any machine.

use super::packed::{PackedQuery, Scale, Word};
use crate::simd::{FLOATS, Simd};
use crate::tolerance::{SINGLE_ERROR, SINGLE_LOST};

impl Word for f32 {
    const COLUMNS: usize = 1;
    const HAS_STEP: bool = false;
    type Register<S: Simd> = S::F;

    fn step(_: f64) -> f64 {
        1.0
    }

    /// How far numbers are moved is bounded by `floor_of`, not measured.
    #[inline(always)]
    fn pack(numbers: &[f64], _: f64, _: bool, words: &mut [f32], stride: usize) -> (f64, f64, f64) {
        let mut square = 0.0;
        for (word, &x) in words.iter_mut().step_by(stride).zip(numbers) {
            let x = x as f32;
            *word = x;
            square += f64::from(x) * f64::from(x);
        }
        (square, 0.0, 0.0)
    }

    fn shift(_: f64) -> f64 {
        0.0
    }

    /// A row within the radius R has a norm of at most that of the query and R together, and packing moved it by at most a
    /// part of that. Rows far from the center make no difference.
    #[inline(always)]
    fn floor_of(query: &PackedQuery, _: &Scale, columns: usize) -> f32 {
        let columns = columns as f64;
        let lost = columns.sqrt() * SINGLE_LOST;
        let norm = query.norm + lost;
        let row = norm * (1.0 + 2.0 * SINGLE_ERROR) + query.radius;
        let apart = query.radius + SINGLE_ERROR * (norm * (1.0 + 2.0 * SINGLE_ERROR) + row) + 2.0 * lost;
        let packed = row * (1.0 + 2.0 * SINGLE_ERROR) + lost;
        // One rounding for each product and sum, in any order, and one for the half of the square.
        let rounding = (2.0 * columns + 16.0) * SINGLE_ERROR * (0.5 * packed * packed + packed * norm);
        let floor = 0.5 * (query.square - apart * apart) - rounding - columns * SINGLE_LOST;
        (floor as f32).next_down()
    }

    #[inline(always)]
    fn level_of(query: &PackedQuery, scale: &Scale, columns: usize) -> f32 {
        f32::floor_of(query, scale, columns)
    }

    #[inline(always)]
    fn start<S: Simd>(simd: S, halves: &[f32], _: &PackedQuery) -> S::F {
        simd.load_f(halves)
    }
    #[inline(always)]
    fn load<S: Simd>(simd: S, words: &[f32; FLOATS]) -> S::F {
        simd.load_f(words)
    }
    #[inline(always)]
    fn splat<S: Simd>(simd: S, word: f32) -> S::F {
        simd.splat_f(word)
    }
    #[inline(always)]
    fn multiply_add<S: Simd>(simd: S, rows: S::F, query: S::F, sum: S::F) -> S::F {
        simd.mul_add_f(rows, query, sum)
    }
    #[inline(always)]
    fn larger<S: Simd>(simd: S, a: S::F, b: S::F) -> S::F {
        simd.max_f(a, b)
    }
    #[inline(always)]
    fn not_below<S: Simd>(simd: S, a: S::F, floor: f32) -> u16 {
        simd.ge_f(a, simd.splat_f(floor))
    }
    #[inline(always)]
    fn store<S: Simd>(simd: S, a: S::F, to: &mut [f32; FLOATS]) {
        simd.store_f(a, to);
    }
}
