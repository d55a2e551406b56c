//! Registers as arrays: the compiler makes of them what the processor has.

use super::{Count, Lanes};

/// Counts of 16 columns.
#[derive(Clone, Copy)]
pub struct Words<C>([C; 16]);

macro_rules! lanes {
    ($count:ty) => {
        // SAFETY: nothing here needs more than the architecture has.
        unsafe impl Lanes for Words<$count> {
            type Count = $count;
            type Half = Self;
            const LANES: usize = 16;
            const PAIRS: bool = false;

            #[inline(always)]
            unsafe fn splat(count: $count) -> Self {
                Words([count; 16])
            }

            #[inline(always)]
            unsafe fn load(from: *const $count) -> Self {
                // SAFETY: the caller's pointer is valid for all lanes.
                Words(unsafe { from.cast::<[$count; 16]>().read_unaligned() })
            }

            #[inline(always)]
            unsafe fn store(self, to: *mut $count) {
                // SAFETY: the caller's pointer is valid for all lanes.
                unsafe { to.cast::<[$count; 16]>().write_unaligned(self.0) }
            }

            #[inline(always)]
            unsafe fn add(self, other: Self) -> Self {
                Words(std::array::from_fn(|lane| self.0[lane].wrapping_add(other.0[lane])))
            }

            #[inline(always)]
            unsafe fn sub(self, other: Self) -> Self {
                Words(std::array::from_fn(|lane| self.0[lane].wrapping_sub(other.0[lane])))
            }

            #[inline(always)]
            unsafe fn max(self, other: Self) -> Self {
                Words(std::array::from_fn(|lane| self.0[lane].max(other.0[lane])))
            }

            #[inline(always)]
            unsafe fn min(self, other: Self) -> Self {
                Words(std::array::from_fn(|lane| self.0[lane].min(other.0[lane])))
            }

            #[inline(always)]
            unsafe fn shift_left(self, bits: u32) -> Self {
                Words(std::array::from_fn(|lane| self.0[lane].wrapping_shl(bits)))
            }

            #[inline(always)]
            unsafe fn keep_where(self, a: Self, b: Self, least: Self) -> Self {
                let keep = |lane: usize| a.0[lane] >= least.0[lane] && b.0[lane] >= least.0[lane];
                Words(std::array::from_fn(|lane| if keep(lane) { self.0[lane] } else { 0 }))
            }

            #[inline(always)]
            unsafe fn count_common<const N: usize>(
                one: *const u16,
                one_step: usize,
                many: *const u16,
                step: usize,
                words: usize,
            ) -> [Self; N] {
                let mut counts = [Words([0; 16]); N];
                for word in 0..words {
                    // SAFETY: the caller's pointers are valid for so many words of all lanes.
                    let column = unsafe { *one.add(word * one_step) };
                    for (block, count) in counts.iter_mut().enumerate() {
                        // SAFETY: as above.
                        let other = unsafe { many.add(word * step + 16 * block).cast::<[u16; 16]>().read_unaligned() };
                        for lane in 0..16 {
                            count.0[lane] += <$count>::from_i32((other[lane] & column).count_ones() as i32);
                        }
                    }
                }
                counts
            }
        }
    };
}

lanes!(i16);
lanes!(i32);
