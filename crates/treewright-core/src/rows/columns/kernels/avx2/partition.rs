//! The AVX2 form of [`super::super::partition`]: shuffles from a table.
//!
//! `pext` and `pdep` are left out of the loops on purpose: they are microcoded, and slow, on AMD's first two Zen generations.

use super::super::partition::SLOP;
use super::super::shuffle::{self, Register};
use crate::simd::pack::{PACK_BYTES, PACK_HALVES, PACK_QUADS};
use std::arch::x86_64::*;

/// Eight u16.
#[derive(Clone, Copy)]
struct Halves(__m128i);
/// Eight u32.
#[derive(Clone, Copy)]
struct Words(__m256i);
/// Four i64.
#[derive(Clone, Copy)]
struct Longs(__m256i);

impl Register for Halves {
    type Value = u16;
    const WIDTH: usize = 8;

    #[inline(always)]
    unsafe fn load(from: *const u16) -> Self {
        // SAFETY: the caller's promise.
        Halves(unsafe { _mm_loadu_si128(from.cast()) })
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut u16) {
        // SAFETY: the caller's promise.
        unsafe { _mm_storeu_si128(to.cast(), self.0) }
    }
    #[inline(always)]
    unsafe fn pack(self, mask: u32) -> Self {
        let places = &PACK_HALVES[mask as usize & 255];
        // SAFETY: the caller's promise; the table's rows are one register long.
        Halves(unsafe { _mm_shuffle_epi8(self.0, _mm_loadu_si128(places.as_ptr().cast())) })
    }
}

impl Register for Words {
    type Value = u32;
    const WIDTH: usize = 8;

    #[inline(always)]
    unsafe fn load(from: *const u32) -> Self {
        // SAFETY: the caller's promise.
        Words(unsafe { _mm256_loadu_si256(from.cast()) })
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut u32) {
        // SAFETY: the caller's promise.
        unsafe { _mm256_storeu_si256(to.cast(), self.0) }
    }
    #[inline(always)]
    unsafe fn pack(self, mask: u32) -> Self {
        let places = &PACK_BYTES[mask as usize & 255];
        // SAFETY: the caller's promise; eight bytes are loaded, as many as a row of the table has. They are widened on the
        // way: the table stays small.
        Words(unsafe {
            let places = _mm256_cvtepu8_epi32(_mm_loadl_epi64(places.as_ptr().cast()));
            _mm256_permutevar8x32_epi32(self.0, places)
        })
    }
}

impl Register for Longs {
    type Value = i64;
    const WIDTH: usize = 4;

    #[inline(always)]
    unsafe fn load(from: *const i64) -> Self {
        // SAFETY: the caller's promise.
        Longs(unsafe { _mm256_loadu_si256(from.cast()) })
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut i64) {
        // SAFETY: the caller's promise.
        unsafe { _mm256_storeu_si256(to.cast(), self.0) }
    }
    #[inline(always)]
    unsafe fn pack(self, mask: u32) -> Self {
        let places = &PACK_QUADS[mask as usize & 15];
        // SAFETY: the caller's promise; the table's rows are one register long.
        Longs(unsafe { _mm256_permutevar8x32_epi32(self.0, _mm256_loadu_si256(places.as_ptr().cast())) })
    }
}

macro_rules! movable {
    ($module:ident, $type:ty, $register:ident) => {
        pub mod $module {
            use super::*;

            /// # Safety
            /// `mask` must have a bit for each value and `spare` room for all values and [`SLOP`] more.
            #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
            pub unsafe fn partition(values: &mut [$type], mask: &[u32], spare: &mut [$type]) {
                // SAFETY: this function is compiled for the register's instructions; lengths as asked for.
                unsafe { shuffle::partition::<$register>(values, mask, spare) }
            }

            /// # Safety
            /// There must be a value for each member.
            #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
            pub unsafe fn gather(values: &[$type], members: u64, out: &mut [$type; SLOP]) {
                // SAFETY: this function is compiled for the register's instructions; values as asked for.
                unsafe { shuffle::gather::<$register>(values, members, out) }
            }
        }
    };
}

movable!(halves, u16, Halves);
movable!(words, u32, Words);
movable!(longs, i64, Longs);
