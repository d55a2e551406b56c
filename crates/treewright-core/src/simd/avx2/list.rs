//! Sixteen numbers in order with their labels, in two pairs of AVX2 registers: how others are put in.
//!
//! Every function needs AVX2, and its `unsafe` blocks rest on that alone: nothing but registers and arrays on the stack is
//! touched.

use super::{F, I, as_floats, as_ints, spread_mask};
use std::arch::x86_64::*;

/// So many numbers are put into a list one after the other; more are sorted first.
pub const ONE_BY_ONE: u32 = 6;

/// Moves every lane up by one; the last lane of `first` comes in below.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn move_up(x: I, first: __m256i) -> I {
    // SAFETY: the caller knows that the processor has the instructions.
    unsafe {
        [
            _mm256_alignr_epi8::<12>(x[0], _mm256_permute2x128_si256::<0x21>(first, x[0])),
            _mm256_alignr_epi8::<12>(x[1], _mm256_permute2x128_si256::<0x21>(x[0], x[1])),
        ]
    }
}

/// Puts numbers into a sorted list, each with one shift: every lane becomes the smaller of itself and the larger of the
/// new number and the lane below. A label stays where its own number is not larger than the new one; it is the new label
/// where only the number below is not larger; elsewhere it comes from below.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
pub unsafe fn put(list: (F, I), a: F, mut mask: u16, first: u32) -> (F, I) {
    let (mut numbers, mut labels) = list;
    let mut cells = [0f32; 16];
    // SAFETY: the caller knows that the processor has the instructions; the array is two registers long.
    unsafe {
        _mm256_storeu_ps(cells.as_mut_ptr(), a[0]);
        _mm256_storeu_ps(cells.as_mut_ptr().add(8), a[1]);
        let lowest = _mm256_set1_epi32(f32::NEG_INFINITY.to_bits() as i32);
        while mask != 0 {
            let lane = mask.trailing_zeros();
            mask &= mask - 1;
            let number = _mm256_set1_ps(cells[lane as usize & 15]);
            let label = _mm256_castsi256_ps(_mm256_set1_epi32((first + lane) as i32));
            let (below, moved) = (as_floats(move_up(as_ints(numbers), lowest)), as_floats(move_up(labels, lowest)));
            let mut held = as_floats(labels);
            for i in 0..2 {
                let stays = _mm256_cmp_ps::<_CMP_LE_OQ>(numbers[i], number);
                let comes = _mm256_cmp_ps::<_CMP_LE_OQ>(below[i], number);
                held[i] = _mm256_blendv_ps(_mm256_blendv_ps(moved[i], label, comes), held[i], stays);
                numbers[i] = _mm256_min_ps(numbers[i], _mm256_max_ps(number, below[i]));
            }
            labels = as_ints(held);
        }
    }
    (numbers, labels)
}

/// Compares each lane with the one whose number differs by `OTHER`; the lanes of `LOW` and `HIGH`, one mask for each
/// register, take the larger number of both, and the others the smaller.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn exchange<const OTHER: i32, const LOW: i32, const HIGH: i32>((numbers, labels): (F, I)) -> (F, I) {
    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    unsafe fn swap<const OTHER: i32>(x: F) -> F {
        // SAFETY: the caller knows that the processor has the instructions.
        unsafe {
            match OTHER {
                1 => halves!(i => _mm256_permute_ps::<0b10_11_00_01>(x[i])),
                2 => halves!(i => _mm256_permute_ps::<0b01_00_11_10>(x[i])),
                4 => halves!(i => _mm256_permute2f128_ps::<0x01>(x[i], x[i])),
                _ => [x[1], x[0]],
            }
        }
    }
    // SAFETY: the caller knows that the processor has the instructions.
    unsafe {
        let labels = as_floats(labels);
        let (number, label) = (swap::<OTHER>(numbers), swap::<OTHER>(labels));
        let less = halves!(i => _mm256_cmp_ps::<_CMP_LT_OQ>(number[i], numbers[i]));
        let more = halves!(i => _mm256_cmp_ps::<_CMP_GT_OQ>(number[i], numbers[i]));
        let takes = [_mm256_blend_ps::<LOW>(less[0], more[0]), _mm256_blend_ps::<HIGH>(less[1], more[1])];
        let numbers = halves!(i => _mm256_blendv_ps(numbers[i], number[i], takes[i]));
        let labels = halves!(i => _mm256_blendv_ps(labels[i], label[i], takes[i]));
        (numbers, as_ints(labels))
    }
}

/// Merges numbers into a sorted list: they are sorted backwards, the smaller of each pair of lanes stays, and what is
/// left is sorted again (Batcher's bitonic networks). Rarely needed and large, so it is called.
#[inline(never)]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
pub fn merge(list: (F, I), a: F, mask: u16, first: u32) -> (F, I) {
    let lanes = [_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_setr_epi32(8, 9, 10, 11, 12, 13, 14, 15)];
    let (infinite, start) = (_mm256_set1_ps(f32::INFINITY), _mm256_set1_epi32(first as i32));
    // SAFETY: this function is compiled for the instructions, and so called only where they are.
    unsafe {
        let here = spread_mask(mask);
        let mut new =
            (halves!(i => _mm256_blendv_ps(infinite, a[i], here[i])), halves!(i => _mm256_add_epi32(start, lanes[i])));
        new = exchange::<1, 0x66, 0x66>(new);
        new = exchange::<2, 0x3c, 0x3c>(new);
        new = exchange::<1, 0x5a, 0x5a>(new);
        new = exchange::<4, 0xf0, 0x0f>(new);
        new = exchange::<2, 0xcc, 0x33>(new);
        new = exchange::<1, 0xaa, 0x55>(new);
        new = exchange::<8, 0xff, 0x00>(new);
        new = exchange::<4, 0x0f, 0x0f>(new);
        new = exchange::<2, 0x33, 0x33>(new);
        new = exchange::<1, 0x55, 0x55>(new);
        let takes = halves!(i => _mm256_cmp_ps::<_CMP_LT_OQ>(new.0[i], list.0[i]));
        let (old, fresh) = (as_floats(list.1), as_floats(new.1));
        let mut both = (
            halves!(i => _mm256_blendv_ps(list.0[i], new.0[i], takes[i])),
            as_ints(halves!(i => _mm256_blendv_ps(old[i], fresh[i], takes[i]))),
        );
        both = exchange::<8, 0x00, 0xff>(both);
        both = exchange::<4, 0xf0, 0xf0>(both);
        both = exchange::<2, 0xcc, 0xcc>(both);
        exchange::<1, 0xaa, 0xaa>(both)
    }
}
