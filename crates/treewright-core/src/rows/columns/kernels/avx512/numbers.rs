//! The AVX-512 form of [`super::super::numbers`]: 8 numbers at a time. All 8 registers are looked at whatever the members: a
//! loop that ends with the last of them costs more, because its end cannot be foreseen.

use super::super::numbers::NumberLanes;
use std::arch::x86_64::*;

#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
fn load(numbers: &NumberLanes, members: u64, register: usize, others: __m512d) -> __m512d {
    let here = (members >> (8 * register)) as u8;
    let numbers = numbers[8 * register..8 * register + 8].as_ptr();
    // SAFETY: the slice has 8 numbers.
    unsafe { _mm512_mask_loadu_pd(others, here, numbers) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
pub fn range(numbers: &NumberLanes, members: u64) -> (f64, f64) {
    let (none, all) = (_mm512_set1_pd(f64::INFINITY), _mm512_set1_pd(f64::NEG_INFINITY));
    let low = |i: usize| _mm512_min_pd(load(numbers, members, i, none), load(numbers, members, i + 1, none));
    let high = |i: usize| _mm512_max_pd(load(numbers, members, i, all), load(numbers, members, i + 1, all));
    let low = _mm512_min_pd(_mm512_min_pd(low(0), low(2)), _mm512_min_pd(low(4), low(6)));
    let high = _mm512_max_pd(_mm512_max_pd(high(0), high(2)), _mm512_max_pd(high(4), high(6)));
    (_mm512_reduce_min_pd(low), _mm512_reduce_max_pd(high))
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
pub fn at_most(numbers: &NumberLanes, members: u64, cut: f64) -> u64 {
    let (mut left, cut) = (0, _mm512_set1_pd(cut));
    for i in 0..8 {
        let lanes = load(numbers, u64::MAX, i, cut);
        left |= u64::from(_mm512_cmp_pd_mask::<_CMP_LE_OQ>(lanes, cut)) << (8 * i);
    }
    left & members
}
