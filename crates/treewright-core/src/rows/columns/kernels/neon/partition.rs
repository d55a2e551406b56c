//! The NEON form of [`super::super::partition`]: shuffles from a table.

use super::super::partition::SLOP;
use super::super::shuffle::{self, Register};
use crate::simd::pack::{PACK_HALVES, PACK_WORDS};
use std::arch::aarch64::*;

/// Eight u16.
#[derive(Clone, Copy)]
struct Halves(uint16x8_t);
/// Four u32.
#[derive(Clone, Copy)]
struct Words(uint32x4_t);
/// Two i64.
#[derive(Clone, Copy)]
struct Longs(int64x2_t);

/// Moves bytes to the places of a table's row.
#[inline]
#[target_feature(enable = "neon")]
fn move_bytes(bytes: uint8x16_t, places: &[u8; 16]) -> uint8x16_t {
    // SAFETY: the table's rows are one register long.
    vqtbl1q_u8(bytes, unsafe { vld1q_u8(places.as_ptr()) })
}

impl Register for Halves {
    type Value = u16;
    const WIDTH: usize = 8;

    #[inline(always)]
    unsafe fn load(from: *const u16) -> Self {
        // SAFETY: the caller's promise.
        Halves(unsafe { vld1q_u16(from) })
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut u16) {
        // SAFETY: the caller's promise.
        unsafe { vst1q_u16(to, self.0) }
    }
    #[inline(always)]
    unsafe fn pack(self, mask: u32) -> Self {
        // SAFETY: NEON is there.
        Halves(unsafe {
            vreinterpretq_u16_u8(move_bytes(vreinterpretq_u8_u16(self.0), &PACK_HALVES[mask as usize & 255]))
        })
    }
}

impl Register for Words {
    type Value = u32;
    const WIDTH: usize = 4;

    #[inline(always)]
    unsafe fn load(from: *const u32) -> Self {
        // SAFETY: the caller's promise.
        Words(unsafe { vld1q_u32(from) })
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut u32) {
        // SAFETY: the caller's promise.
        unsafe { vst1q_u32(to, self.0) }
    }
    #[inline(always)]
    unsafe fn pack(self, mask: u32) -> Self {
        // SAFETY: NEON is there.
        Words(unsafe {
            vreinterpretq_u32_u8(move_bytes(vreinterpretq_u8_u32(self.0), &PACK_WORDS[mask as usize & 15]))
        })
    }
}

impl Register for Longs {
    type Value = i64;
    const WIDTH: usize = 2;

    #[inline(always)]
    unsafe fn load(from: *const i64) -> Self {
        // SAFETY: the caller's promise.
        Longs(unsafe { vld1q_s64(from) })
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut i64) {
        // SAFETY: the caller's promise.
        unsafe { vst1q_s64(to, self.0) }
    }
    #[inline(always)]
    unsafe fn pack(self, mask: u32) -> Self {
        // Of two lanes only the upper one alone has to move.
        // SAFETY: NEON is there.
        Longs(if mask == 2 { unsafe { vdupq_laneq_s64::<1>(self.0) } } else { self.0 })
    }
}

macro_rules! movable {
    ($module:ident, $type:ty, $register:ident) => {
        pub mod $module {
            use super::*;

            /// # Safety
            /// `mask` must have a bit for each value and `spare` room for all values and [`SLOP`] more.
            pub unsafe fn partition(values: &mut [$type], mask: &[u32], spare: &mut [$type]) {
                // SAFETY: lengths as asked for.
                unsafe { shuffle::partition::<$register>(values, mask, spare) }
            }

            /// # Safety
            /// There must be a value for each member.
            pub unsafe fn gather(values: &[$type], members: u64, out: &mut [$type; SLOP]) {
                // SAFETY: values as asked for.
                unsafe { shuffle::gather::<$register>(values, members, out) }
            }
        }
    };
}

movable!(halves, u16, Halves);
movable!(words, u32, Words);
movable!(longs, i64, Longs);
