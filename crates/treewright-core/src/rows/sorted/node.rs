//! The rows of one node.

use super::columns::SortedColumns;
use crate::Result;
use crate::sys::pages::zeros;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The rows of one node. A place is a position among them.
#[derive(Debug, Default)]
pub struct Node {
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

/// In place of a place: the row is not there.
pub const NOWHERE: u32 = u32::MAX;

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
