//! Columns of zeros and ones, packed.

use treewright_core::Result;
use treewright_core::prelude::{Isa, Tier, memory};

/// A table of zeros and ones. Each row is a whole number of words; the bits behind its last column are 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitMatrix {
    rows: usize,
    columns: usize,
    words: Vec<u64>,
}

impl BitMatrix {
    /// A table of zeros.
    pub fn zeros(rows: usize, columns: usize) -> Result<BitMatrix> {
        Ok(BitMatrix { rows, columns, words: memory::filled(0, rows * columns.div_ceil(64))? })
    }

    /// Packs cells that lie row after row; any value but 0 is a one.
    pub fn from_rows<T: Cell>(rows: usize, columns: usize, cells: &[T]) -> Result<BitMatrix> {
        BitMatrix::from_single_rows(rows, columns, cells.chunks_exact(columns.max(1)))
    }

    /// Packs rows wherever they lie, such as those of a part of a wider table; any value but 0 is a one.
    pub fn from_single_rows<'a, T: Cell + 'a>(
        rows: usize,
        columns: usize,
        cells: impl Iterator<Item = &'a [T]>,
    ) -> Result<BitMatrix> {
        let mut matrix = BitMatrix::zeros(rows, columns)?;
        let width = matrix.row_words();
        if width == 0 {
            return Ok(matrix);
        }
        let isa = Isa::detect();
        for (row, words) in cells.zip(matrix.words.chunks_exact_mut(width)) {
            T::pack_row(isa, row, words);
        }
        Ok(matrix)
    }

    /// Packs cells that lie column after column; any value but 0 is a one.
    pub fn from_columns<T: Cell>(rows: usize, columns: usize, cells: &[T]) -> Result<BitMatrix> {
        let mut matrix = BitMatrix::zeros(rows, columns)?;
        let width = matrix.row_words();
        for (column, cells) in cells.chunks_exact(rows.max(1)).take(columns).enumerate() {
            for (row, &cell) in cells.iter().enumerate() {
                matrix.words[row * width + column / 64] |= u64::from(cell != T::default()) << (column % 64);
            }
        }
        Ok(matrix)
    }

    /// Packs any cells.
    pub fn from_cells(rows: usize, columns: usize, is_one: impl Fn(usize, usize) -> bool) -> Result<BitMatrix> {
        let mut matrix = BitMatrix::zeros(rows, columns)?;
        for row in 0..rows {
            for column in (0..columns).filter(|&column| is_one(row, column)) {
                matrix.set(row, column);
            }
        }
        Ok(matrix)
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The number of words in a row.
    pub fn row_words(&self) -> usize {
        self.columns.div_ceil(64)
    }

    /// The words of a row: column j is bit j % 64 of word j / 64.
    #[inline]
    pub fn row(&self, row: usize) -> &[u64] {
        &self.words[row * self.row_words()..(row + 1) * self.row_words()]
    }

    /// The words of a row, to be changed; the bits behind the last column stay 0.
    #[inline]
    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [u64] {
        let width = self.row_words();
        &mut self.words[row * width..(row + 1) * width]
    }

    /// All words, row after row.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// All words, row after row, to be changed.
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// Whether the cell is a one.
    #[inline]
    pub fn get(&self, row: usize, column: usize) -> bool {
        self.words[row * self.row_words() + column / 64] >> (column % 64) & 1 == 1
    }

    /// Makes the cell a one.
    #[inline]
    pub fn set(&mut self, row: usize, column: usize) {
        let width = self.row_words();
        self.words[row * width + column / 64] |= 1 << (column % 64);
    }
}

/// A value of a table that is to be packed.
pub trait Cell: Copy + PartialEq + Default {
    /// Packs a row: 64 cells in each word; any value but 0 is a one.
    fn pack_row(_isa: Isa, row: &[Self], words: &mut [u64]) {
        pack_portable(row, words);
    }
}

impl Cell for u8 {}

macro_rules! packed_by_comparison {
    ($number:ty, $lanes:expr, $name:ident, $load:ident, $zero:ident, $compare:ident, $mask:ident) => {
        impl Cell for $number {
            fn pack_row(isa: Isa, row: &[$number], words: &mut [u64]) {
                match isa.tier() {
                    // SAFETY: an `Isa` of these tiers exists only where the processor has AVX2.
                    #[cfg(target_arch = "x86_64")]
                    Tier::Avx2 | Tier::Avx512 => unsafe { $name(row, words) },
                    _ => pack_portable(row, words),
                }
            }
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx,avx2")]
        fn $name(row: &[$number], words: &mut [u64]) {
            use std::arch::x86_64::*;
            for (cells, word) in row.chunks(64).zip(words) {
                let (registers, rest) = cells.as_chunks::<$lanes>();
                let mut ones = 0;
                for (place, numbers) in registers.iter().enumerate() {
                    // SAFETY: the register is as long as the array. What is not equal to 0, or not a number, is a one.
                    let unequal = unsafe { $compare::<_CMP_NEQ_UQ>($load(numbers.as_ptr()), $zero()) };
                    ones |= u64::from($mask(unequal) as u32) << ($lanes * place);
                }
                for (place, number) in rest.iter().enumerate() {
                    ones |= u64::from(*number != 0.0) << ($lanes * registers.len() + place);
                }
                *word = ones;
            }
        }
    };
}
packed_by_comparison!(f64, 4, pack_doubles, _mm256_loadu_pd, _mm256_setzero_pd, _mm256_cmp_pd, _mm256_movemask_pd);
packed_by_comparison!(f32, 8, pack_singles, _mm256_loadu_ps, _mm256_setzero_ps, _mm256_cmp_ps, _mm256_movemask_ps);

fn pack_portable<T: Cell>(row: &[T], words: &mut [u64]) {
    for (cells, word) in row.chunks(64).zip(words) {
        let mut ones = [0; 64];
        for (one, &cell) in ones.iter_mut().zip(cells) {
            *one = u8::from(cell != T::default());
        }
        *word = pack_ones(&ones);
    }
}

/// 64 zeros and ones in one word: eight bytes at a time, brought together by one multiplication.
fn pack_ones(ones: &[u8; 64]) -> u64 {
    let eights = ones.as_chunks::<8>().0.iter().enumerate();
    eights.fold(0, |word, (place, &bytes)| {
        word | (u64::from_le_bytes(bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * place)
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn packing_by_rows_and_by_columns_agree_with_the_cells() {
        for (rows, columns) in [(0, 0), (1, 1), (3, 0), (0, 4), (5, 7), (4, 64), (9, 65), (2, 130)] {
            let cell = |row: usize, column: usize| ((row * 31 + column * 17) % 5 * 3) as u8;
            let by_rows: Vec<u8> = (0..rows * columns).map(|k| cell(k / columns, k % columns)).collect();
            let by_columns: Vec<u8> = (0..rows * columns).map(|k| cell(k % rows, k / rows)).collect();
            let matrix = BitMatrix::from_rows(rows, columns, &by_rows).unwrap();
            assert_eq!(matrix, BitMatrix::from_columns(rows, columns, &by_columns).unwrap());
            let numbers: Vec<f64> = by_rows.iter().map(|&cell| f64::from(cell)).collect();
            assert_eq!(matrix, BitMatrix::from_rows(rows, columns, &numbers).unwrap());
            let wider: Vec<u8> =
                by_rows.chunks(columns.max(1)).flat_map(|row| [&[1][..], row, &[0]].concat()).collect();
            let parts = wider.chunks(columns.max(1) + 2).map(|row| &row[1..=columns]);
            assert_eq!(matrix, BitMatrix::from_single_rows(rows, columns, parts).unwrap());
            let singles: Vec<f32> = by_rows.iter().map(|&cell| f32::from(cell)).collect();
            assert_eq!(matrix, BitMatrix::from_rows(rows, columns, &singles).unwrap());
            assert_eq!(matrix, BitMatrix::from_cells(rows, columns, |row, column| cell(row, column) != 0).unwrap());
            for row in 0..rows {
                for column in 0..columns {
                    assert_eq!(matrix.get(row, column), cell(row, column) != 0);
                }
            }
        }
    }
}
