//! Counting codes into bins, and reading what came of it.

use crate::learn::rows::columns::bins::{Bins, MOST};
use crate::wide::{Isa, twins};
use std::ops::Range;

/// A count for each bin, and one more.
pub type Counts = [u32; MOST + 16];

/// Adds the rows of each bin, each so many times, to its count, one place further on: the first stays free for running
/// totals.
#[inline]
pub fn count(codes: &[u16], bins: &Bins, times: u32, counts: &mut Counts) {
    let counts = &mut counts[1..=MOST];
    // The compiler knows that no bin is outside.
    // Codes of missing values may count into bins that are not in use, which nobody clears or reads: they wrap.
    let mut one = |code: u16| counts[bins.of(code)] = counts[bins.of(code)].wrapping_add(times);
    // Eight at a time: the loop itself costs as much as an increment.
    let (eights, rest) = codes.as_chunks::<8>();
    for eight in eights {
        for &code in eight {
            one(code);
        }
    }
    rest.iter().for_each(|&code| one(code));
}

/// The same with weights of their own.
#[inline]
pub fn count_packed(codes: &[u16], bins: &Bins, weights: &[u32], counts: &mut Counts) {
    let counts = &mut counts[1..=MOST];
    for (&code, &weight) in codes.iter().zip(weights) {
        counts[bins.of(code)] += weight;
    }
}

/// Turns the first counts into running totals, and perhaps a few more.
pub fn accumulate(isa: Isa, counts: &mut Counts, used: usize) {
    let (blocks, _) = counts.as_chunks_mut::<WIDTH>();
    let blocks = &mut blocks[..used.div_ceil(WIDTH)];
    #[cfg(target_arch = "x86_64")]
    if isa.is_wide() {
        // SAFETY: `Isa::detect` has seen that the processor has these instructions.
        return unsafe { accumulate_wide(blocks) };
    }
    let _ = isa;
    let mut sum = 0;
    for count in blocks.as_flattened_mut() {
        sum += *count;
        *count = sum;
    }
}

/// Counts that are added up at once.
const WIDTH: usize = 16;

/// Adds up within a register by adding it to itself, moved by 1, 2, 4 and 8 places.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn accumulate_wide(blocks: &mut [[u32; WIDTH]]) {
    use std::arch::x86_64::{
        _mm512_add_epi32, _mm512_alignr_epi32, _mm512_loadu_epi32, _mm512_permutexvar_epi32, _mm512_set1_epi32,
        _mm512_setzero_si512, _mm512_storeu_epi32,
    };
    let (nothing, last) = (_mm512_setzero_si512(), _mm512_set1_epi32(WIDTH as i32 - 1));
    let mut sum = nothing;
    for block in blocks {
        let place = block.as_mut_ptr().cast::<i32>();
        // SAFETY: a block is one register long.
        let counts = unsafe { _mm512_loadu_epi32(place) };
        let counts = _mm512_add_epi32(counts, _mm512_alignr_epi32::<15>(counts, nothing));
        let counts = _mm512_add_epi32(counts, _mm512_alignr_epi32::<14>(counts, nothing));
        let counts = _mm512_add_epi32(counts, _mm512_alignr_epi32::<12>(counts, nothing));
        let counts = _mm512_add_epi32(counts, _mm512_alignr_epi32::<8>(counts, nothing));
        let counts = _mm512_add_epi32(counts, sum);
        sum = _mm512_permutexvar_epi32(last, counts);
        // SAFETY: as above.
        unsafe { _mm512_storeu_epi32(place, counts) };
    }
}

twins! {
    /// The largest number; less than any if there are none.
    pub fn largest(numbers: &[f32]) -> f32 {
        let greater = |a: f32, b: f32| if b > a { b } else { a };
        let mut most = [f32::NEG_INFINITY; WIDTH];
        let (whole, rest) = numbers.as_chunks::<WIDTH>();
        for chunk in whole {
            for i in 0..WIDTH {
                most[i] = greater(most[i], chunk[i]);
            }
        }
        let most = (0..WIDTH / 2).map(|i| greater(most[i], most[i + WIDTH / 2])).fold(f32::NEG_INFINITY, greater);
        rest.iter().copied().fold(most, greater)
    }
}

/// Adds the places of numbers that are at least `floor`.
pub fn at_least(isa: Isa, numbers: &[f32], floor: f32, found: &mut Vec<u32>) {
    #[cfg(target_arch = "x86_64")]
    if isa.is_wide() {
        // SAFETY: `Isa::detect` has seen that the processor has these instructions.
        return unsafe { at_least_wide(numbers, floor, found) };
    }
    let _ = isa;
    found.extend((0..).zip(numbers).filter(|(_, number)| **number >= floor).map(|(place, _)| place));
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,bmi1")]
fn at_least_wide(numbers: &[f32], floor: f32, found: &mut Vec<u32>) {
    use std::arch::x86_64::{_CMP_GE_OQ, _mm512_mask_cmp_ps_mask, _mm512_maskz_loadu_ps, _mm512_set1_ps};
    let limit = _mm512_set1_ps(floor);
    for start in (0..numbers.len()).step_by(WIDTH) {
        let here = low_bits(numbers.len() - start) as u16;
        // SAFETY: the load is masked to the numbers that are there.
        let lanes = unsafe { _mm512_maskz_loadu_ps(here, numbers.as_ptr().add(start)) };
        let mut hits = _mm512_mask_cmp_ps_mask::<_CMP_GE_OQ>(here, lanes, limit);
        while hits != 0 {
            found.push((start + hits.trailing_zeros() as usize) as u32);
            hits &= hits - 1;
        }
    }
}

/// How many bits of a range are set; bit `i` is bit `i % 32` of word `i / 32`.
pub fn count_bits(mask: &[u32], bits: Range<usize>) -> u32 {
    let mut count = 0;
    let mut at = bits.start;
    while at < bits.end {
        let (word, bit) = (at / 32, at % 32);
        let end = bits.end.min(word * 32 + 32);
        count += (mask[word] >> bit & low_bits(end - at)).count_ones();
        at = end;
    }
    count
}

/// The lowest bits set, at most 32.
#[inline]
pub fn low_bits(count: usize) -> u32 {
    if count >= 32 { u32::MAX } else { (1 << count) - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_a_slow_loop() {
        let numbers: Vec<f32> = (0..100).map(|i| ((i * 37) % 101) as f32).collect();
        for isa in [Isa::PLAIN, Isa::detect()] {
            for len in [1, 15, 16, 17, 100] {
                let mut found = Vec::new();
                at_least(isa, &numbers[..len], 50.0, &mut found);
                let expected: Vec<u32> = (0..len as u32).filter(|&i| numbers[i as usize] >= 50.0).collect();
                assert_eq!(found, expected);
                assert_eq!(largest(isa, &numbers[..len]), numbers[..len].iter().copied().fold(-1.0, f32::max));
            }
        }
        let counts: Counts = std::array::from_fn(|i| i as u32 * 7 % 11);
        for (used, isa) in [(16, Isa::PLAIN), (48, Isa::detect()), (4096, Isa::detect())] {
            let mut totals = counts;
            accumulate(isa, &mut totals, used);
            assert!((0..used).all(|i| totals[i] == counts[..=i].iter().sum::<u32>()));
            assert_eq!(totals[used..], counts[used..]);
        }
        let mask = [0b1011u32, u32::MAX, 1];
        assert_eq!(count_bits(&mask, 0..3), 2);
        assert_eq!(count_bits(&mask, 1..65), 2 + 32 + 1);
        assert_eq!(count_bits(&mask, 40..40), 0);
        assert_eq!(count_bits(&mask, 40..50), 10);
    }
}
