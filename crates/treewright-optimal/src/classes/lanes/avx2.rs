//! Registers of AVX2, which has no count of ones: tables of 16 entries count those of each half byte.

use super::Lanes;
use std::arch::x86_64::*;

/// Counts of 16 columns.
#[derive(Clone, Copy)]
pub struct Words16(__m256i);

/// A byte holds the ones of so many words without overflow (8 each).
const WORDS_OF_A_BYTE: usize = 31;

// SAFETY: the intrinsics are those of the tier; pointers are the caller's.
unsafe impl Lanes for Words16 {
    type Count = i16;
    type Half = Self;
    const LANES: usize = 16;
    const PAIRS: bool = false;

    #[inline(always)]
    unsafe fn splat(count: i16) -> Self {
        // SAFETY: see the trait.
        Words16(unsafe { _mm256_set1_epi16(count) })
    }

    #[inline(always)]
    unsafe fn load(from: *const i16) -> Self {
        // SAFETY: see the trait.
        Words16(unsafe { _mm256_loadu_si256(from.cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut i16) {
        // SAFETY: see the trait.
        unsafe { _mm256_storeu_si256(to.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        // SAFETY: see the trait.
        Words16(unsafe { _mm256_add_epi16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn sub(self, other: Self) -> Self {
        // SAFETY: see the trait.
        Words16(unsafe { _mm256_sub_epi16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn max(self, other: Self) -> Self {
        // SAFETY: see the trait.
        Words16(unsafe { _mm256_max_epi16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn min(self, other: Self) -> Self {
        // SAFETY: see the trait.
        Words16(unsafe { _mm256_min_epi16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn shift_left(self, bits: u32) -> Self {
        // SAFETY: see the trait.
        Words16(unsafe { _mm256_sll_epi16(self.0, _mm_cvtsi32_si128(bits as i32)) })
    }

    #[inline(always)]
    unsafe fn keep_where(self, a: Self, b: Self, least: Self) -> Self {
        // SAFETY: see the trait.
        unsafe {
            let less = _mm256_or_si256(_mm256_cmpgt_epi16(least.0, a.0), _mm256_cmpgt_epi16(least.0, b.0));
            Words16(_mm256_andnot_si256(less, self.0))
        }
    }

    #[inline(always)]
    unsafe fn count_common<const N: usize>(
        mut one: *const u16,
        one_step: usize,
        mut many: *const u16,
        step: usize,
        words: usize,
    ) -> [Self; N] {
        // SAFETY: see the trait; the pointers move over so many words.
        unsafe {
            let ones = _mm256_setr_epi8(
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
            );
            let low = _mm256_set1_epi8(15);
            let mut counts = [Words16(_mm256_setzero_si256()); N];
            let mut left = words;
            while left > 0 {
                let now = left.min(WORDS_OF_A_BYTE);
                left -= now;
                let mut bytes = [_mm256_setzero_si256(); N];
                for _ in 0..now {
                    let column = _mm256_set1_epi16(*one as i16);
                    for block in 0..N {
                        let common = _mm256_and_si256(column, _mm256_loadu_si256(many.add(16 * block).cast()));
                        let lower = _mm256_shuffle_epi8(ones, _mm256_and_si256(common, low));
                        let upper = _mm256_shuffle_epi8(ones, _mm256_and_si256(_mm256_srli_epi16(common, 4), low));
                        bytes[block] = _mm256_add_epi8(bytes[block], _mm256_add_epi8(lower, upper));
                    }
                    one = one.wrapping_add(one_step);
                    many = many.wrapping_add(step);
                }
                for block in 0..N {
                    let sums = _mm256_maddubs_epi16(bytes[block], _mm256_set1_epi8(1));
                    counts[block].0 = _mm256_add_epi16(counts[block].0, sums);
                }
            }
            counts
        }
    }
}
