//! Registers of AVX-512 with BITALG, which counts the ones of 16-bit words.

use super::Lanes;
use std::arch::x86_64::*;

/// Counts of 32 columns.
#[derive(Clone, Copy)]
pub struct Words32(__m512i);

/// Counts of 16 columns, with the instructions of AVX-512.
#[derive(Clone, Copy)]
pub struct Words16(__m256i);

macro_rules! lanes {
    ($name:ident, $half:ident, $lanes:literal, $pairs:literal,
     $set1:ident, $load:ident, $store:ident, $add:ident, $sub:ident, $max:ident, $min:ident,
     $and:ident, $popcnt:ident, $shift:ident, $ge:ident, $zero_unless:ident) => {
        // SAFETY: the intrinsics are those of the tier; pointers are the caller's.
        unsafe impl Lanes for $name {
            type Count = i16;
            type Half = $half;
            const LANES: usize = $lanes;
            const PAIRS: bool = $pairs;

            #[inline(always)]
            unsafe fn splat(count: i16) -> Self {
                // SAFETY: see the trait.
                $name(unsafe { $set1(count) })
            }

            #[inline(always)]
            unsafe fn load(from: *const i16) -> Self {
                // SAFETY: see the trait.
                $name(unsafe { $load(from.cast()) })
            }

            #[inline(always)]
            unsafe fn store(self, to: *mut i16) {
                // SAFETY: see the trait.
                unsafe { $store(to.cast(), self.0) }
            }

            #[inline(always)]
            unsafe fn add(self, other: Self) -> Self {
                // SAFETY: see the trait.
                $name(unsafe { $add(self.0, other.0) })
            }

            #[inline(always)]
            unsafe fn sub(self, other: Self) -> Self {
                // SAFETY: see the trait.
                $name(unsafe { $sub(self.0, other.0) })
            }

            #[inline(always)]
            unsafe fn max(self, other: Self) -> Self {
                // SAFETY: see the trait.
                $name(unsafe { $max(self.0, other.0) })
            }

            #[inline(always)]
            unsafe fn min(self, other: Self) -> Self {
                // SAFETY: see the trait.
                $name(unsafe { $min(self.0, other.0) })
            }

            #[inline(always)]
            unsafe fn shift_left(self, bits: u32) -> Self {
                // SAFETY: see the trait.
                $name(unsafe { $shift(self.0, _mm_cvtsi32_si128(bits as i32)) })
            }

            #[inline(always)]
            unsafe fn keep_where(self, a: Self, b: Self, least: Self) -> Self {
                // SAFETY: see the trait.
                $name(unsafe { $zero_unless($ge(a.0, least.0) & $ge(b.0, least.0), self.0) })
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
                    let mut counts = [$name($set1(0)); N];
                    for _ in 0..words {
                        let column = $set1(*one as i16);
                        for block in 0..N {
                            let common = $and(column, $load(many.add($lanes * block).cast()));
                            counts[block].0 = $add(counts[block].0, $popcnt(common));
                        }
                        one = one.wrapping_add(one_step);
                        many = many.wrapping_add(step);
                    }
                    counts
                }
            }
        }
    };
}

lanes!(
    Words32,
    Words16,
    32,
    true,
    _mm512_set1_epi16,
    _mm512_loadu_si512,
    _mm512_storeu_si512,
    _mm512_add_epi16,
    _mm512_sub_epi16,
    _mm512_max_epi16,
    _mm512_min_epi16,
    _mm512_and_si512,
    _mm512_popcnt_epi16,
    _mm512_sll_epi16,
    _mm512_cmpge_epi16_mask,
    _mm512_maskz_mov_epi16
);
lanes!(
    Words16,
    Words16,
    16,
    true,
    _mm256_set1_epi16,
    _mm256_loadu_si256,
    _mm256_storeu_si256,
    _mm256_add_epi16,
    _mm256_sub_epi16,
    _mm256_max_epi16,
    _mm256_min_epi16,
    _mm256_and_si256,
    _mm256_popcnt_epi16,
    _mm256_sll_epi16,
    _mm256_cmpge_epi16_mask,
    _mm256_maskz_mov_epi16
);
