//! Rows of numbers to columns: a matrix of 32 bits whose rows lie together, a block of rows at a time.

#[cfg(target_arch = "x86_64")]
use crate::simd::Tier;
use crate::simd::{Isa, multiversion};
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    __m256, _CMP_UNORD_Q, _mm256_cmp_ps, _mm256_loadu_ps, _mm256_movemask_ps, _mm256_or_ps, _mm256_permute2f128_ps,
    _mm256_setzero_ps, _mm256_shuffle_ps, _mm256_storeu_ps, _mm256_sub_ps, _mm256_unpackhi_ps, _mm256_unpacklo_ps,
};

/// Rows and columns of the piece that lies in registers.
pub(super) const SIDE: usize = 8;

/// Writes the columns of some rows that lie `step` apart: each column in `stride` places of its own, as many columns as there
/// is room for. False where a number is not finite. There are at least [`SIDE`] rows and columns.
pub(super) fn columns_of(isa: Isa, values: &[f32], step: usize, rows: usize, stride: usize, to: &mut [f32]) -> bool {
    #[cfg(target_arch = "x86_64")]
    if matches!(isa.tier(), Tier::Avx2 | Tier::Avx512) {
        // SAFETY: an `Isa` of this tier exists only where the processor has these instructions.
        return unsafe { avx2(values, step, rows, stride, to) };
    }
    one_by_one(isa, values, step, rows, stride, to)
}

multiversion! {
    /// One number after the other.
    fn one_by_one(values: &[f32], step: usize, rows: usize, stride: usize, to: &mut [f32]) -> bool {
        let mut finite = true;
        for (column, to) in to.chunks_exact_mut(stride).enumerate() {
            for (to, &x) in to[..rows].iter_mut().zip(values[column..].iter().step_by(step)) {
                finite &= x.is_finite();
                *to = x;
            }
        }
        finite
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2(values: &[f32], step: usize, rows: usize, stride: usize, to: &mut [f32]) -> bool {
    let width = to.len() / stride;
    assert!(rows >= SIDE && width >= SIDE && rows <= stride && step >= width);
    assert!(values.len() >= (rows - 1) * step + width);
    let mut broken = _mm256_setzero_ps();
    // The last piece overlaps the one before it where the sides are no multiple of it.
    let pieces = |length: usize| (0..length).step_by(SIDE).map(move |first| first.min(length - SIDE));
    for column in pieces(width) {
        for row in pieces(rows) {
            let mut piece = [broken; SIDE];
            for (i, piece) in piece.iter_mut().enumerate() {
                // SAFETY: row `row + i` is below `rows` and has `width` numbers, as checked above.
                *piece = unsafe { _mm256_loadu_ps(values.as_ptr().add((row + i) * step + column)) };
                // A finite number less itself is 0; any other is not a number, whose bits stay so under those of others.
                broken = _mm256_or_ps(broken, _mm256_sub_ps(*piece, *piece));
            }
            for (i, piece) in turn(piece).into_iter().enumerate() {
                // SAFETY: column `column + i` is below `width` and has room for `stride` numbers, at least `rows`, as checked above.
                unsafe { _mm256_storeu_ps(to.as_mut_ptr().add((column + i) * stride + row), piece) };
            }
        }
    }
    _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_UNORD_Q>(broken, broken)) == 0
}

/// Eight rows of eight numbers to columns.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn turn(rows: [__m256; SIDE]) -> [__m256; SIDE] {
    let [a, b, c, d, e, f, g, h] = rows;
    let (ab, cd) = (_mm256_unpacklo_ps(a, b), _mm256_unpacklo_ps(c, d));
    let (ef, gh) = (_mm256_unpacklo_ps(e, f), _mm256_unpacklo_ps(g, h));
    let (high_ab, high_cd) = (_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d));
    let (high_ef, high_gh) = (_mm256_unpackhi_ps(e, f), _mm256_unpackhi_ps(g, h));
    // Two of the first four columns and two of the last four, of four rows.
    let upper = [
        _mm256_shuffle_ps::<0x44>(ab, cd),
        _mm256_shuffle_ps::<0xee>(ab, cd),
        _mm256_shuffle_ps::<0x44>(high_ab, high_cd),
        _mm256_shuffle_ps::<0xee>(high_ab, high_cd),
    ];
    let lower = [
        _mm256_shuffle_ps::<0x44>(ef, gh),
        _mm256_shuffle_ps::<0xee>(ef, gh),
        _mm256_shuffle_ps::<0x44>(high_ef, high_gh),
        _mm256_shuffle_ps::<0xee>(high_ef, high_gh),
    ];
    let mut columns = rows;
    for i in 0..4 {
        columns[i] = _mm256_permute2f128_ps::<0x20>(upper[i], lower[i]);
        columns[4 + i] = _mm256_permute2f128_ps::<0x31>(upper[i], lower[i]);
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_tiers_transpose_and_see_what_is_not_finite() {
        for [rows, width, step] in [[8, 8, 8], [9, 28, 28], [31, 11, 13], [64, 16, 17]] {
            let mut values: Vec<f32> = (0..rows * step).map(|i| i as f32).collect();
            let stride = rows + 3;
            for isa in Isa::all() {
                let mut to = vec![-1.0; width * stride];
                assert!(columns_of(isa, &values, step, rows, stride, &mut to));
                let is_right =
                    |i: usize| to[i] == if i % stride < rows { values[i % stride * step + i / stride] } else { -1.0 };
                assert!((0..to.len()).all(is_right), "{rows} x {width}, {isa:?}");
            }
            for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                let place = (rows - 2) * step + width - 1;
                let good = std::mem::replace(&mut values[place], bad);
                Isa::all().for_each(|isa| {
                    assert!(!columns_of(isa, &values, step, rows, stride, &mut vec![0.0; width * stride]))
                });
                values[place] = good;
            }
        }
    }
}
