//! The rows of a node on one side of a column.

use super::lanes::WORD;
use treewright_core::prelude::{Isa, Tier};

/// Lists the rows of a part that have a one (or a zero) in a column. `words` are those of the part, `first` the number of
/// its first row, `rows` how many it has.
#[allow(clippy::too_many_arguments)]
pub fn list_rows(
    isa: Isa,
    words: &[u16],
    width: usize,
    column: usize,
    ones: bool,
    first: usize,
    rows: usize,
    list: &mut Vec<u32>,
) {
    list.clear();
    list.reserve(rows.next_multiple_of(WORD) + WORD);
    match isa.tier() {
        // SAFETY: an `Isa` of this tier exists only where the processor has these instructions.
        #[cfg(target_arch = "x86_64")]
        Tier::Avx512 => unsafe { list_avx512(words, width, column, ones, first, rows, list) },
        _ => list_portable(words, width, column, ones, first, rows, list),
    }
}

/// The bits of a word whose rows are wanted: the last word of a part may have fewer than 16 rows.
#[inline(always)]
fn wanted_rows(word: u16, ones: bool, place: usize, rows: usize) -> u16 {
    let used = (rows - place * WORD).min(WORD);
    if ones { word } else { !word & ((1u32 << used) - 1) as u16 }
}

fn list_portable(
    words: &[u16],
    width: usize,
    column: usize,
    ones: bool,
    first: usize,
    rows: usize,
    list: &mut Vec<u32>,
) {
    for (place, word) in words.chunks_exact(width).enumerate() {
        let mut wanted = wanted_rows(word[column], ones, place, rows);
        while wanted != 0 {
            list.push((first + place * WORD) as u32 + wanted.trailing_zeros());
            wanted &= wanted - 1;
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,popcnt,bmi1")]
fn list_avx512(words: &[u16], width: usize, column: usize, ones: bool, first: usize, rows: usize, list: &mut Vec<u32>) {
    use std::arch::x86_64::*;
    let numbers = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    let mut length = 0;
    for (place, word) in words.chunks_exact(width).enumerate() {
        let wanted = wanted_rows(word[column], ones, place, rows);
        let all = _mm512_add_epi32(numbers, _mm512_set1_epi32((first + place * WORD) as i32));
        // SAFETY: the list has room for all rows and one more register.
        unsafe {
            let to = list.as_mut_ptr().add(length);
            _mm512_storeu_si512(to.cast(), _mm512_maskz_compress_epi32(wanted, all));
        }
        length += wanted.count_ones() as usize;
    }
    // SAFETY: so many numbers were written.
    unsafe { list.set_len(length) };
}

#[cfg(test)]
mod tests {
    use super::super::table::scramble;
    use super::*;

    #[test]
    fn all_tiers_list_the_same_rows() {
        for rows in [1usize, 15, 16, 17, 63, 64, 65] {
            let words: Vec<u16> = (0..rows.div_ceil(WORD) * 16)
                .map(|i| {
                    let used = (rows - i / 16 * WORD).min(WORD);
                    scramble(i as u64) as u16 & ((1u32 << used) - 1) as u16
                })
                .collect();
            for (column, ones) in [(0, true), (3, false), (15, true), (7, false)] {
                let has = |row: usize| words[row / WORD * 16 + column] >> (row % WORD) & 1 == 1;
                let right: Vec<u32> = (0..rows).filter(|&row| has(row) == ones).map(|row| 100 + row as u32).collect();
                for isa in Isa::all() {
                    let mut list = vec![1, 2, 3];
                    list_rows(isa, &words, 16, column, ones, 100, rows, &mut list);
                    assert_eq!(list, right);
                }
            }
        }
    }
}
