//! Sets of rows as bits, with the weight of each class in them.

use crate::problem::{Columns, Problem, Target};
use treewright_core::prelude::memory;
use treewright_core::{Error, Result};

/// The rows of a table, column after column.
pub struct Rows {
    words: usize,
    /// For each column, the rows that have a one.
    ones: Vec<Vec<u64>>,
    /// For each class and each bit of the weights, the rows that have it.
    planes: Vec<(usize, u32, Vec<u64>)>,
    classes: usize,
    used: Vec<u64>,
}

/// Some rows.
#[derive(Clone, Debug)]
pub struct Set {
    bits: Vec<u64>,
    /// The weight of each class.
    pub weights: Vec<i64>,
    /// The number of rows.
    pub rows: usize,
}

impl Rows {
    /// The rows of a problem; those of weight 0 are left out.
    pub fn new(problem: &Problem<'_>) -> Result<Rows> {
        let (Columns::Bits(matrix), Target::Classes { codes, classes }) = (problem.columns, problem.target) else {
            return Err(Error::data("data.target", "trees are counted for bit columns and classes"));
        };
        let words = codes.len().div_ceil(64);
        let choose = |has: &dyn Fn(usize) -> bool| -> Result<Vec<u64>> {
            let mut bits = memory::filled(0u64, words)?;
            (0..codes.len()).filter(|&row| has(row)).for_each(|row| bits[row / 64] |= 1 << (row % 64));
            Ok(bits)
        };
        let mut rows = Rows { words, ones: Vec::new(), planes: Vec::new(), classes, used: Vec::new() };
        rows.used = choose(&|row| problem.weight(row) > 0)?;
        for column in 0..matrix.columns() {
            rows.ones.push(choose(&|row| matrix.get(row, column))?);
        }
        for class in 0..classes {
            for shift in 0..u32::BITS {
                let bits = choose(&|row| codes[row] as usize == class && problem.weight(row) >> shift & 1 == 1)?;
                if bits.iter().any(|&word| word != 0) {
                    rows.planes.push((class, shift, bits));
                }
            }
        }
        Ok(rows)
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.ones.len()
    }

    /// All rows.
    pub fn all(&self) -> Set {
        self.count(self.used.clone())
    }

    fn count(&self, bits: Vec<u64>) -> Set {
        let mut weights = vec![0; self.classes.max(1)];
        for (class, shift, plane) in &self.planes {
            let rows_of_class: u32 = plane.iter().zip(&bits).map(|(plane, bits)| (plane & bits).count_ones()).sum();
            weights[*class] += i64::from(rows_of_class) << shift;
        }
        let rows = bits.iter().map(|word| word.count_ones() as usize).sum();
        Set { bits, weights, rows }
    }

    /// Counts the rows of a set that have a one in a column, and the weight of each class among them.
    pub fn count_ones(&self, set: &Set, column: usize, weights: &mut [i64]) -> usize {
        let ones = &self.ones[column];
        weights.fill(0);
        for (class, shift, plane) in &self.planes {
            let both = set.bits.iter().zip(ones).zip(plane).map(|((set, ones), plane)| set & ones & plane);
            weights[*class] += i64::from(both.map(u64::count_ones).sum::<u32>()) << shift;
        }
        set.bits.iter().zip(ones).map(|(set, ones)| (set & ones).count_ones() as usize).sum()
    }

    /// The rows of a set without a one in a column, and those with one.
    pub fn divide(&self, set: &Set, column: usize) -> [Set; 2] {
        let mut bits = Vec::with_capacity(self.words);
        bits.extend(set.bits.iter().zip(&self.ones[column]).map(|(set, ones)| set & ones));
        let ones = self.count(bits);
        let rest = set.bits.iter().zip(&ones.bits).map(|(set, ones)| set & !ones).collect();
        let weights = set.weights.iter().zip(&ones.weights).map(|(all, ones)| all - ones).collect();
        [Set { bits: rest, weights, rows: set.rows - ones.rows }, ones]
    }
}
