//! Which rows of a node go to its first child: one bit a row, from their codes.

use crate::simd::Isa;
#[cfg(target_arch = "x86_64")]
use crate::simd::Tier;

/// Codes that are looked up before they are compared: they stay in the nearest cache.
const BLOCK: usize = 2048;

/// A question about a code.
#[derive(Clone, Debug, PartialEq)]
pub enum Side {
    /// Codes up to `last` go to the first child, and `also` this one: that of missing values, or `last` again.
    UpTo {
        /// The last code that does.
        last: u8,
        /// One more that does.
        also: u8,
    },
    /// The codes whose bit is set do.
    Set([u64; 4]),
}

impl Side {
    /// Whether a code goes to the first child.
    #[inline(always)]
    pub fn holds(&self, code: u8) -> bool {
        match self {
            Side::UpTo { last, also } => code <= *last || code == *also,
            Side::Set(bits) => bits[usize::from(code) / 64] >> (code % 64) & 1 == 1,
        }
    }

    /// Writes the bits of some rows of a column, 32 a word; returns how many rows go to the first child.
    ///
    /// # Safety
    /// Every row is below the number of codes.
    pub unsafe fn mask(&self, isa: Isa, codes: &[u8], rows: &[u16], mask: &mut Vec<u32>) -> u32 {
        debug_assert!(rows.iter().all(|&row| usize::from(row) < codes.len()));
        mask.clear();
        mask.resize(rows.len().div_ceil(32), 0);
        // Codes are looked up one by one, which no gather of a processor beats, and compared many at a time.
        let mut listed = [0; BLOCK];
        for (rows, mask) in rows.chunks(BLOCK).zip(mask.chunks_mut(BLOCK / 32)) {
            for (code, &row) in listed.iter_mut().zip(rows) {
                // SAFETY: the caller's promise.
                *code = unsafe { *codes.get_unchecked(usize::from(row)) };
            }
            self.write_bits(isa, &listed[..rows.len()], mask);
        }
        mask.iter().map(|word| word.count_ones()).sum()
    }

    /// Writes the bits of rows that have these codes, in their order; returns how many go to the first child.
    pub fn mask_all(&self, isa: Isa, codes: &[u8], mask: &mut Vec<u32>) -> u32 {
        mask.clear();
        mask.resize(codes.len().div_ceil(32), 0);
        self.write_bits(isa, codes, mask);
        mask.iter().map(|word| word.count_ones()).sum()
    }

    fn write_bits(&self, isa: Isa, codes: &[u8], mask: &mut [u32]) {
        match *self {
            Side::UpTo { last, also } => up_to(isa, last, also, codes, mask),
            Side::Set(_) => {
                for (word, codes) in mask.iter_mut().zip(codes.chunks(32)) {
                    let bit = |(i, code): (usize, &u8)| u32::from(self.holds(*code)) << i;
                    *word = codes.iter().enumerate().map(bit).fold(0, |word, bit| word | bit);
                }
            }
        }
    }
}

/// Writes the bits of codes that are one code at most, or another.
fn up_to(isa: Isa, last: u8, also: u8, codes: &[u8], mask: &mut [u32]) {
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn avx2(last: u8, also: u8, codes: &[[u8; 32]], mask: &mut [u32]) {
        use std::arch::x86_64::{
            _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_min_epu8, _mm256_movemask_epi8, _mm256_or_si256,
            _mm256_set1_epi8,
        };
        let (last, also) = (_mm256_set1_epi8(last as i8), _mm256_set1_epi8(also as i8));
        for (word, codes) in mask.iter_mut().zip(codes) {
            // SAFETY: the codes are one register long.
            let codes = unsafe { _mm256_loadu_si256(codes.as_ptr().cast()) };
            let is_low = _mm256_cmpeq_epi8(_mm256_min_epu8(codes, last), codes);
            *word = _mm256_movemask_epi8(_mm256_or_si256(is_low, _mm256_cmpeq_epi8(codes, also))) as u32;
        }
    }
    let goes = |code: u8| code <= last || code == also;
    let bits = |codes: &[u8]| codes.iter().enumerate().fold(0, |word, (i, code)| word | u32::from(goes(*code)) << i);
    let (blocks, rest) = codes.as_chunks::<32>();
    match isa.tier() {
        // SAFETY: both tiers of this architecture have the instructions. (Compilers make long code of the loop below.)
        #[cfg(target_arch = "x86_64")]
        Tier::Avx2 | Tier::Avx512 => unsafe { avx2(last, also, blocks, mask) },
        _ => mask.iter_mut().zip(blocks).for_each(|(word, codes)| *word = bits(codes)),
    }
    if let Some(word) = mask.get_mut(blocks.len()) {
        *word = bits(rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_answers_in_all_tiers() {
        let codes: Vec<u8> = (0..70_000usize).map(|i| ((i * 7919) >> 3) as u8).collect();
        for count in [0, 1, 15, 16, 31, 32, 33, 64, 1000] {
            let rows: Vec<u16> = (0..count).map(|i: usize| (i * 65_521 % 65_536) as u16).collect();
            for side in
                [Side::UpTo { last: 100, also: 255 }, Side::UpTo { last: 0, also: 0 }, Side::Set([7, 0, 9, 1 << 63])]
            {
                for isa in Isa::all() {
                    let mut mask = vec![77];
                    // SAFETY: there are 70,000 codes, and rows have 16 bits.
                    let front = unsafe { side.mask(isa, &codes, &rows, &mut mask) };
                    assert_eq!(mask.len(), count.div_ceil(32));
                    assert_eq!(front as usize, rows.iter().filter(|&&row| side.holds(codes[usize::from(row)])).count());
                    let told = |i: usize| mask[i / 32] >> (i % 32) & 1 == 1;
                    assert!((0..count).all(|i| told(i) == side.holds(codes[usize::from(rows[i])])));
                    let front = side.mask_all(isa, &codes[..count], &mut mask);
                    assert!((0..count).all(|i| mask[i / 32] >> (i % 32) & 1 == u32::from(side.holds(codes[i]))));
                    assert_eq!(
                        (front as usize, mask.len()),
                        (codes[..count].iter().filter(|c| side.holds(**c)).count(), count.div_ceil(32))
                    );
                }
            }
        }
    }
}
