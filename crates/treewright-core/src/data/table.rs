//! A table as the learners and the tree see it: borrowed columns of one length.
//!
//! Glossary. A *code* is the position of a category among the levels of its column. Two codes are no level:
//! [`MISSING`] (the cell is empty) and [`UNSEEN`] (a value that the column's levels do not hold; only when a model
//! is used). In a numeric column a missing value is NaN.

use super::sparse::Sparse;
use super::strided::Strided;
use super::survey::Summary;
use crate::sys::memory::{collected, filled};
use crate::{Error, Result};
use std::borrow::Cow;

/// The code of an empty cell in a categorical column.
pub const MISSING: u32 = u32::MAX;
/// The code of a value that is not among the column's levels.
pub const UNSEEN: u32 = u32::MAX - 1;

/// The most rows of a table: row numbers have 32 bits, and the last two are words that are no row.
pub const MAX_ROWS: usize = UNSEEN as usize;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Numbers.
    Numeric,
    /// Categories, so many levels.
    Categorical(u32),
}

/// One column of a table.
#[derive(Clone, Copy, Debug)]
pub enum Column<'a> {
    /// Numbers; NaN is missing.
    Numeric(&'a [f64]),
    /// Numbers that lie in a matrix; NaN is missing.
    Strided(Strided<'a>),
    /// Numbers that are mostly zero; NaN is missing.
    Sparse(Sparse<'a>),
    /// Codes of categories, each below `levels`, or [`MISSING`], or [`UNSEEN`].
    Categorical {
        /// One code a row.
        codes: &'a [u32],
        /// How many levels the column has.
        levels: u32,
    },
}

impl<'a> Column<'a> {
    /// The number of rows.
    pub fn len(&self) -> usize {
        match self {
            Column::Numeric(values) => values.len(),
            Column::Strided(values) => values.len(),
            Column::Sparse(values) => values.len(),
            Column::Categorical { codes, .. } => codes.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of a row of a numeric column; NaN is missing.
    #[inline]
    pub fn number(&self, row: usize) -> f64 {
        match self {
            Column::Numeric(values) => values[row],
            Column::Strided(values) => values.at(row),
            Column::Sparse(values) => values.at(row),
            Column::Categorical { .. } => f64::NAN,
        }
    }

    /// All numbers of a numeric column.
    pub fn numbers(&self) -> Result<Cow<'a, [f64]>> {
        Ok(match *self {
            Column::Numeric(values) => values.into(),
            Column::Sparse(values) => {
                let mut numbers = filled(0.0, values.len())?;
                values.fill(0, &mut numbers);
                numbers.into()
            }
            _ => collected((0..self.len()).map(|row| self.number(row) + 0.0))?.into(),
        })
    }
}

/// Columns of one length, checked once: after [`Table::new`] every code is a level, [`MISSING`] or [`UNSEEN`].
#[derive(Clone, Debug)]
pub struct Table<'a> {
    columns: Vec<Column<'a>>,
    rows: usize,
    summaries: Option<Vec<Summary>>,
}

impl<'a> Table<'a> {
    /// Checks that the columns have `rows` rows each and that their codes are in range.
    pub fn new(columns: Vec<Column<'a>>, rows: usize) -> Result<Table<'a>> {
        if rows > MAX_ROWS {
            let message = format!("the table has {rows} rows; at most {MAX_ROWS} can be used");
            return Err(Error::data("data.too-many-rows", message));
        }
        for (i, column) in columns.iter().enumerate() {
            if column.len() != rows {
                let message = format!("column {i} has {} rows, the table {rows}", column.len());
                return Err(Error::data("data.lengths", message));
            }
            if let Column::Categorical { codes, levels } = *column
                && let Some(code) = codes.iter().find(|&&c| c >= levels && c < UNSEEN)
            {
                let message = format!("column {i} holds code {code} but has {levels} levels");
                return Err(Error::data("data.codes", message));
            }
        }
        Ok(Table { columns, rows, summaries: None })
    }

    /// The same table, whose numbers somebody has looked at already: a summary for each column.
    pub fn surveyed(self, summaries: Vec<Summary>) -> Table<'a> {
        Table { summaries: Some(summaries), ..self }
    }

    /// What its columns of numbers are like, where known.
    pub fn summaries(&self) -> Option<&[Summary]> {
        self.summaries.as_deref()
    }

    /// The columns.
    pub fn columns(&self) -> &[Column<'a>] {
        &self.columns
    }

    /// The columns, where all are read where they lie.
    pub fn strided(&self) -> Option<Vec<Strided<'a>>> {
        let strided = |column: &Column<'a>| if let Column::Strided(strided) = column { Some(*strided) } else { None };
        self.columns.iter().map(strided).collect()
    }

    /// What each column holds.
    pub fn kinds(&self) -> Vec<Kind> {
        let kind = |column: &Column<'_>| match column {
            Column::Numeric(_) | Column::Strided(_) | Column::Sparse(_) => Kind::Numeric,
            Column::Categorical { levels, .. } => Kind::Categorical(*levels),
        };
        self.columns.iter().map(kind).collect()
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_rows_than_have_a_number_are_refused() {
        assert!(Table::new(Vec::new(), MAX_ROWS).is_ok());
        assert!(matches!(Table::new(Vec::new(), MAX_ROWS + 1), Err(Error::Data { slug: "data.too-many-rows", .. })));
    }
}
