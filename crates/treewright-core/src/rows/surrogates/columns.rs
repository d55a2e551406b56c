//! The columns of numbers of a node, each in order.

use crate::Result;
use crate::rows::sorted::node::SpareItems;

/// A known number of a node: its key above, the place of its row in the node below. Items are ordered by their keys.
#[inline(always)]
pub fn item(key: u32, place: u32) -> u64 {
    u64::from(key) << 32 | u64::from(place)
}

/// The key of an item.
#[inline(always)]
pub fn key_of(item: u64) -> u32 {
    (item >> 32) as u32
}

/// The place of an item's row in its node.
#[inline(always)]
pub fn place_of(item: u64) -> u32 {
    item as u32
}

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
    /// Their known numbers in order, see [`item`]; a column begins every `stride` items. Empty in a node that is
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

    /// The position of a column.
    pub fn position(&self, column: u32) -> Option<usize> {
        self.segments.iter().position(|segment| segment.column == column)
    }

    /// The known numbers of a column; none where it is not there.
    pub fn of_column(&self, column: u32) -> &[u64] {
        self.position(column).map_or(&[], |position| self.items_of(position))
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
}
