//! Lists of weighted rows.

use super::criterion::Criterion;
use super::weights::Weights;
use crate::Result;
use crate::sys::memory::{filled, room};

/// A row, or the part of a row that is in a node, with its weight in units (see [`super::weights`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The row of the table.
    pub row: u32,
    /// Its weight.
    pub weight: u64,
}

/// All rows with a weight above 0.
pub fn list_rows(weights: &Weights) -> Result<Vec<Entry>> {
    let mut entries = room(weights.units.len())?;
    let rows = weights.units.iter().enumerate().filter(|(_, weight)| **weight > 0);
    entries.extend(rows.map(|(row, &weight)| Entry { row: row as u32, weight }));
    Ok(entries)
}

/// The statistics of a set of rows.
pub fn add_up<C: Criterion>(criterion: &C, entries: &[Entry]) -> Result<Vec<C::Stat>> {
    let mut stats = filled(C::Stat::default(), criterion.width())?;
    entries.iter().for_each(|entry| criterion.add(&mut stats, entry.row as usize, entry.weight));
    Ok(stats)
}

/// The entries for which something holds, and the others, both in their order.
pub fn partition(entries: &[Entry], holds: impl Fn(&Entry) -> bool) -> Result<[Vec<Entry>; 2]> {
    let count = entries.iter().filter(|entry| holds(entry)).count();
    let mut parts = [room(count)?, room(entries.len() - count)?];
    entries.iter().for_each(|entry| parts[usize::from(!holds(entry))].push(*entry));
    Ok(parts)
}
