//! A few operations on whole registers, for every tier.
//!
//! An algorithm is written once, over [`Simd`]; `multiversion!` compiles it for the registers of each tier. Operations on
//! eight f64 are those of IEEE 754, one rounding each, so all tiers give the same bits. Operations on sixteen f32 serve filters only:
//! what passes is measured again in f64, so their last bits may differ.
//!
//! Glossary. A *mask* has one bit a lane, the lowest for lane 0.

use super::{Isa, Tier};

/// How many f32 or words a register holds.
pub const FLOATS: usize = 16;
/// How many bytes a register holds.
pub const BYTES: usize = 64;

/// What an algorithm may do with registers. A value of a type that implements it is the proof that the machine can.
pub trait Simd: Copy + Send + Sync {
    /// Sixteens of rows whose sums with six queries are held in registers at once: 1 or 4. All 64 rows of a panel need 24
    /// registers of 512 bits; of the shorter ones there are too few.
    const PARTS: usize;
    /// Sixteen f32.
    type F: Copy;
    /// Sixteen i32.
    type I: Copy;
    /// Sixty-four bytes.
    type B: Copy;

    /// Asks memory for the first line of a slice that will be needed soon.
    #[inline(always)]
    fn fetch<T>(self, _: &[T]) {}

    /// The number in every lane.
    fn splat_f(self, x: f32) -> Self::F;
    /// The first sixteen numbers of a slice that has at least so many.
    fn load_f(self, from: &[f32]) -> Self::F;
    /// Lane by lane.
    fn store_f(self, x: Self::F, to: &mut [f32; FLOATS]);
    /// a − b.
    fn sub_f(self, a: Self::F, b: Self::F) -> Self::F;
    /// |a|.
    fn abs_f(self, a: Self::F) -> Self::F;
    /// a · b + c, rounded once or twice.
    fn mul_add_f(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F;
    /// a + b.
    fn add_f(self, a: Self::F, b: Self::F) -> Self::F;
    /// The larger of two numbers, neither NaN.
    fn max_f(self, a: Self::F, b: Self::F) -> Self::F;
    /// a, or b where a is NaN.
    fn or_f(self, a: Self::F, b: Self::F) -> Self::F;
    /// Where a ≥ b; NaN is nowhere.
    fn ge_f(self, a: Self::F, b: Self::F) -> u16;

    /// Sixteen whole numbers, widened.
    fn widen(self, from: &[u8; FLOATS]) -> Self::F;
    /// a · b.
    fn mul_f(self, a: Self::F, b: Self::F) -> Self::F;
    /// To the nearest i32; numbers are in its range.
    fn round(self, a: Self::F) -> Self::I;

    /// The number of a lane.
    fn lane(self, a: Self::F, lane: usize) -> f32;
    /// The lane of the least number among those of a mask that has at least one bit; no number is NaN.
    fn least(self, a: Self::F, among: u16) -> usize;
    /// Sixteen numbers in order, the least first, and their labels: puts in the lanes of a mask that are small enough,
    /// `first` + lane being their label. Of equal numbers any may be left out.
    fn insert(self, list: (Self::F, Self::I), a: Self::F, mask: u16, first: u32) -> (Self::F, Self::I);

    /// The number in every lane.
    fn splat_i(self, x: i32) -> Self::I;
    /// Sixteen numbers.
    fn load_i(self, from: &[i32; FLOATS]) -> Self::I;
    /// Lane by lane.
    fn store_i(self, x: Self::I, to: &mut [i32; FLOATS]);
    /// The lanes of a mask, the lowest first, to the beginning of a slice that has at least so many places.
    fn store_some(self, x: Self::I, mask: u16, to: &mut [i32]);
    /// The larger of two numbers.
    fn max_i(self, a: Self::I, b: Self::I) -> Self::I;
    /// Where a ≥ b.
    fn ge_i(self, a: Self::I, b: Self::I) -> u16;
    /// c + a₁b₁ + a₂b₂ + a₃b₃ + a₄b₄ for lanes of four bytes, those of a without a sign and those of b with one; none of b
    /// is beyond [`largest_factor`].
    fn dot_bytes(self, c: Self::I, a: Self::I, b: Self::I) -> Self::I;

    /// The byte in every lane.
    fn splat_b(self, x: u8) -> Self::B;
    /// The first sixty-four bytes of a slice that has at least so many.
    fn load_b(self, from: &[u8]) -> Self::B;
    /// Lane by lane.
    fn store_b(self, x: Self::B, to: &mut [u8; BYTES]);
    /// Where a ≠ b.
    fn ne_b(self, a: Self::B, b: Self::B) -> u64;
    /// Where a ≤ b.
    fn le_b(self, a: Self::B, b: Self::B) -> u64;
    /// a + b where the mask has a bit, at most 255; a elsewhere.
    fn add_b(self, a: Self::B, mask: u64, b: Self::B) -> Self::B;
}

/// Whether a tier multiplies bytes faster than f32.
pub fn multiplies_bytes(isa: Isa) -> bool {
    matches!(isa.tier(), Tier::Avx2 | Tier::Avx512)
}

/// The largest factor with a sign that [`Simd::dot_bytes`] takes. AVX2 adds two products in 16 bits with a sign, which hold
/// 255 · 64 · 2 = 32,640 but not 255 · 127 · 2.
pub fn largest_factor(isa: Isa) -> i8 {
    if isa.tier() == Tier::Avx2 { 64 } else { i8::MAX }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Portable, multiversion};

    fn ints(words: &[u32; FLOATS]) -> [i32; FLOATS] {
        words.map(|word| word as i32)
    }

    /// Sums of products of bytes.
    fn products<S: Simd>(simd: S, a: &[u32; FLOATS], b: u32) -> [i32; FLOATS] {
        let mut sums = [0; FLOATS];
        simd.store_i(simd.dot_bytes(simd.splat_i(-3), simd.load_i(&ints(a)), simd.splat_i(b as i32)), &mut sums);
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

    /// The lanes of a mask, widened bytes, and rounded numbers.
    fn packed<S: Simd>(simd: S, a: &[u32; FLOATS], mask: u16) -> (Vec<i32>, Vec<f32>, Vec<i32>) {
        let (mut some, mut wide, mut whole) = ([7; FLOATS], [0.0; FLOATS], [0; FLOATS]);
        simd.store_some(simd.load_i(&ints(a)), mask, &mut some);
        simd.store_f(simd.widen(&a.map(|word| word as u8)), &mut wide);
        let tenths = simd.load_f(&a.map(|word| (word as i32 >> 12) as f32 / 4.0));
        simd.store_i(simd.round(tenths), &mut whole);
        (some.to_vec(), wide.to_vec(), whole.to_vec())
    }

    /// Comparisons, and operations on bytes.
    fn compared<S: Simd>(simd: S, a: &[u32; FLOATS], mask: u64) -> (Vec<u64>, Vec<u32>) {
        let bytes: [u8; BYTES] = std::array::from_fn(|i| a[i / 4].to_le_bytes()[i % 4]);
        let turned: [u8; BYTES] = std::array::from_fn(|i| if i % 3 == 0 { bytes[i] } else { bytes[BYTES - 1 - i] });
        let (x, y) = (simd.load_b(&bytes), simd.load_b(&turned));
        let mut sums = [0; BYTES];
        simd.store_b(simd.add_b(x, mask, y), &mut sums);
        let special = |i: usize| [f32::NAN, f32::INFINITY, -0.0, a[i] as f32][(a[i] % 4) as usize];
        let (f, g) = (std::array::from_fn::<f32, FLOATS, _>(special), a.map(|word| word.rotate_left(8) as f32));
        let (f, g) = (simd.load_f(&f), simd.load_f(&g));
        let (i, j) = (simd.load_i(&ints(a)), simd.load_i(&ints(&a.map(|word| word.rotate_left(16)))));
        let masks = vec![
            simd.ne_b(x, y),
            simd.le_b(x, y),
            simd.ge_f(f, g).into(),
            simd.ge_i(i, j).into(),
            u64::from(sums.iter().fold(0u32, |hash, &byte| hash.wrapping_mul(31).wrapping_add(byte.into()))),
        ];
        let mut cells = [0.0; FLOATS];
        simd.store_f(
            simd.add_f(simd.abs_f(simd.sub_f(simd.or_f(f, g), g)), simd.max_f(g, simd.splat_f(7e8))),
            &mut cells,
        );
        let mut most = [0; FLOATS];
        simd.store_i(simd.max_i(i, j), &mut most);
        (masks, cells.iter().map(|x| x.to_bits()).chain(most.map(|x| x as u32)).collect())
    }

    multiversion! {
        fn compare<S: Simd>(simd: S, most: i8) {
            let mut word = 0x9e37_79b9u32;
            for _ in 0..2000 {
                let a = std::array::from_fn(|_| {
                    word = word.wrapping_mul(0x85eb_ca6b) ^ (word >> 13);
                    word
                });
                let b =
                    u32::from_le_bytes(word.rotate_left(9).to_le_bytes().map(|x| (x as i8).clamp(-most, most) as u8));
                assert_eq!(products(simd, &a, b), products(Portable, &a, b));
                let full = [u32::MAX; FLOATS];
                let most = u32::from_le_bytes([most as u8; 4]);
                assert_eq!(products(simd, &full, most), products(Portable, &full, most));
                let mask = word as u16 & (word >> 5) as u16;
                assert_eq!(listed(simd, &a, mask), listed(Portable, &a, mask));
                assert_eq!(packed(simd, &a, mask), packed(Portable, &a, mask));
                let mask = u64::from(word) << 32 | u64::from(word.rotate_left(7));
                assert_eq!(compared(simd, &a, mask), compared(Portable, &a, mask));
            }
        }
    }

    #[test]
    fn the_registers_of_all_tiers_give_the_same_numbers() {
        Isa::all().for_each(|isa| compare(isa, largest_factor(isa)));
    }
}
