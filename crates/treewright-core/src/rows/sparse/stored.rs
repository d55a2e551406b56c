//! What a sparse table stores, as codes: column by column in the order of the codes, and row by row. Each column has a code
//! for zero, stored or not.
//!
//! Glossary. An *item* is one stored cell. In a list of a column it is the code, and in its lower half the row; in a list
//! of a row it is the column, and in its lower half the code.

use crate::Result;
use crate::data::sparse::Sparse;
use crate::data::table::{Column, Table};
use crate::sys::memory::{filled, room};
use crate::sys::pool::Cancel;
use std::sync::Arc;

/// The upper half of an item: the code, or the column.
#[inline(always)]
pub fn upper(item: u64) -> u32 {
    (item >> 32) as u32
}

/// The lower half of an item: the row, or the code.
#[inline(always)]
pub fn lower(item: u64) -> u32 {
    item as u32
}

/// An item of both halves.
#[inline(always)]
pub fn item(upper: u32, lower: u32) -> u64 {
    u64::from(upper) << 32 | u64::from(lower)
}

/// The items of some rows, column by column. Columns that store nothing there are left out.
#[derive(Debug, Default)]
pub struct ColumnLists {
    /// The rows whose items these are, ascending or not; empty where they are all rows of the table.
    pub rows: Vec<u32>,
    columns: Vec<u32>,
    starts: Vec<usize>,
    items: Vec<u64>,
}

impl ColumnLists {
    /// How many items there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// How many columns have any.
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// One of the columns, by its place among them: its number, and its items by code.
    pub fn at(&self, place: usize) -> (u32, &[u64]) {
        (self.columns[place], &self.items[self.starts[place]..self.starts[place + 1]])
    }

    /// The items of a column by its number.
    pub fn of(&self, column: u32) -> &[u64] {
        self.columns.binary_search(&column).map_or(&[], |place| self.at(place).1)
    }
}

/// All that a table stores.
#[derive(Debug)]
pub struct StoredTable {
    n_rows: usize,
    /// The code of zero in each column.
    zeros: Vec<u32>,
    lists: Arc<ColumnLists>,
    row_starts: Vec<usize>,
    by_row: Vec<u64>,
}

impl StoredTable {
    /// Codes a table; None where not all of its columns are sparse. `code` is told the number of a column, appends its items
    /// by code, and returns the code of zero.
    pub fn new(
        table: &Table<'_>,
        cancel: &Cancel,
        mut code: impl FnMut(usize, &Sparse<'_>, &mut Vec<u64>) -> Result<u32>,
    ) -> Result<Option<StoredTable>> {
        let is_sparse = |column: &Column<'_>| matches!(column, Column::Sparse(_));
        if table.columns().is_empty() || !table.columns().iter().all(is_sparse) {
            return Ok(None);
        }
        let sparse = |column| if let &Column::Sparse(column) = column { Some(column) } else { None };
        let columns: Vec<Sparse<'_>> = table.columns().iter().filter_map(sparse).collect();
        let mut zeros = room(columns.len())?;
        let items = room(columns.iter().map(|column| column.rows().len()).sum())?;
        let mut lists = ColumnLists { items, starts: vec![0], ..ColumnLists::default() };
        for (number, column) in columns.iter().enumerate() {
            cancel.check()?;
            zeros.push(code(number, column, &mut lists.items)?);
            if !column.rows().is_empty() {
                lists.columns.push(number as u32);
                lists.starts.push(lists.items.len());
            }
        }
        let (row_starts, by_row) = turn(&lists, table.rows())?;
        Ok(Some(StoredTable { n_rows: table.rows(), zeros, lists: Arc::new(lists), row_starts, by_row }))
    }

    /// How many rows.
    pub fn rows(&self) -> usize {
        self.n_rows
    }

    /// How many columns.
    pub fn width(&self) -> usize {
        self.zeros.len()
    }

    /// The code of zero in a column.
    pub fn zero(&self, column: u32) -> u32 {
        self.zeros[column as usize]
    }

    /// The items of all rows, column by column.
    pub fn lists(&self) -> &Arc<ColumnLists> {
        &self.lists
    }

    /// The items of a row.
    pub fn items_of(&self, row: u32) -> &[u64] {
        &self.by_row[self.row_starts[row as usize]..self.row_starts[row as usize + 1]]
    }

    /// The items of some rows, column by column. `counts` has a place for each column, all 0, as it has afterwards.
    pub fn gather(&self, rows: Vec<u32>, counts: &mut [u32]) -> Result<ColumnLists> {
        let mut columns = Vec::new();
        for &item in rows.iter().flat_map(|&row| self.items_of(row)) {
            let count = &mut counts[upper(item) as usize];
            if *count == 0 {
                columns.push(upper(item));
            }
            *count += 1;
        }
        columns.sort_unstable();
        let mut starts = room(columns.len() + 1)?;
        starts.push(0);
        let mut end = 0;
        for &column in &columns {
            let start = end;
            end += counts[column as usize] as usize;
            starts.push(end);
            counts[column as usize] = start as u32;
        }
        let mut items = filled(0, end)?;
        for &row in &rows {
            for &cell in self.items_of(row) {
                let place = &mut counts[upper(cell) as usize];
                items[*place as usize] = item(lower(cell), row);
                *place += 1;
            }
        }
        for (ends, &column) in starts.windows(2).zip(&columns) {
            items[ends[0]..ends[1]].sort_unstable();
            counts[column as usize] = 0;
        }
        Ok(ColumnLists { rows, columns, starts, items })
    }
}

/// The items of all columns, row by row.
fn turn(lists: &ColumnLists, n_rows: usize) -> Result<(Vec<usize>, Vec<u64>)> {
    let (mut starts, mut by_row) = (filled(0usize, n_rows + 1)?, filled(0, lists.len())?);
    lists.items.iter().for_each(|&item| starts[lower(item) as usize + 1] += 1);
    (0..n_rows).for_each(|row| starts[row + 1] += starts[row]);
    let mut next = starts.clone();
    for place in 0..lists.width() {
        let (column, items) = lists.at(place);
        for &cell in items {
            let at = &mut next[lower(cell) as usize];
            by_row[*at] = item(column, upper(cell));
            *at += 1;
        }
    }
    Ok((starts, by_row))
}
