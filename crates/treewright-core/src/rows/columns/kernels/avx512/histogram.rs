//! The AVX-512 form of [`super::super::histogram`]: 16 counts or numbers at a time.

use super::super::histogram::{ClassCounts, WIDTH, low_bits};
use crate::rows::columns::bins::{Bins, MOST};
use std::arch::x86_64::*;

/// Codes whose bins are looked for together.
const BLOCK: usize = 256;

/// See [`count`](super::super::histogram::count). The bins of a block are found 16 at a time; what is left to do one by one
/// is to add.
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub fn count(codes: &[u16], bins: &Bins, times: u32, counts: &mut ClassCounts) {
    let counts = &mut counts[1..=MOST];
    let mut bins_of_codes = [0; BLOCK];
    for codes in codes.chunks(BLOCK) {
        for (bin, &code) in bins_of_codes.iter_mut().zip(codes) {
            *bin = bins.of(code) as u32;
        }
        let mut one = |bin: u32| {
            // SAFETY: whatever the code, its bin is less than `MOST`.
            let count = unsafe { counts.get_unchecked_mut(bin as usize) };
            *count = count.wrapping_add(times);
        };
        let (eights, rest) = bins_of_codes[..codes.len()].as_chunks::<8>();
        for eight in eights {
            for &bin in eight {
                one(bin);
            }
        }
        for &bin in rest {
            one(bin);
        }
    }
}

/// Adds up within a register by adding it to itself, moved by 1, 2, 4 and 8 places.
#[target_feature(enable = "avx512f")]
pub fn accumulate(blocks: &mut [[u32; WIDTH]]) {
    let (nothing, last) = (_mm512_setzero_si512(), _mm512_set1_epi32(WIDTH as i32 - 1));
    let mut sum = nothing;
    for block in blocks {
        let place = block.as_mut_ptr().cast::<i32>();
        // SAFETY: a block is one register long.
        let counts = unsafe { _mm512_loadu_epi32(place) };
        let counts = _mm512_add_epi32(counts, _mm512_alignr_epi32::<15>(counts, nothing));
        let counts = _mm512_add_epi32(counts, _mm512_alignr_epi32::<14>(counts, nothing));
        let counts = _mm512_add_epi32(counts, _mm512_alignr_epi32::<12>(counts, nothing));
        let counts = _mm512_add_epi32(counts, _mm512_alignr_epi32::<8>(counts, nothing));
        let counts = _mm512_add_epi32(counts, sum);
        sum = _mm512_permutexvar_epi32(last, counts);
        // SAFETY: as above.
        unsafe { _mm512_storeu_epi32(place, counts) };
    }
}

#[target_feature(enable = "avx512f,bmi1")]
pub fn at_least(numbers: &[f32], floor: f32, places: &mut Vec<u32>) {
    let limit = _mm512_set1_ps(floor);
    for start in (0..numbers.len()).step_by(WIDTH) {
        let here = low_bits(numbers.len() - start) as u16;
        // SAFETY: the load is masked to the numbers that are there.
        let lanes = unsafe { _mm512_maskz_loadu_ps(here, numbers.as_ptr().add(start)) };
        let mut hits = _mm512_mask_cmp_ps_mask::<_CMP_GE_OQ>(here, lanes, limit);
        while hits != 0 {
            places.push((start + hits.trailing_zeros() as usize) as u32);
            hits &= hits - 1;
        }
    }
}
