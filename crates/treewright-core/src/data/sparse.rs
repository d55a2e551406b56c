//! A matrix of numbers that are mostly zero: of each column only the rows that hold anything else, ascending.
//!
//! A stored number is never zero; it may be missing (NaN). So a table has one sparse form, whatever it was made from.

use crate::data::table::MAX_ROWS;
use crate::{Error, Result};
use std::ops::Range;

/// One column of a sparse matrix: rows that are not listed hold 0.
#[derive(Clone, Copy, Debug)]
pub struct Sparse<'a> {
    rows: &'a [u32],
    values: &'a [f64],
    len: usize,
}

impl<'a> Sparse<'a> {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The rows that hold something, ascending.
    pub fn rows(&self) -> &'a [u32] {
        self.rows
    }

    /// What they hold.
    pub fn values(&self) -> &'a [f64] {
        self.values
    }

    /// The number of a row: a search among those that are stored.
    #[inline]
    pub fn at(&self, row: usize) -> f64 {
        self.rows.binary_search(&(row as u32)).map_or(0.0, |place| self.values[place])
    }

    /// What is stored in some rows: how far each is from the first of them, and its number.
    pub fn stored(&self, rows: Range<usize>) -> impl Iterator<Item = (usize, f64)> + 'a {
        let place = |row: usize| self.rows.partition_point(|&stored| (stored as usize) < row);
        let places = place(rows.start)..place(rows.end);
        let rows_and_values = self.rows[places.clone()].iter().zip(&self.values[places]);
        rows_and_values.map(move |(&row, &value)| (row as usize - rows.start, value))
    }

    /// Writes the numbers from a row on, as many as there is room for.
    pub fn fill(&self, first: usize, out: &mut [f64]) {
        out.fill(0.0);
        let rows = first..first + out.len();
        self.stored(rows).for_each(|(place, value)| out[place] = value);
    }
}

/// All columns, one behind the other.
#[derive(Debug)]
pub struct SparseMatrix {
    n_rows: usize,
    /// Where each column begins; one more for the end of the last.
    starts: Vec<usize>,
    rows: Vec<u32>,
    values: Vec<f64>,
}

impl SparseMatrix {
    /// Checks that rows ascend within each column and that no zero is stored.
    pub fn new(n_rows: usize, starts: Vec<usize>, rows: Vec<u32>, values: Vec<f64>) -> Result<SparseMatrix> {
        let ends = starts.first() == Some(&0) && starts.last() == Some(&rows.len()) && rows.len() == values.len();
        let ascend = |column: &[usize]| {
            column[0] <= column[1] && rows.get(column[0]..column[1]).is_some_and(|rows| rows.is_sorted_by(|a, b| a < b))
        };
        let inside = rows.iter().all(|&row| (row as usize) < n_rows);
        if n_rows > MAX_ROWS || !ends || !inside || !starts.windows(2).all(ascend) || values.contains(&0.0) {
            return Err(Error::data("data.sparse", "the columns of the sparse matrix are out of order"));
        }
        Ok(SparseMatrix { n_rows, starts, rows, values })
    }

    /// Rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        (self.n_rows, self.starts.len() - 1)
    }

    /// How many numbers are stored.
    pub fn stored(&self) -> usize {
        self.values.len()
    }

    /// The columns.
    pub fn columns(&self) -> impl Iterator<Item = Sparse<'_>> {
        self.starts.windows(2).map(|ends| {
            let places = ends[0]..ends[1];
            Sparse { rows: &self.rows[places.clone()], values: &self.values[places], len: self.n_rows }
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_its_number() {
        let matrix = SparseMatrix::new(5, vec![0, 2, 2, 3], vec![1, 4, 0], vec![2.0, f64::NAN, -1.0]).unwrap();
        assert_eq!((matrix.shape(), matrix.stored()), ((5, 3), 3));
        let columns: Vec<Sparse<'_>> = matrix.columns().collect();
        let numbers = |column: &Sparse<'_>| (0..5).map(|row| column.at(row)).collect::<Vec<_>>();
        assert_eq!(numbers(&columns[0])[..4], [0.0, 2.0, 0.0, 0.0]);
        assert!(columns[0].at(4).is_nan());
        assert_eq!(numbers(&columns[1]), [0.0; 5]);
        assert_eq!(numbers(&columns[2]), [-1.0, 0.0, 0.0, 0.0, 0.0]);
        let mut block = [9.0; 3];
        columns[0].fill(1, &mut block);
        assert_eq!(block, [2.0, 0.0, 0.0]);
    }

    #[test]
    fn what_is_out_of_order_is_refused() {
        let refused = |starts: &[usize], rows: &[u32], values: &[f64]| {
            SparseMatrix::new(3, starts.to_vec(), rows.to_vec(), values.to_vec()).is_err()
        };
        assert!(!refused(&[0, 1, 2], &[2, 0], &[1.0, 1.0]));
        assert!(refused(&[0, 2], &[2, 0], &[1.0, 1.0]) && refused(&[0, 2], &[1, 1], &[1.0, 1.0]));
        assert!(refused(&[0, 1], &[3], &[1.0]) && refused(&[0, 1], &[0], &[0.0]));
        assert!(refused(&[], &[], &[]) && refused(&[0, 2, 1], &[0], &[1.0]) && refused(&[0, 1], &[0], &[]));
    }
}
