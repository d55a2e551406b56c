//! What a sparse table stores, as ranks: codes stand in the order of the numbers, as those of [`crate::codes::ranks`] do.

use super::stored::{StoredTable, item};
use crate::Result;
use crate::codes::sorted::{Keyed, sort};
use crate::data::sparse::Sparse;
use crate::data::table::{MISSING, Table};
use crate::sys::memory::room;
use crate::sys::pool::Cancel;

/// All that a table stores; the code of a missing number is [`MISSING`].
#[derive(Debug)]
pub struct RankedTable {
    /// The items.
    pub stored: StoredTable,
    /// The different numbers of each column, zero among them, ascending, one column behind the other.
    numbers: Vec<f64>,
    starts: Vec<usize>,
}

impl RankedTable {
    /// Codes a table; None where not all of its columns are sparse.
    pub fn new(table: &Table<'_>, cancel: &Cancel) -> Result<Option<RankedTable>> {
        let (mut numbers, mut starts) = (Vec::new(), vec![0]);
        let stored = StoredTable::new(table, cancel, |_, column, items| {
            let zero = code_column(column, &mut numbers, items, cancel)?;
            starts.push(numbers.len());
            Ok(zero)
        })?;
        Ok(stored.map(|stored| RankedTable { stored, numbers, starts }))
    }

    /// The different numbers of a column, ascending: of each code the number.
    pub fn numbers(&self, column: u32) -> &[f64] {
        &self.numbers[self.starts[column as usize]..self.starts[column as usize + 1]]
    }
}

/// Appends the numbers of a column, zero among them, and its items by code; returns the code of zero.
fn code_column(column: &Sparse<'_>, numbers: &mut Vec<f64>, items: &mut Vec<u64>, cancel: &Cancel) -> Result<u32> {
    let cells = || column.values().iter().zip(column.rows());
    let mut known = room(cells().len())?;
    known.extend(cells().filter(|(x, _)| !x.is_nan()).map(|(&x, &row)| Keyed::new(x, row)));
    let known = sort(known, cancel)?;
    let (start, mut zero) = (numbers.len(), None);
    numbers.try_reserve(known.len() + 1)?;
    for run in known.chunk_by(|a, b| a.key == b.key) {
        let number = run[0].number();
        if number > 0.0 && zero.is_none() {
            zero = Some((numbers.len() - start) as u32);
            numbers.push(0.0);
        }
        let code = (numbers.len() - start) as u32;
        items.extend(run.iter().map(|cell| item(code, cell.row)));
        numbers.push(number);
    }
    items.extend(cells().filter(|(x, _)| x.is_nan()).map(|(_, &row)| item(MISSING, row)));
    Ok(zero.unwrap_or_else(|| {
        numbers.push(0.0);
        (numbers.len() - start - 1) as u32
    }))
}
