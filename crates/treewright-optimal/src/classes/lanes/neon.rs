//! Registers of NEON, which every processor of this architecture has: ones are counted byte by byte.

use super::Lanes;
use std::arch::aarch64::*;

/// Counts of 8 columns.
#[derive(Clone, Copy)]
pub struct Words8(int16x8_t);

/// A byte holds the ones of so many words without overflow (8 each).
const WORDS_OF_A_BYTE: usize = 31;

// SAFETY: the intrinsics are those of the tier; pointers are the caller's.
unsafe impl Lanes for Words8 {
    type Count = i16;
    type Half = Self;
    const LANES: usize = 8;
    const PAIRS: bool = true;

    #[inline(always)]
    unsafe fn splat(count: i16) -> Self {
        // SAFETY: see the trait.
        Words8(unsafe { vdupq_n_s16(count) })
    }

    #[inline(always)]
    unsafe fn load(from: *const i16) -> Self {
        // SAFETY: see the trait.
        Words8(unsafe { vld1q_s16(from) })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut i16) {
        // SAFETY: see the trait.
        unsafe { vst1q_s16(to, self.0) }
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        // SAFETY: see the trait.
        Words8(unsafe { vaddq_s16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn sub(self, other: Self) -> Self {
        // SAFETY: see the trait.
        Words8(unsafe { vsubq_s16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn max(self, other: Self) -> Self {
        // SAFETY: see the trait.
        Words8(unsafe { vmaxq_s16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn min(self, other: Self) -> Self {
        // SAFETY: see the trait.
        Words8(unsafe { vminq_s16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn shift_left(self, bits: u32) -> Self {
        // SAFETY: see the trait.
        Words8(unsafe { vshlq_s16(self.0, vdupq_n_s16(bits as i16)) })
    }

    #[inline(always)]
    unsafe fn keep_where(self, a: Self, b: Self, least: Self) -> Self {
        // SAFETY: see the trait.
        unsafe {
            let enough = vandq_u16(vcgeq_s16(a.0, least.0), vcgeq_s16(b.0, least.0));
            Words8(vandq_s16(self.0, vreinterpretq_s16_u16(enough)))
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
            let mut counts = [vdupq_n_u16(0); N];
            let mut left = words;
            while left > 0 {
                let now = left.min(WORDS_OF_A_BYTE);
                left -= now;
                let mut bytes = [vdupq_n_u8(0); N];
                for _ in 0..now {
                    let column = vdupq_n_u16(*one);
                    for block in 0..N {
                        let common = vandq_u16(column, vld1q_u16(many.add(Self::LANES * block)));
                        bytes[block] = vaddq_u8(bytes[block], vcntq_u8(vreinterpretq_u8_u16(common)));
                    }
                    one = one.wrapping_add(one_step);
                    many = many.wrapping_add(step);
                }
                for block in 0..N {
                    counts[block] = vpadalq_u8(counts[block], bytes[block]);
                }
            }
            counts.map(|count| Words8(vreinterpretq_s16_u16(count)))
        }
    }
}
