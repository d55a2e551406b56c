//! The columns of numbers of a node, each in order.

use super::item::{key_of, moved, place_of};
use crate::sys::pages::zeros;
use crate::{Error, Result};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// So many items are written at once.
pub const ITEMS_AT_ONCE: usize = 8;

/// In place of a place: the row is not there.
pub const NOWHERE: u32 = u32::MAX;

/// The known numbers of a node, column by column, each in order.
#[derive(Debug, Default)]
pub struct SortedColumns {
    /// The columns of numbers that may still be asked about, in their order, each with how many of the node's rows have a
    /// number there.
    pub columns: Vec<(u32, u32)>,
    /// Their known numbers in order, see [`super::item`]; a column begins every `stride` items. Empty in a node that is
    /// not searched.
    pub items: Vec<u64>,
    /// From one column to the next.
    pub stride: usize,
}

impl SortedColumns {
    /// Room for so many columns of so many rows, each with some behind it that several items may be written to at once.
    pub fn new(columns: usize, rows: usize, spares: &SpareItems) -> Result<SortedColumns> {
        let stride = rows + ITEMS_AT_ONCE;
        let items = spares.take(stride.checked_mul(columns).ok_or(Error::Memory)?)?;
        Ok(SortedColumns { columns: Vec::new(), items, stride })
    }

    /// The known numbers of one of the columns, by its position among them.
    pub fn items_of(&self, position: usize) -> &[u64] {
        &self.items[position * self.stride..][..self.columns[position].1 as usize]
    }

    /// The known numbers of a column; none where it is not there.
    pub fn of_column(&self, column: u32) -> &[u64] {
        let position = self.columns.binary_search_by_key(&column, |(column, _)| *column);
        position.map_or(&[], |position| self.items_of(position))
    }

    /// The positions of the columns that have different numbers.
    pub fn varying(&self) -> Vec<usize> {
        let varies = |items: &[u64]| items.first().map(|item| key_of(*item)) != items.last().map(|item| key_of(*item));
        (0..self.columns.len()).filter(|&position| varies(self.items_of(position))).collect()
    }

    /// Takes rows out of columns that hold all rows of a table; `place_of_row` is a row's place or [`NOWHERE`].
    pub fn keep_rows(&mut self, place_of_row: &[u32]) {
        for ((_, known), items) in self.columns.iter_mut().zip(self.items.chunks_mut(self.stride)) {
            let mut count = 0;
            for i in 0..*known as usize {
                let place = place_of_row[place_of(items[i]) as usize];
                if place != NOWHERE {
                    items[count] = moved(items[i], place);
                    count += 1;
                }
            }
            *known = count as u32;
        }
    }
}

/// Tells the rows of some items, given in order, on which side they are of a cut that has so many below it.
pub fn tell_sides(items: &[u64], below: usize, sides: &mut [u16]) {
    for (position, item) in items.iter().enumerate() {
        sides[place_of(*item) as usize] = u16::from(position >= below);
    }
}

/// Lists of items that are not used at present: new memory must be cleared by the system first.
#[derive(Debug, Default)]
pub struct SpareItems(Mutex<Vec<Vec<u64>>>);

/// More lists than this are not kept.
const MOST: usize = 64;
/// Shorter lists are not worth it.
const FEWEST: usize = 1 << 12;
/// A list may be so many times as long as is needed.
const WASTE: usize = 3;

impl SpareItems {
    /// A list of at least so many items, of any content.
    pub fn take(&self, len: usize) -> Result<Vec<u64>> {
        let fits = |list: &Vec<u64>| list.len() >= len && list.len() / WASTE <= len;
        if len >= FEWEST {
            let mut lists = self.lock();
            if let Some(position) = lists.iter().rposition(fits) {
                return Ok(lists.swap_remove(position));
            }
        }
        zeros(len)
    }

    /// Gives a list back.
    pub fn give(&self, list: Vec<u64>) {
        if list.len() >= FEWEST {
            let mut lists = self.lock();
            if lists.len() < MOST {
                lists.push(list);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Vec<u64>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
