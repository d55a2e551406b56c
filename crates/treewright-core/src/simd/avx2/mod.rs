//! Registers of 256 bits, two at a time: AVX2 with FMA.
//!
//! Sixteen lanes of f32 stay the unit, so algorithms are those of AVX-512. An [`Avx2`] exists only where the processor has
//! been asked, so its methods may use the instructions. They are inlined into functions that are compiled for them.

/// An expression for the lower and the upper register.
macro_rules! halves {
    ($i:ident => $e:expr) => {
        written_out!($i in 0 1 => $e)
    };
}

mod list;

use super::pack::PACK_BYTES;
use super::{BYTES, FLOATS, Simd};
use list::{ONE_BY_ONE, merge, put};
use std::arch::x86_64::*;

/// The proof that the processor has the tier's instructions: only code that is compiled for them can make one.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// The registers.
    #[inline]
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
    pub fn new() -> Avx2 {
        Avx2(())
    }
}

/// Sixteen f32: the lower and the upper eight lanes.
type F = [__m256; 2];
/// Sixteen i32.
type I = [__m256i; 2];

/// Uses instructions that `self` proves to be there.
macro_rules! op {
    ($e:expr) => {
        // SAFETY: an `Avx2` is made only in a function that runs where the features of the instructions used here were
        // found. A slice is cut to the length that is read before a pointer to it is taken.
        unsafe { $e }
    };
}

/// The same operation on both halves.
macro_rules! both {
    ($f:expr, $a:expr, $b:expr) => {
        op!(halves!(i => $f($a[i], $b[i])))
    };
    ($f:expr, $a:expr, $b:expr, $c:expr) => {
        op!(halves!(i => $f($a[i], $b[i], $c[i])))
    };
}

/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn as_ints(x: F) -> I {
    // SAFETY: the caller's promise.
    unsafe { [_mm256_castps_si256(x[0]), _mm256_castps_si256(x[1])] }
}

/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn as_floats(x: I) -> F {
    // SAFETY: the caller's promise.
    unsafe { [_mm256_castsi256_ps(x[0]), _mm256_castsi256_ps(x[1])] }
}

/// Turns a bit a lane into all bits of the lane.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn spread_mask(mask: u16) -> F {
    // SAFETY: the caller's promise.
    unsafe {
        let bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
        halves!(i => {
            let all = _mm256_set1_epi32(i32::from(mask >> (8 * i) & 255));
            _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(all, bits), bits))
        })
    }
}

/// Turns the sign of each lane into a bit.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn gather_mask(x: F) -> u16 {
    // SAFETY: the caller's promise.
    unsafe { (_mm256_movemask_ps(x[0]) | _mm256_movemask_ps(x[1]) << 8) as u16 }
}

/// Eight words with all bits set, then eight without: read from word `8 - n` on, the first `n` are set.
static SET_THEN_CLEAR: [u32; 16] =
    [u32::MAX, u32::MAX, u32::MAX, u32::MAX, u32::MAX, u32::MAX, u32::MAX, u32::MAX, 0, 0, 0, 0, 0, 0, 0, 0];

impl Simd for Avx2 {
    const PARTS: usize = 1;
    type F = F;
    type I = I;
    type B = I;

    #[inline(always)]
    fn fetch<T>(self, from: &[T]) {
        op!(_mm_prefetch::<_MM_HINT_T0>(from.as_ptr().cast()))
    }

    #[inline(always)]
    fn splat_f(self, x: f32) -> F {
        op!([_mm256_set1_ps(x); 2])
    }
    #[inline(always)]
    fn load_f(self, from: &[f32]) -> F {
        let from = &from[..FLOATS];
        op!([_mm256_loadu_ps(from.as_ptr()), _mm256_loadu_ps(from.as_ptr().add(8))])
    }
    #[inline(always)]
    fn store_f(self, x: F, to: &mut [f32; FLOATS]) {
        op!({
            _mm256_storeu_ps(to.as_mut_ptr(), x[0]);
            _mm256_storeu_ps(to.as_mut_ptr().add(8), x[1]);
        })
    }
    #[inline(always)]
    fn sub_f(self, a: F, b: F) -> F {
        both!(_mm256_sub_ps, a, b)
    }
    #[inline(always)]
    fn abs_f(self, a: F) -> F {
        op!(halves!(i => _mm256_andnot_ps(_mm256_set1_ps(-0.0), a[i])))
    }
    #[inline(always)]
    fn mul_add_f(self, a: F, b: F, c: F) -> F {
        both!(_mm256_fmadd_ps, a, b, c)
    }
    #[inline(always)]
    fn add_f(self, a: F, b: F) -> F {
        both!(_mm256_add_ps, a, b)
    }
    #[inline(always)]
    fn max_f(self, a: F, b: F) -> F {
        both!(_mm256_max_ps, a, b)
    }
    #[inline(always)]
    fn or_f(self, a: F, b: F) -> F {
        op!(halves!(i => _mm256_blendv_ps(a[i], b[i], _mm256_cmp_ps::<_CMP_UNORD_Q>(a[i], a[i]))))
    }
    #[inline(always)]
    fn ge_f(self, a: F, b: F) -> u16 {
        op!(gather_mask(halves!(i => _mm256_cmp_ps::<_CMP_GE_OQ>(a[i], b[i]))))
    }

    #[inline(always)]
    fn widen(self, from: &[u8; FLOATS]) -> F {
        op!(halves!(i => {
            _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64(from.as_ptr().add(8 * i).cast())))
        }))
    }
    #[inline(always)]
    fn mul_f(self, a: F, b: F) -> F {
        both!(_mm256_mul_ps, a, b)
    }
    #[inline(always)]
    fn round(self, a: F) -> I {
        op!(halves!(i => _mm256_cvtps_epi32(a[i])))
    }

    #[inline(always)]
    fn lane(self, a: F, lane: usize) -> f32 {
        let mut cells = [0.0; FLOATS];
        self.store_f(a, &mut cells);
        cells[lane]
    }
    #[inline(always)]
    fn least(self, a: F, among: u16) -> usize {
        op!({
            let (here, infinite) = (spread_mask(among), _mm256_set1_ps(f32::INFINITY));
            let some = halves!(i => _mm256_blendv_ps(infinite, a[i], here[i]));
            let x = _mm256_min_ps(some[0], some[1]);
            let x = _mm256_min_ps(x, _mm256_permute2f128_ps::<0x01>(x, x));
            let x = _mm256_min_ps(x, _mm256_permute_ps::<0b01_00_11_10>(x));
            let x = _mm256_min_ps(x, _mm256_permute_ps::<0b10_11_00_01>(x));
            let same = gather_mask(halves!(i => _mm256_cmp_ps::<_CMP_EQ_OQ>(a[i], x)));
            (same & among).trailing_zeros() as usize
        })
    }
    #[inline(always)]
    fn insert(self, list: (F, I), a: F, mask: u16, first: u32) -> (F, I) {
        op!(if mask.count_ones() <= ONE_BY_ONE { put(list, a, mask, first) } else { merge(list, a, mask, first) })
    }

    #[inline(always)]
    fn splat_i(self, x: i32) -> I {
        op!([_mm256_set1_epi32(x); 2])
    }
    #[inline(always)]
    fn load_i(self, from: &[i32; FLOATS]) -> I {
        op!([_mm256_loadu_si256(from.as_ptr().cast()), _mm256_loadu_si256(from.as_ptr().add(8).cast())])
    }
    #[inline(always)]
    fn store_i(self, x: I, to: &mut [i32; FLOATS]) {
        op!({
            _mm256_storeu_si256(to.as_mut_ptr().cast(), x[0]);
            _mm256_storeu_si256(to.as_mut_ptr().add(8).cast(), x[1]);
        })
    }
    #[inline(always)]
    fn store_some(self, x: I, mask: u16, to: &mut [i32]) {
        let to = &mut to[..mask.count_ones() as usize];
        // Each half is packed by a shuffle and stored with a mask of as many words as it has chosen lanes, which the slice
        // has room for.
        op!({
            let mut at = to.as_mut_ptr();
            for (x, half) in x.into_iter().zip([mask & 255, mask >> 8]) {
                let places = _mm256_cvtepu8_epi32(_mm_loadl_epi64(PACK_BYTES[usize::from(half)].as_ptr().cast()));
                let count = half.count_ones() as usize;
                let first = _mm256_loadu_si256(SET_THEN_CLEAR.as_ptr().add(8 - count).cast());
                _mm256_maskstore_epi32(at, first, _mm256_permutevar8x32_epi32(x, places));
                at = at.add(count);
            }
        })
    }
    #[inline(always)]
    fn max_i(self, a: I, b: I) -> I {
        both!(_mm256_max_epi32, a, b)
    }
    #[inline(always)]
    fn ge_i(self, a: I, b: I) -> u16 {
        op!(!gather_mask(as_floats(halves!(i => _mm256_cmpgt_epi32(b[i], a[i])))))
    }
    #[inline(always)]
    fn dot_bytes(self, c: I, a: I, b: I) -> I {
        // No byte of b is beyond 64 (`largest_factor`), so that two products fit into 16 bits and nothing saturates.
        op!(halves!(i => {
            let pairs = _mm256_maddubs_epi16(a[i], b[i]);
            _mm256_add_epi32(c[i], _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
        }))
    }

    #[inline(always)]
    fn splat_b(self, x: u8) -> I {
        op!([_mm256_set1_epi8(x as i8); 2])
    }
    #[inline(always)]
    fn load_b(self, from: &[u8]) -> I {
        let from = &from[..BYTES];
        op!([_mm256_loadu_si256(from.as_ptr().cast()), _mm256_loadu_si256(from.as_ptr().add(32).cast())])
    }
    #[inline(always)]
    fn store_b(self, x: I, to: &mut [u8; BYTES]) {
        op!({
            _mm256_storeu_si256(to.as_mut_ptr().cast(), x[0]);
            _mm256_storeu_si256(to.as_mut_ptr().add(32).cast(), x[1]);
        })
    }
    #[inline(always)]
    fn ne_b(self, a: I, b: I) -> u64 {
        op!({
            let same = halves!(i => u64::from(_mm256_movemask_epi8(_mm256_cmpeq_epi8(a[i], b[i])) as u32));
            !(same[0] | same[1] << 32)
        })
    }
    #[inline(always)]
    fn le_b(self, a: I, b: I) -> u64 {
        op!({
            let least = halves!(i => _mm256_cmpeq_epi8(_mm256_min_epu8(a[i], b[i]), a[i]));
            let [low, high] = halves!(i => u64::from(_mm256_movemask_epi8(least[i]) as u32));
            low | high << 32
        })
    }
    #[inline(always)]
    fn add_b(self, a: I, mask: u64, b: I) -> I {
        op!({
            // Byte `i` of the mask to the eight lanes of its bits, each of which keeps its own bit.
            let spread = _mm256_setr_epi64x(0, 0x0101_0101_0101_0101, 0x0202_0202_0202_0202, 0x0303_0303_0303_0303);
            let bits = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
            halves!(i => {
                let all = _mm256_shuffle_epi8(_mm256_set1_epi32((mask >> (32 * i)) as i32), spread);
                let here = _mm256_cmpeq_epi8(_mm256_and_si256(all, bits), bits);
                _mm256_adds_epu8(a[i], _mm256_and_si256(here, b[i]))
            })
        })
    }
}
