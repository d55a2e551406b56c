//! Gradients as integers: why no sum over them depends on the order of rows.
//!
//! A row's gradient and curvature are whole multiples of two powers of two, side by side in one word of 32 bits: 16 for the
//! gradient, which has a sign, 16 for the curvature, which is at least 1. Sums of both stand side by side in 64 bits, and one
//! addition adds both: curvatures are never negative and their sum stays below 2^32, so nothing is carried into the
//! gradients. The powers follow from the largest numbers and the number of rows alone.
//!
//! Where one gradient is far larger than all others these would all be rounded to 0. Then they are rounded up or down at
//! random, by chance that follows from what the row holds and from the tree, and their sums stay right on average.

use crate::wide::twins;

/// A sum of gradients (upper half, signed) and curvatures (lower half).
pub type Sum = u64;

/// What one unit of a sum is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Units {
    /// Units in a gradient of 1: a power of two.
    pub gradient: f64,
    /// Units in a curvature of 1: a power of two.
    pub curvature: f64,
    /// The most units of one row's curvature.
    pub most: u64,
    /// How numbers are rounded.
    pub grain: Grain,
}

/// How numbers become whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// To the nearest.
    Fine,
    /// Gradients up or down by chance, which is another in every tree.
    Random,
}

/// A mean gradient of fewer units is not well told by whole ones.
const FEW: f64 = 16.0;
/// How often a row may count; its words have room for as much.
pub const MOST_TIMES: u8 = 16;
/// Bits of the largest numbers of rows that may count several times, and of others.
const OF_FEW: (u32, u32) = (10, 11);
const OF_MANY: (u32, u32) = (14, 15);

impl Units {
    /// For so many rows whose gradients and curvatures are no larger than these, and whose gradients are that large on
    /// average; `few` where rows may count several times.
    pub fn new(gradient: f64, curvature: f64, typical: f64, rows: usize, few: bool) -> Units {
        let units = Units::of_bits(gradient, curvature, rows, if few { OF_FEW } else { OF_MANY });
        let random = typical * units.gradient < FEW;
        Units { grain: if random { Grain::Random } else { Grain::Fine }, ..units }
    }

    /// Units of which the largest numbers have at most so many bits.
    fn of_bits(gradient: f64, curvature: f64, rows: usize, bits: (u32, u32)) -> Units {
        let room = |total: u64, most: u32| (total / rows.max(1) as u64).max(1).ilog2().min(most);
        let scale = |largest: f64, bits: u32| {
            if !(largest > 0.0 && largest.is_finite()) {
                return 1.0;
            }
            let (_, size) = libm::frexp(largest);
            // The largest number is below 2^size, or half of that exactly.
            let exact = libm::ldexp(1.0, size - 1) == largest;
            libm::ldexp(1.0, (bits as i32 - size + i32::from(exact)).clamp(-1000, 1000))
        };
        let curvature_units = scale(curvature, room((1 << 32) - 1, bits.1));
        let gradient = scale(gradient, room((1 << 31) - 1, bits.0));
        let most = (curvature * curvature_units).ceil().max(1.0) as u64;
        Units { gradient, curvature: curvature_units, most, grain: Grain::Fine }
    }

    /// The gradient and the curvature of a sum, in units.
    #[inline]
    pub fn parts(sum: Sum) -> (f64, f64) {
        (((sum as i64) >> 32) as f64, (sum & 0xffff_ffff) as f64)
    }

    /// The gradient and the curvature of a sum.
    #[inline]
    pub fn real(&self, sum: Sum) -> (f64, f64) {
        let (gradient, curvature) = Units::parts(sum);
        (gradient / self.gradient, curvature / self.curvature)
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

twins! {
    /// Packs gradients and curvatures of rows with these marks; `salt` differs from tree to tree.
    pub fn pack(
        units: Units,
        marks: &[u16],
        salt: u32,
        gradients: &[f32],
        curvatures: &[f32],
        words: &mut [u32],
    ) {
        let (up, wide) = (units.gradient as f32, units.curvature as f32);
        let count = words.len();
        let (marks, gradients, curvatures) = (&marks[..count], &gradients[..count], &curvatures[..count]);
        let random = units.grain == Grain::Random;
        let (reach, centre) = if random { (1.0 / 8_388_608.0, 0.5) } else { (0.0, 0.0) };
        for i in 0..count {
            let mixed = (u32::from(marks[i]) ^ salt).wrapping_mul(0x9E37_79B1);
            let mixed = (mixed ^ mixed >> 15).wrapping_mul(0x85EB_CA6B);
            let chance = (mixed >> 9) as f32 * reach - centre;
            let gradient = whole(gradients[i] * up + chance);
            let curvature = whole(curvatures[i] * wide);
            words[i] = gradient << 16 | curvature.max(1);
        }
    }
}

/// The nearest whole number.
#[inline(always)]
fn whole(x: f32) -> u32 {
    (x + ROUND).to_bits().wrapping_sub(ROUND.to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wide::Isa;

    #[test]
    fn sums_come_back_and_never_overflow() {
        for rows in [1, 100, 10_000, 1_000_000, (1 << 20) + 1, 50_000_000] {
            for (gradient, curvature) in [(1.0, 0.25), (3.7e9, 1e-20), (1e-30, 77.0), (0.0, 1.0)] {
                let units = Units::new(gradient, curvature, gradient / 100.0, rows, false);
                for sign in [1.0f32, -1.0] {
                    let mut words = [0u32; 64];
                    let (g, h) = ([gradient as f32 * sign; 64], [curvature as f32; 64]);
                    pack(Isa::PLAIN, units, &[5; 64], 3, &g, &h, &mut words);
                    for word in words {
                        let (g, h) = Units::parts(widen(word));
                        assert!(g.abs() * rows as f64 <= 2f64.powi(31) && h * (rows as f64) < 2f64.powi(32));
                        assert!(h >= 1.0 && h <= units.most as f64);
                    }
                }
            }
        }
        let units = Units::new(1.0, 1.0, 0.5, 1000, false);
        let mut words = [0u32; 3];
        pack(Isa::PLAIN, units, &[0; 3], 0, &[0.5, -0.25, 1.0], &[1.0; 3], &mut words);
        let sum = words.iter().fold(0, |sum: Sum, word| sum.wrapping_add(widen(*word)));
        assert_eq!(units.real(sum), (1.25, 3.0));
    }

    #[test]
    fn rounding_is_right_on_average_and_the_same_in_lanes() {
        let units = Units::new(1000.0, 1.0, 0.06, 1 << 20, false);
        assert_eq!(units.grain, Grain::Random);
        let count = 100_001;
        let (g, h): (Vec<f32>, Vec<f32>) = ((0..count).map(|i| (i % 7) as f32 / 50.0).collect(), vec![1.0; count]);
        let marks: Vec<u16> = (0..count).map(|i| (i * 40_503) as u16).collect();
        let mut words = [vec![0; count], vec![0; count]];
        for (isa, words) in [Isa::PLAIN, Isa::detect()].into_iter().zip(&mut words) {
            pack(isa, units, &marks, 0x1234, &g, &h, words);
        }
        assert_eq!(words[0], words[1]);
        let sum = words[0].iter().fold(0, |sum: Sum, word| sum.wrapping_add(widen(*word)));
        let exact: f64 = g.iter().map(|x| f64::from(*x)).sum();
        assert!((units.real(sum).0 / exact - 1.0).abs() < 0.02, "{} {exact}", units.real(sum).0);
    }
}
