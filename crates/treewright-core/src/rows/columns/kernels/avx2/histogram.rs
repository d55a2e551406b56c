//! The AVX2 form of [`super::super::histogram`]: eight counts or numbers at a time.

use super::super::histogram::{WIDTH, at_least_portable};
use super::running_totals;
use std::arch::x86_64::*;

#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
pub fn accumulate(blocks: &mut [[u32; WIDTH]]) {
    let (mut sum, last) = (_mm256_setzero_si256(), _mm256_set1_epi32(7));
    for counts in blocks.as_flattened_mut().as_chunks_mut::<8>().0 {
        // SAFETY: eight counts are one register long.
        let totals = running_totals(unsafe { _mm256_loadu_si256(counts.as_ptr().cast()) });
        let totals = _mm256_add_epi32(totals, sum);
        sum = _mm256_permutevar8x32_epi32(totals, last);
        // SAFETY: as above.
        unsafe { _mm256_storeu_si256(counts.as_mut_ptr().cast(), totals) };
    }
}

#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
pub fn at_least(numbers: &[f32], floor: f32, places: &mut Vec<u32>) {
    let limit = _mm256_set1_ps(floor);
    let (blocks, rest) = numbers.as_chunks::<8>();
    for (start, numbers) in (0..).step_by(8).zip(blocks) {
        // SAFETY: eight numbers are one register long.
        let lanes = unsafe { _mm256_loadu_ps(numbers.as_ptr()) };
        let mut hits = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GE_OQ>(lanes, limit)) as u32;
        while hits != 0 {
            places.push(start + hits.trailing_zeros());
            hits &= hits - 1;
        }
    }
    at_least_portable(rest, floor, blocks.len() as u32 * 8, places);
}
