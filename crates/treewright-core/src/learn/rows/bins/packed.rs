//! Gradients as integers: why no sum over them depends on the order of rows.
//!
//! A row's gradient and curvature are whole multiples of two powers of two, side by side in one word of 32 bits: 16 for the
//! gradient, which has a sign, 16 for the curvature, which is at least 1. Sums of both stand side by side in 64 bits, and one
//! addition adds both: curvatures are never negative and their sum stays below 2^32, so nothing is carried into the
//! gradients. The powers follow from the largest numbers and the number of rows alone.
//!
//! Where one gradient is far larger than all others these would all be rounded to 0. Then they are rounded up or down at
//! random, by chance that follows from what the row holds and from the tree, and their sums stay right on average.
//!
//! Of very many rows a few bits each are enough ([`Grain::Coarse`]): the sums are as good, since what rounding adds is small
//! beside what the rows differ by anyway. A row is then rounded by the same chance in every tree, so that most words stay
//! what they were from one tree to the next, and only the others have to be added up again.

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
    /// Few units; both numbers up or down by chance, which stays with a row.
    Coarse,
}

/// A mean gradient of fewer units is not well told by whole ones.
const FEW: f64 = 16.0;
/// A mean gradient of fewer coarse units would drown in what rounding adds.
const COARSE_FEW: f64 = 1.5;
/// Bits of the largest gradient and of the largest curvature in coarse units.
const COARSE: (u32, u32) = (5, 4);
/// How often a row may count; its words have room for as much.
pub const MOST_TIMES: u8 = 16;
/// Bits of the largest numbers of rows that may count several times, and of others.
const OF_FEW: (u32, u32) = (10, 11);
const OF_MANY: (u32, u32) = (14, 15);

impl Units {
    /// For so many rows whose gradients and curvatures are no larger than these, and whose gradients are that large on
    /// average; `coarse` where few bits will do, if they do, and `few` where rows may count several times.
    pub fn new(gradient: f64, curvature: f64, typical: f64, rows: usize, coarse: bool, few: bool) -> Units {
        if coarse {
            let units = Units::of_bits(gradient, curvature, rows, COARSE);
            if typical.is_finite() && typical * units.gradient >= COARSE_FEW {
                return Units { grain: Grain::Coarse, ..units };
            }
        }
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
        if units.grain == Grain::Coarse {
            for i in 0..count {
                let mark = u32::from(marks[i]);
                let chance = |mark: u32| (mark & 0xffff) as f32 * (1.0 / 65_536.0) - 0.499_992_37;
                let gradient = whole(gradients[i] * up + chance(mark));
                let curvature = whole(curvatures[i] * wide + chance(mark.wrapping_mul(0x9E37)));
                words[i] = gradient << 16 | curvature;
            }
            return;
        }
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

twins! {
    /// Puts new words in place of those that rows had. Lists the rows whose word changed, counted from `first`, and by how
    /// much; returns how many there are. The lists have room for all.
    pub fn replace(words: &mut [u32], fresh: &[u32], first: usize, rows: &mut [u16], by: &mut [Sum]) -> usize {
        let mut count = 0;
        let (fresh, rows, by) = (&fresh[..words.len()], &mut rows[..words.len()], &mut by[..words.len()]);
        for i in 0..words.len() {
            // Written always and kept where it counts: no branch that cannot be foreseen.
            rows[count] = (first + i) as u16;
            by[count] = widen(fresh[i]).wrapping_sub(widen(words[i]));
            count += usize::from(fresh[i] != words[i]);
            words[i] = fresh[i];
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wide::Isa;

    #[test]
    fn sums_come_back_and_never_overflow() {
        for rows in [1, 100, 10_000, 1_000_000, (1 << 20) + 1, 50_000_000] {
            for (gradient, curvature) in [(1.0, 0.25), (3.7e9, 1e-20), (1e-30, 77.0), (0.0, 1.0)] {
                let units = Units::new(gradient, curvature, gradient / 100.0, rows, false, false);
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
        let units = Units::new(1.0, 1.0, 0.5, 1000, false, false);
        let mut words = [0u32; 3];
        pack(Isa::PLAIN, units, &[0; 3], 0, &[0.5, -0.25, 1.0], &[1.0; 3], &mut words);
        let sum = words.iter().fold(0, |sum: Sum, word| sum.wrapping_add(widen(*word)));
        assert_eq!(units.real(sum), (1.25, 3.0));
    }

    #[test]
    fn rounding_is_right_on_average_and_the_same_in_lanes() {
        let units = Units::new(1000.0, 1.0, 0.06, 1 << 20, false, false);
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

    #[test]
    fn coarse_words_are_right_on_average_and_changes_add_up_to_the_new_ones() {
        let count = 100_001;
        let marks: Vec<u16> = (0..count).map(|i| (i * 40_503) as u16).collect();
        let units = Units::new(1.0, 0.25, 0.3, count, true, false);
        assert_eq!((units.grain, units.gradient, units.curvature, units.most), (Grain::Coarse, 32.0, 64.0, 16));
        assert_ne!(Units::new(1.0, 0.25, 0.01, count, true, false).grain, Grain::Coarse);
        let shares = |shift: f32| (0..count).map(move |i| ((i % 97) as f32 / 97.0 + shift).clamp(0.001, 0.999));
        let slopes = |shift| shares(shift).map(|p| (p - 1.0, p * (1.0 - p))).unzip();
        let mut words = vec![0; count];
        let (mut total, mut listed) = (0 as Sum, Vec::new());
        for shift in [0.0, 0.002, -0.002] {
            let (g, h): (Vec<f32>, Vec<f32>) = slopes(shift);
            let mut fresh = [vec![0; count], vec![0; count]];
            for (isa, fresh) in [Isa::PLAIN, Isa::detect()].into_iter().zip(&mut fresh) {
                pack(isa, units, &marks, 9, &g, &h, fresh);
            }
            assert_eq!(fresh[0], fresh[1]);
            let (mut rows, mut by) = (vec![0; count], vec![0; count]);
            let changed = replace(Isa::detect(), &mut words, &fresh[0], 0, &mut rows, &mut by);
            listed.push(changed);
            total = by[..changed].iter().fold(total, |sum, by| sum.wrapping_add(*by));
            assert_eq!(words, fresh[0]);
            assert_eq!(total, words.iter().fold(0, |sum: Sum, word| sum.wrapping_add(widen(*word))));
            let exact = |numbers: &[f32]| numbers.iter().map(|x| f64::from(*x)).sum::<f64>();
            let (gradient, curvature) = units.real(total);
            assert!((gradient / exact(&g) - 1.0).abs() < 0.001, "{gradient} {}", exact(&g));
            assert!((curvature / exact(&h) - 1.0).abs() < 0.001, "{curvature} {}", exact(&h));
        }
        assert!(listed[1] < listed[0] / 4 && listed[2] < listed[0] / 2, "{listed:?}");
    }
}
