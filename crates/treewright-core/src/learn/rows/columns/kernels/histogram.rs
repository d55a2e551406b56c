//! Counting codes.

use crate::learn::rows::columns::bins::{Bins, MOST};
use crate::wide::{Isa, twins};
use std::ops::Range;

/// A count for each bin, and one more.
pub type Counts = [u32; MOST + 16];

/// Adds the rows of each bin to its count, one place further on: the first stays free for running totals.
#[inline]
pub fn count(codes: &[u16], bins: &Bins, counts: &mut Counts) {
    let counts = &mut counts[1..=MOST];
    for &code in codes {
        // Bins are fewer than the mask: it changes nothing, and shows the compiler that no place is outside.
        counts[bins.of(code) & (MOST - 1)] += 1;
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
    /// How many codes are smaller.
    pub fn count_below(codes: &[u16], code: u16) -> u32 {
        // Short runs let 16-bit lanes hold the sums.
        codes.chunks(1 << 14).map(|run| u32::from(run.iter().map(|&c| u16::from(c < code)).sum::<u16>())).sum()
    }
}

twins! {
    /// The least and the greatest code; of none, the greatest and the least there are.
    pub fn range(codes: &[u16]) -> (u16, u16) {
        let low = codes.iter().copied().fold(u16::MAX, u16::min);
        let high = codes.iter().copied().fold(0, u16::max);
        (low, high)
    }
}

twins! {
    /// The largest number; less than any if there are none.
    pub fn largest(numbers: &[f32]) -> f32 {
        let mut most = [f32::NEG_INFINITY; 16];
        let (whole, rest) = numbers.as_chunks::<16>();
        for chunk in whole {
            for i in 0..16 {
                most[i] = if chunk[i] > most[i] { chunk[i] } else { most[i] };
            }
        }
        most.iter().chain(rest).copied().fold(f32::NEG_INFINITY, |a, b| if b > a { b } else { a })
    }
}

twins! {
    /// Adds the places of codes from `low` to `high`, with their codes.
    pub fn select(codes: &[u16], low: u16, high: u16, found: &mut Vec<(u16, u32)>) {
        let span = high - low;
        for (start, codes) in (0..).step_by(32).zip(codes.chunks(32)) {
            let mut inside = 0u32;
            for (i, &code) in codes.iter().enumerate() {
                inside |= u32::from(code.wrapping_sub(low) <= span) << i;
            }
            while inside != 0 {
                let i = inside.trailing_zeros();
                inside &= inside - 1;
                found.push((codes[i as usize], start + i));
            }
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
        let codes: Vec<u16> = (0..40_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 16) as u16 / 3).collect();
        for isa in [Isa::PLAIN, Isa::detect()] {
            for part in [&codes[..0], &codes[..1], &codes[5..70], &codes[..]] {
                let expected = part.iter().filter(|&&c| c < 9000).count() as u32;
                assert_eq!(count_below(isa, part, 9000), expected);
                let least = part.iter().copied().min().unwrap_or(u16::MAX);
                assert_eq!(range(isa, part), (least, part.iter().copied().max().unwrap_or(0)));
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
