//! The AVX2 form of [`super::super::codes`]: 16 codes at a time.

use super::{halves, make_signed};
use std::arch::x86_64::*;

/// Visits the codes 16 at a time: where they begin, a bit for each that is new, and the lanes. The last 16 may overlap those
/// before; fewer than 16 codes are filled up with the first of them.
#[inline(always)]
fn each(codes: &[u16], mut work: impl FnMut(usize, u32, __m256i)) {
    // SAFETY: an array of 16 codes is one register long; all callers are compiled for AVX2.
    let load = |codes: &[u16; 16]| unsafe { _mm256_loadu_si256(codes.as_ptr().cast()) };
    let (blocks, rest) = codes.as_chunks::<16>();
    for (i, codes) in blocks.iter().enumerate() {
        work(16 * i, 0xffff, load(codes));
    }
    if rest.is_empty() {
        return;
    }
    if let Some(last) = codes.last_chunk::<16>() {
        work(codes.len() - 16, 0xffff << (16 - rest.len()) & 0xffff, load(last));
    } else {
        let mut filled = [codes[0]; 16];
        filled[..rest.len()].copy_from_slice(rest);
        work(0, (1 << rest.len()) - 1, load(&filled));
    }
}

/// A bit for each lane of 16 bits that is set.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn bits(lanes: __m256i) -> u32 {
    let [low, high] = halves(lanes);
    _mm_movemask_epi8(_mm_packs_epi16(low, high)) as u32
}

/// Sets the lanes whose code is at most another.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn is_at_most(lanes: __m256i, code: __m256i) -> __m256i {
    _mm256_cmpeq_epi16(_mm256_min_epu16(lanes, code), lanes)
}

#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn least(lanes: __m256i) -> u16 {
    let [low, high] = halves(lanes);
    _mm_cvtsi128_si32(_mm_minpos_epu16(_mm_min_epu16(low, high))) as u16
}

#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn greatest(lanes: __m256i) -> u16 {
    !least(_mm256_xor_si256(lanes, _mm256_set1_epi16(-1)))
}

#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
pub fn range(codes: &[u16]) -> (u16, u16) {
    let (mut low, mut high) = (_mm256_set1_epi16(-1), _mm256_setzero_si256());
    each(codes, |_, _, lanes| {
        low = _mm256_min_epu16(low, lanes);
        high = _mm256_max_epu16(high, lanes);
    });
    (least(low), greatest(high))
}

#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
pub fn count_below(codes: &[u16], code: u16) -> u32 {
    let limit = make_signed(_mm256_set1_epi16(code as i16));
    let mut count = 0;
    each(codes, |_, new, lanes| {
        count += (bits(_mm256_cmpgt_epi16(limit, make_signed(lanes))) & new).count_ones();
    });
    count
}

#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
pub fn select(codes: &[u16], low: u16, high: u16, selected: &mut Vec<(u16, u32)>) {
    let (first, span) = (_mm256_set1_epi16(low as i16), _mm256_set1_epi16((high - low) as i16));
    each(codes, |start, new, lanes| {
        let mut inside = bits(is_at_most(_mm256_sub_epi16(lanes, first), span)) & new;
        while inside != 0 {
            let place = start + inside.trailing_zeros() as usize;
            inside &= inside - 1;
            selected.push((codes[place], place as u32));
        }
    });
}

#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
pub fn at_most(codes: &[u16], code: u16, mask: &mut [u32]) {
    let limit = _mm256_set1_epi16(code as i16);
    let (blocks, rest) = codes.as_chunks::<32>();
    for (codes, word) in blocks.iter().zip(mask.iter_mut()) {
        // SAFETY: 32 codes are two registers long.
        let (low, high) =
            unsafe { (_mm256_loadu_si256(codes.as_ptr().cast()), _mm256_loadu_si256(codes.as_ptr().add(16).cast())) };
        let bytes = _mm256_packs_epi16(is_at_most(low, limit), is_at_most(high, limit));
        *word = _mm256_movemask_epi8(_mm256_permute4x64_epi64::<0b11_01_10_00>(bytes)) as u32;
    }
    if let (Some(word), false) = (mask.get_mut(blocks.len()), rest.is_empty()) {
        *word = 0;
        each(rest, |start, new, lanes| *word |= (bits(is_at_most(lanes, limit)) & new) << start);
    }
}

#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
pub fn around(codes: &[u16], code: u16) -> (u16, u16) {
    let limit = _mm256_set1_epi16(code as i16);
    let (mut below, mut above) = (_mm256_setzero_si256(), _mm256_set1_epi16(-1));
    each(codes, |_, _, lanes| {
        let low = is_at_most(lanes, limit);
        below = _mm256_max_epu16(below, _mm256_and_si256(low, lanes));
        above = _mm256_min_epu16(above, _mm256_or_si256(low, lanes));
    });
    (greatest(below), least(above))
}
