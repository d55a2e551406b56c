//! Columns of zeros and ones, packed.

use treewright_core::Result;
use treewright_core::prelude::memory;

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

    /// Packs one byte per cell, row after row; any byte but 0 is a one.
    pub fn from_row_bytes(rows: usize, columns: usize, cells: &[u8]) -> Result<BitMatrix> {
        let mut matrix = BitMatrix::zeros(rows, columns)?;
        let width = matrix.row_words();
        if width == 0 {
            return Ok(matrix);
        }
        for (row, words) in cells.chunks_exact(columns).zip(matrix.words.chunks_exact_mut(width)) {
            for (cells, word) in row.chunks(64).zip(words) {
                *word = pack_cells(cells);
            }
        }
        Ok(matrix)
    }

    /// Packs one byte per cell, column after column; any byte but 0 is a one.
    pub fn from_column_bytes(rows: usize, columns: usize, cells: &[u8]) -> Result<BitMatrix> {
        let mut matrix = BitMatrix::zeros(rows, columns)?;
        let width = matrix.row_words();
        for (column, cells) in cells.chunks_exact(rows.max(1)).take(columns).enumerate() {
            for (row, &cell) in cells.iter().enumerate() {
                matrix.words[row * width + column / 64] |= u64::from(cell != 0) << (column % 64);
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

/// Up to 64 cells in one word: eight bytes at a time, whose highest bits are set where the byte is not 0 and then brought
/// together by one multiplication.
fn pack_cells(cells: &[u8]) -> u64 {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let mut word = 0;
    let mut place = 0;
    let mut add = |bytes: [u8; 8]| {
        let bytes = u64::from_le_bytes(bytes);
        let ones = (((bytes & LOW) + LOW) | bytes) >> 7 & 0x0101_0101_0101_0101;
        word |= (ones.wrapping_mul(0x0102_0408_1020_4080) >> 56) << place;
        place += 8;
    };
    let (eights, rest) = cells.as_chunks::<8>();
    eights.iter().for_each(|&bytes| add(bytes));
    if !rest.is_empty() {
        let mut bytes = [0; 8];
        bytes[..rest.len()].copy_from_slice(rest);
        add(bytes);
    }
    word
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
            let matrix = BitMatrix::from_row_bytes(rows, columns, &by_rows).unwrap();
            assert_eq!(matrix, BitMatrix::from_column_bytes(rows, columns, &by_columns).unwrap());
            for row in 0..rows {
                for column in 0..columns {
                    assert_eq!(matrix.get(row, column), cell(row, column) != 0);
                }
            }
        }
    }
}
