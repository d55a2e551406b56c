//! The AVX-512 form of [`super::super::codes`]: 32 codes at a time.

use super::super::histogram::low_bits;
use std::arch::x86_64::*;

/// The codes 32 at a time: where they begin, which lanes there are, and the lanes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn each(codes: &[u16], mut work: impl FnMut(usize, u32, __m512i)) {
    // Whole registers without a mask; only the last load needs one.
    let tail_start = codes.len() / 32 * 32;
    for start in (0..tail_start).step_by(32) {
        // SAFETY: 32 codes are there.
        work(start, u32::MAX, unsafe { _mm512_loadu_epi16(codes.as_ptr().add(start).cast()) });
    }
    if tail_start < codes.len() {
        let here = low_bits(codes.len() - tail_start);
        // SAFETY: the load is masked to the codes that are there.
        work(tail_start, here, unsafe { _mm512_maskz_loadu_epi16(here, codes.as_ptr().add(tail_start).cast()) });
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,sse4.1")]
fn least(lanes: __m512i) -> u16 {
    let half = _mm256_min_epu16(_mm512_castsi512_si256(lanes), _mm512_extracti64x4_epi64::<1>(lanes));
    let quarter = _mm_min_epu16(_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half));
    _mm_cvtsi128_si32(_mm_minpos_epu16(quarter)) as u16
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,sse4.1")]
fn greatest(lanes: __m512i) -> u16 {
    !least(_mm512_xor_si512(lanes, _mm512_set1_epi16(-1)))
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,sse4.1")]
pub fn range(codes: &[u16]) -> (u16, u16) {
    let (mut low, mut high) = (_mm512_set1_epi16(-1), _mm512_setzero_si512());
    each(codes, |_, here, lanes| {
        low = _mm512_mask_min_epu16(low, here, low, lanes);
        high = _mm512_max_epu16(high, lanes);
    });
    (least(low), greatest(high))
}

#[target_feature(enable = "avx512f,avx512bw,popcnt")]
pub fn count_below(codes: &[u16], code: u16) -> u32 {
    let (mut count, limit) = (0, _mm512_set1_epi16(code as i16));
    each(codes, |_, here, lanes| count += _mm512_mask_cmplt_epu16_mask(here, lanes, limit).count_ones());
    count
}

#[target_feature(enable = "avx512f,avx512bw,bmi1")]
pub fn select(codes: &[u16], low: u16, high: u16, selected: &mut Vec<(u16, u32)>) {
    let (first, span) = (_mm512_set1_epi16(low as i16), _mm512_set1_epi16((high - low) as i16));
    each(codes, |start, here, lanes| {
        let mut inside = _mm512_mask_cmple_epu16_mask(here, _mm512_sub_epi16(lanes, first), span);
        while inside != 0 {
            let place = start + inside.trailing_zeros() as usize;
            inside &= inside - 1;
            selected.push((codes[place], place as u32));
        }
    });
}

#[target_feature(enable = "avx512f,avx512bw")]
pub fn at_most(codes: &[u16], code: u16, mask: &mut [u32]) {
    let limit = _mm512_set1_epi16(code as i16);
    each(codes, |start, here, lanes| mask[start / 32] = _mm512_mask_cmple_epu16_mask(here, lanes, limit));
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,sse4.1")]
pub fn around(codes: &[u16], code: u16) -> (u16, u16) {
    let limit = _mm512_set1_epi16(code as i16);
    let (mut below, mut above) = (_mm512_setzero_si512(), _mm512_set1_epi16(-1));
    each(codes, |_, here, lanes| {
        let low = _mm512_mask_cmple_epu16_mask(here, lanes, limit);
        below = _mm512_mask_max_epu16(below, low, below, lanes);
        above = _mm512_mask_min_epu16(above, here & !low, above, lanes);
    });
    (greatest(below), least(above))
}
