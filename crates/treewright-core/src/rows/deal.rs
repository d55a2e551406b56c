//! Sending the rows of a node on their ways: each to one child, or in fractions to all of them, or nowhere.
//!
//! Weights are integers, so the fractions of a row add up to the row exactly.

use crate::Result;
use crate::model::tree::SHARE;
use crate::rows::entries::Entry;
use crate::stats::weights::Weights;
use crate::sys::memory::{filled, room};
use crate::sys::pool::Cancel;

/// The rows of a node among its children.
#[derive(Debug)]
pub struct Dealt {
    /// The entries of each child, fractions included.
    pub children: Vec<Vec<Entry>>,
    /// The weight of the rows that each child got whole, in units.
    pub known: Vec<u64>,
    /// The entries that stay at the node.
    pub stopped: Vec<Entry>,
}

/// All rows with a weight above 0.
pub fn present(weights: &Weights) -> Result<Vec<Entry>> {
    let mut entries = room(weights.units.len())?;
    let rows = weights.units.iter().enumerate().filter(|(_, weight)| **weight > 0);
    entries.extend(rows.map(|(row, &weight)| Entry { row: row as u32, weight }));
    Ok(entries)
}

/// The entries for which something holds, and the others, both in their order.
pub fn apart(entries: &[Entry], holds: impl Fn(&Entry) -> bool) -> Result<[Vec<Entry>; 2]> {
    let count = entries.iter().filter(|entry| holds(entry)).count();
    let mut parts = [room(count)?, room(entries.len() - count)?];
    entries.iter().for_each(|entry| parts[usize::from(!holds(entry))].push(*entry));
    Ok(parts)
}

/// Rows between two looks at the cancel flag.
const BETWEEN_LOOKS: usize = 1 << 12;

/// Deals entries to the child of their row. [`SHARE`] divides one in proportion to the weight of the rows that went to
/// each child whole; any other number that is no child stops it.
///
/// The children together hold an entry for each row that can answer and up to one a child for each that cannot: lists
/// grow by asking first.
pub fn deal(children: u16, entries: &[Entry], child_of: impl Fn(u32) -> u16, cancel: &Cancel) -> Result<Dealt> {
    let children = children as usize;
    let (mut counts, mut known, mut shared) = (filled(0usize, children)?, filled(0u64, children)?, 0);
    for entry in entries {
        let child = child_of(entry.row);
        match counts.get_mut(child as usize) {
            Some(count) => {
                *count += 1;
                known[child as usize] += entry.weight;
            }
            None => shared += usize::from(child == SHARE),
        }
    }
    let mut dealt = Dealt { children: room(children)?, known, stopped: Vec::new() };
    for count in counts {
        dealt.children.push(room(count)?);
    }
    let mut unknown = room(shared)?;
    for &entry in entries {
        let child = child_of(entry.row);
        match dealt.children.get_mut(child as usize) {
            Some(list) => list.push(entry),
            None if child == SHARE => unknown.push(entry),
            None => dealt.stopped.push(entry),
        }
    }
    for some in unknown.chunks((BETWEEN_LOOKS / children.max(1)).max(1)) {
        cancel.check()?;
        some.iter().try_for_each(|entry| share(*entry, &dealt.known, &mut dealt.children))?;
    }
    Ok(dealt)
}

/// Divides an entry among the children in proportion to their known weight; the parts add up to it exactly.
fn share(entry: Entry, known: &[u64], children: &mut [Vec<Entry>]) -> Result<()> {
    let total: u128 = known.iter().map(|&weight| u128::from(weight)).sum();
    let (mut passed, mut given) = (0u128, 0u64);
    for (child, &weight) in children.iter_mut().zip(known) {
        passed += u128::from(weight);
        let upto = (u128::from(entry.weight) * passed / total.max(1)) as u64;
        if upto > given {
            child.try_reserve(1)?;
            child.push(Entry { row: entry.row, weight: upto - given });
            given = upto;
        }
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::model::tree::STOP;

    #[test]
    fn fractions_add_up_to_the_row() {
        let ways = [0, 1, 1, SHARE, STOP];
        let entries: Vec<Entry> = (0..5).map(|row| Entry { row, weight: 100 }).collect();
        let dealt = deal(2, &entries, |row| ways[row as usize], &Cancel::default()).unwrap();
        assert_eq!(dealt.known, [100, 200]);
        let shares: Vec<u64> = dealt.children.iter().map(|child| child[child.len() - 1].weight).collect();
        assert_eq!(shares, [33, 67]);
        assert_eq!(dealt.stopped, [Entry { row: 4, weight: 100 }]);
    }
}
