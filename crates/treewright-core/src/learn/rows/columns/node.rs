//! The rows of one node, and what is known of them until it is split.

use std::sync::Arc;

/// A column that may still be asked about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Live {
    /// The column.
    pub column: u32,
    /// No row of the node has a smaller code.
    pub low: u16,
    /// No row of the node has a greater code.
    pub high: u16,
}

impl Live {
    /// A column whose rows all have one number, where it cannot leave the list.
    pub fn constant(column: u32) -> Live {
        Live { column, low: 1, high: 0 }
    }

    /// Whether it is such a column. Its codes are not kept in order.
    pub fn is_constant(&self) -> bool {
        self.low > self.high
    }
}

/// Where a column is cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    /// Rows with a smaller code go left, with a greater one right, with this code left too.
    pub code: u16,
    /// Where different numbers share that code and are told apart: the greatest on the left, the least on the right.
    pub within: Option<(f64, f64)>,
}

/// The rows of one node: a span of its holder's block.
#[derive(Clone, Debug)]
pub struct Node<T> {
    /// The first row.
    pub start: usize,
    /// How many rows.
    pub len: usize,
    /// What they add up to.
    pub total: T,
    /// The columns that are not known to be constant, in their order; where columns are drawn, all of them.
    pub live: Arc<[Live]>,
    /// See [`crate::learn::draw`].
    pub key: u64,
    /// The division that was offered.
    pub split: Option<Split<T>>,
}

/// How a node's rows are divided.
#[derive(Clone, Debug)]
pub struct Split<T> {
    /// The place of the column among the live ones.
    pub place: usize,
    /// Where it is cut.
    pub cut: Cut,
    /// What both sides add up to.
    pub totals: [T; 2],
    /// How many rows go left.
    pub left: usize,
}
