//! The AVX2 form of [`super::super::numbers`]: 4 numbers at a time.

use super::super::numbers::NumberLanes;
use std::arch::x86_64::*;

/// How many registers reach to the last member.
#[inline(always)]
fn registers(members: u64) -> usize {
    (64 - members.leading_zeros() as usize).div_ceil(4)
}

/// Sets the lanes whose bit is set among the lowest four.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn chosen(bits: u64) -> __m256d {
    let each = _mm256_setr_epi64x(1, 2, 4, 8);
    _mm256_castsi256_pd(_mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(bits as i64), each), each))
}

#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
pub fn range(numbers: &NumberLanes, members: u64) -> (f64, f64) {
    let (none, all) = (_mm256_set1_pd(f64::INFINITY), _mm256_set1_pd(f64::NEG_INFINITY));
    let (mut low, mut high) = (none, all);
    for i in 0..registers(members) {
        let here = chosen(members >> (4 * i));
        // SAFETY: there are 16 registers, and a number of 64 bits has at most 16 groups of four.
        let lanes = unsafe { _mm256_loadu_pd(numbers.as_ptr().add(4 * i)) };
        low = _mm256_min_pd(_mm256_blendv_pd(none, lanes, here), low);
        high = _mm256_max_pd(_mm256_blendv_pd(all, lanes, here), high);
    }
    let low = _mm_min_pd(_mm256_castpd256_pd128(low), _mm256_extractf128_pd::<1>(low));
    let high = _mm_max_pd(_mm256_castpd256_pd128(high), _mm256_extractf128_pd::<1>(high));
    (
        _mm_cvtsd_f64(_mm_min_sd(low, _mm_unpackhi_pd(low, low))),
        _mm_cvtsd_f64(_mm_max_sd(high, _mm_unpackhi_pd(high, high))),
    )
}

#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
pub fn at_most(numbers: &NumberLanes, members: u64, cut: f64) -> u64 {
    let (mut left, cut) = (0, _mm256_set1_pd(cut));
    for i in 0..registers(members) {
        // SAFETY: as above.
        let lanes = unsafe { _mm256_loadu_pd(numbers.as_ptr().add(4 * i)) };
        left |= (_mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LE_OQ>(lanes, cut)) as u64) << (4 * i);
    }
    left & members
}
