//! What is known of the rows whose column is cut, and the rows in the order of its numbers.

use crate::Result;
use crate::codes::sorted::{Keyed, sort};
use crate::data::table::Column;
use crate::sys::memory::room;
use crate::sys::pool::Cancel;

/// A row of a class that counts so many times.
pub trait Row: Copy + Default + Send + Sync {
    /// Whether it may count any number of times.
    const WEIGHED: bool;
    /// Its class.
    fn class(self) -> usize;
    /// How many times it counts, in units.
    fn weight(self) -> u64;
}

/// A row that counts once.
impl Row for u32 {
    const WEIGHED: bool = false;
    #[inline(always)]
    fn class(self) -> usize {
        self as usize
    }
    #[inline(always)]
    fn weight(self) -> u64 {
        1
    }
}

/// A class and a weight.
impl Row for (u32, u32) {
    const WEIGHED: bool = true;
    #[inline(always)]
    fn class(self) -> usize {
        self.0 as usize
    }
    #[inline(always)]
    fn weight(self) -> u64 {
        u64::from(self.1)
    }
}

/// The rows that have a number, ascending; `missing` is told of those that have none. Both zeros are one number.
pub fn sort_rows<T: Copy + Default>(
    column: &Column<'_>,
    rows: &[T],
    mut missing: impl FnMut(T),
    cancel: &Cancel,
) -> Result<Vec<Keyed<T>>> {
    let mut entries = room(rows.len())?;
    let mut take = |number: f64, row: T| match number.is_nan() {
        true => missing(row),
        false => entries.push(Keyed::new(number + 0.0, row)),
    };
    match column {
        Column::Numeric(values) => values.iter().zip(rows).for_each(|(&x, &row)| take(x, row)),
        _ => rows.iter().enumerate().for_each(|(place, &row)| take(column.number(place), row)),
    }
    sort(entries, cancel)
}
