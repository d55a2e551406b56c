//! Registers of 512 bits: AVX-512.
//!
//! An [`Avx512`] exists only where the processor has been asked, so its methods may use the instructions. They are inlined
//! into functions that are compiled for them.

mod list;

use super::{BYTES, FLOATS, Simd};
use list::{ONE_BY_ONE, merge, put};
use std::arch::x86_64::*;

/// The proof that the processor has the tier's instructions: only code that is compiled for them can make one.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

impl Avx512 {
    /// The registers.
    #[inline]
    #[target_feature(
        enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,avx512vnni,avx2,fma,bmi1,bmi2,lzcnt,popcnt"
    )]
    pub fn new() -> Avx512 {
        Avx512(())
    }
}

/// Uses instructions that `self` proves to be there.
macro_rules! op {
    ($e:expr) => {
        // SAFETY: an `Avx512` is made only in a function that runs where the features of the instructions used here were
        // found. A slice is cut to the length that is read before a pointer to it is taken.
        unsafe { $e }
    };
}

impl Simd for Avx512 {
    const PARTS: usize = 4;
    type F = __m512;
    type I = __m512i;
    type B = __m512i;

    #[inline(always)]
    fn fetch<T>(self, from: &[T]) {
        op!(_mm_prefetch::<_MM_HINT_T0>(from.as_ptr().cast()))
    }

    #[inline(always)]
    fn splat_f(self, x: f32) -> __m512 {
        op!(_mm512_set1_ps(x))
    }
    #[inline(always)]
    fn load_f(self, from: &[f32]) -> __m512 {
        let from = &from[..FLOATS];
        op!(_mm512_loadu_ps(from.as_ptr()))
    }
    #[inline(always)]
    fn store_f(self, x: __m512, to: &mut [f32; FLOATS]) {
        op!(_mm512_storeu_ps(to.as_mut_ptr(), x))
    }
    #[inline(always)]
    fn sub_f(self, a: __m512, b: __m512) -> __m512 {
        op!(_mm512_sub_ps(a, b))
    }
    #[inline(always)]
    fn abs_f(self, a: __m512) -> __m512 {
        op!(_mm512_abs_ps(a))
    }
    #[inline(always)]
    fn mul_add_f(self, a: __m512, b: __m512, c: __m512) -> __m512 {
        op!(_mm512_fmadd_ps(a, b, c))
    }
    #[inline(always)]
    fn add_f(self, a: __m512, b: __m512) -> __m512 {
        op!(_mm512_add_ps(a, b))
    }
    #[inline(always)]
    fn max_f(self, a: __m512, b: __m512) -> __m512 {
        op!(_mm512_max_ps(a, b))
    }
    #[inline(always)]
    fn or_f(self, a: __m512, b: __m512) -> __m512 {
        op!(_mm512_mask_mov_ps(a, _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(a, a), b))
    }
    #[inline(always)]
    fn ge_f(self, a: __m512, b: __m512) -> u16 {
        op!(_mm512_cmp_ps_mask::<_CMP_GE_OQ>(a, b))
    }

    #[inline(always)]
    fn widen(self, from: &[u8; FLOATS]) -> __m512 {
        op!(_mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128(from.as_ptr().cast()))))
    }
    #[inline(always)]
    fn mul_f(self, a: __m512, b: __m512) -> __m512 {
        op!(_mm512_mul_ps(a, b))
    }
    #[inline(always)]
    fn round(self, a: __m512) -> __m512i {
        op!(_mm512_cvtps_epi32(a))
    }

    #[inline(always)]
    fn lane(self, a: __m512, lane: usize) -> f32 {
        op!(_mm512_cvtss_f32(_mm512_permutexvar_ps(_mm512_set1_epi32(lane as i32), a)))
    }
    #[inline(always)]
    fn least(self, a: __m512, among: u16) -> usize {
        op!({
            let least = _mm512_set1_ps(_mm512_mask_reduce_min_ps(among, a));
            _mm512_mask_cmp_ps_mask::<_CMP_EQ_OQ>(among, a, least).trailing_zeros() as usize
        })
    }
    #[inline(always)]
    fn insert(self, list: (__m512, __m512i), a: __m512, mask: u16, first: u32) -> (__m512, __m512i) {
        op!(if mask.count_ones() <= ONE_BY_ONE { put(list, a, mask, first) } else { merge(list, a, mask, first) })
    }

    #[inline(always)]
    fn splat_i(self, x: i32) -> __m512i {
        op!(_mm512_set1_epi32(x))
    }
    #[inline(always)]
    fn load_i(self, from: &[i32; FLOATS]) -> __m512i {
        op!(_mm512_loadu_si512(from.as_ptr().cast()))
    }
    #[inline(always)]
    fn store_i(self, x: __m512i, to: &mut [i32; FLOATS]) {
        op!(_mm512_storeu_si512(to.as_mut_ptr().cast(), x))
    }
    #[inline(always)]
    fn store_some(self, x: __m512i, mask: u16, to: &mut [i32]) {
        let to = &mut to[..mask.count_ones() as usize];
        let lanes = ((1u32 << to.len()) - 1) as u16;
        // Packing in a register and storing a part of it is much quicker than packing into memory.
        op!(_mm512_mask_storeu_epi32(to.as_mut_ptr(), lanes, _mm512_maskz_compress_epi32(mask, x)))
    }
    #[inline(always)]
    fn max_i(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_max_epi32(a, b))
    }
    #[inline(always)]
    fn ge_i(self, a: __m512i, b: __m512i) -> u16 {
        op!(_mm512_cmpge_epi32_mask(a, b))
    }
    #[inline(always)]
    fn dot_bytes(self, c: __m512i, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_dpbusd_epi32(c, a, b))
    }

    #[inline(always)]
    fn splat_b(self, x: u8) -> __m512i {
        op!(_mm512_set1_epi8(x as i8))
    }
    #[inline(always)]
    fn load_b(self, from: &[u8]) -> __m512i {
        let from = &from[..BYTES];
        op!(_mm512_loadu_si512(from.as_ptr().cast()))
    }
    #[inline(always)]
    fn store_b(self, x: __m512i, to: &mut [u8; BYTES]) {
        op!(_mm512_storeu_si512(to.as_mut_ptr().cast(), x))
    }
    #[inline(always)]
    fn ne_b(self, a: __m512i, b: __m512i) -> u64 {
        op!(_mm512_cmpneq_epi8_mask(a, b))
    }
    #[inline(always)]
    fn le_b(self, a: __m512i, b: __m512i) -> u64 {
        op!(_mm512_cmple_epu8_mask(a, b))
    }
    #[inline(always)]
    fn add_b(self, a: __m512i, mask: u64, b: __m512i) -> __m512i {
        op!(_mm512_mask_adds_epu8(a, mask, a, b))
    }
}
