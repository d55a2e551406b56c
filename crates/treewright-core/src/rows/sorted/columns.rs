//! The columns of numbers of a node, each in order.

use super::item::{key_of, moved, place_of};
use super::node::{NOWHERE, SpareItems};
use crate::Result;

/// A column of numbers in a node.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    /// The column.
    pub column: u32,
    /// How many of the node's rows have a number there.
    pub known: u32,
}

/// The known numbers of a node, column by column, each in order.
#[derive(Debug, Default)]
pub struct SortedColumns {
    /// The columns of numbers that may still be asked about, in their order.
    pub segments: Vec<Segment>,
    /// Their known numbers in order, see [`super::item`]; a column begins every `stride` items. Empty in a node that is
    /// not searched.
    pub items: Vec<u64>,
    /// From one column to the next.
    pub stride: usize,
}

impl SortedColumns {
    /// The known numbers of one of the columns, by its position among them.
    pub fn items_of(&self, position: usize) -> &[u64] {
        &self.items[position * self.stride..][..self.segments[position].known as usize]
    }

    /// The known numbers of a column; none where it is not there.
    pub fn of_column(&self, column: u32) -> &[u64] {
        let position = self.segments.binary_search_by_key(&column, |segment| segment.column);
        position.map_or(&[], |position| self.items_of(position))
    }

    /// The positions of the columns that have different numbers.
    pub fn varying(&self) -> Vec<usize> {
        let varies = |items: &[u64]| items.first().map(|item| key_of(*item)) != items.last().map(|item| key_of(*item));
        (0..self.segments.len()).filter(|&position| varies(self.items_of(position))).collect()
    }

    /// Makes room for so many columns of so many rows.
    pub fn make_room(&mut self, columns: usize, rows: usize, spares: &SpareItems) -> Result<()> {
        self.stride = rows + 1;
        self.items = spares.take(self.stride * columns)?;
        Ok(())
    }

    /// Takes rows out of columns that hold all rows of a table; `place_of_row` is a row's place or [`NOWHERE`].
    pub fn keep_rows(&mut self, place_of_row: &[u32]) {
        for (segment, items) in self.segments.iter_mut().zip(self.items.chunks_mut(self.stride)) {
            let mut kept = 0;
            for i in 0..segment.known as usize {
                let place = place_of_row[place_of(items[i]) as usize];
                if place != NOWHERE {
                    items[kept] = moved(items[i], place);
                    kept += 1;
                }
            }
            segment.known = kept as u32;
        }
    }
}
