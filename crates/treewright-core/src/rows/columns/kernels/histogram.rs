//! Counting codes into bins, and reading what came of it.

use crate::rows::columns::bins::{Bins, MOST};
#[cfg(target_arch = "x86_64")]
use crate::simd::Tier;
use crate::simd::{Isa, multiversion};
use std::ops::Range;

/// A count for each bin, and one more.
pub type ClassCounts = [u32; MOST + 16];

/// From so many codes on it pays to look for the bins of several at a time.
pub const LONG: usize = 128;

/// Adds the rows of each bin, each so many times, to its count, one place further on: the first stays free for running
/// totals.
#[inline]
pub fn count(isa: Isa, codes: &[u16], bins: &Bins, times: u32, counts: &mut ClassCounts) {
    #[cfg(target_arch = "x86_64")]
    if isa.tier() == Tier::Avx512 && codes.len() >= LONG {
        // SAFETY: an `Isa` of this tier exists only where the processor has its instructions.
        return unsafe { super::avx512::histogram::count(codes, bins, times, counts) };
    }
    let _ = isa;
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
pub fn count_packed(codes: &[u16], bins: &Bins, weights: &[u32], counts: &mut ClassCounts) {
    let counts = &mut counts[1..=MOST];
    let mut one = |code: u16, weight: u32| counts[bins.of(code)] += weight;
    let (eights, rest) = codes.as_chunks::<8>();
    let (eight_weights, rest_weights) = weights.as_chunks::<8>();
    for (codes, weights) in eights.iter().zip(eight_weights) {
        for i in 0..8 {
            one(codes[i], weights[i]);
        }
    }
    rest.iter().zip(rest_weights).for_each(|(&code, &weight)| one(code, weight));
}

/// Turns the first counts into running totals, and perhaps a few more.
pub fn accumulate(isa: Isa, counts: &mut ClassCounts, used: usize) {
    let (blocks, _) = counts.as_chunks_mut::<WIDTH>();
    let blocks = &mut blocks[..used.div_ceil(WIDTH)];
    dispatch!(isa, x86 histogram::accumulate(blocks), accumulate_portable(blocks.as_flattened_mut()))
}

fn accumulate_portable(counts: &mut [u32]) {
    let mut sum = 0;
    for count in counts {
        sum += *count;
        *count = sum;
    }
}

/// ClassCounts that are added up at once.
pub(super) const WIDTH: usize = 16;

multiversion! {
    /// The largest number; less than any if there are none.
    pub fn largest(numbers: &[f32]) -> f32 {
        let greater = |a: f32, b: f32| if b > a { b } else { a };
        let mut most = [f32::NEG_INFINITY; WIDTH];
        let (blocks, rest) = numbers.as_chunks::<WIDTH>();
        for chunk in blocks {
            for i in 0..WIDTH {
                most[i] = greater(most[i], chunk[i]);
            }
        }
        // Halves of what is left, each at once; one after the other would take longer than all the rest.
        let mut half = [0.0; 8];
        for i in 0..8 {
            half[i] = greater(most[i], most[i + 8]);
        }
        let mut quarter = [0.0; 4];
        for i in 0..4 {
            quarter[i] = greater(half[i], half[i + 4]);
        }
        let most = greater(greater(quarter[0], quarter[2]), greater(quarter[1], quarter[3]));
        rest.iter().copied().fold(most, greater)
    }
}

/// Adds the places of numbers that are at least `floor`.
pub fn at_least(isa: Isa, numbers: &[f32], floor: f32, places: &mut Vec<u32>) {
    dispatch!(isa, x86 histogram::at_least(numbers, floor, places), at_least_portable(numbers, floor, 0, places))
}

/// Adds the places of numbers that are at least `floor`, counted from `first`. Most blocks have none, which is seen without
/// a branch for each.
pub(super) fn at_least_portable(numbers: &[f32], floor: f32, first: u32, places: &mut Vec<u32>) {
    for (block, first) in numbers.chunks(WIDTH).zip((first..).step_by(WIDTH)) {
        if block.iter().fold(false, |any, &number| any | (number >= floor)) {
            places.extend((first..).zip(block).filter(|(_, number)| **number >= floor).map(|(place, _)| place));
        }
    }
}

/// How many bits of a range are set; bit `i` is bit `i % 32` of word `i / 32`.
#[inline(always)]
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
        for isa in Isa::all() {
            for len in [1, 15, 16, 17, 100] {
                let mut places = Vec::new();
                at_least(isa, &numbers[..len], 50.0, &mut places);
                let expected: Vec<u32> = (0..len as u32).filter(|&i| numbers[i as usize] >= 50.0).collect();
                assert_eq!(places, expected);
                assert_eq!(largest(isa, &numbers[..len]), numbers[..len].iter().copied().fold(-1.0, f32::max));
            }
        }
        let codes: Vec<u16> = (0..1000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 16) as u16).collect();
        let bins = Bins::new(3000, 60_000, 333);
        for (len, isa) in [0, 9, LONG, 1000].into_iter().flat_map(|len| Isa::all().map(move |isa| (len, isa))) {
            let (mut counts, mut expected) = ([7; MOST + 16], [7; MOST + 16]);
            count(isa, &codes[..len], &bins, 0x10003, &mut counts);
            codes[..len].iter().for_each(|&code| expected[bins.of(code) + 1] += 0x10003);
            assert_eq!(counts, expected);
        }
        let counts: ClassCounts = std::array::from_fn(|i| i as u32 * 7 % 11);
        for (used, isa) in [16, 48, 4096].into_iter().flat_map(|used| Isa::all().map(move |isa| (used, isa))) {
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
