//! Rows whose classes are known, for pruners that look at rows.

use crate::Result;
use crate::data::table::Table;
use crate::peers::Peers;
use crate::rows::list::distribute::{Distributed, distribute_rows};
use crate::stats::criterion::Criterion;
use crate::stats::entry::{Entry, add_up, list_rows};
use crate::stats::weights::Weights;
use crate::sys::memory::collected;
use crate::sys::pool::{self, Cancel};

/// So many rows are worth a thread.
pub const ROWS_OF_A_THREAD: usize = 1 << 13;

/// Rows, their weights, and what is added up over them.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a, C> {
    /// The columns.
    pub table: &'a Table<'a>,
    /// What is added up; it knows the classes.
    pub criterion: &'a C,
    /// Fine weights ([`Weights::fine_part`]), since rows may be divided.
    pub weights: &'a Weights,
    /// The processes that hold the other rows.
    pub peers: &'a dyn Peers,
}

impl<C: Criterion<Stat = u64>> Sample<'_, C> {
    /// All rows.
    pub fn all(&self) -> Result<Vec<Entry>> {
        list_rows(self.weights)
    }

    /// The weight of each class among the entries of all processes, and how many there are, given those of this one.
    pub fn sums(&self, entries: &[Entry]) -> Result<(Vec<u64>, u64)> {
        let mut stats = add_up(self.criterion, entries)?;
        stats.push(entries.len() as u64);
        self.peers.add(&mut stats)?;
        let count = stats.pop().unwrap_or(0);
        Ok((stats, count))
    }

    /// Whether a child has an entry in any process.
    pub fn has_rows(&self, children: &[Vec<Entry>]) -> Result<Vec<bool>> {
        let mut counts: Vec<u64> = collected(children.iter().map(|entries| entries.len() as u64))?;
        self.peers.add(&mut counts)?;
        collected(counts.into_iter().map(|count| count > 0))
    }

    /// Sends entries to so many children; known weights are those of all processes.
    pub fn distribute(
        &self,
        children: u16,
        entries: &[Entry],
        child_of: impl Fn(u32) -> u16 + Sync,
        cancel: &Cancel,
    ) -> Result<Distributed> {
        // Each row is asked once: its number may be far away.
        let children_of =
            |entries: &[Entry]| -> Result<Vec<u16>> { collected(entries.iter().map(|entry| child_of(entry.row))) };
        let threads = pool::bounded(entries.len() / ROWS_OF_A_THREAD + 1);
        let chosen = if threads == 1 {
            children_of(entries)?
        } else {
            let chunks = entries.chunks(entries.len().div_ceil(threads)).collect();
            pool::each(threads, chunks, children_of)?.into_iter().collect::<Result<Vec<_>>>()?.concat()
        };
        distribute_rows(children, entries, |position, _| chosen[position], self.peers, cancel)
    }
}
