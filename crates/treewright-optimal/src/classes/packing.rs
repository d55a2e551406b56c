//! Some columns of rows of bits, packed; and bits of rows turned into words of columns.

use super::lanes::WORD;
use treewright_core::prelude::{Isa, Tier};

/// Picks some bits of rows of words.
#[derive(Debug, Default)]
pub struct Picker {
    masks: Vec<u64>,
}

impl Picker {
    /// Picks these columns, which must be sorted, of rows of so many words.
    pub fn set(&mut self, columns: &[u32], row_words: usize) {
        self.masks.clear();
        self.masks.resize(row_words, 0);
        for &column in columns {
            self.masks[column as usize / 64] |= 1 << (column % 64);
        }
    }

    /// Writes the picked bits of a row, the first in the lowest bit of the first word. The words were zero before.
    #[inline(always)]
    fn pick(&self, row: &[u64], to: &mut [u64], extract: impl Fn(u64, u64) -> u64) {
        let mut place = 0;
        for (&word, &mask) in row.iter().zip(&self.masks) {
            if mask == 0 {
                continue;
            }
            let bits = extract(word, mask);
            let (at, shift) = (place / 64, place % 64);
            to[at] |= bits << shift;
            let count = mask.count_ones() as usize;
            if shift + count > 64 {
                to[at + 1] |= bits >> (64 - shift);
            }
            place += count;
        }
    }

    /// Packs many rows: row r is at `rows(r)`; its packed words go to `to`, `width` words each.
    pub fn pick_rows<'a>(&self, isa: Isa, rows: impl Iterator<Item = &'a [u64]>, width: usize, to: &mut [u64]) {
        to.fill(0);
        match isa.tier() {
            // SAFETY: an `Isa` of these tiers exists only where the processor has BMI2.
            #[cfg(target_arch = "x86_64")]
            Tier::Avx2 | Tier::Avx512 => unsafe { self.pick_rows_bmi2(rows, width, to) },
            _ => rows.zip(to.chunks_exact_mut(width)).for_each(|(row, to)| self.pick(row, to, extract_bits)),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt")]
    fn pick_rows_bmi2<'a>(&self, rows: impl Iterator<Item = &'a [u64]>, width: usize, to: &mut [u64]) {
        use std::arch::x86_64::_pext_u64;
        for (row, to) in rows.zip(to.chunks_exact_mut(width)) {
            self.pick(row, to, |word, mask| _pext_u64(word, mask));
        }
    }
}

/// The bits of a word where the mask has ones, side by side.
fn extract_bits(word: u64, mut mask: u64) -> u64 {
    let (mut bits, mut place) = (0, 0);
    while mask != 0 {
        bits |= (word >> mask.trailing_zeros() & 1) << place;
        place += 1;
        mask &= mask - 1;
    }
    bits
}

/// Writes words of 16 rows: `list` names rows of `masks`, which have `row_words` words of 64 columns each. Word by word,
/// `width` columns, a multiple of 16, go to `to`.
///
/// # Safety
/// The listed rows exist.
pub unsafe fn transpose(isa: Isa, masks: &[u64], row_words: usize, list: &[u32], width: usize, to: &mut [u16]) {
    assert!(width <= 64 * row_words && to.len() >= list.len().div_ceil(WORD) * width);
    debug_assert!(list.iter().all(|&row| (row as usize + 1) * row_words <= masks.len()));
    if width == 0 {
        return;
    }
    match isa.tier() {
        // SAFETY: the processor has the instructions; the rows exist, and so do the words, as was just checked.
        #[cfg(target_arch = "x86_64")]
        Tier::Avx512 => unsafe { transpose_avx512(masks, row_words, list, width, to) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Tier::Avx2 => unsafe { transpose_avx2(masks, row_words, list, width, to) },
        _ => transpose_portable(masks, row_words, list, width, to),
    }
}

fn transpose_portable(masks: &[u64], row_words: usize, list: &[u32], width: usize, to: &mut [u16]) {
    for (rows, words) in list.chunks(WORD).zip(to.chunks_exact_mut(width)) {
        words.fill(0);
        for (place, &row) in rows.iter().enumerate() {
            let mask = &masks[row as usize * row_words..][..row_words];
            for (columns, word) in words.chunks_mut(64).zip(mask) {
                for (column, to) in columns.iter_mut().enumerate() {
                    *to |= ((word >> column & 1) as u16) << place;
                }
            }
        }
    }
}

/// One masked addition for each row and 32 columns (16 for the last ones).
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
unsafe fn transpose_avx512(masks: &[u64], row_words: usize, list: &[u32], width: usize, to: &mut [u16]) {
    use std::arch::x86_64::*;
    let masks: *const u16 = masks.as_ptr().cast();
    for (rows, words) in list.chunks(WORD).zip(to.chunks_exact_mut(width)) {
        let mut column = 0;
        while column + 32 <= width {
            let mut sum = _mm512_setzero_si512();
            for (place, &row) in rows.iter().enumerate() {
                // SAFETY: the row has these columns; the reading need not be aligned.
                let mask =
                    unsafe { masks.add(row as usize * row_words * 4 + column / 16).cast::<u32>().read_unaligned() };
                sum = _mm512_mask_add_epi16(sum, mask, sum, _mm512_set1_epi16((1u16 << place) as i16));
            }
            // SAFETY: the words have these columns.
            unsafe { _mm512_storeu_si512(words.as_mut_ptr().add(column).cast(), sum) };
            column += 32;
        }
        if column < width {
            let mut sum = _mm256_setzero_si256();
            for (place, &row) in rows.iter().enumerate() {
                // SAFETY: as above.
                let mask = unsafe { *masks.add(row as usize * row_words * 4 + column / 16) };
                sum = _mm256_mask_add_epi16(sum, mask, sum, _mm256_set1_epi16((1u16 << place) as i16));
            }
            // SAFETY: as above.
            unsafe { _mm256_storeu_si256(words.as_mut_ptr().add(column).cast(), sum) };
        }
    }
}

/// Blocks of 16 rows and 16 columns: the lower bytes of all rows in one half of a register and the upper ones in the
/// other; the highest bits of all bytes are two columns.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
unsafe fn transpose_avx2(masks: &[u64], row_words: usize, list: &[u32], width: usize, to: &mut [u16]) {
    use std::arch::x86_64::*;
    let masks: *const u16 = masks.as_ptr().cast();
    let halves = _mm256_setr_epi8(
        0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15, 0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15,
    );
    for (rows, words) in list.chunks(WORD).zip(to.chunks_exact_mut(width)) {
        for (block, columns) in words.chunks_exact_mut(16).enumerate() {
            let mut cells = [0u16; 16];
            for (cell, &row) in cells.iter_mut().zip(rows) {
                // SAFETY: the row has these columns.
                *cell = unsafe { *masks.add(row as usize * row_words * 4 + block) };
            }
            // SAFETY: the array has 32 bytes.
            let loaded = unsafe { _mm256_loadu_si256(cells.as_ptr().cast()) };
            // Lower bytes of rows 0..8, upper bytes of rows 0..8, then rows 8..16; the middle quarters change places.
            let mut bytes = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_shuffle_epi8(loaded, halves));
            for bit in (0..8).rev() {
                let tops = _mm256_movemask_epi8(bytes) as u32;
                columns[bit] = tops as u16;
                columns[8 + bit] = (tops >> 16) as u16;
                bytes = _mm256_add_epi8(bytes, bytes);
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
    fn all_tiers_pick_and_transpose_alike() {
        for (rows, width) in [(1, 16), (15, 16), (16, 32), (17, 48), (64, 96), (65, 144)] {
            let row_words = usize::div_ceil(width, 64);
            let masks: Vec<u64> = (0..rows * row_words).map(|i| scramble(i as u64)).collect();
            let list: Vec<u32> = (0..rows as u32).filter(|row| row % 3 != 1).collect();
            let columns: Vec<u32> =
                (0..64 * row_words as u32).filter(|c| !scramble(u64::from(*c)).is_multiple_of(3)).collect();
            let mut picker = Picker::default();
            picker.set(&columns, row_words);
            let answers: Vec<(Vec<u16>, Vec<u64>)> = Isa::all()
                .map(|isa| {
                    let mut words = vec![7; list.len().div_ceil(WORD) * width];
                    // SAFETY: the listed rows are below the number of rows.
                    unsafe { transpose(isa, &masks, row_words, &list, width, &mut words) };
                    let mut picked = vec![7; rows * row_words];
                    picker.pick_rows(isa, masks.chunks_exact(row_words), row_words, &mut picked);
                    (words, picked)
                })
                .collect();
            for (place, &row) in list.iter().enumerate() {
                for column in 0..width {
                    let bit = masks[row as usize * row_words + column / 64] >> (column % 64) & 1;
                    assert_eq!(u64::from(answers[0].0[place / 16 * width + column] >> (place % 16) & 1), bit);
                }
            }
            for (place, &column) in columns.iter().enumerate() {
                let bit = |words: &[u64], at: usize| words[at / 64] >> (at % 64) & 1;
                assert_eq!(bit(&answers[0].1, place), bit(&masks, column as usize));
            }
            assert!(answers.iter().all(|answer| *answer == answers[0]));
        }
    }
}
