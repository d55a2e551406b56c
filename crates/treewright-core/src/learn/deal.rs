//! Sending the rows of a node on their ways: each to one child, or in fractions to all of them, or nowhere.
//!
//! Weights are integers, so the fractions of a row add up to the row exactly.

use super::rows::entries::Entry;
use super::weights::Weights;
use crate::model::tree::SHARE;

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
pub fn present(weights: &Weights) -> Vec<Entry> {
    let rows = weights.units.iter().enumerate().filter(|(_, weight)| **weight > 0);
    rows.map(|(row, &weight)| Entry { row: row as u32, weight }).collect()
}

/// Deals entries to the child of their row. [`SHARE`] divides one in proportion to the weight of the rows that went to
/// each child whole; any other number that is no child stops it.
pub fn deal(children: u16, entries: &[Entry], child_of: impl Fn(u32) -> u16) -> Dealt {
    let children = children as usize;
    let mut dealt = Dealt { children: vec![Vec::new(); children], known: vec![0; children], stopped: Vec::new() };
    let mut unknown = Vec::new();
    for &entry in entries {
        let child = child_of(entry.row);
        match dealt.children.get_mut(child as usize) {
            Some(list) => {
                list.push(entry);
                dealt.known[child as usize] += entry.weight;
            }
            None if child == SHARE => unknown.push(entry),
            None => dealt.stopped.push(entry),
        }
    }
    unknown.iter().for_each(|entry| share(*entry, &dealt.known, &mut dealt.children));
    dealt
}

/// Divides an entry among the children in proportion to their known weight; the parts add up to it exactly.
fn share(entry: Entry, known: &[u64], children: &mut [Vec<Entry>]) {
    let total: u128 = known.iter().map(|&weight| u128::from(weight)).sum();
    let (mut passed, mut given) = (0u128, 0u64);
    for (child, &weight) in children.iter_mut().zip(known) {
        passed += u128::from(weight);
        let upto = (u128::from(entry.weight) * passed / total.max(1)) as u64;
        if upto > given {
            child.push(Entry { row: entry.row, weight: upto - given });
            given = upto;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tree::STOP;

    #[test]
    fn fractions_add_up_to_the_row() {
        let ways = [0, 1, 1, SHARE, STOP];
        let entries: Vec<Entry> = (0..5).map(|row| Entry { row, weight: 100 }).collect();
        let dealt = deal(2, &entries, |row| ways[row as usize]);
        assert_eq!(dealt.known, [100, 200]);
        let shares: Vec<u64> = dealt.children.iter().map(|child| child[child.len() - 1].weight).collect();
        assert_eq!(shares, [33, 67]);
        assert_eq!(dealt.stopped, [Entry { row: 4, weight: 100 }]);
    }
}
