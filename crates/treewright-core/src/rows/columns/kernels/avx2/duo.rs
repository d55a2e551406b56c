//! The AVX2 form of [`super::super::duo`]: eight bins at a time.

use super::super::duo::Duo;
use super::{running_totals, sides};
use crate::rows::columns::tally::Room;
use std::arch::x86_64::*;

/// What cuts save: numerators and denominators.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn fraction(duo: &Duo<'_>, m: __m256i, l: __m256i) -> (__m256, __m256) {
    let (all, second) = (_mm256_set1_ps(duo.times[0] as f32), _mm256_set1_ps(duo.times[1] as f32));
    let (m, l) = (_mm256_cvtepi32_ps(m), _mm256_cvtepi32_ps(l));
    let e = _mm256_sub_ps(_mm256_mul_ps(l, all), _mm256_mul_ps(m, second));
    (_mm256_mul_ps(_mm256_mul_ps(_mm256_set1_ps(duo.scale), e), e), sides(m, all))
}

/// See [`larger_fraction`](super::super::larger_fraction).
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn larger_fraction(a: (__m256, __m256), b: (__m256, __m256)) -> __m256 {
    let first = _mm256_cmp_ps::<_CMP_GT_OQ>(_mm256_mul_ps(a.0, b.1), _mm256_mul_ps(b.0, a.1));
    _mm256_div_ps(_mm256_blendv_ps(b.0, a.0, first), _mm256_blendv_ps(b.1, a.1, first))
}

/// Moves every lane up by one; the last lane of `before` comes in below.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn move_up(x: __m256i, before: __m256i) -> __m256i {
    _mm256_alignr_epi8::<12>(x, _mm256_permute2x128_si256::<0x21>(before, x))
}

/// See [`Duo::estimate`].
///
/// # Safety
/// `below` must have one more than whole registers, and there must be room for as many registers of edges and bounds.
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
pub unsafe fn estimate(duo: &Duo<'_>, below: &mut [u32], room: &mut Room<'_>) {
    let (zero, low) = (_mm256_setzero_si256(), _mm256_set1_epi32(0xffff));
    let (last, none) = (_mm256_set1_epi32(7), _mm256_set1_ps(-1.0));
    let all = _mm256_set1_epi32(duo.times[0] as i32);
    let (mut sum, mut prior) = (zero, zero);
    for start in (0..below.len() - 1).step_by(8) {
        // SAFETY: there are whole registers, as asked for.
        let counts = unsafe { _mm256_loadu_si256(below.as_ptr().add(start + 1).cast()) };
        let after = _mm256_add_epi32(running_totals(counts), sum);
        let before = move_up(after, sum);
        sum = _mm256_permutevar8x32_epi32(after, last);
        let (m0, l0) = (_mm256_and_si256(before, low), _mm256_srli_epi32::<16>(before));
        let (m1, l1) = (_mm256_and_si256(after, low), _mm256_srli_epi32::<16>(after));
        let (x0, x1) = (_mm256_sub_epi32(m0, l0), _mm256_sub_epi32(m1, l1));
        let (saved, sides) = fraction(duo, m1, l1);
        let edges = _mm256_div_ps(saved, sides);
        let behind = _mm256_castsi256_ps(move_up(_mm256_castps_si256(edges), prior));
        prior = _mm256_castps_si256(edges);
        let mixed = _mm256_and_si256(_mm256_cmpgt_epi32(l1, l0), _mm256_cmpgt_epi32(x1, x0));
        let inside = _mm256_and_si256(_mm256_cmpgt_epi32(m1, zero), _mm256_cmpgt_epi32(all, m1));
        let mut bounds = none;
        // Where no bin is mixed, one of two divisions is saved.
        if _mm256_testz_si256(mixed, mixed) == 0 {
            let (a, b) = (fraction(duo, _mm256_add_epi32(x0, l1), l1), fraction(duo, _mm256_add_epi32(x1, l0), l0));
            bounds = _mm256_max_ps(larger_fraction(a, b), _mm256_max_ps(behind, edges));
        }
        let edges = _mm256_blendv_ps(none, edges, _mm256_castsi256_ps(inside));
        let bounds = _mm256_blendv_ps(none, bounds, _mm256_castsi256_ps(mixed));
        // SAFETY: as above.
        unsafe {
            _mm256_storeu_si256(below.as_mut_ptr().add(start + 1).cast(), after);
            _mm256_storeu_ps(room.edges.as_mut_ptr().add(start), edges);
            _mm256_storeu_ps(room.bounds.as_mut_ptr().add(start), bounds);
        }
    }
}
