//! The AVX-512 form of [`super::super::duo`]: 16 bins at a time.

use super::super::duo::{Duo, WIDTH};
use crate::rows::columns::tally::Room;
use std::arch::x86_64::*;

/// What cuts save: numerators and denominators.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn fraction(duo: &Duo<'_>, m: __m512i, l: __m512i) -> (__m512, __m512) {
    let (all, second) = (_mm512_set1_ps(duo.times[0] as f32), _mm512_set1_ps(duo.times[1] as f32));
    let (m, l) = (_mm512_cvtepi32_ps(m), _mm512_cvtepi32_ps(l));
    let e = _mm512_sub_ps(_mm512_mul_ps(l, all), _mm512_mul_ps(m, second));
    let sides = _mm512_max_ps(_mm512_mul_ps(m, _mm512_sub_ps(all, m)), _mm512_set1_ps(1.0));
    (_mm512_mul_ps(_mm512_mul_ps(_mm512_set1_ps(duo.scale), e), e), sides)
}

/// See [`larger_fraction`](super::super::larger_fraction).
#[inline]
#[target_feature(enable = "avx512f")]
fn larger_fraction(a: (__m512, __m512), b: (__m512, __m512)) -> __m512 {
    let first = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(_mm512_mul_ps(a.0, b.1), _mm512_mul_ps(b.0, a.1));
    _mm512_div_ps(_mm512_mask_mov_ps(b.0, first, a.0), _mm512_mask_mov_ps(b.1, first, a.1))
}

/// See [`Duo::estimate`].
///
/// # Safety
/// The processor must have these instructions; `below` must have one more than whole registers, and there must be room
/// for as many registers of edges and bounds.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub unsafe fn estimate(duo: &Duo<'_>, below: &mut [u32], room: &mut Room<'_>) {
    let (zero, low) = (_mm512_setzero_si512(), _mm512_set1_epi32(0xffff));
    let (last, none) = (_mm512_set1_epi32(WIDTH as i32 - 1), _mm512_set1_ps(-1.0));
    let all = _mm512_set1_epi32(duo.times[0] as i32);
    let (mut sum, mut prior) = (zero, _mm512_setzero_ps());
    for start in (0..below.len() - 1).step_by(WIDTH) {
        // SAFETY: there are whole registers, as asked for.
        let counts = unsafe { _mm512_loadu_epi32(below.as_ptr().add(start + 1).cast()) };
        let counts = _mm512_add_epi32(counts, _mm512_alignr_epi32::<15>(counts, zero));
        let counts = _mm512_add_epi32(counts, _mm512_alignr_epi32::<14>(counts, zero));
        let counts = _mm512_add_epi32(counts, _mm512_alignr_epi32::<12>(counts, zero));
        let counts = _mm512_add_epi32(counts, _mm512_alignr_epi32::<8>(counts, zero));
        let after = _mm512_add_epi32(counts, sum);
        let before = _mm512_alignr_epi32::<15>(after, sum);
        sum = _mm512_permutexvar_epi32(last, after);
        let (m0, l0) = (_mm512_and_si512(before, low), _mm512_srli_epi32::<16>(before));
        let (m1, l1) = (_mm512_and_si512(after, low), _mm512_srli_epi32::<16>(after));
        let (x0, x1) = (_mm512_sub_epi32(m0, l0), _mm512_sub_epi32(m1, l1));
        let (saved, sides) = fraction(duo, m1, l1);
        let edges = _mm512_div_ps(saved, sides);
        let shifted = _mm512_alignr_epi32::<15>(_mm512_castps_si512(edges), _mm512_castps_si512(prior));
        prior = edges;
        let (a, b) = (fraction(duo, _mm512_add_epi32(x0, l1), l1), fraction(duo, _mm512_add_epi32(x1, l0), l0));
        let ends = _mm512_max_ps(_mm512_castsi512_ps(shifted), edges);
        let bounds = _mm512_max_ps(larger_fraction(a, b), ends);
        let mixed = _mm512_cmpgt_epi32_mask(l1, l0) & _mm512_cmpgt_epi32_mask(x1, x0);
        let inside = _mm512_test_epi32_mask(m1, m1) & _mm512_cmplt_epi32_mask(m1, all);
        // SAFETY: as above.
        unsafe {
            _mm512_storeu_epi32(below.as_mut_ptr().add(start + 1).cast(), after);
            _mm512_storeu_ps(room.edges.as_mut_ptr().add(start), _mm512_mask_mov_ps(none, inside, edges));
            _mm512_storeu_ps(room.bounds.as_mut_ptr().add(start), _mm512_mask_mov_ps(none, mixed, bounds));
        }
    }
}
