//! The AVX-512 form of [`super::super::gini`] for many classes: 16 bins at a time, with what all classes add up to in
//! registers. Compilers do not find this form by themselves.

use super::super::histogram::{ClassCounts, WIDTH};
use crate::rows::columns::tally::Room;
use std::arch::x86_64::*;

/// Estimates all edges and bounds of so few rows that products of two counts are exact in single precision.
///
/// # Safety
/// The processor must have these instructions; each list of counts must have one more than whole registers, and there must
/// be room for as many registers of edges and bounds.
#[target_feature(enable = "avx512f")]
pub unsafe fn many(classes: &[u32], below: &[ClassCounts], rows: u32, scale: f32, room: &mut Room<'_>) {
    let (zero, one, all) = (_mm512_setzero_si512(), _mm512_set1_epi32(1), _mm512_set1_epi32(rows as i32));
    let (none, scale, n) = (_mm512_set1_ps(-1.0), _mm512_set1_ps(scale), _mm512_set1_ps(rows as f32));
    let ends = |below: &ClassCounts, start: usize| {
        let place = below[start..].as_ptr().cast::<i32>();
        // SAFETY: there is one more than whole registers, as asked for.
        unsafe { (_mm512_loadu_epi32(place), _mm512_loadu_epi32(place.add(1))) }
    };
    for start in (0..room.edges.len()).step_by(WIDTH) {
        let (mut m0, mut m1, mut largest) = (zero, zero, zero);
        for below in below {
            let (a, b) = ends(below, start);
            (m0, m1) = (_mm512_add_epi32(m0, a), _mm512_add_epi32(m1, b));
            largest = _mm512_max_epu32(largest, _mm512_sub_epi32(b, a));
        }
        // The largest class of a bin is not all of it.
        let mixed = _mm512_cmplt_epu32_mask(largest, _mm512_sub_epi32(m1, m0));
        let inside = |m| _mm512_min_epu32(_mm512_max_epu32(m, one), _mm512_sub_epi32(all, one));
        let (m0, m1) = (inside(m0), inside(m1));
        let other = |m| _mm512_cvtepu32_ps(_mm512_sub_epi32(all, m));
        let (left0, left1) = (_mm512_cvtepu32_ps(m0), _mm512_cvtepu32_ps(m1));
        let sides0 = _mm512_div_ps(scale, _mm512_mul_ps(left0, other(m0)));
        let sides1 = _mm512_div_ps(scale, _mm512_mul_ps(left1, other(m1)));
        let mut sums = [_mm512_setzero_ps(); 3];
        for (total, below) in classes.iter().zip(below) {
            let (a, b) = ends(below, start);
            let (a, b) = (_mm512_mul_ps(_mm512_cvtepu32_ps(a), n), _mm512_mul_ps(_mm512_cvtepu32_ps(b), n));
            let total = _mm512_set1_ps(*total as f32);
            let (share0, share1) = (_mm512_mul_ps(left0, total), _mm512_mul_ps(left1, total));
            let square = |l, share| {
                let e = _mm512_sub_ps(l, share);
                _mm512_mul_ps(e, e)
            };
            let edge = square(b, share1);
            sums[0] = _mm512_add_ps(sums[0], edge);
            sums[1] = _mm512_add_ps(sums[1], _mm512_max_ps(square(a, share0), square(b, share0)));
            sums[2] = _mm512_add_ps(sums[2], _mm512_max_ps(square(a, share1), edge));
        }
        let bounds = _mm512_max_ps(_mm512_mul_ps(sums[1], sides0), _mm512_mul_ps(sums[2], sides1));
        // SAFETY: as above.
        unsafe {
            _mm512_storeu_ps(room.edges.as_mut_ptr().add(start), _mm512_mul_ps(sums[0], sides1));
            _mm512_storeu_ps(room.bounds.as_mut_ptr().add(start), _mm512_mask_mov_ps(none, mixed, bounds));
        }
    }
}
