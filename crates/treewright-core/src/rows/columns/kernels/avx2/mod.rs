//! Kernels written out for AVX2. Every function is compiled for the tier's features, which an `Isa` of the tier proves.
//!
//! AVX2 has no masks and compares integers only with their sign. So a comparison gives lanes with all bits set or none,
//! which are combined by `and`, `andnot` and `blend`; codes are moved by 2^15, so that the signed comparison orders them. It
//! has no masked loads either: the last values are loaded so that they overlap those before, or from a copy on the stack.

pub mod codes;
pub mod duo;
pub mod histogram;
pub mod lanes;
pub mod numbers;
pub mod pairs;
pub mod partition;

use std::arch::x86_64::*;

/// The first codes, 16 a register, followed by the greatest code; and the lanes behind the rows, as masks.
///
/// # Safety
/// There must be so many codes, at most `16 N`.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn load_codes<const N: usize>(codes: &[u16], rows: usize) -> ([__m256i; N], [__m256i; N]) {
    let mut buffer = [0; 64];
    let from = if codes.len() >= 16 * N {
        codes.as_ptr()
    } else {
        buffer[..rows].copy_from_slice(&codes[..rows]);
        buffer.as_ptr()
    };
    let places = _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    let (mut lanes, mut none) = ([_mm256_setzero_si256(); N], [_mm256_setzero_si256(); N]);
    for i in 0..N {
        none[i] = _mm256_cmpgt_epi16(places, _mm256_set1_epi16(rows as i16 - 1 - 16 * i as i16));
        // SAFETY: there are as many codes as the registers hold, or the copy has.
        lanes[i] = _mm256_or_si256(unsafe { _mm256_loadu_si256(from.add(16 * i).cast()) }, none[i]);
    }
    (lanes, none)
}

/// Whether all rows have the same code.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn are_equal<const N: usize>(lanes: &[__m256i; N], none: &[__m256i; N], code: u16) -> bool {
    let (code, mut same) = (_mm256_set1_epi16(code as i16), _mm256_set1_epi8(-1));
    for i in 0..N {
        same = _mm256_and_si256(same, _mm256_or_si256(_mm256_cmpeq_epi16(lanes[i], code), none[i]));
    }
    _mm256_movemask_epi8(same) == -1
}

/// Moves codes by 2^15: the signed comparison then orders them as they were.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn make_signed(lanes: __m256i) -> __m256i {
    _mm256_xor_si256(lanes, _mm256_set1_epi16(i16::MIN))
}

/// Stores each of 16 lanes twice, as the halves of a word. A load port broadcasts a word alone; a lane of 16 bits would need
/// a shuffle as well.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn store_twice(lanes: __m256i, to: &mut [u32; 16]) {
    let mixed = _mm256_permute4x64_epi64::<0b11_01_10_00>(lanes);
    // SAFETY: the array is two registers long.
    unsafe {
        _mm256_storeu_si256(to.as_mut_ptr().cast(), _mm256_unpacklo_epi16(mixed, mixed));
        _mm256_storeu_si256(to.as_mut_ptr().add(8).cast(), _mm256_unpackhi_epi16(mixed, mixed));
    }
}

/// The lower and the upper half of a register.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn halves(x: __m256i) -> [__m128i; 2] {
    [_mm256_castsi256_si128(x), _mm256_extracti128_si256::<1>(x)]
}

/// Eight integers of 16 bits, without a sign, as f32.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn as_floats(x: __m128i) -> __m256 {
    _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(x))
}

/// The largest of eight numbers.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn largest(x: __m256) -> f32 {
    let x = _mm_max_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps::<1>(x));
    let x = _mm_max_ps(x, _mm_movehl_ps(x, x));
    _mm_cvtss_f32(_mm_max_ss(x, _mm_movehdup_ps(x)))
}

/// The sum of eight integers.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn sum(x: __m256i) -> u32 {
    let x = _mm_add_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256::<1>(x));
    let x = _mm_add_epi32(x, _mm_shuffle_epi32::<0b01_00_11_10>(x));
    _mm_cvtsi128_si32(_mm_add_epi32(x, _mm_shuffle_epi32::<0b10_11_00_01>(x))) as u32
}

/// `left * (rows - left)`, at least 1.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn sides(left: __m256, rows: __m256) -> __m256 {
    _mm256_max_ps(_mm256_mul_ps(left, _mm256_sub_ps(rows, left)), _mm256_set1_ps(1.0))
}

/// Running totals of eight counts: within each half by adding it to itself, moved by one and by two places; then the last of
/// the lower half is added to the upper.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn running_totals(x: __m256i) -> __m256i {
    let x = _mm256_add_epi32(x, _mm256_slli_si256::<4>(x));
    let x = _mm256_add_epi32(x, _mm256_slli_si256::<8>(x));
    let lower = _mm256_permute2x128_si256::<0x08>(x, x);
    _mm256_add_epi32(x, _mm256_shuffle_epi32::<0xff>(lower))
}
