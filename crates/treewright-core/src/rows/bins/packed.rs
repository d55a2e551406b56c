//! Gradients as integers: why no sum over them depends on the order of rows.
//!
//! A row's gradient and hessian are whole multiples of two powers of two, side by side in one word of 32 bits: 16 for the
//! gradient, which has a sign, 16 for the hessian, which is at least 1. Histograms of both stand side by side in 64 bits, and one
//! addition adds both: hessians are never negative and their sum stays below 2^32, so nothing is carried into the
//! gradients. That holds for [`RUN`] rows; sums of more stand in 128 bits in the same way ([`Wide`]). So the powers follow
//! from the largest numbers alone, and a gradient has as many bits in a large table as in a small one.
//!
//! Where one gradient is far larger than all others these would all be rounded to 0. Then they are rounded up or down at
//! random, by chance that follows from what the row holds and from the tree, and their sums stay right on average.

use super::filter;
use super::scan::{self, BestCut, CutLimits};
use crate::simd::{Isa, multiversion};
use std::ops::Range;

/// A sum of gradients (upper half, signed) and hessians (lower half), of at most [`RUN`] rows.
pub type Sum = u64;
/// The same of any number of rows.
pub type Wide = u128;
/// The most rows whose sums fit a [`Sum`]: gradients have at most 14 bits and a sign, hessians 15.
pub const RUN: u64 = 1 << 16;

/// A sum of either size, and how histograms of such sums are searched. Those of the smaller one are of at most [`RUN`]
/// rows.
pub trait AnySum: Copy + Default + PartialEq + Send + Sync + std::fmt::Debug {
    /// Both added up.
    fn plus(self, other: Self) -> Self;
    /// What is left without a part.
    fn minus(self, part: Self) -> Self;
    /// The sum in more room.
    fn widened(self) -> Wide;
    /// The sum in this room.
    fn narrowed(sum: Wide) -> Self;
    /// The gradient and the hessian, in units.
    fn parts(self) -> (f64, f64);

    /// The best of the cuts behind some bins, of which there are at most 256. There are sums from bin 0 up to the next
    /// multiple of 8.
    fn best_cut(isa: Isa, sums: &[Self], cuts: Range<usize>, limits: &CutLimits) -> Option<BestCut>;

    /// Whether one of them may be worth more than `merit`; sums of many rows are not asked.
    fn may_exceed(_isa: Isa, _sums: &[Self], _cuts: Range<usize>, _limits: &CutLimits, _merit: f64) -> bool {
        true
    }
}

impl AnySum for Sum {
    #[inline(always)]
    fn plus(self, other: Sum) -> Sum {
        self.wrapping_add(other)
    }

    #[inline(always)]
    fn minus(self, part: Sum) -> Sum {
        self.wrapping_sub(part)
    }

    #[inline(always)]
    fn widened(self) -> Wide {
        let (gradient, hessian) = (self as i64 >> 32, self & 0xffff_ffff);
        (gradient as u64 as Wide) << 64 | Wide::from(hessian)
    }

    #[inline(always)]
    fn narrowed(sum: Wide) -> Sum {
        ((sum >> 64) as u64) << 32 | sum as u64
    }

    #[inline(always)]
    fn parts(self) -> (f64, f64) {
        // From 32 bits, which every tier converts several at a time.
        (f64::from((self >> 32) as u32 as i32), f64::from(self as u32))
    }

    fn best_cut(isa: Isa, sums: &[Sum], cuts: Range<usize>, limits: &CutLimits) -> Option<BestCut> {
        scan::best_cut(isa, sums, cuts, limits)
    }

    fn may_exceed(isa: Isa, sums: &[Sum], cuts: Range<usize>, limits: &CutLimits, merit: f64) -> bool {
        merit <= 0.0 || filter::may_exceed(isa, sums, cuts, limits, merit)
    }
}

impl AnySum for Wide {
    #[inline(always)]
    fn plus(self, other: Wide) -> Wide {
        self.wrapping_add(other)
    }

    #[inline(always)]
    fn minus(self, part: Wide) -> Wide {
        self.wrapping_sub(part)
    }

    #[inline(always)]
    fn widened(self) -> Wide {
        self
    }

    #[inline(always)]
    fn narrowed(sum: Wide) -> Wide {
        sum
    }

    #[inline(always)]
    fn parts(self) -> (f64, f64) {
        // A hessian is far below 2^63, and a number with a sign is converted sooner.
        ((self >> 64) as u64 as i64 as f64, self as u64 as i64 as f64)
    }

    fn best_cut(isa: Isa, sums: &[Wide], cuts: Range<usize>, limits: &CutLimits) -> Option<BestCut> {
        scan::best_wide_cut(isa, sums, cuts, limits)
    }
}

/// The hessian of a sum, in units.
#[inline(always)]
pub fn hessian(sum: Wide) -> u64 {
    sum as u64
}

/// What one unit of a sum is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Units {
    /// Units in a gradient of 1: a power of two.
    pub gradient: f64,
    /// Units in a hessian of 1: a power of two.
    pub hessian: f64,
    /// The most units of one row's hessian.
    pub most: u64,
    /// Whether gradients are rounded at random, seeded by the tree and by what the row holds, rather than to the nearest.
    pub is_random: bool,
}

/// A mean gradient of fewer units would lose too much when it is rounded to the nearest unit.
const MIN_MEAN_UNITS: f64 = 16.0;
/// How often a row may count; its words have room for as much.
pub const MAX_REPETITIONS: u8 = 16;
/// Bits of the largest numbers of rows that may count several times, and of others.
const BITS_REPEATED: (u32, u32) = (10, 11);
const BITS: (u32, u32) = (14, 15);

impl Units {
    /// For rows whose gradients and hessians are no larger than these, and whose gradients are that large on average;
    /// `repeated` where rows may count several times.
    pub fn new(gradient: f64, hessian: f64, typical: f64, repeated: bool) -> Units {
        let units = Units::of_bits(gradient, hessian, if repeated { BITS_REPEATED } else { BITS });
        Units { is_random: typical * units.gradient < MIN_MEAN_UNITS, ..units }
    }

    /// Units of which the largest numbers have at most so many bits.
    fn of_bits(gradient: f64, hessian: f64, bits: (u32, u32)) -> Units {
        let scale = |largest: f64, bits: u32| {
            if !(largest > 0.0 && largest.is_finite()) {
                return 1.0;
            }
            let (_, size) = libm::frexp(largest);
            // The largest number is below 2^size, or half of that exactly.
            let exact = libm::ldexp(1.0, size - 1) == largest;
            libm::ldexp(1.0, (bits as i32 - size + i32::from(exact)).clamp(-1000, 1000))
        };
        let hessian_units = scale(hessian, bits.1);
        let gradient = scale(gradient, bits.0);
        let most = (hessian * hessian_units).ceil().max(1.0) as u64;
        Units { gradient, hessian: hessian_units, most, is_random: false }
    }
}

/// The word of a row that counts several times.
#[inline]
pub fn repeated(word: u32, times: u8) -> u32 {
    let gradient = (word as i32 >> 16) * i32::from(times);
    (gradient << 16) as u32 | ((word & 0xffff) * u32::from(times))
}

/// One row's word as a sum.
#[inline(always)]
pub fn widen(word: u32) -> Sum {
    let signed = word as i32;
    ((i64::from(signed >> 16) << 32) as u64).wrapping_add(u64::from(word & 0xffff))
}

/// Adding this to a small number of single precision rounds it: its last bits are then those of a whole number.
const ROUND: f32 = 12_582_912.0;

multiversion! {
    /// Packs gradients and hessians of rows with these row_hashes; `salt` differs from tree to tree.
    pub fn pack(
        units: Units,
        row_hashes: &[u32],
        salt: u32,
        gradients: &[f32],
        hessians: &[f32],
        words: &mut [u32],
    ) {
        let (up, wide) = (units.gradient as f32, units.hessian as f32);
        let count = words.len();
        let (row_hashes, gradients, hessians) = (&row_hashes[..count], &gradients[..count], &hessians[..count]);
        let (scale, center) = if units.is_random { (1.0 / 8_388_608.0, 0.5) } else { (0.0, 0.0) };
        for i in 0..count {
            let mixed = (row_hashes[i] ^ salt).wrapping_mul(0x9E37_79B1);
            let mixed = (mixed ^ mixed >> 15).wrapping_mul(0x85EB_CA6B);
            let chance = (mixed >> 9) as f32 * scale - center;
            let gradient = nearest_integer(gradients[i] * up + chance);
            let hessian = nearest_integer(hessians[i] * wide);
            words[i] = gradient << 16 | hessian.max(1);
        }
    }
}

/// The nearest whole number.
#[inline(always)]
fn nearest_integer(x: f32) -> u32 {
    (x + ROUND).to_bits().wrapping_sub(ROUND.to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The gradient and the hessian of a sum.
    fn real(units: &Units, sum: impl AnySum) -> (f64, f64) {
        let (gradient, hessian) = sum.parts();
        (gradient / units.gradient, hessian / units.hessian)
    }

    #[test]
    fn sums_come_back_and_never_overflow() {
        for (gradient, hessian) in [(1.0, 0.25), (3.7e9, 1e-20), (1e-30, 77.0), (0.0, 1.0)] {
            let units = Units::new(gradient, hessian, gradient / 100.0, false);
            for sign in [1.0f32, -1.0] {
                let mut words = [0u32; 64];
                let (g, h) = ([gradient as f32 * sign; 64], [hessian as f32; 64]);
                pack(Isa::PORTABLE, units, &[5; 64], 3, &g, &h, &mut words);
                for word in words {
                    let (g, h) = widen(word).parts();
                    assert!(g.abs() * (RUN as f64) < 2f64.powi(31) && h * (RUN as f64) < 2f64.powi(32));
                    assert!(h >= 1.0 && h <= units.most as f64);
                    assert!(gradient == 0.0 || g.abs() >= 2f64.powi(13));
                }
            }
        }
        let units = Units::new(1.0, 1.0, 0.5, false);
        let mut words = [0u32; 3];
        pack(Isa::PORTABLE, units, &[0; 3], 0, &[0.5, -0.25, 1.0], &[1.0; 3], &mut words);
        let sum = words.iter().fold(0, |sum: Sum, word| sum.wrapping_add(widen(*word)));
        assert_eq!(real(&units, sum), (1.25, 3.0));
    }

    #[test]
    fn wide_sums_are_sums() {
        let words = [0x8001_7fff_u32, 0x7fff_0001, 0xffff_0003, 0x0000_ffff];
        let narrow = words.iter().fold(0, |sum: Sum, word| sum.plus(widen(*word)));
        let wide = words.iter().fold(0, |sum: Wide, word| sum.plus(widen(*word).widened()));
        assert_eq!((narrow.widened(), Sum::narrowed(wide)), (wide, narrow));
        assert_eq!((narrow.parts(), hessian(wide) as f64), (wide.parts(), narrow.parts().1));
        let part = widen(words[0]).widened();
        assert_eq!(Sum::narrowed(wide.minus(part)), narrow.minus(widen(words[0])));
        // Ten thousand runs of rows with the largest numbers there are.
        let run = (0..RUN).fold(0, |sum: Sum, _| sum.plus(widen(0xc000_8000)));
        let all = (0..10_000).fold(0, |sum: Wide, _| sum.plus(run.widened()));
        let rows = 10_000.0 * RUN as f64;
        assert_eq!(all.parts(), (-16384.0 * rows, 32768.0 * rows));
    }

    #[test]
    fn rounding_is_right_on_average_and_the_same_in_lanes() {
        let units = Units::new(1000.0, 1.0, 0.06, false);
        assert!(units.is_random);
        let count = 100_001;
        let (g, h): (Vec<f32>, Vec<f32>) = ((0..count).map(|i| (i % 7) as f32 / 50.0).collect(), vec![1.0; count]);
        let row_hashes: Vec<u32> = (0..count).map(|i| (i * 2_654_435_761) as u32).collect();
        let packed = |isa: Isa| {
            let mut words = vec![0; count];
            pack(isa, units, &row_hashes, 0x1234, &g, &h, &mut words);
            words
        };
        let words = packed(Isa::PORTABLE);
        Isa::all().for_each(|isa| assert_eq!(packed(isa), words));
        let sum = words.iter().fold(0, |sum: Sum, word| sum.wrapping_add(widen(*word)));
        let exact: f64 = g.iter().map(|x| f64::from(*x)).sum();
        assert!((real(&units, sum).0 / exact - 1.0).abs() < 0.02, "{} {exact}", real(&units, sum).0);
    }
}
