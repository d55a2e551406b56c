//! The rows of one node.

use super::columns::SortedColumns;
use crate::Result;
use crate::sys::memory::{filled, room};
use std::sync::Arc;

/// The rows of one node. A place is a position among them.
#[derive(Debug, Default)]
pub struct SortedNode {
    /// How many rows there are, fractions included.
    pub count: usize,
    /// The weight of each class, in units.
    pub stats: Vec<u64>,
    /// The rows of the table by their places; these and the lists below are empty in a node that is not searched.
    pub rows: Vec<u32>,
    /// The class of each.
    pub classes: Vec<u16>,
    /// The weight of each in units; None where all weigh the same.
    pub weights: Option<Vec<u64>>,
    /// The columns of numbers that may still be asked about, in their order.
    pub numbers: SortedColumns,
    /// The columns of categories that may still be asked about, in their order.
    pub levels: Arc<[u32]>,
    /// How many known rows are below the cut that was chosen, if it is one.
    pub below: usize,
}

impl SortedNode {
    /// No rows of so many classes, with room for so many; whether they differ in weight.
    pub fn with_room(rows: usize, classes: usize, is_weighed: bool) -> Result<SortedNode> {
        let weights = if is_weighed { Some(room(rows)?) } else { None };
        let (stats, rows, classes) = (filled(0, classes)?, room(rows)?, room(rows)?);
        Ok(SortedNode { stats, rows, classes, weights, ..SortedNode::default() })
    }

    /// Adds a row.
    #[inline]
    pub fn push(&mut self, row: u32, class: u16, weight: u64) {
        self.rows.push(row);
        self.classes.push(class);
        self.stats[class as usize] += weight;
        if let Some(weights) = &mut self.weights {
            weights.push(weight);
        }
    }

    /// Adds a part of a row, for which there may be no room yet.
    pub fn push_fraction(&mut self, row: u32, class: u16, weight: u64) -> Result<()> {
        self.rows.try_reserve(1)?;
        self.classes.try_reserve(1)?;
        if let Some(weights) = &mut self.weights {
            weights.try_reserve(1)?;
        }
        self.push(row, class, weight);
        Ok(())
    }
}
