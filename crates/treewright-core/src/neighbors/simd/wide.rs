//! Registers of 512 bits: AVX-512 with byte operations, on x86-64. With [`super::sorted`] the only unsafe code of
//! the searches.
//!
//! A [`Wide`] exists only where the processor has been asked, so its methods may use the instructions. They are inlined
//! into the two functions that are compiled for them.

use super::sorted::{ONE_BY_ONE, merge, put};
use super::{BYTES, DOUBLES, FLOATS, Simd, Work};
use std::arch::x86_64::*;

/// The proof that the processor has AVX-512 F, BW, DQ and VL; with `BYTES_DOT` also their dot product of bytes. The field
/// is private, so that only [`run`] makes one.
#[derive(Clone, Copy, Debug)]
pub struct Wide<const BYTES_DOT: bool>(());

/// Runs an algorithm, compiled for these registers, or gives it back where the processor does not have them.
#[inline]
pub fn run<W: Work>(work: W) -> Result<W::Out, W> {
    // The standard library keeps the processor's answers.
    let has = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2");
    if !has {
        return Err(work);
    }
    if is_x86_feature_detected!("avx512vnni") {
        // SAFETY: the processor has just said that it has these features.
        return Ok(unsafe { with_bytes(work) });
    }
    // SAFETY: as above.
    Ok(unsafe { without_bytes(work) })
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,fma,popcnt,bmi1,bmi2,avx512vnni")]
fn with_bytes<W: Work>(work: W) -> W::Out {
    work.run(Wide::<true>(()))
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,fma,popcnt,bmi1,bmi2")]
fn without_bytes<W: Work>(work: W) -> W::Out {
    work.run(Wide::<false>(()))
}

/// Uses instructions that `self` proves to be there.
macro_rules! op {
    ($e:expr) => {
        // SAFETY: a `Wide` is made only in functions that run where the features of the instructions used here were
        // found. A slice is cut to the length that is read before a pointer to it is taken.
        unsafe { $e }
    };
}

impl<const BYTES_DOT: bool> Simd for Wide<BYTES_DOT> {
    type D = __m512d;
    type F = __m512;
    type I = __m512i;
    type B = __m512i;

    #[inline(always)]
    fn splat(self, x: f64) -> __m512d {
        op!(_mm512_set1_pd(x))
    }
    #[inline(always)]
    fn load(self, from: &[f64]) -> __m512d {
        let from = &from[..DOUBLES];
        op!(_mm512_loadu_pd(from.as_ptr()))
    }
    #[inline(always)]
    fn load_part(self, from: &[f64]) -> __m512d {
        let lanes = ((1u32 << from.len().min(DOUBLES)) - 1) as u8;
        op!(_mm512_maskz_loadu_pd(lanes, from.as_ptr()))
    }
    #[inline(always)]
    fn store(self, x: __m512d, to: &mut [f64; DOUBLES]) {
        op!(_mm512_storeu_pd(to.as_mut_ptr(), x))
    }
    #[inline(always)]
    fn sub(self, a: __m512d, b: __m512d) -> __m512d {
        op!(_mm512_sub_pd(a, b))
    }
    #[inline(always)]
    fn add(self, a: __m512d, b: __m512d) -> __m512d {
        op!(_mm512_add_pd(a, b))
    }
    #[inline(always)]
    fn mul(self, a: __m512d, b: __m512d) -> __m512d {
        op!(_mm512_mul_pd(a, b))
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
    fn load_words(self, from: &[u32; FLOATS]) -> __m512 {
        op!(_mm512_loadu_ps(from.as_ptr().cast()))
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
    fn load_u(self, from: &[u32; FLOATS]) -> __m512i {
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
        if BYTES_DOT {
            op!(_mm512_dpbusd_epi32(c, a, b))
        } else {
            // Two columns at a time: products of 16 bits, whose sums of pairs are whole.
            op!({
                let low = _mm512_set1_epi16(0xff);
                let even =
                    _mm512_madd_epi16(_mm512_and_si512(a, low), _mm512_srai_epi16::<8>(_mm512_slli_epi16::<8>(b)));
                let odd = _mm512_madd_epi16(_mm512_srli_epi16::<8>(a), _mm512_srai_epi16::<8>(b));
                _mm512_add_epi32(c, _mm512_add_epi32(even, odd))
            })
        }
    }
    #[inline(always)]
    fn has_bytes(self) -> bool {
        BYTES_DOT
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

#[cfg(test)]
mod tests {
    use super::super::portable::Portable;
    use super::*;

    /// A product of bytes, from every machine's way to compute it.
    fn products<S: Simd>(simd: S, a: &[u32; FLOATS], b: u32) -> [i32; FLOATS] {
        let mut sums = [0; FLOATS];
        simd.store_i(simd.dot_bytes(simd.splat_i(-3), simd.load_u(a), simd.splat_i(b as i32)), &mut sums);
        sums
    }

    /// A sorted list after some numbers have come, and what else is asked of lanes.
    fn listed<S: Simd>(simd: S, a: &[u32; FLOATS], mask: u16) -> (Vec<f32>, Vec<i32>, usize) {
        let numbers = a.map(|word| (word >> 8) as f32);
        let mut list = (simd.splat_f(f32::INFINITY), simd.splat_i(-1));
        list = simd.insert(list, simd.load_f(&numbers), mask, 100);
        list = simd.insert(list, simd.load_f(&numbers.map(|x| x * 1.5)), !mask, 200);
        let (mut sorted, mut labels) = ([0.0; FLOATS], [0; FLOATS]);
        simd.store_f(list.0, &mut sorted);
        simd.store_i(list.1, &mut labels);
        assert_eq!(simd.lane(list.0, 3), sorted[3]);
        (sorted.to_vec(), labels.to_vec(), simd.least(simd.load_f(&numbers), mask | 1))
    }

    /// The lanes of a mask, and widened bytes.
    fn packed<S: Simd>(simd: S, a: &[u32; FLOATS], mask: u16) -> (Vec<i32>, Vec<f32>) {
        let (mut some, mut wide) = ([7; FLOATS], [0.0; FLOATS]);
        simd.store_some(simd.load_u(a), mask, &mut some);
        simd.store_f(simd.widen(&a.map(|word| word as u8)), &mut wide);
        (some.to_vec(), wide.to_vec())
    }

    struct Both;
    impl Work for Both {
        type Out = ();
        #[inline(always)]
        fn run<S: Simd>(self, simd: S) {
            let mut word = 0x9e37_79b9u32;
            for _ in 0..2000 {
                let a = std::array::from_fn(|_| {
                    word = word.wrapping_mul(0x85eb_ca6b) ^ (word >> 13);
                    word
                });
                let b = word.rotate_left(9);
                assert_eq!(products(simd, &a, b), products(Portable, &a, b));
                // The instructions of `false` are among those that were found.
                assert_eq!(products(Wide::<false>(()), &a, b), products(Portable, &a, b));
                let mask = word as u16 & (word >> 5) as u16;
                assert_eq!(listed(simd, &a, mask), listed(Portable, &a, mask));
                assert_eq!(packed(simd, &a, mask), packed(Portable, &a, mask));
            }
        }
    }

    #[test]
    fn both_registers_give_the_same_numbers() {
        let _ = run(Both);
    }
}
