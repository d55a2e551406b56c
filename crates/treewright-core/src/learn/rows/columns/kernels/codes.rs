//! Comparing all codes of a node's column with one or two others.

use super::histogram::low_bits;
use crate::wide::{Isa, twins};

/// The least and the greatest code; of none, the greatest and the least there are.
pub fn range(isa: Isa, codes: &[u16]) -> (u16, u16) {
    #[cfg(target_arch = "x86_64")]
    if isa.is_wide() {
        // SAFETY: `Isa::detect` has seen the instructions.
        return unsafe { wide::range(codes) };
    }
    let _ = isa;
    (codes.iter().copied().fold(u16::MAX, u16::min), codes.iter().copied().fold(0, u16::max))
}

twins! {
    /// The least and the greatest code but for the one that stands for a missing number; there is another.
    pub fn known_range(codes: &[u16]) -> (u16, u16) {
        let (mut low, mut high) = (u16::MAX, 0);
        for &code in codes {
            low = low.min(code);
            // One more than a code: nothing, for the greatest of all.
            high = high.max(code.wrapping_add(1));
        }
        (low, high.wrapping_sub(1))
    }
}

/// How many codes are smaller.
pub fn count_below(isa: Isa, codes: &[u16], code: u16) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if isa.is_wide() {
        // SAFETY: `Isa::detect` has seen the instructions.
        return unsafe { wide::count_below(codes, code) };
    }
    let _ = isa;
    codes.iter().filter(|&&c| c < code).count() as u32
}

/// Adds the places of codes from `low` to `high`, with their codes.
pub fn select(isa: Isa, codes: &[u16], low: u16, high: u16, found: &mut Vec<(u16, u32)>) {
    #[cfg(target_arch = "x86_64")]
    if isa.is_wide() {
        // SAFETY: `Isa::detect` has seen the instructions.
        return unsafe { wide::select(codes, low, high, found) };
    }
    let _ = isa;
    found.extend(codes.iter().copied().zip(0..).filter(|(code, _)| (low..=high).contains(code)));
}

/// Sets bit `i % 32` of word `i / 32` of the mask where code `i` is at most `code`; the mask has a word for each 32.
pub fn at_most(isa: Isa, codes: &[u16], code: u16, mask: &mut [u32]) {
    #[cfg(target_arch = "x86_64")]
    if isa.is_wide() {
        // SAFETY: `Isa::detect` has seen the instructions.
        return unsafe { wide::at_most(codes, code, mask) };
    }
    let _ = isa;
    for (codes, word) in codes.chunks(32).zip(mask) {
        *word = codes.iter().zip(0..).fold(0, |bits, (&c, i)| bits | u32::from(c <= code) << i);
    }
}

/// The greatest code that is at most `code`, and the least that is greater.
pub fn around(isa: Isa, codes: &[u16], code: u16) -> (u16, u16) {
    #[cfg(target_arch = "x86_64")]
    if isa.is_wide() {
        // SAFETY: `Isa::detect` has seen the instructions.
        return unsafe { wide::around(codes, code) };
    }
    let _ = isa;
    let below = codes.iter().copied().filter(|&c| c <= code).fold(0, u16::max);
    (below, codes.iter().copied().filter(|&c| c > code).fold(u16::MAX, u16::min))
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use super::low_bits;
    use std::arch::x86_64::*;

    /// The codes 32 at a time: where they begin, which lanes there are, and the lanes.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn each(codes: &[u16], mut work: impl FnMut(usize, u32, __m512i)) {
        for start in (0..codes.len()).step_by(32) {
            let here = low_bits(codes.len() - start);
            // SAFETY: the load is masked to the codes that are there.
            let lanes = unsafe { _mm512_maskz_loadu_epi16(here, codes.as_ptr().add(start).cast()) };
            work(start, here, lanes);
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
    pub fn select(codes: &[u16], low: u16, high: u16, found: &mut Vec<(u16, u32)>) {
        let (first, span) = (_mm512_set1_epi16(low as i16), _mm512_set1_epi16((high - low) as i16));
        each(codes, |start, here, lanes| {
            let mut inside = _mm512_mask_cmple_epu16_mask(here, _mm512_sub_epi16(lanes, first), span);
            while inside != 0 {
                let place = start + inside.trailing_zeros() as usize;
                inside &= inside - 1;
                found.push((codes[place], place as u32));
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_agree() {
        let codes: Vec<u16> = (0..3000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 16) as u16).collect();
        for part in [&codes[..0], &codes[..1], &codes[5..37], &codes[5..38], &codes[..100], &codes[..]] {
            for code in [0, 9000, 30_000, u16::MAX] {
                let runs = [Isa::PLAIN, Isa::detect()].map(|isa| {
                    let (mut found, mut mask) = (Vec::new(), vec![0; part.len().div_ceil(32)]);
                    select(isa, part, code / 2, code, &mut found);
                    at_most(isa, part, code, &mut mask);
                    (range(isa, part), count_below(isa, part, code), around(isa, part, code), found, mask)
                });
                assert_eq!(runs[0], runs[1]);
            }
        }
        assert_eq!(around(Isa::detect(), &[5, 1, 9, 7], 6), (5, 7));
        assert_eq!(range(Isa::detect(), &[5, 1, 9, 7]), (1, 9));
    }
}
