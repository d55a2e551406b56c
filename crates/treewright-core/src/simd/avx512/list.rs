//! Sixteen numbers in order with their labels, in two registers of AVX-512: how others are put in.

use std::arch::x86_64::*;

/// So many numbers are put into a list one after the other; more are sorted first.
pub const ONE_BY_ONE: u32 = 6;

/// Puts numbers into a sorted list, each with one shift: every lane becomes the smaller of itself and the larger of the
/// new number and the lane below.
///
/// # Safety
///
/// The processor has AVX-512 F.
#[inline(always)]
pub unsafe fn put(list: (__m512, __m512i), a: __m512, mut mask: u16, first: u32) -> (__m512, __m512i) {
    let (mut numbers, mut labels) = list;
    while mask != 0 {
        let lane = mask.trailing_zeros();
        mask &= mask - 1;
        // SAFETY: the caller knows that the processor has the instructions.
        unsafe {
            let number = _mm512_permutexvar_ps(_mm512_set1_epi32(lane as i32), a);
            // All lanes but the one where the number goes: after those that are not larger.
            let others = !_mm512_cmp_ps_mask::<_CMP_LE_OQ>(numbers, number).wrapping_add(1);
            let lowest = _mm512_set1_epi32(f32::NEG_INFINITY.to_bits() as i32);
            let below = _mm512_castsi512_ps(_mm512_alignr_epi32::<15>(_mm512_castps_si512(numbers), lowest));
            numbers = _mm512_min_ps(numbers, _mm512_max_ps(number, below));
            labels = _mm512_mask_expand_epi32(_mm512_set1_epi32((first + lane) as i32), others, labels);
        }
    }
    (numbers, labels)
}

/// Merges numbers into a sorted list: they are sorted backwards, the smaller of each pair of lanes stays, and what is
/// left is sorted again (Batcher's bitonic networks).
///
/// # Safety
///
/// The processor has AVX-512 F.
#[inline(always)]
pub unsafe fn merge(list: (__m512, __m512i), a: __m512, mask: u16, first: u32) -> (__m512, __m512i) {
    // The lane that each is compared with, and the lanes that take the larger number.
    const BACKWARDS: [(i32, u16); 10] = [
        (1, 0x6666),
        (2, 0x3c3c),
        (1, 0x5a5a),
        (4, 0x0ff0),
        (2, 0x33cc),
        (1, 0x55aa),
        (8, 0x00ff),
        (4, 0x0f0f),
        (2, 0x3333),
        (1, 0x5555),
    ];
    const IN_ORDER: [(i32, u16); 4] = [(8, 0xff00), (4, 0xf0f0), (2, 0xcccc), (1, 0xaaaa)];
    // SAFETY: the caller knows that the processor has the instructions.
    unsafe {
        let lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        let mut new = (
            _mm512_mask_mov_ps(_mm512_set1_ps(f32::INFINITY), mask, a),
            _mm512_add_epi32(_mm512_set1_epi32(first as i32), lanes),
        );
        for (other, larger) in BACKWARDS {
            new = exchange(new, _mm512_xor_si512(lanes, _mm512_set1_epi32(other)), larger);
        }
        let takes = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(new.0, list.0);
        let mut both = (_mm512_mask_mov_ps(list.0, takes, new.0), _mm512_mask_mov_epi32(list.1, takes, new.1));
        for (other, larger) in IN_ORDER {
            both = exchange(both, _mm512_xor_si512(lanes, _mm512_set1_epi32(other)), larger);
        }
        both
    }
}

/// Compares each lane with another; some take the larger number of both, and the others the smaller.
///
/// # Safety
///
/// The processor has AVX-512 F.
#[inline(always)]
unsafe fn exchange((numbers, labels): (__m512, __m512i), other: __m512i, larger: u16) -> (__m512, __m512i) {
    // SAFETY: the caller knows that the processor has the instructions.
    unsafe {
        let (number, label) = (_mm512_permutexvar_ps(other, numbers), _mm512_permutexvar_epi32(other, labels));
        let takes = _mm512_mask_cmp_ps_mask::<_CMP_LT_OQ>(!larger, number, numbers)
            | _mm512_mask_cmp_ps_mask::<_CMP_GT_OQ>(larger, number, numbers);
        (_mm512_mask_mov_ps(numbers, takes, number), _mm512_mask_mov_epi32(labels, takes, label))
    }
}
