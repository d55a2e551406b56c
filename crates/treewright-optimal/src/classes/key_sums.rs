//! The keys of the rows with a one in each column: of the children of a node, and a sign that two columns are equal.

use super::table::Key;
use crate::bits::BitMatrix;
use treewright_core::prelude::{Isa, Tier};

/// For each column, the sum of the keys of some rows that have a one there: lower halves, upper halves.
#[derive(Debug, Default)]
pub struct KeySums {
    halves: [Vec<u64>; 2],
}

impl KeySums {
    /// Adds up the keys of the listed rows.
    pub fn fill(&mut self, isa: Isa, bits: &BitMatrix, keys: &[Key], rows: &[u32]) {
        for half in &mut self.halves {
            half.clear();
            half.resize(bits.row_words() * 64, 0);
        }
        match isa.tier() {
            // SAFETY: an `Isa` of this tier exists only where the processor has these instructions.
            #[cfg(target_arch = "x86_64")]
            Tier::Avx512 => unsafe { self.fill_avx512(bits, keys, rows) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Tier::Avx2 => unsafe { self.fill_avx2(bits, keys, rows) },
            _ => self.fill_portable(bits, keys, rows),
        }
    }

    /// The key of the rows with a one in this column.
    #[inline(always)]
    pub fn get(&self, column: usize) -> Key {
        Key([self.halves[0][column], self.halves[1][column]])
    }

    fn fill_portable(&mut self, bits: &BitMatrix, keys: &[Key], rows: &[u32]) {
        for &row in rows {
            let key = keys[row as usize];
            for (word, &ones) in bits.row(row as usize).iter().enumerate() {
                let mut ones = ones;
                while ones != 0 {
                    let column = 64 * word + ones.trailing_zeros() as usize;
                    for (half, key) in self.halves.iter_mut().zip(key.0) {
                        half[column] = half[column].wrapping_add(key);
                    }
                    ones &= ones - 1;
                }
            }
        }
    }

    /// 32 columns at a time: eight registers of sums, one masked addition for each eight columns.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    fn fill_avx512(&mut self, bits: &BitMatrix, keys: &[Key], rows: &[u32]) {
        use std::arch::x86_64::*;
        let [lower, upper] = &mut self.halves;
        for (block, (lower, upper)) in lower.chunks_exact_mut(32).zip(upper.chunks_exact_mut(32)).enumerate() {
            if 32 * block >= bits.columns() {
                break;
            }
            let mut sums = [[_mm512_setzero_si512(); 4]; 2];
            for &row in rows {
                let ones = (bits.row(row as usize)[block / 2] >> (block % 2 * 32)) as u32;
                let key = keys[row as usize].0;
                for (half, sums) in sums.iter_mut().enumerate() {
                    let key = _mm512_set1_epi64(key[half] as i64);
                    for (eight, sum) in sums.iter_mut().enumerate() {
                        *sum = _mm512_mask_add_epi64(*sum, (ones >> (8 * eight)) as u8, *sum, key);
                    }
                }
            }
            for (sums, to) in sums.iter().zip([lower, upper]) {
                for (sum, to) in sums.iter().zip(to.chunks_exact_mut(8)) {
                    // SAFETY: there are eight sums.
                    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), *sum) };
                }
            }
        }
    }

    /// 16 columns at a time: four for each register, masks made from bits by a comparison.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn fill_avx2(&mut self, bits: &BitMatrix, keys: &[Key], rows: &[u32]) {
        use std::arch::x86_64::*;
        let [lower, upper] = &mut self.halves;
        let place: [__m256i; 4] = std::array::from_fn(|four| {
            let bit = 1i64 << (4 * four);
            _mm256_setr_epi64x(bit, bit << 1, bit << 2, bit << 3)
        });
        for (block, (lower, upper)) in lower.chunks_exact_mut(16).zip(upper.chunks_exact_mut(16)).enumerate() {
            if 16 * block >= bits.columns() {
                break;
            }
            let mut sums = [[_mm256_setzero_si256(); 4]; 2];
            for &row in rows {
                let ones = bits.row(row as usize)[block / 4] >> (block % 4 * 16);
                let ones = _mm256_set1_epi64x(ones as i64);
                let [low, high] = keys[row as usize].0;
                let key = [_mm256_set1_epi64x(low as i64), _mm256_set1_epi64x(high as i64)];
                for four in 0..4 {
                    let has = _mm256_cmpeq_epi64(_mm256_and_si256(ones, place[four]), place[four]);
                    for half in 0..2 {
                        sums[half][four] = _mm256_add_epi64(sums[half][four], _mm256_and_si256(key[half], has));
                    }
                }
            }
            for (sums, to) in sums.iter().zip([lower, upper]) {
                for (sum, to) in sums.iter().zip(to.chunks_exact_mut(4)) {
                    // SAFETY: there are four sums.
                    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), *sum) };
                }
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::table::scramble;
    use super::*;

    #[test]
    fn all_tiers_add_up_the_same_keys() {
        for (rows, columns) in [(1, 1), (10, 15), (33, 64), (70, 130)] {
            let cells: Vec<u8> = (0..rows * columns).map(|i| u8::from(scramble(i as u64).is_multiple_of(3))).collect();
            let bits = BitMatrix::from_rows(rows, columns, &cells).unwrap();
            let keys: Vec<Key> = (0..rows).map(Key::of_row).collect();
            let list: Vec<u32> = (0..rows as u32).filter(|row| row % 4 != 2).collect();
            for isa in Isa::all() {
                let mut sums = KeySums::default();
                sums.fill(isa, &bits, &keys, &list);
                for column in 0..columns {
                    let own = list.iter().filter(|&&row| bits.get(row as usize, column));
                    let sum = own.fold(Key::default(), |sum, &row| sum.with(keys[row as usize]));
                    assert_eq!(sums.get(column), sum);
                }
            }
        }
    }
}
