//! Sending the rows of a node to its children: each to one child, or in parts to all of them, or nowhere.
//!
//! Weights are integers, so the parts of a row add up to the row exactly.

use crate::Result;
use crate::model::tree::SHARE;
use crate::peers::Peers;
use crate::stats::entry::Entry;
use crate::sys::memory::{filled, room};
use crate::sys::pool::Cancel;

/// The rows of a node among its children.
#[derive(Debug)]
pub struct Distributed {
    /// The entries of each child, parts of rows included.
    pub children: Vec<Vec<Entry>>,
    /// The weight of the rows that each child got whole, in units.
    pub known: Vec<u64>,
    /// The entries that stay at the node.
    pub stopped: Vec<Entry>,
}

/// Rows between two looks at the cancel flag.
const ROWS_BETWEEN_CHECKS: usize = 1 << 12;

/// Sends each entry to the child that `child_of` gives for its position and row. [`SHARE`] divides it in proportion to the
/// weight of the rows that went to each child whole; any other number that is no child keeps it at the node.
///
/// The children together hold an entry for each row that has a child and up to one a child for each that is shared: lists
/// grow by asking first. The entries are those in this process; weights are those in all processes.
pub fn distribute_rows(
    children: u16,
    entries: &[Entry],
    child_of: impl Fn(usize, u32) -> u16,
    peers: &dyn Peers,
    cancel: &Cancel,
) -> Result<Distributed> {
    let children = children as usize;
    let (mut counts, mut known, mut shared) = (filled(0usize, children)?, filled(0u64, children)?, 0);
    for (position, entry) in entries.iter().enumerate() {
        let child = child_of(position, entry.row);
        match counts.get_mut(child as usize) {
            Some(count) => {
                *count += 1;
                known[child as usize] += entry.weight;
            }
            None => shared += usize::from(child == SHARE),
        }
    }
    peers.add(&mut known)?;
    let mut sent = Distributed { children: room(children)?, known, stopped: Vec::new() };
    for count in counts {
        sent.children.push(room(count)?);
    }
    let mut unknown = room(shared)?;
    for (position, &entry) in entries.iter().enumerate() {
        let child = child_of(position, entry.row);
        match sent.children.get_mut(child as usize) {
            Some(list) => list.push(entry),
            None if child == SHARE => unknown.push(entry),
            None => {
                sent.stopped.try_reserve(1)?;
                sent.stopped.push(entry);
            }
        }
    }
    for some in unknown.chunks((ROWS_BETWEEN_CHECKS / children.max(1)).max(1)) {
        cancel.check()?;
        some.iter().try_for_each(|entry| share(*entry, &sent.known, &mut sent.children))?;
    }
    Ok(sent)
}

/// Divides an entry among the children in proportion to their known weight; the parts add up to it exactly.
fn share(entry: Entry, known: &[u64], children: &mut [Vec<Entry>]) -> Result<()> {
    each_share(entry.weight, known, |child, weight| {
        children[child].try_reserve(1)?;
        children[child].push(Entry { row: entry.row, weight });
        Ok(())
    })
}

/// The parts of a weight in proportion to the known weights of some children: `give` is told each child that gets one, and
/// what it gets. The parts add up to the weight exactly.
pub fn each_share(weight: u64, known: &[u64], mut give: impl FnMut(usize, u64) -> Result<()>) -> Result<()> {
    let total: u128 = known.iter().map(|&weight| u128::from(weight)).sum();
    let (mut passed, mut distributed) = (0u128, 0u64);
    for (child, &known) in known.iter().enumerate() {
        passed += u128::from(known);
        let upto = (u128::from(weight) * passed / total.max(1)) as u64;
        if upto > distributed {
            give(child, upto - distributed)?;
            distributed = upto;
        }
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::model::tree::STOP;
    use crate::peers::Alone;

    fn entries(weights: &[u64]) -> Vec<Entry> {
        (0..).zip(weights).map(|(row, &weight)| Entry { row, weight }).collect()
    }

    #[test]
    fn parts_add_up_to_the_row() {
        let children = [0, 1, 1, SHARE, STOP];
        let child_of = |_, row| children[row as usize];
        let sent = distribute_rows(2, &entries(&[100; 5]), child_of, &Alone, &Cancel::default()).unwrap();
        assert_eq!(sent.known, [100, 200]);
        let shares: Vec<u64> = sent.children.iter().map(|child| child[child.len() - 1].weight).collect();
        assert_eq!(shares, [33, 67]);
        assert_eq!(sent.stopped, [Entry { row: 4, weight: 100 }]);
    }

    #[test]
    fn rows_keep_their_order() {
        let children = [2, 0, 1, 2, 0, 2];
        let entries = entries(&[1, 2, 3, 4, 5, 6]);
        let sent = distribute_rows(3, &entries, |position, _| children[position], &Alone, &Cancel::default()).unwrap();
        let rows: Vec<Vec<u32>> = sent.children.iter().map(|list| list.iter().map(|e| e.row).collect()).collect();
        assert_eq!(rows, [vec![1, 4], vec![2], vec![0, 3, 5]]);
        assert_eq!(sent.known, [7, 3, 11]);
    }
}
