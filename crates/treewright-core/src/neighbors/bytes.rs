//! Words of four whole numbers of 8 bits: four times the products of f32, where the processor has them.
//!
//! Each scale, some thousand rows, has a *step*, the size of 1 among its packed numbers, and so has each tile of queries;
//! sums are integers, so nothing is rounded in them. What packing lost is measured: the largest error of a scale, the
//! error of each query.

#[cfg(target_arch = "x86_64")]
use super::packed::{PANEL, TILE};
use super::packed::{PackedQuery, Scale, Word};
#[cfg(target_arch = "x86_64")]
use super::vnni;
use crate::simd::{FLOATS, Simd};

/// Columns of a word.
const COLUMNS: usize = 4;
/// The largest packed number of a row. Rows are stored with 128 added, queries as they are.
const LARGEST_BYTE: f64 = 127.0;
const SHIFT: i32 = 128;
const NEAREST: f64 = (3u64 << 51) as f64;
/// Starts are not lower than this: far above the least i32, and no row of interest has one so low.
const LOWEST: f32 = -(1 << 30) as f32;
/// The most columns for which sums stay within i32.
pub const MAX_COLUMNS: usize = 1 << 14;

impl Word for i32 {
    const COLUMNS: usize = COLUMNS;
    const HAS_STEP: bool = true;
    type Register<S: Simd> = S::I;

    fn step(size: f64) -> f64 {
        if size > 0.0 { size / LARGEST_BYTE } else { 1.0 }
    }

    #[inline(always)]
    fn pack(numbers: &[f64], step: f64, is_row: bool, words: &mut [i32], stride: usize) -> (f64, f64, f64) {
        let (per, shift) = (1.0 / step, if is_row { SHIFT } else { 0 });
        let (mut square, mut sum, mut lost) = ([0.0; COLUMNS], [0.0; COLUMNS], [0.0; COLUMNS]);
        for (word, numbers) in words.iter_mut().step_by(stride).zip(numbers.as_chunks::<COLUMNS>().0) {
            let mut bytes = [0; COLUMNS];
            for i in 0..COLUMNS {
                // To the nearest whole number: beyond 2^52 there are no others.
                let rounded = ((numbers[i] * per).clamp(-LARGEST_BYTE, LARGEST_BYTE) + NEAREST) - NEAREST;
                square[i] += rounded * rounded;
                sum[i] += rounded;
                lost[i] += (numbers[i] - rounded * step) * (numbers[i] - rounded * step);
                bytes[i] = (rounded as i32 + shift) as u8;
            }
            *word = i32::from_le_bytes(bytes);
        }
        let [square, sum, lost] = [square, sum, lost].map(|four| four.iter().sum::<f64>());
        (square, sum, lost.sqrt() * (1.0 + 1e-9) + 1e-12 * step)
    }

    fn shift(sum: f64) -> f64 {
        sum * f64::from(SHIFT)
    }

    #[inline(always)]
    fn floor_of(query: &PackedQuery, scale: &Scale, _: usize) -> i32 {
        let apart = query.radius + scale.error + query.error;
        // The start of a row within the radius is wrong by two at most, and by the rounding of its half square to f32.
        let row = query.norm + apart;
        let floor = 0.5 * (query.square - apart * apart) - 1e-6 * row * row;
        // Infinities become the largest and the least.
        (floor * (scale.per * query.per) + query.shift - 3.0) as i32
    }

    #[inline(always)]
    fn level_of(query: &PackedQuery, scale: &Scale, _: usize) -> i32 {
        (0.5 * (query.square - query.radius * query.radius) * (scale.per * query.per) + query.shift) as i32
    }

    #[inline(always)]
    fn start<S: Simd>(simd: S, halves: &[f32], query: &PackedQuery) -> S::I {
        let half = simd.mul_f(simd.load_f(halves), simd.splat_f(query.per as f32));
        simd.round(simd.max_f(half, simd.splat_f(LOWEST)))
    }
    #[inline(always)]
    fn load<S: Simd>(simd: S, words: &[i32; FLOATS]) -> S::I {
        simd.load_i(words)
    }
    #[inline(always)]
    fn splat<S: Simd>(simd: S, word: i32) -> S::I {
        simd.splat_i(word)
    }
    #[inline(always)]
    fn multiply_add<S: Simd>(simd: S, rows: S::I, query: S::I, sum: S::I) -> S::I {
        simd.dot_bytes(sum, rows, query)
    }
    #[inline(always)]
    fn larger<S: Simd>(simd: S, a: S::I, b: S::I) -> S::I {
        simd.max_i(a, b)
    }
    #[inline(always)]
    fn not_below<S: Simd>(simd: S, a: S::I, floor: i32) -> u16 {
        simd.ge_i(a, simd.splat_i(floor))
    }
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn above_by_vnni(
        rows: &[i32],
        halves: &[f32],
        words: &[i32],
        query: &PackedQuery,
        floors: &[i32; TILE],
        out: &mut [[i32; PANEL]; TILE],
    ) -> Option<[u64; TILE]> {
        // SAFETY: the processor was asked, and has AVX2 where it has AVX-VNNI.
        vnni::is_there().then(|| unsafe { vnni::above(rows, halves, [query.per as f32, LOWEST], words, floors, out) })
    }
    #[inline(always)]
    fn store<S: Simd>(simd: S, a: S::I, to: &mut [i32; FLOATS]) {
        simd.store_i(a, to);
    }
}
